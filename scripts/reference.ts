/** `npm run docs:reference`: writes docs/reference/, the pages of the registry, and docs/settings.md. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "./docs/reference";
import { registryPages } from "./docs/registry";
import { settingsFile, settingsPage } from "./docs/settings";
import { root } from "./support/main";

const docs = join(root, "docs");
const folder = join(docs, "reference");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of referencePages()) writeFileSync(join(folder, file), text);
writeFileSync(settingsFile, settingsPage());
for (const [file, text] of registryPages()) writeFileSync(join(docs, file), text);
