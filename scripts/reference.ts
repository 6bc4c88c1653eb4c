/** `npm run docs:reference`: writes docs/reference/ anew from native/schema.json. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { referencePages } from "./docs/reference";

const folder = join(resolve(__dirname, ".."), "docs", "reference");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of referencePages()) writeFileSync(join(folder, file), text);
