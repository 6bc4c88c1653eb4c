/** `npm run --silent engine`: gets an engine. The last line of standard output is the folder of its programs. */
import { ensureEngine } from "./engine/index";
import { reasonOf } from "./support/run";

ensureEngine().then(
  ({ bin }) => process.stdout.write(`${bin}\n`),
  (error: unknown) => {
    process.stderr.write(`engine: ${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
