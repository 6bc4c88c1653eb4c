/** Checks of records that point to a name: MX, NS, SRV and CNAME, and the glue of a delegation. */
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

/** A type of the service's own, such as a URL forward, may answer with an address. */
function hasAddress({ type }: DnsRecord): boolean {
  return isAddress({ type }) || typeOf(type) === undefined;
}

export function isAddress({ type }: Pick<DnsRecord, "type">): boolean {
  return typeOf(type)?.isAddress === true;
}

export function isAlias({ type }: DnsRecord): boolean {
  return type === "CNAME";
}

/** The host that an MX, NS, SRV or CNAME record points to; `.` for none. */
export function hostOf({ value }: DnsRecord): string {
  return value.slice(value.lastIndexOf(" ") + 1);
}

/** Its name in this zone; undefined for `.` and for a host elsewhere. */
export function hostIn(record: DnsRecord, zone: ZoneIndex): string | undefined {
  const host = hostOf(record);
  return host === "." ? undefined : zone.inside(host);
}

/** A host that is an alias (RFC 2181 §10.3, RFC 2782). */
export function aliasHost(record: ZoneRecord, zone: ZoneIndex): Host | undefined {
  const host = hostIn(record, zone);
  return host !== undefined && zone.answering(host).some(isAlias)
    ? { host: zone.shown(host, record) }
    : undefined;
}

/** A host without an address. */
export function missingHost(record: ZoneRecord, zone: ZoneIndex): Host | undefined {
  const host = hostIn(record, zone);
  return host !== undefined && zone.presence(host, (each) => hasAddress(each) || isAlias(each)) === "missing"
    ? { host: zone.shown(host, record) }
    : undefined;
}

/** A delegation to a host below itself, without its address (RFC 1034 §4.2.1). */
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

/** `.` beside hosts: no mail (RFC 7505 §3) or no service (RFC 2782), and yet some. */
export function nullBeside(record: ZoneRecord, zone: ZoneIndex): { readonly count: number } | undefined {
  const { records, lead } = zone.setOf(record);
  if (lead !== record || records.length < 2) return undefined;
  const count = records.filter((each) => hostOf(each) !== ".").length;
  return count < records.length && count > 0 ? { count } : undefined;
}

/** A null MX beside hosts, or with another priority than 0 (RFC 7505 §3). */
export function nullMail(record: ZoneRecord, zone: ZoneIndex): { readonly fault: string } | undefined {
  const beside = nullBeside(record, zone);
  if (beside !== undefined) return { fault: `${beside.count} other records there name hosts` };
  return hostOf(record) === "." && record.priority !== 0 ? { fault: "its priority is not 0" } : undefined;
}

/** One record where two give redundancy. The service keeps its own NS records at the apex. */
export function single(record: ZoneRecord, zone: ZoneIndex): { readonly type: string } | undefined {
  const isOwn = record.type === "NS" && record.name === "@";
  const isOnly = zone.isWhole && zone.setOf(record).records.length === 1;
  return isOnly && !isOwn && hostOf(record) !== "." ? { type: record.type } : undefined;
}

/** A CNAME's target in the zone that is missing. */
export function dangling(record: ZoneRecord, zone: ZoneIndex): Target | undefined {
  const target = zone.inside(record.value);
  return target !== undefined && target !== "@" && zone.presence(target, () => true) === "missing"
    ? { target: zone.shown(target, record) }
    : undefined;
}

/** The next CNAME of a chain, as a resolver on a line gets it: a line's records stand in for those of the default line. */
function nextOf(record: ZoneRecord, line: string | undefined, zone: ZoneIndex): ZoneRecord | undefined {
  const target = zone.inside(record.value);
  const there = target === undefined ? [] : zone.answering(target);
  const own = there.filter((each) => each.line === line);
  return (own.length > 0 ? own : there.filter((each) => each.line === undefined)).find(isAlias);
}

/** Line → CNAME → whether its chain has no end. */
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

/** A CNAME to itself, or into a loop (RFC 1034 §3.6.2). */
export function loop(record: ZoneRecord, zone: ZoneIndex): Target | undefined {
  const target = zone.inside(record.value);
  if (target === undefined || !isEndless(record, zone)) return undefined;
  return { target: zone.shown(target, record) };
}

/** A CNAME to another CNAME. */
export function chain(record: ZoneRecord, zone: ZoneIndex): Target | undefined {
  const target = zone.inside(record.value);
  return target !== undefined && nextOf(record, record.line, zone) !== undefined && !isEndless(record, zone)
    ? { target: zone.shown(target, record) }
    : undefined;
}

/** A service on port 0, which is reserved (RFC 6335 §6). */
export function noPort(record: ZoneRecord): Host | undefined {
  const [, , port] = record.value.split(" ");
  const host = hostOf(record);
  return port === "0" && host !== "." ? { host: record.secret === true ? "the host" : host } : undefined;
}

/**
 * An SRV record that no client asks for: the name is not `_service._protocol` (RFC 2782). A service has letters, digits and
 * single hyphens between them, and at least one letter (RFC 6335 §5.1). `_sipfederationtls` is in use and too long, so
 * the length does not count.
 */
export function serviceName({ name }: ZoneRecord): { readonly example: string } | undefined {
  return /^(?:\*|_(?=[^.]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*)\._[^.]+(?:\.|$)/.test(name)
    ? undefined
    : { example: "_sip._tcp" };
}

/** A wildcard's own NS records (RFC 4592 §4.2). */
export function wildcardServer({ name, domain }: ZoneRecord): { readonly name: string } | undefined {
  return name === "*" || name.startsWith("*.") ? { name: `${name}.${domain}.` } : undefined;
}
