/** Checks of MX, NS, SRV and CNAME records, which point to a name. */
import { gather } from "../../support/collections";
import type { DnsRecord } from "../record";
import { typeOf } from "../types";
import { isAtOrBelow, perZone, type ZoneIndex, type ZoneRecord } from "./view";

interface Host {
  readonly host: string;
}
interface Target {
  readonly target: string;
}

/** The service's own types, such as URL forwards, may answer with an address. */
function hasAddress({ type }: DnsRecord): boolean {
  return isAddress({ type }) || typeOf(type) === undefined;
}

export function isAddress({ type }: Pick<DnsRecord, "type">): boolean {
  return typeOf(type)?.isAddress === true;
}

export function isAlias({ type }: DnsRecord): boolean {
  return type === "CNAME";
}

/** `.` means none. */
export function hostOf({ value }: DnsRecord): string {
  return value.slice(value.lastIndexOf(" ") + 1);
}

/** Undefined for `.` and for a host elsewhere. */
export function hostIn(record: DnsRecord, zone: ZoneIndex): string | undefined {
  const host = hostOf(record);
  return host === "." ? undefined : zone.inside(host);
}

/** RFC 2181 §10.3, RFC 2782. */
export function aliasHost(record: ZoneRecord, zone: ZoneIndex): Host | undefined {
  const host = hostIn(record, zone);
  return host !== undefined && zone.answering(host).some(isAlias)
    ? { host: zone.shown(host, record) }
    : undefined;
}

export function missingHost(record: ZoneRecord, zone: ZoneIndex): Host | undefined {
  const host = hostIn(record, zone);
  return host !== undefined && zone.presence(host, (each) => hasAddress(each) || isAlias(each)) === "missing"
    ? { host: zone.shown(host, record) }
    : undefined;
}

/** RFC 1034 §4.2.1. */
export function missingGlue(record: ZoneRecord, zone: ZoneIndex): Host | undefined {
  const host = hostIn(record, zone);
  return host !== undefined &&
    record.name !== "@" &&
    isAtOrBelow(host, record.name) &&
    zone.isWhole &&
    !zone.at(host).some(isAddress)
    ? { host: zone.shown(host, record) }
    : undefined;
}

/** RFC 7505 §3, RFC 2782. */
export function nullBeside(record: ZoneRecord, zone: ZoneIndex): { readonly count: number } | undefined {
  const { records, lead } = zone.setOf(record);
  if (lead !== record || records.length < 2) return undefined;
  const count = records.filter((each) => hostOf(each) !== ".").length;
  return count < records.length && count > 0 ? { count } : undefined;
}

/** RFC 7505 §3. */
export function nullMail(record: ZoneRecord, zone: ZoneIndex): { readonly fault: string } | undefined {
  const beside = nullBeside(record, zone);
  if (beside !== undefined) return { fault: `${beside.count} other records there name hosts` };
  return hostOf(record) === "." && record.priority !== 0 ? { fault: "its priority is not 0" } : undefined;
}

/** The service keeps its own NS records at the apex. */
export function single(record: ZoneRecord, zone: ZoneIndex): { readonly type: string } | undefined {
  const isOwn = record.type === "NS" && record.name === "@";
  const isOnly = zone.isWhole && zone.setOf(record).records.length === 1;
  return isOnly && !isOwn && hostOf(record) !== "." ? { type: record.type } : undefined;
}

export function dangling(record: ZoneRecord, zone: ZoneIndex): Target | undefined {
  const target = zone.inside(record.value);
  return target !== undefined && target !== "@" && zone.presence(target, () => true) === "missing"
    ? { target: zone.shown(target, record) }
    : undefined;
}

/** The next CNAME for a resolver on a line. A line's records replace those of the default line. */
function nextOf(record: ZoneRecord, line: string | undefined, zone: ZoneIndex): ZoneRecord | undefined {
  const target = zone.inside(record.value);
  const there = target === undefined ? [] : zone.answering(target);
  const own = there.filter((each) => each.line === line);
  return (own.length > 0 ? own : there.filter((each) => each.line === undefined)).find(isAlias);
}

/** Line → CNAME → whether its chain is endless. */
const chains = perZone(() => new Map<string, Map<ZoneRecord, boolean>>());

function isEndless(record: ZoneRecord, zone: ZoneIndex): boolean {
  const known = gather<string, Map<ZoneRecord, boolean>>(chains(zone), record.line ?? "", new Map());
  const path = new Set<ZoneRecord>();
  let at: ZoneRecord | undefined = record;
  while (at !== undefined && !known.has(at) && !path.has(at)) {
    path.add(at);
    at = nextOf(at, record.line, zone);
  }
  const endless = at !== undefined && (path.has(at) || known.get(at) === true);
  for (const each of path) known.set(each, endless);
  return endless;
}

/** RFC 1034 §3.6.2. */
export function loop(record: ZoneRecord, zone: ZoneIndex): Target | undefined {
  const target = zone.inside(record.value);
  if (target === undefined || !isEndless(record, zone)) return undefined;
  return { target: zone.shown(target, record) };
}

export function chain(record: ZoneRecord, zone: ZoneIndex): Target | undefined {
  const target = zone.inside(record.value);
  return target !== undefined && nextOf(record, record.line, zone) !== undefined && !isEndless(record, zone)
    ? { target: zone.shown(target, record) }
    : undefined;
}

/** RFC 6335 §6. */
export function noPort(record: ZoneRecord): Host | undefined {
  const [, , port] = record.value.split(" ");
  const host = hostOf(record);
  return port === "0" && host !== "." ? { host: record.secret === true ? "the host" : host } : undefined;
}

/** RFC 2782, RFC 6335 §5.1. `_sipfederationtls` is in use and too long, so the length does not count. */
export function serviceName({ name }: ZoneRecord): { readonly example: string } | undefined {
  return /^(?:\*|_(?=[^.]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*)\._[^.]+(?:\.|$)/.test(name)
    ? undefined
    : { example: "_sip._tcp" };
}

/** RFC 4592 §4.2. */
export function wildcardServer({ name, domain }: ZoneRecord): { readonly name: string } | undefined {
  return name === "*" || name.startsWith("*.") ? { name: `${name}.${domain}.` } : undefined;
}
