/** The parts of a look-up. The native plugin runs it in its own way. */
import type { Client } from "../api";
import type * as Api from "../api";
import type { Provider } from "../resources/provider";
import type * as pulumi from "../support/sdk";
import type { Settings } from "../settings";
import type { ArgumentReader, DomainKeys } from "./arguments";
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

/** api.md, States and transitions, Other enumerations. */
const words: Readonly<Record<"status" | "extStatus" | "monitor" | "job", Readonly<Record<string, string>>>> =
  {
    status: {
      enable: "normal: the domain's records are served",
      pause: "resolution is paused: the domain's records are not served",
      spam: "banned by the service: its support can lift the ban",
      lock: "locked: nothing can be changed until it is unlocked in the service's console",
    },
    extStatus: {
      "": "normal",
      notexist: "the domain is not registered",
      dnserror: "the DNS setup is wrong: the domain is not delegated to the service's name servers",
    },
    monitor: {
      ok: "the server answers normally",
      warn: "alarm: the server answers with 4XX",
      down: "the server is down",
    },
    job: {
      domain: "domains added in a batch",
      record_add: "records added in a batch",
      record_modify: "records modified in a batch",
    },
  };

/** The service's word in plain English. */
export function english(kind: keyof typeof words, word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return (Object.hasOwn(words[kind], word) ? words[kind][word] : undefined) ?? unexplained(word);
}

export function unexplained(word: string): string {
  return `${JSON.stringify(word)}, which the documentation does not explain`;
}
