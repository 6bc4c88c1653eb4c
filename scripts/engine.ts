/** `npm run --silent engine`: gets an engine. The last line of standard output is the folder of its programs. */
import { ensureEngine } from "./engine/index";
import { main } from "./support/main";

main("engine", async () => process.stdout.write(`${(await ensureEngine()).bin}\n`));
