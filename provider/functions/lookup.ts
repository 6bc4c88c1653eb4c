/** The parts of a look-up. The native plugin runs it in its own way. */
import type { Client, DomainKeys } from "../api";
import type * as Api from "../api";
import type { Provider } from "../resources/provider";
import type * as pulumi from "../support/sdk";
import type { Settings } from "../settings";
import type { ArgumentReader } from "./arguments";
import type * as Run from "./run";

/** The options of a look-up. */
export interface LookupOptions {
  /** Another account. Default: the stack's configuration and the environment. */
  readonly provider?: Provider | undefined;
}

/** The arguments of the output form. Each may be an output. */
export type LookupInputs<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };

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

/** The look-ups of all loaded modules. */
export const lookUps: Lookup<object>[] = [];

/** A look-up in its three parts: the names of its arguments, the request that they make, and the result. */
export function lookup<Request extends object, Result extends object>(parts: {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly request: (args: ArgumentReader) => Request;
  readonly result: (request: Request, client: Client, settings: Settings) => Promise<Result>;
}): Lookup<Result> {
  const made: Lookup<Result> = {
    name: parts.name,
    arguments: parts.arguments,
    question: (args) => {
      const request = parts.request(args);
      return { request, ask: (client, settings) => parts.result(request, client, settings) };
    },
  };
  lookUps.push(made);
  return made;
}

export function domainLookup<Result extends object>(
  name: string,
  result: (keys: DomainKeys, client: Client, settings: Settings) => Promise<Result>,
): Lookup<Result> {
  return lookup({
    name,
    arguments: ["domain", "domainId"],
    request: (args) => args.domainKeys(),
    result,
  });
}

/* eslint-disable @typescript-eslint/no-require-imports -- zod, the settings and the wire take longer to load than the rest
   of this package, and most programs have no look-up */
export const api = (): typeof Api => require("../api") as typeof Api;
const run = (): typeof Run => require("./run") as typeof Run;

/** The function of a program. */
export function plain<Args, Result extends object>(lookup: Lookup<Result>) {
  return (args: Args, options?: LookupOptions): Promise<Result> => run().lookUp(lookup, args, options);
}

/** The function with arguments that may be outputs. */
export function withOutputs<Args, Result extends object>(lookup: Lookup<Result>) {
  return (args: LookupInputs<Args>, options?: LookupOptions): pulumi.Output<Result> =>
    run().lookUpOutput(lookup, args, options);
}
