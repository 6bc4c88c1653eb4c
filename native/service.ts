/** The plugin's service on connections that the engine makes: what the program loads after it has told its port. */
import { readFileSync } from "node:fs";
import type { Server } from "node:net";
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

/**
 * @param folder where the schema is.
 * @param args the program's, the engine's address last.
 */
export function serveOn(server: Server, folder: string, args: readonly string[]): void {
  serve(server, new Plugin(new EngineLine(engineAddress(args))), identityOf(join(folder, "schema.json")));
}
