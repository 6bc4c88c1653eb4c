/** A reading of a zone in canonical form, merged with this process's later writes. Pure. */
import { missingField, type LiveRecord } from "../../api";
import { freshKey, fromLive, isDefaultLine, placeOf, recordKey, type DnsRecord } from "../../dns";
import { gather, groupBy } from "../../support/collections";
import type { RecordRef } from "../memory/ledger";

export interface LiveEntry extends RecordRef {
  readonly record: DnsRecord;
  readonly key: string;
  /** What the service stores, if that is another form of `record`. */
  readonly stored?: DnsRecord;
  readonly ttl: number;
  readonly enabled: boolean;
  /** A system record. If the service does not mark them, all NS records of the apex count. */
  readonly hold: boolean;
  /** This process's write, in seconds since the epoch. The index may not show it yet. */
  readonly since?: number;
  /** For load balancing; a modification must repeat it. */
  readonly weight?: number;
  /** An SRV whose priority the service keeps in `mx`. */
  readonly apart?: true;
}

export interface Zone {
  readonly domain: string;
  readonly id: string;
  readonly grade: string;
  readonly status: string | undefined;
  readonly extStatus: string | undefined;
  readonly defaultLine: string | undefined;
  readonly readAt: number;
  readonly entries: readonly LiveEntry[];
  readonly byKey: ReadonlyMap<string, readonly LiveEntry[]>;
  readonly byId: ReadonlyMap<string, LiveEntry>;
  /** By `placeOf`, without the service's own records. */
  readonly byPlace: ReadonlyMap<string, readonly LiveEntry[]>;
}

export type Zones = ReadonlyMap<string, Zone>;

/** When the listing of a domain began, in milliseconds since the epoch. 0: none. */
export function readAtIn(zones: Zones): (domain: string) => number {
  return (domain) => zones.get(domain)?.readAt ?? 0;
}

/** The live records with the texts of these. */
export function liveAs(records: readonly DnsRecord[], zones: Zones): LiveEntry[] {
  return records.flatMap((record) => zones.get(record.domain)?.byKey.get(recordKey(record)) ?? []);
}

export function zoneOf(
  of: Omit<Zone, "readAt" | "entries" | "byKey" | "byId" | "byPlace">,
  entries: readonly LiveEntry[],
  readAt: number,
): Zone {
  const byKey = groupBy(entries, ({ key }) => key);
  const byPlace = groupBy(
    entries.filter(({ hold }) => !hold),
    ({ record }) => placeOf(record),
  );
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return { ...of, readAt, entries, byKey, byId, byPlace };
}

/** @throws LegacyDnsError if the answer lacks its TTL, its state or a priority */
export function entryOf(
  domain: string,
  live: LiveRecord,
  defaultLine: string,
  operation = "Record.Info",
): LiveEntry {
  const { id, name, type, value, priority, line, lineId, ttl, enabled, hold = true, weight } = live;
  const missing = (what: string): never => missingField(operation, domain, `${what} of record ${id}`);
  const record = fromLive({ domain, name, type, value, priority, line, lineId }, { defaultLine });
  if (record.type === "MX" && record.priority === undefined) missing("the priority (mx)");
  return {
    domain,
    id,
    record,
    key: freshKey(record),
    ttl: ttl ?? missing("the TTL (ttl)"),
    enabled: enabled ?? missing("the state (enabled)"),
    hold,
    ...(weight === undefined ? {} : { weight }),
    ...(record.type === "SRV" && priority !== undefined ? { apart: true } : {}),
  };
}

/** A record with the line's number is the best source. */
export function defaultLineIn(records: readonly LiveRecord[], setting: string): string | undefined {
  const named = records.filter(({ line }) => line !== "");
  const best =
    named.find(({ lineId }) => lineId === "0") ?? named.find(({ line }) => isDefaultLine(line, setting));
  return best?.line;
}

export interface OwnWrite {
  readonly id: string;
  readonly entry: LiveEntry | undefined;
  readonly at: number;
  /** A listing that shows a new record is newer than this. */
  readonly made: boolean;
}

/** Merged on use: a thousand writes to a long zone cost one pass. */
export class Snapshot {
  private changes: OwnWrite[] = [];
  /** Key → new records, beside those of the zone. */
  private readonly made = new Map<string, LiveEntry[]>();

  constructor(private listed: Zone) {}

  get head(): Pick<Zone, "id" | "defaultLine" | "readAt"> {
    return this.listed;
  }

  get size(): number {
    return this.listed.entries.length + this.made.size + this.changes.length;
  }

  get zone(): Zone {
    if (this.changes.length > 0 || this.made.size > 0) {
      const made = [...this.made.values()].flat().map((entry) => ({ id: entry.id, entry, made: true }));
      const entries = withKnown(this.listed.entries, [...made, ...this.changes]);
      this.listed = zoneOf(this.listed, entries, this.listed.readAt);
      this.changes = [];
      this.made.clear();
    }
    return this.listed;
  }

  liveOf(key: string): readonly LiveEntry[] {
    const { byId, byKey } = this.changes.length > 0 ? this.zone : this.listed;
    const made = this.made.get(key)?.filter(({ id }) => !byId.has(id)) ?? [];
    return [...(byKey.get(key) ?? []), ...made];
  }

  lay(known: OwnWrite): void {
    if (known.made && known.entry && this.changes.length === 0)
      gather<string, LiveEntry[]>(this.made, known.entry.key, []).push(known.entry);
    else this.changes.push(known);
  }
}

export function withKnown(
  listed: readonly LiveEntry[],
  known: readonly Omit<OwnWrite, "at">[],
): readonly LiveEntry[] {
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
