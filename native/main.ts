/** The plugin's program: the engine starts it with its own address as the last argument, and reads the port of the service. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EngineLine } from "./engine";
import { Plugin } from "./plugin";
import { serve, type Identity } from "./serve";

/** The engine's address, `127.0.0.1:port`. */
function engineAddress(args: readonly string[]): string | undefined {
  const last = args.at(-1);
  return last !== undefined && /^[\w.:[\]-]+:\d+$/.test(last) ? last : undefined;
}

interface Schema {
  readonly version: string;
  readonly resources: Readonly<Record<string, { readonly inputProperties: Readonly<Record<string, unknown>> }>>;
}

function identityOf(file: string): Identity {
  const schema = readFileSync(file, "utf8");
  const { version, resources } = JSON.parse(schema) as Schema;
  const inputs = Object.entries(resources).map(([token, { inputProperties }]) => [token, Object.keys(inputProperties)]);
  return { version, schema, inputs: Object.fromEntries(inputs) as Identity["inputs"] };
}

async function main(): Promise<void> {
  const plugin = new Plugin(new EngineLine(engineAddress(process.argv)));
  const port = await serve(plugin, identityOf(join(__dirname, "schema.json")));
  // The first line of standard output is the port (the engine's protocol for plugins).
  process.stdout.write(`${port}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-legacydns: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
