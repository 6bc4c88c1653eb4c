/**
 * `npm run release`: builds all artefacts in dist/release. `npm run release:check` also proves each in an
 * empty project. It needs Node.js, Python, Go and their registries.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildArtefacts } from "./release/artefacts";
import { hasOwner, project } from "./release/project";
import { prove } from "./release/proofs";
import { main, root } from "./support/main";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

main("release", async () => {
  const folder = join(root, "dist", "release");
  rmSync(folder, { recursive: true, force: true });
  const artefacts = await buildArtefacts(folder);
  if (!check) {
    for (const file of artefacts) say(file);
    return;
  }
  await prove(folder, say);
  if (!hasOwner) {
    const command =
      "git grep -lz OWNER/ | xargs -0 perl -pi -e 's#OWNER/pulumi-legacydns#NAME/pulumi-legacydns#g'";
    say(
      `No owner is set in package.json ("repository": ${project.repository}). With your account as NAME, run`,
    );
    say(`  ${command}`);
    // The imports of Go programs are sorted by name.
    say("  gofmt -w examples/go templates/legacydns-go test/support/go");
    say("  npm run schema && npm run sdk && npm run docs:reference");
  }
});
