/**
 * `npm run --silent engine`: gets the real engine and prints, as the last line of standard output, the folder that
 * holds its programs. What it does meanwhile it says on standard error. As a module it is the door to the folder
 * beside it, which has the same name.
 */
import { parseArgs } from "node:util";
import { ensureEngine, NoEngine } from "./engine/index";
import { abortedWithNpm, Interrupted } from "./engine/interrupt";
import { MINIMUM_VERSION } from "./engine/programs";
import { Refused, WAYS } from "./engine/ways";

export * from "./engine/index";

const HELP = `npm run --silent engine [-- --json]

Gets a Pulumi engine and prints the folder that holds its programs. The ways, in this order:
  path      pulumi on the PATH, ${MINIMUM_VERSION} or newer, with its Node.js host
  cache     what an earlier run made on this machine
  download  Pulumi's own installer, where the network lets it
  build     from Go modules, where Go is: about 3 minutes on 2 cores, once per machine

  --json    the last line is {"bin":…,"source":…,"version":…}
  --help    this text

Environment:
  PULUMI_LEGACYDNS_ENGINE  a comma list of the ways that may be gone (${WAYS.join(",")});
                           without "cache" the engine is made anew
  PULUMI_LEGACYDNS_CACHE   the folder for what is made; default: pulumi-legacydns in the user's cache folder

To use it:  PATH="$(npm run --silent engine):$PATH"
`;

function parse(): { json?: boolean; help?: boolean } {
  try {
    return parseArgs({ options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } })
      .values;
  } catch (cause) {
    throw new Refused(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function main(): Promise<number> {
  const values = parse();
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  // Whoever read the progress may be gone before we have cleared up.
  process.stderr.on("error", () => undefined);
  const signal = abortedWithNpm();
  const engine = await ensureEngine(signal === undefined ? {} : { signal });
  process.stdout.write(`${values.json === true ? JSON.stringify(engine) : engine.bin}\n`);
  return 0;
}

if (require.main === module) {
  main().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      // A known end is told by its message; anything else is our mistake and shows where it was made.
      const known = error instanceof NoEngine || error instanceof Interrupted || error instanceof Refused;
      const text =
        error instanceof Error ? ((known ? undefined : error.stack) ?? error.message) : String(error);
      process.stderr.write(`engine: ${text}\n`);
      process.exitCode = 1;
    },
  );
}
