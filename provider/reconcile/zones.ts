/**
 * The zone reader: one snapshot per domain and process, shared by every resource, renewed after a minute. Records that
 * a job of this process has made are laid over it, since the listing shows them only after the index delay
 * (api.md, Record.List rule 2).
 */
import { listRecords, type Client, type LiveRecord } from "../api";
import type { Clock } from "../clock";
import { fromLive, recordKey, type DnsRecord } from "../dns";
import type { Settings } from "../settings";
import { gather } from "./gather";

/** A record as it lives on the service, in canonical form and as it was listed. */
export interface LiveEntry {
  readonly record: DnsRecord;
  readonly key: string;
  readonly id: string;
  /** Seconds. */
  readonly ttl: number;
  readonly enabled: boolean;
  /** The service's own default NS records: never drift, never in the way. */
  readonly hold: boolean;
  /** Seconds since the epoch when it was known otherwise than from a listing; the index may not show it yet. */
  readonly since?: number;
}

/** What one domain held when it was read. */
export interface Zone {
  readonly domain: string;
  /** The service's domain id. */
  readonly id: string;
  /** The plan, as api.md enumerates it. */
  readonly grade: string;
  /** `enable`, `pause`, `spam` or `lock`, where the listing tells. */
  readonly status: string | undefined;
  /** `notexist`, `dnserror` or empty. */
  readonly extStatus: string;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
  readonly entries: readonly LiveEntry[];
  /** Every entry of a key: more than one means a duplicate on the service. */
  readonly byKey: ReadonlyMap<string, readonly LiveEntry[]>;
  readonly byId: ReadonlyMap<string, LiveEntry>;
  /** What stands at a name and line, the service's own records left out; by `placeOf`. */
  readonly byPlace: ReadonlyMap<string, readonly LiveEntry[]>;
}

/** A name and line, within which a CNAME stands alone. */
export function placeOf({ name, line }: Pick<DnsRecord, "name" | "line">): string {
  return line === undefined ? name : `${name} ${line}`;
}

type ZoneHead = Pick<Zone, "domain" | "id" | "grade" | "status" | "extStatus">;

interface Made {
  readonly entry: LiveEntry;
  readonly at: number;
}

/** How long a snapshot serves, in milliseconds. */
export const snapshotAge = 60_000;

export class ZoneReader {
  private readonly snapshots = new Map<string, Promise<Zone>>();
  private readonly ages = new Map<string, number>();
  private readonly made = new Map<string, Made[]>();

  constructor(
    private readonly client: Client,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * The domain's zone, no older than a minute, nor than `notBefore` (milliseconds since the epoch). Concurrent callers
   * share one reading; a failed one is not kept.
   * @throws LegacyDnsError when the zone cannot be listed: absence is never concluded from a failure.
   */
  async get(domain: string, notBefore = 0): Promise<Zone> {
    const begun = this.ages.get(domain) ?? -Infinity;
    const kept = this.snapshots.get(domain);
    if (kept && begun >= notBefore && this.clock.now() - begun < snapshotAge) return kept;
    const reading = this.read(domain);
    this.snapshots.set(domain, reading);
    this.ages.set(domain, this.clock.now());
    reading.catch(() => {
      if (this.snapshots.get(domain) === reading) this.snapshots.delete(domain);
    });
    return reading;
  }

  /** Several zones at once; a failure of one is thrown after all have been tried. */
  async getAll(domains: Iterable<string>, notBefore = 0): Promise<Map<string, Zone>> {
    const names = [...new Set(domains)];
    const results = await Promise.allSettled(names.map((domain) => this.get(domain, notBefore)));
    const zones = new Map<string, Zone>();
    for (const [i, result] of results.entries()) {
      if (result.status === "rejected") throw result.reason;
      zones.set(names[i] ?? "", result.value);
    }
    return zones;
  }

  /**
   * Looks for records whose making is in doubt: reads at `first`, and again at growing intervals until all have
   * appeared or `last` has passed (milliseconds since the epoch). A zone that cannot be read is read again.
   * @returns what was found, by key, the live records of each; and what the last reading failed with.
   */
  async lookFor(
    records: readonly DnsRecord[],
    first: number,
    last: number,
  ): Promise<{ found: ReadonlyMap<string, readonly [LiveEntry, ...LiveEntry[]]>; failure: unknown }> {
    const found = new Map<string, readonly [LiveEntry, ...LiveEntry[]]>();
    let missing = [...records];
    let failure: unknown;
    for (let at = first, pause = 1_000; ; at = Math.min(last, this.clock.now() + pause), pause *= 2) {
      if (at > this.clock.now()) await this.clock.sleep(at - this.clock.now());
      failure = undefined;
      // A slow reading of one zone makes no late reading of another: the last round begins when all of them are due.
      const isLast = this.clock.now() >= last;
      for (const domain of new Set(missing.map((record) => record.domain))) {
        try {
          const { byKey } = await this.get(domain, this.clock.now());
          for (const record of missing) {
            const [entry, ...twins] = record.domain === domain ? (byKey.get(recordKey(record)) ?? []) : [];
            if (entry) found.set(entry.key, [entry, ...twins]);
          }
        } catch (error) {
          failure = error;
        }
      }
      missing = missing.filter((record) => !found.has(recordKey(record)));
      if (missing.length === 0 || isLast) return { found, failure };
    }
  }

  /** Lays records that a job is known to have made over the domain's snapshot and over the readings to come. */
  async add(domain: string, entries: readonly LiveEntry[], at: number): Promise<void> {
    const list = this.made.get(domain) ?? [];
    const young = entries.map((entry) => ({ ...entry, since: Math.ceil(at / 1000) }));
    this.made.set(domain, [...list, ...young.map((entry) => ({ entry, at }))]);
    const kept = this.snapshots.get(domain);
    if (!kept) return;
    const widened = kept.then((zone) => zoneOf(zone, withEntries(zone.entries, young), zone.readAt));
    this.snapshots.set(domain, widened);
    await widened.catch(() => this.snapshots.delete(domain));
  }

  private async read(domain: string): Promise<Zone> {
    const begun = this.clock.now();
    const listing = await listRecords(this.client, { name: domain });
    const listed = listing.records.map((live) => this.entry(domain, live));
    // What is older than the index delay must be in the listing by itself.
    const young = (this.made.get(domain) ?? []).filter((made) => begun - made.at < this.settings.indexDelay * 1000);
    this.made.set(domain, young);
    const entries = withEntries(listed, young.map((made) => made.entry));
    const { id, grade, status, extStatus } = listing.domain;
    return zoneOf({ domain, id, grade, status, extStatus }, entries, begun);
  }

  /** A record of the domain as an answer tells of it. */
  entry(domain: string, live: Omit<LiveRecord, "hold"> & { readonly hold?: boolean }): LiveEntry {
    const { name, type, value, priority, line } = live;
    const record = fromLive({ domain, name, type, value, priority, line }, { defaultLine: this.settings.defaultLine });
    return { record, key: recordKey(record), id: live.id, ttl: live.ttl, enabled: live.enabled, hold: live.hold ?? false };
  }
}

function withEntries(listed: readonly LiveEntry[], added: readonly LiveEntry[]): readonly LiveEntry[] {
  if (added.length === 0) return listed;
  const ids = new Set(listed.map((entry) => entry.id));
  return [...listed, ...added.filter((entry) => !ids.has(entry.id))];
}

function zoneOf(of: ZoneHead, entries: readonly LiveEntry[], readAt: number): Zone {
  const { domain, id, grade, status, extStatus } = of;
  const byKey = new Map<string, LiveEntry[]>();
  const byPlace = new Map<string, LiveEntry[]>();
  for (const entry of entries) {
    gather<string, LiveEntry[]>(byKey, entry.key, []).push(entry);
    if (!entry.hold) gather<string, LiveEntry[]>(byPlace, placeOf(entry.record), []).push(entry);
  }
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return { domain, id, grade, status, extStatus, readAt, entries, byKey, byId, byPlace };
}
