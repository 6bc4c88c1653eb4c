/** What all operations of one run share. */
import type { Client } from "../api";
import type { Clock } from "../clock";
import type { Reporter } from "../report";
import type { Settings } from "../settings";
import type { Journal } from "./memory/journal";
import type { Siblings } from "./memory/siblings";
import type { ZoneReader } from "./zones/reader";

export interface Run {
  readonly client: Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly zones: ZoneReader;
  readonly journal: Journal;
  /** The engine's project, where there is an engine. */
  readonly project?: string | undefined;
  /** What the run's resources have said of themselves. */
  readonly siblings: Siblings;
}
