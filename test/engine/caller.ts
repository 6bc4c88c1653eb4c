/** A process that wants an engine, for the tests that need a second process: the download closed, Go from the PATH. */
import { join } from "node:path";
import { ensureEngine } from "../../scripts/engine/index";
import { DYNAMIC_PROVIDER } from "../../scripts/engine/programs";
import { readRecipe } from "../../scripts/engine/recipe";
import { closed, QUICK } from "./world";

async function main(): Promise<void> {
  const dynamicProvider = join(process.env.PULUMI_LEGACYDNS_CACHE ?? "", "..", DYNAMIC_PROVIDER);
  const { go } = await readRecipe();
  const engine = await ensureEngine({
    recipe: { key: "3.200.0-test", version: "3.200.0", go, dynamicProvider },
    lockTimes: QUICK,
    makers: { download: closed("the network is closed") },
  });
  process.stdout.write(JSON.stringify(engine));
}

void main();
