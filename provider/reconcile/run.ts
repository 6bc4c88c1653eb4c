import type { Client } from "../api";
import type { Clock } from "../support/clock";
import type { Reporter } from "../support/reporter";
import type { Settings } from "../settings";
import type { Neighbours } from "./account/neighbours";
import type { Allowance } from "./checks/allowance";
import type { Journal } from "./memory/journal";
import type { Siblings } from "./memory/siblings/siblings";
import type { JobEnd } from "./write/job";
import type { ZoneReader } from "./zones/reader";

export interface Run {
  readonly client: Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly zones: ZoneReader;
  readonly journal: Journal;
  readonly siblings: Siblings;
  readonly neighbours: Neighbours;
  readonly allowance: Allowance;
  /** Operations with undocumented codes that a reading has proved to be refusals. */
  readonly refusals: Set<string>;
  /** Job and wait → the poll that is under way. */
  readonly polls: Map<string, Promise<JobEnd>>;
}
