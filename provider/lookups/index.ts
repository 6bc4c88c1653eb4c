/** Every look-up by its name. */
import type { Client } from "../api";
import type { Settings } from "../settings";
import type { ArgumentReader } from "./arguments";
import { manyDomains, oneDomain } from "./domains";
import { batchJob } from "./job";
import { customLines } from "./lines";
import type { Lookup } from "./lookup";
import { history } from "./monitor";
import { purview } from "./purview";
import { manyRecords, oneRecord } from "./records";

export { ArgumentReader } from "./arguments";
export type { Lookup } from "./lookup";

/** A look-up whose request nobody but itself reads. */
export interface AnyLookup {
  readonly name: string;
  readonly arguments: readonly string[];
  /** What is asked; it counts only where the reader found nothing wrong. */
  prepare(args: ArgumentReader): Question;
}

export interface Question {
  /** Equal for equal questions. */
  readonly request: unknown;
  ask(client: Client, settings: Settings): Promise<object>;
}

function anyOf<Request, Result extends object>({
  name,
  arguments: names,
  read,
  ask,
}: Lookup<Request, Result>): AnyLookup {
  return {
    name,
    arguments: names,
    prepare: (args) => {
      const request = read(args);
      return { request, ask: (client, settings) => ask(client, request, settings) };
    },
  };
}

export const lookUps: readonly AnyLookup[] = [
  anyOf(oneDomain),
  anyOf(manyDomains),
  anyOf(purview),
  anyOf(oneRecord),
  anyOf(manyRecords),
  anyOf(history),
  anyOf(customLines),
  anyOf(batchJob),
];
