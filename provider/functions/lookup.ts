/** The parts of a look-up. The native plugin runs it in its own way. */
import type { Client } from "../api";
import type * as Api from "../api";
import type * as pulumi from "../support/sdk";
import type { Settings } from "../settings";
import type { ArgumentReader, DomainKeys } from "./arguments";
import type { LookupOptions } from "./options";
import type * as Run from "./run";

export interface Lookup<Result extends object> {
  readonly name: string;
  readonly arguments: readonly string[];
  /** The question counts only if the reader found no problem. */
  readonly question: (args: ArgumentReader) => Question<Result>;
}

export interface Question<Result extends object> {
  /** Equal for equal questions. */
  readonly request: object;
  readonly ask: (client: Client, settings: Settings) => Promise<Result>;
}

/** A look-up whose only argument is a domain. */
export function domainLookup<Result extends object>(
  name: string,
  ask: (keys: DomainKeys, client: Client, settings: Settings) => Promise<Result>,
): Lookup<Result> {
  return {
    name,
    arguments: ["domain", "domainId"],
    question: (args) => {
      const request = args.domainKeys();
      return { request, ask: (client, settings) => ask(request, client, settings) };
    },
  };
}

/* eslint-disable @typescript-eslint/no-require-imports -- zod, the settings and the wire take longer to load than the rest
   of this package, and most programs have no look-up */
/** The wire, loaded with the first look-up. */
export const api = (): typeof Api => require("../api") as typeof Api;
const run = (): typeof Run => require("./run") as typeof Run;

/**
 * @throws LookupError
 * @internal
 */
export function lookUp<Result extends object>(
  lookup: Lookup<Result>,
  args: unknown,
  options?: LookupOptions,
): Promise<Result> {
  return run().lookUp(lookup, args, options);
}

/**
 * The result is unknown in a preview if an argument or a setting of the provider is.
 * @internal
 */
export function lookUpOutput<Result extends object>(
  lookup: Lookup<Result>,
  args: object | undefined,
  options?: LookupOptions,
): pulumi.Output<Result> {
  return run().lookUpOutput(lookup, args, options);
}
