/**
 * The zone reader: one snapshot per domain and process, renewed after a minute. Writes of this process are laid over it,
 * since a listing shows them only after the index delay (api.md, Record.List rule 2).
 */
import { listRecords, type Client } from "../../api";
import type { Clock } from "../../clock";
import { recordKey, type DnsRecord } from "../../dns";
import type { Settings } from "../../settings";
import { withParent } from "./parent";
import { defaultLineIn, entryOf, zoneOf, type Found, type LiveEntry, type Zone } from "./zone";

/** What a write of this process tells of a record. */
interface Known {
  readonly id: string;
  /** Undefined when it is gone. */
  readonly entry: LiveEntry | undefined;
  readonly at: number;
  /** A listing that shows the record is newer. */
  readonly made: boolean;
}

/** The setting `defaultLine` where nobody has set it (docs/settings.md). */
const unsetDefaultLine = "默认";

/** How long a snapshot serves, in milliseconds. */
export const snapshotAge = 60_000;

export class ZoneReader {
  private readonly snapshots = new Map<string, Promise<Zone>>();
  /** When each reading began, by both clocks. */
  private readonly ages = new Map<string, { readonly at: number; readonly wall: number }>();
  private readonly seen = new Map<string, Zone>();
  private readonly known = new Map<string, Known[]>();

  constructor(
    private readonly client: Client,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * The domain's zone, no older than a minute and than `notBefore` (milliseconds since the epoch). Concurrent callers share
   * one reading; a failed one is not kept. @throws LegacyDnsError when the zone cannot be listed
   */
  async get(domain: string, notBefore = 0): Promise<Zone> {
    const { at, wall } = this.ages.get(domain) ?? { at: -Infinity, wall: 0 };
    const kept = this.snapshots.get(domain);
    // While a machine sleeps, its clock goes on and the process's time may not.
    const age = Math.max(this.clock.now() - at, this.clock.wall() - wall);
    if (kept && at >= notBefore && age < snapshotAge) return kept;
    const reading = this.read(domain);
    this.snapshots.set(domain, reading);
    this.ages.set(domain, { at: this.clock.now(), wall: this.clock.wall() });
    reading.catch(() => {
      if (this.snapshots.get(domain) === reading) this.snapshots.delete(domain);
    });
    return reading;
  }

  /** The domain's zone as it was last read. */
  latest(domain: string): Zone | undefined {
    return this.seen.get(domain);
  }

  /**
   * The default line's name for a domain: what its listing shows; else the setting where somebody set it; else what another
   * domain of the account shows.
   */
  defaultLine(domain: string): string {
    const own = this.seen.get(domain)?.defaultLine;
    const setting = this.settings.defaultLine;
    if (own !== undefined || setting !== unsetDefaultLine) return own ?? setting;
    return [...this.seen.values()].find((zone) => zone.defaultLine !== undefined)?.defaultLine ?? setting;
  }

  /** When the reading in hand began, in milliseconds since the epoch; 0 where there is none. */
  readonly lastRead = (domain: string): number => this.ages.get(domain)?.at ?? 0;

  /** Several zones. Throws the first failure after all have been tried. */
  async getAll(domains: Iterable<string>, notBefore = 0): Promise<Map<string, Zone>> {
    const { zones, failures } = await this.readable(domains, notBefore);
    if (failures.length > 0) throw failures[0];
    return zones;
  }

  async readable(domains: Iterable<string>, notBefore = 0): Promise<{ zones: Map<string, Zone>; failures: readonly unknown[] }> {
    const names = [...new Set(domains)];
    const results = await Promise.allSettled(names.map((domain) => this.get(domain, notBefore)));
    const zones = new Map<string, Zone>();
    const failures: unknown[] = [];
    for (const [i, result] of results.entries()) {
      if (result.status === "rejected") failures.push(result.reason);
      else zones.set(names[i] ?? "", result.value);
    }
    return { zones, failures };
  }

  /**
   * Looks for records whose making is in doubt: at `first`, and at growing intervals until `last` (milliseconds since the
   * epoch). @param isThere whether a live record is as it was to become @returns the live records by key, and the failure of
   * the last reading
   */
  async lookFor<T extends DnsRecord>(
    records: readonly T[],
    first: number,
    last: number,
    isThere: (record: T, live: readonly LiveEntry[]) => boolean = () => true,
  ): Promise<{ found: Found; failure: unknown }> {
    const found = new Map<string, readonly [LiveEntry, ...LiveEntry[]]>();
    let missing = [...records];
    let failure: unknown;
    const isDone = (record: T): boolean => {
      const live = found.get(recordKey(record));
      return live !== undefined && isThere(record, live);
    };
    await lookAgain(this.clock, first, last, async () => {
      const { zones, failures } = await this.readable(missing.map((record) => record.domain), this.clock.now());
      [failure] = failures;
      for (const record of missing) {
        const [entry, ...twins] = zones.get(record.domain)?.byKey.get(recordKey(record)) ?? [];
        if (entry) found.set(entry.key, [entry, ...twins]);
      }
      missing = missing.filter((record) => !isDone(record));
      return missing.length === 0;
    });
    return { found, failure };
  }

  /** Lays what this process wrote over the snapshot. @param made the records are new, rather than changed */
  lay(domain: string, entries: readonly LiveEntry[], at: number, made: boolean): Promise<void> {
    const since = Math.ceil(at / 1000);
    return this.overlay(domain, entries.map((entry) => ({ id: entry.id, entry: { ...entry, since }, at, made })));
  }

  drop(domain: string, ids: readonly string[], at: number): Promise<void> {
    return this.overlay(domain, ids.map((id) => ({ id, entry: undefined, at, made: false })));
  }

  private async overlay(domain: string, known: readonly Known[]): Promise<void> {
    this.known.set(domain, [...(this.known.get(domain) ?? []), ...known]);
    const kept = this.snapshots.get(domain);
    if (!kept) return;
    const changed = kept.then((zone) => this.note(zoneOf(zone, withKnown(zone.entries, known), zone.readAt)));
    this.snapshots.set(domain, changed);
    await changed.catch(() => this.snapshots.delete(domain));
  }

  private async read(domain: string): Promise<Zone> {
    const begun = this.clock.now();
    const listing = await listRecords(this.client, { name: domain }).catch(async (error: unknown) => {
      throw await withParent(this.client, domain, error);
    });
    const { defaultLine } = this.settings;
    const shown = defaultLineIn(listing.records, defaultLine);
    // Where one record shows the number of a line, the name tells it of the others.
    const placed = listing.records.map((live) => (live.lineId === undefined && live.line === shown ? { ...live, line: "" } : live));
    const listed = placed.map((live) => entryOf(domain, live, defaultLine, "Record.List"));
    // Older records are in the listing by themselves.
    const young = (this.known.get(domain) ?? []).filter(({ at }) => begun - at < this.settings.indexDelay * 1000);
    this.known.set(domain, young);
    const entries = withKnown(listed, young);
    const { id, grade = "", status, extStatus } = listing.domain;
    const head = { domain, id, grade, status, extStatus, defaultLine: shown };
    return this.note(zoneOf(head, entries, begun));
  }

  private note(zone: Zone): Zone {
    this.seen.set(zone.domain, zone);
    return zone;
  }
}

/**
 * Looks at `first`, and at growing intervals until `look` finds all or `last` has passed (milliseconds since the epoch). The
 * last look begins at `last` or later.
 */
export async function lookAgain(clock: Clock, first: number, last: number, look: (isLast: boolean) => Promise<boolean>): Promise<void> {
  for (let at = first, pause = 1_000; ; at = Math.min(last, clock.now() + pause), pause *= 2) {
    if (at > clock.now()) await clock.sleep(at - clock.now());
    const isLast = clock.now() >= last;
    if ((await look(isLast)) || isLast) return;
  }
}

/** The listed entries, corrected by what is known. */
function withKnown(listed: readonly LiveEntry[], known: readonly Known[]): readonly LiveEntry[] {
  if (known.length === 0) return listed;
  const byId = new Map(known.map((each) => [each.id, each]));
  const entries: LiveEntry[] = [];
  for (const each of listed) {
    const better = byId.get(each.id);
    byId.delete(each.id);
    if (better === undefined || better.made) entries.push(each);
    else if (better.entry) entries.push(better.entry);
  }
  for (const { entry } of byId.values()) if (entry) entries.push(entry);
  return entries;
}
