/**
 * What runs had removed before a safety gate stopped them. The engine hands over the deletions of single records a few at
 * a time, so that some may go before the gate knows how many follow; a further run of the day counts these, so that no gate
 * opens by repeating the command.
 */
import * as path from "node:path";
import { z } from "zod";
import type { Clock } from "./clock";
import { readPrivateJson, writePrivate } from "./private-file";
import type { Settings } from "./settings";

/** How long they count, in milliseconds. */
const oneDay = 24 * 3_600_000;

const stored = z.array(
  z.object({
    baseUrl: z.string(),
    domain: z.string(),
    time: z.number(),
    removed: z.number(),
    found: z.number(),
  }),
);

/** What runs removed of a zone, and how many records it had before. */
export interface Stopped {
  readonly removed: number;
  readonly found: number;
}

export class StoppedRuns {
  constructor(
    private readonly settings: Pick<Settings, "baseUrl" | "stateDir">,
    private readonly clock: Pick<Clock, "wall">,
  ) {}

  /** What runs removed from a domain within a day before its gate stopped them, as many as are missing still. @param left how many records the zone has now */
  missingOf(domain: string, left: number): number {
    const run = this.runs().find((each) => this.isOf(each, domain));
    return run === undefined ? 0 : Math.max(0, Math.min(run.removed, run.found - left));
  }

  note(domain: string, { removed, found }: Stopped): void {
    this.store(domain, [{ baseUrl: this.settings.baseUrl, domain, time: this.clock.wall(), removed, found }]);
  }

  /** The domain was confirmed. */
  forget(domain: string): void {
    if (this.runs().some((run) => this.isOf(run, domain))) this.store(domain, []);
  }

  private store(domain: string, own: z.infer<typeof stored>): void {
    const others = this.runs().filter((run) => !this.isOf(run, domain));
    writePrivate(this.file(), `${JSON.stringify([...others, ...own])}\n`);
  }

  private runs(): z.infer<typeof stored> {
    const read = stored.safeParse(readPrivateJson(this.file()));
    const now = this.clock.wall();
    return read.success ? read.data.filter(({ time }) => Math.abs(now - time) < oneDay) : [];
  }

  private isOf(run: { readonly baseUrl: string; readonly domain: string }, domain: string): boolean {
    return run.baseUrl === this.settings.baseUrl && run.domain === domain;
  }

  private file(): string {
    return path.join(this.settings.stateDir, "stopped-runs.json");
  }
}
