/** One look-up: its arguments, and how its request is asked. The front ends (functions/, native/) run it, each in its own way. */
import type { Client } from "../api";
import type { Settings } from "../settings";
import type { ArgumentReader, DomainKeys } from "./arguments";

export interface Lookup<Request, Result> {
  readonly name: string;
  readonly arguments: readonly string[];
  /** Notes what is wrong; the request counts only where nothing is. */
  readonly read: (args: ArgumentReader) => Request;
  readonly ask: (client: Client, request: Request, settings: Settings) => Promise<Result>;
}

/** The arguments of a look-up that takes a domain and nothing else. */
export const ofDomain = {
  arguments: ["domain", "domainId"],
  read: (args: ArgumentReader): DomainKeys => args.domainKeys(),
} as const;
