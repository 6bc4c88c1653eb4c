/** `npm run generate`: writes every generated file of the repository. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { main, script } from "../support/main";
import { demoFiles } from "./demo";
import { errorsFile, errorsPage } from "./problems";
import { promisesFile, promisesPage } from "./promises";
import { referenceFolder, referencePages, settingsFile, settingsPage } from "./reference";
import { makeSchema } from "./schema";
import { makeSdks } from "./sdk";
import { schemaFile } from "./spec";

/** File → its text, without the SDKs. */
export function generated(): Map<string, string> {
  const schema = makeSchema();
  return new Map([
    [schemaFile, `${JSON.stringify(schema, null, 2)}\n`],
    ...referencePages(schema),
    [settingsFile, settingsPage()],
    [errorsFile, errorsPage()],
    [promisesFile, promisesPage()],
    ...demoFiles(),
  ]);
}

async function generate({ sdks }: { readonly sdks: boolean }): Promise<void> {
  const files = generated();
  rmSync(referenceFolder, { recursive: true, force: true });
  mkdirSync(referenceFolder, { recursive: true });
  for (const [file, text] of files) writeFileSync(file, text);
  if (sdks) await makeSdks();
}

if (require.main === module)
  main(
    script(
      "generate",
      "Writes the plugin's schema, the SDKs, and the generated pages of docs/. The SDKs need Go.",
    ).option("--no-sdks", "all but the SDKs"),
    generate,
  );
