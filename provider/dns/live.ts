/**
 * The service's form of a record. Listed data may lack dots and quotes (service-notes.md, Records).
 * Unreadable data stays byte for byte.
 */
import { canonicalLabels, isWithin, relativeTo, withoutDot } from "./names";
import { showPlain } from "./quoting";
import type { DnsRecord, RecordData } from "./record";
import { recordOf, isDefaultLine } from "./text";
import { canonicalData, canonicalType, typeOf } from "./types";

export interface LiveData {
  readonly domain: string;
  /** `@` or an empty name is the apex. */
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** `0` for a type without a priority. */
  readonly priority?: number | undefined;
  readonly line: string;
  /** `0` for the default line. */
  readonly lineId?: string | undefined;
}

export function fromLive(live: LiveData, options: { readonly defaultLine: string }): DnsRecord {
  const kind = canonicalType(live.type);
  const type = "problem" in kind ? live.type : kind.type;
  const isDefault = live.line === "" || live.lineId === "0" || isDefaultLine(live.line, options.defaultLine);
  const name = liveName(live.name, live.domain);
  return recordOf(live.domain, name, type, liveData(type, live), isDefault ? undefined : live.line);
}

function liveName(name: string, domain: string): string {
  const bare = withoutDot(name);
  if (bare === "" || bare === "@") return "@";
  const labels = canonicalLabels(bare, true);
  const canonical = typeof labels === "string" ? labels : bare;
  if (!name.endsWith(".")) return canonical;
  return isWithin(canonical, domain) ? relativeTo(canonical, domain) : canonical;
}

function liveData(type: string, { value, priority: given }: LiveData): RecordData {
  const kind = typeOf(type)?.priority;
  const isListed = given !== undefined && Number.isInteger(given) && given >= 0 && given <= 65535;
  const priority = isListed && kind === "own" ? given : undefined;
  const read = (assumed: number | undefined): RecordData | undefined => {
    const data = canonicalData(type, { value, priority: assumed, presentation: false, show: showPlain });
    return "problem" in data ? undefined : data;
  };
  const data = read(priority) ?? (isListed && kind === "first" ? read(given) : undefined);
  if (data !== undefined) return data;
  // A host without its priority is still worth comparing.
  const host = kind === "own" && priority === undefined ? read(0) : undefined;
  return { value: host?.value ?? value, priority };
}

export interface WireData {
  /** `""` is the apex. */
  readonly subDomain: string;
  readonly type: string;
  readonly value: string;
  /** For an MX record, and for an SRV record with a separate priority. */
  readonly priority?: number;
}

/** @param apart this SRV record's priority is in `mx`, and the other fields are in the value */
export function toWire(r: DnsRecord, apart = false): WireData {
  const wire = { subDomain: r.name === "@" ? "" : r.name, type: r.type, value: r.value };
  const isFirst = apart && typeOf(r.type)?.priority === "first";
  const [, priority, value] = isFirst ? (/^(\d+) (.+)$/.exec(r.value) ?? []) : [];
  if (priority !== undefined && value !== undefined) return { ...wire, value, priority: Number(priority) };
  return r.priority === undefined ? wire : { ...wire, priority: r.priority };
}
