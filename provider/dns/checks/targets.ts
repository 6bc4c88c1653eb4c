/** Checks of records that point to names: mail and name servers, aliases, and the glue of a delegation. */
import type { DnsRecord } from "../record";
import { reason } from "../../problems";
import type { Found } from "./found";
import type { ZoneIndex } from "./view";

const addressTypes = ["A", "AAAA"];
const standard: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA"]);

/** A type of the service's own, such as a URL forward, may answer with an address. */
function hasAddress({ type }: DnsRecord): boolean {
  return addressTypes.includes(type) || !standard.has(type);
}

/** Where an MX or NS record points to; nothing of any other record, of `.` and of a host outside the zone. */
function hostIn(record: DnsRecord, zone: ZoneIndex): string | undefined {
  return (record.type === "MX" || record.type === "NS") && record.value !== "."
    ? zone.inside(record.value)
    : undefined;
}

/** MX and NS: a host that is an alias, or has no address (RFC 2181 §10.3); a delegation to a host below itself (RFC 1034 §4.2.1). */
export function checkHosts(record: DnsRecord, zone: ZoneIndex, found: Found): void {
  const host = hostIn(record, zone);
  if (host === undefined) return;
  const [alias, missing] =
    record.type === "MX" ? (["mx-cname", "mx-missing"] as const) : (["ns-cname", "ns-missing"] as const);
  const shown = zone.shown(host, record);
  if (record.type === "NS" && record.name !== "@" && isBelow(host, record.name)) {
    if (zone.presence(host, hasAddress) === "here" || !zone.isWhole) return;
    found.add(record, reason("glue-missing", { host: shown }));
    return;
  }
  if (zone.answering(host).some(({ type }) => type === "CNAME")) {
    found.add(record, reason(alias, { host: shown }));
  } else if (zone.presence(host, hasAddress) === "missing") {
    found.add(record, reason(missing, { host: shown }));
  }
}

/** CNAME: a target in the zone that is not there. */
export function checkAlias(record: DnsRecord, zone: ZoneIndex, found: Found): void {
  if (record.type !== "CNAME") return;
  const target = zone.inside(record.value);
  if (target === undefined || target === "@" || zone.presence(target, () => true) !== "missing") return;
  found.add(record, reason("cname-dangling", { target: zone.shown(target, record) }));
}

function isBelow(name: string, parent: string): boolean {
  return name === parent || name.endsWith(`.${parent}`);
}
