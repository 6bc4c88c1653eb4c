/**
 * `npm run --silent sdk`: makes the SDKs for Python and Go from provider/frontends/native/schema.json. The first time, it
 * builds the engine's generators.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../../cli/files";
import { GO_ENVIRONMENT, SDK } from "../engine/build";
import { schemaFile } from "./spec";
import { project } from "../release/project";
import { main, root, script } from "../support/main";

export const sdkFolder = join(root, "sdk");
/** Has the {@link fingerprint} of the time when the SDKs were made. */
export const fingerprintFile = join(sdkFolder, "MADE-FROM");
const generator = join(__dirname, "sdk");
const languages = ["go", "python"];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** The digests of the SDKs and of their sources. A test compares them. */
export function fingerprint(): string {
  const digest = (files: readonly string[]): string => {
    const hash = createHash("sha256");
    for (const file of files)
      hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
    return hash.digest("hex");
  };
  const made = languages.flatMap((language) => filesBelow(join(sdkFolder, language)));
  return `schema and generator ${digest([schemaFile, ...filesBelow(generator)])}\nSDKs ${digest(made)}\n`;
}

/** The generator makes no module file, without which no program can name the folder. */
function makeGoModule(sdk: string): void {
  const { version } = JSON.parse(readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8")) as {
    version: string;
  };
  const text = `module ${project.goModule}\n\ngo 1.25.0\n\nrequire ${SDK} v${version}\n`;
  writeFileSync(join(sdk, "go.mod"), text);
  const env = { ...process.env, ...GO_ENVIRONMENT, GOFLAGS: "" };
  execFileSync("go", ["mod", "tidy"], { cwd: sdk, env, stdio: "inherit" });
}

function makeSdks(): Promise<void> {
  return withTemporaryFolder("legacydns-sdk-", (folder) => {
    const program = join(folder, "sdk");
    const env = { ...process.env, ...GO_ENVIRONMENT, GOFLAGS: "-mod=readonly" };
    execFileSync("go", ["build", "-o", program, "."], { cwd: generator, env, stdio: "inherit" });
    for (const language of languages) rmSync(join(sdkFolder, language), { recursive: true, force: true });
    execFileSync(program, [schemaFile, sdkFolder], { stdio: "inherit" });
    // The project's file names it there.
    const python = join(sdkFolder, "python");
    copyFileSync(join(python, "pulumi_legacydns", "README.md"), join(python, "README.md"));
    makeGoModule(join(sdkFolder, "go", "legacydns"));
    writeFileSync(fingerprintFile, fingerprint());
  });
}

if (require.main === module)
  main(
    script(
      "sdk",
      "Writes the SDKs for Python and Go in sdk/ from provider/frontends/native/schema.json. It needs Go.",
    ),
    makeSdks,
  );
