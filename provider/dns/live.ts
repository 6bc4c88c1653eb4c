/**
 * The service's own form of a record and back. What is listed comes with and without dots and quotes
 * (service-notes.md, Records), so reading is tolerant and never fails: data that cannot be read stays byte for byte.
 */
import { canonicalData, canonicalType } from "./types";
import { isDefaultLine } from "./default-line";
import { canonicalLabels, withoutDot } from "./names";
import { showPlain } from "./quoting";
import type { DnsRecord } from "./record";
import { recordOf } from "./text";

/** What the service lists about a record, as far as its identity goes. */
export interface LiveData {
  /** The zone in canonical form. */
  readonly domain: string;
  /** `@` or nothing is the apex. */
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** Read for MX and SRV; `0` on any other type. */
  readonly priority?: number | undefined;
  readonly line: string;
  /** `0` is the default line, whatever its name. */
  readonly lineId?: string | undefined;
}

/** The canonical record that a listed one is. Never throws, and never drops data that it cannot read. */
export function fromLive(live: LiveData, options: { readonly defaultLine: string }): DnsRecord {
  const kind = canonicalType(live.type);
  const type = "problem" in kind ? live.type : kind.type;
  const isDefault = live.line === "" || live.lineId === "0" || isDefaultLine(live.line, options.defaultLine);
  const line = isDefault ? undefined : live.line;
  return recordOf(live.domain, liveName(live.name, live.domain), type, liveData(type, live), line);
}

function liveName(name: string, domain: string): string {
  const bare = withoutDot(name);
  if (bare === "" || bare === "@") return "@";
  const labels = canonicalLabels(bare, true);
  const canonical = typeof labels === "string" ? labels : bare;
  if (!name.endsWith(".")) return canonical;
  if (canonical === domain) return "@";
  return canonical.endsWith(`.${domain}`) ? canonical.slice(0, -(domain.length + 1)) : canonical;
}

function liveData(
  type: string,
  { value, priority }: LiveData,
): { readonly value: string; readonly priority?: number } {
  const listed = type === "MX" && validPriority(priority) ? priority : undefined;
  const data = canonicalData(type, { value, priority: listed, presentation: false, show: showPlain });
  if ("value" in data) return pick(data);
  if (type === "SRV" && validPriority(priority)) {
    const joined = canonicalData(type, { value, priority, presentation: false, show: showPlain });
    if ("value" in joined) return pick(joined);
  }
  if (type === "MX" && listed === undefined) {
    // Without a priority the host is still worth comparing.
    const host = canonicalData(type, { value, priority: 0, presentation: false, show: showPlain });
    if ("value" in host) return { value: host.value };
  }
  return listed === undefined ? { value } : { value, priority: listed };
}

function pick(data: { readonly value: string; readonly priority?: number }): {
  value: string;
  priority?: number;
} {
  return data.priority === undefined ? { value: data.value } : { value: data.value, priority: data.priority };
}

function validPriority(priority: number | undefined): priority is number {
  return priority !== undefined && Number.isInteger(priority) && priority >= 0 && priority <= 65535;
}

/** A record as it is sent. */
export interface WireData {
  /** `""` is the apex. */
  readonly subDomain: string;
  readonly type: string;
  readonly value: string;
  /** MX, and an SRV that has it apart from its value. */
  readonly priority?: number;
}

/**
 * A record in the service's form: targets with the dot, TXT as it is.
 * @param apart the service keeps the priority of this SRV in `mx`, and the other three fields in the value
 */
export function toWire(r: DnsRecord, apart = false): WireData {
  const wire = { subDomain: r.name === "@" ? "" : r.name, type: r.type, value: r.value };
  const [, priority, rest] = apart && r.type === "SRV" ? (/^(\d+) (.+)$/.exec(r.value) ?? []) : [];
  if (priority !== undefined && rest !== undefined)
    return { ...wire, value: rest, priority: Number(priority) };
  return r.priority === undefined ? wire : { ...wire, priority: r.priority };
}
