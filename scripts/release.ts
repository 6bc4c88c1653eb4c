/**
 * `npm run release`: builds all artefacts in dist/release. `npm run release:check` also proves each in an
 * empty project. It needs Node.js, Python, Go and their registries.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildArtefacts } from "./release/artefacts";
import { prove } from "./release/proofs";
import { main, root } from "./support/main";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

main("release", async () => {
  const folder = join(root, "dist", "release");
  rmSync(folder, { recursive: true, force: true });
  const artefacts = await buildArtefacts(folder);
  if (check) await prove(folder, say);
  else artefacts.forEach(say);
});
