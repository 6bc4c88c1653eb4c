/**
 * One snapshot per domain and process, renewed a minute after its listing. It contains this process's writes,
 * because a listing shows them only after the index delay (api.md, Record.List rule 2).
 */
import type { Client } from "../../api";
import type { Clock } from "../../support/clock";
import type { DeclaredRecord } from "../../dns";
import { gather, groupBy, largest } from "../../support/collections";
import { DomainNotInAccount, listZone } from "./listing";
import type { Settings } from "../../settings";
import { listed, secondsOf } from "../timeline";
import { defaultLineIn, entryOf, Snapshot, withKnown, zoneOf } from "./zone";
import type { OwnWrite, LiveEntry, Zone } from "./zone";

/** docs/settings.md. */
const unsetDefaultLine = "默认";

/** Milliseconds after the end of the listing. */
export const snapshotAge = 60_000;
/** Milliseconds for each page: a long zone takes long to list and to plan. */
const ageByPage = 10_000;
const recordsOnPage = 3_000;

/** Records of a domain that are read by their ids. */
const handful = 5;

/** Times in milliseconds since the epoch. */
interface Reading {
  readonly snapshot: Promise<Snapshot>;
  /** When it was asked for; from its end on, when its last try left. */
  begun: number;
  /** `records`: none if the account does not have the domain. */
  ended?: { readonly at: number; readonly records: number };
}

export class ZoneReader {
  private readonly readings = new Map<string, Reading>();
  private readonly seen = new Map<string, Snapshot>();
  private readonly asked = new Map<string, number>();
  /** Domain → when a listing shows all records that its callers wait for. */
  private readonly listedAt = new Map<string, number>();
  /** Domain → this process's writes that a listing may not show. */
  private readonly known = new Map<string, OwnWrite[]>();

  /** Domain → how many records its largest declaration has. */
  private readonly declared = new Map<string, number>();

  constructor(
    private readonly client: Client,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly onListing?: (domain: string, latest: (domain: string) => Zone | undefined) => void,
  ) {}

  /**
   * Concurrent callers share one reading.
   * @param notBefore the earliest beginning
   */
  get(domain: string, notBefore = 0): Promise<Snapshot> {
    const kept = this.readings.get(domain);
    if (kept && kept.begun >= notBefore && this.serves(domain, kept)) return kept.snapshot;
    const reading: Reading = { begun: this.clock.now(), snapshot: this.read(domain) };
    this.readings.set(domain, reading);
    reading.snapshot.then(
      ({ head, size }) => {
        reading.ended = { at: this.clock.now(), records: size };
        reading.begun = head.readAt;
        // A repeated reading may be newer than one that began later but ended first.
        if ((this.readings.get(domain)?.begun ?? 0) < reading.begun) this.readings.set(domain, reading);
      },
      (error: unknown) => {
        if (error instanceof DomainNotInAccount) reading.ended = { at: this.clock.now(), records: 0 };
        else if (this.readings.get(domain) === reading) this.readings.delete(domain);
      },
    );
    return reading.snapshot;
  }

  /** The preparation of a large declaration takes long, too. */
  expect(records: readonly DeclaredRecord[]): void {
    for (const [domain, { length }] of groupBy(records, (record) => record.domain))
      this.declared.set(domain, Math.max(length, this.declared.get(domain) ?? 0));
  }

  private serves(domain: string, { ended }: Reading): boolean {
    if (ended === undefined) return true;
    const records = Math.max(ended.records, this.declared.get(domain) ?? 0);
    const pages = Math.floor(records / recordsOnPage);
    return this.clock.now() - ended.at < snapshotAge + pages * ageByPage;
  }

  /** Concurrent callers share one listing, at the latest of their times. */
  async awaitListing(domains: readonly string[], readable: number): Promise<void> {
    for (const domain of domains)
      this.listedAt.set(domain, Math.max(readable, this.listedAt.get(domain) ?? 0));
    const until = (): number => largest(domains.map((domain) => this.listedAt.get(domain) ?? 0));
    while (until() > this.clock.now()) await this.clock.sleep(until() - this.clock.now());
    await this.snapshots(domains, until());
  }

  mayAsk(records: readonly { readonly domain: string }[]): boolean {
    const counts = [...groupBy(records, ({ domain }) => domain)].map(
      ([domain, { length }]) => [domain, (this.asked.get(domain) ?? 0) + length] as const,
    );
    if (counts.some(([, count]) => count > handful)) return false;
    for (const [domain, count] of counts) this.asked.set(domain, count);
    return true;
  }

  latest(domain: string): Snapshot | undefined {
    return this.seen.get(domain);
  }

  /** From the domain's listing, else the setting, else another domain of the account. */
  defaultLine(domain: string): string {
    const own = this.seen.get(domain)?.head.defaultLine;
    const setting = this.settings.defaultLine;
    if (own !== undefined || setting !== unsetDefaultLine) return own ?? setting;
    const other = [...this.seen.values()].find(({ head }) => head.defaultLine !== undefined);
    return other?.head.defaultLine ?? setting;
  }

  /** @throws the first failure */
  async getAll(domains: Iterable<string>, notBefore = 0): Promise<Map<string, Zone>> {
    const read = await this.snapshots(domains, notBefore);
    return new Map([...read].map(([domain, { zone }]) => [domain, zone]));
  }

  async snapshots(domains: Iterable<string>, notBefore = 0): Promise<Map<string, Snapshot>> {
    const { read, failures } = await this.readable(domains, notBefore);
    if (failures.length > 0) throw failures[0];
    return read;
  }

  async readable(
    domains: Iterable<string>,
    notBefore = 0,
  ): Promise<{ read: Map<string, Snapshot>; failures: readonly unknown[] }> {
    const names = [...new Set(domains)];
    const results = await Promise.allSettled(names.map((domain) => this.get(domain, notBefore)));
    const read = new Map<string, Snapshot>();
    const failures: unknown[] = [];
    for (const [i, result] of results.entries()) {
      if (result.status === "rejected") failures.push(result.reason);
      else read.set(names[i] ?? "", result.value);
    }
    return { read, failures };
  }

  /** Another listing may show what a later one does not. */
  keep(entries: readonly LiveEntry[]): void {
    for (const entry of entries)
      if (this.seen.get(entry.domain)?.liveOf(entry.key).length === 0)
        this.lay([entry], this.clock.now(), true);
  }

  /** @param made whether the records are new */
  lay(entries: readonly LiveEntry[], at: number, made: boolean): void {
    const since = secondsOf(at);
    for (const entry of entries)
      this.overlay(entry.domain, { id: entry.id, entry: { ...entry, since }, at, made });
  }

  drop(domain: string, id: string, at: number): void {
    this.overlay(domain, { id, entry: undefined, at, made: false });
  }

  async record(domain: string, recordId: string): Promise<LiveEntry> {
    const target = `record ${recordId} of ${domain}`;
    const { record } = await this.client.call("Record.Info", { domain, recordId }, { target });
    return entryOf(domain, record, this.settings.defaultLine);
  }

  /** An open reading merges them at its end. */
  private overlay(domain: string, known: OwnWrite): void {
    gather<string, OwnWrite[]>(this.known, domain, []).push(known);
    this.seen.get(domain)?.lay(known);
  }

  private async read(domain: string): Promise<Snapshot> {
    // When the last try for the first page left.
    let begun = this.clock.now();
    const listing = await listZone(this.client, domain, () => (begun = this.clock.now()));
    const { defaultLine } = this.settings;
    const shown = defaultLineIn(listing.records, defaultLine);
    // If one record shows the number of a line, the others are recognised by its name.
    const onLines = listing.records.map((live) =>
      live.lineId === undefined && live.line === shown ? { ...live, line: "" } : live,
    );
    const inListing = onLines.map((live) => entryOf(domain, live, defaultLine, "Record.List"));
    // Older records are in the listing by themselves.
    const young = (this.known.get(domain) ?? []).filter(({ at }) => begun < listed(this.settings, at));
    this.known.set(domain, young);
    const entries = withKnown(inListing, young);
    const { id, grade = "", status, extStatus } = listing.domain;
    const snapshot = new Snapshot(
      zoneOf({ domain, id, grade, status, extStatus, defaultLine: shown }, entries, begun),
    );
    if ((this.seen.get(domain)?.head.readAt ?? 0) <= begun) this.seen.set(domain, snapshot);
    this.onListing?.(domain, (each) => this.seen.get(each)?.zone);
    return snapshot;
  }
}
