/** A zone as it was read: its records in canonical form, with what is looked up in them. Pure. */
import { untold, type LiveRecord } from "../../api";
import { fromLive, isDefaultLine, placeOf, recordKey, type DnsRecord } from "../../dns";
import { groupBy } from "../../gather";
import type { RecordRef } from "../memory/ledger";

/** A live record in canonical form. */
export interface LiveEntry extends RecordRef {
  readonly record: DnsRecord;
  readonly key: string;
  /** Seconds. */
  readonly ttl: number;
  readonly enabled: boolean;
  /**
   * The service's own NS records: never drift, never in the way. Where the service does not mark them, all NS records of the
   * apex count: a zone without them is an outage.
   */
  readonly hold: boolean;
  /** When a write of ours told of it, in seconds since the epoch: the index may not show it yet. */
  readonly since?: number;
  /** For load balancing; a modification must repeat it. */
  readonly weight?: number;
  /** An SRV whose priority the service keeps in `mx`. */
  readonly apart?: true;
}

export interface Zone {
  readonly domain: string;
  readonly id: string;
  /** The plan, as api.md enumerates it; empty where the service does not tell it. */
  readonly grade: string;
  /** `enable`, `pause`, `spam` or `lock`, where the listing tells. */
  readonly status: string | undefined;
  /** `notexist`, `dnserror` or empty, where the listing tells. */
  readonly extStatus: string | undefined;
  /** The name of the default line, where the listing shows a record on it. */
  readonly defaultLine: string | undefined;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
  readonly entries: readonly LiveEntry[];
  /** More than one entry of a key is a duplicate on the service. */
  readonly byKey: ReadonlyMap<string, readonly LiveEntry[]>;
  readonly byId: ReadonlyMap<string, LiveEntry>;
  /** By `placeOf`, without the service's own records. */
  readonly byPlace: ReadonlyMap<string, readonly LiveEntry[]>;
}

export type Zones = ReadonlyMap<string, Zone>;

export type Found = ReadonlyMap<string, readonly [LiveEntry, ...LiveEntry[]]>;

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

/** A record in canonical form. @throws LegacyDnsError where the answer leaves out its TTL, its state or a priority */
export function entryOf(
  domain: string,
  live: LiveRecord,
  defaultLine: string,
  operation = "Record.Info",
): LiveEntry {
  const { id, name, type, value, priority, line, lineId, ttl, enabled, hold = true, weight } = live;
  const tell = (what: string): never => untold(operation, domain, `${what} of record ${id}`);
  const record = fromLive({ domain, name, type, value, priority, line, lineId }, { defaultLine });
  if (record.type === "MX" && record.priority === undefined) tell("the priority (mx)");
  return {
    domain,
    id,
    record,
    key: recordKey(record),
    ttl: ttl ?? tell("the TTL (ttl)"),
    enabled: enabled ?? tell("whether it is enabled (enabled)"),
    hold,
    ...(weight === undefined ? {} : { weight }),
    ...(record.type === "SRV" && priority !== undefined ? { apart: true } : {}),
  };
}

/** The default line's name: best where its number stands beside it. */
export function defaultLineIn(records: readonly LiveRecord[], setting: string): string | undefined {
  const named = records.filter(({ line }) => line !== "");
  const best =
    named.find(({ lineId }) => lineId === "0") ?? named.find(({ line }) => isDefaultLine(line, setting));
  return best?.line;
}
