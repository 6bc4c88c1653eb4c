/** Checks of names, TTLs, addresses and certificate authorities. */
import { perObject } from "../../support/per-object";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { aLabelProblem, withoutDot } from "../names";
import { isAddress } from "../types";
import { hostIn, hostOf, isAlias } from "./targets";
import { parentOf, upwards, type Checks, type ZoneIndex, type ZoneRecord } from "./view";

const underscore = "an underscore (RFC 1123 §2.1)";
const hostTypes = ["MX", "NS", "SRV", "CNAME"];

function foreignFault(name: string): string | undefined {
  if (/(?:^|\.)(?!xn)[^.]{2}--/.test(name)) return '"--" after two characters (RFC 5890 §2.3.1)';
  return aLabelProblem(name) && '"xn--" before text that encodes no name (RFC 5890 §2.3.2.1)';
}

const serverNames = perObject((zone: ZoneIndex) => {
  const servers = [...zone.names()].flatMap((name) => zone.at(name).filter(({ type }) => type === "NS"));
  return new Set(servers.map((record) => hostIn(record, zone)));
});

function isWildcard(name: string): boolean {
  return name === "*" || name.startsWith("*.");
}

const wildcards = perObject((zone: ZoneIndex) => new Set([...zone.names()].filter(isWildcard)));

function lostTypes(name: string, above: readonly ZoneRecord[], zone: ZoneIndex): string[] {
  const own = zone.at(name);
  // `_tcp` needs no address. A CNAME, or data in its place, answers every question otherwise.
  if (name.startsWith("_") || isWildcard(name)) return [];
  if (own.some(isAlias) || (own.length > 0 && above.some(isAlias))) return [];
  const types = new Set(own.map(({ type }) => type));
  return [...new Set(above.map(({ type }) => type))].filter((type) => !types.has(type)).sort();
}

const week = 604_800;

const privateRanges: ReadonlyMap<string, string> = new Map([
  ["private", "a private network"],
  ["uniqueLocal", "a private network"],
  ["loopback", "the machine itself that asks"],
  ["linkLocal", "one link"],
  ["carrierGradeNat", "a provider's own network"],
]);

function caaTags(record: ZoneRecord, zone: ZoneIndex): ReadonlySet<string> | undefined {
  if (!zone.isWhole || !zone.isLead(record)) return undefined;
  return new Set(zone.setOf(record).map(({ value }) => value.split(" ")[1] ?? ""));
}

export const nameChecks = {
  "name-unusual": (record) => {
    const { name, domain, type } = record;
    const isService = /(?:^|\.)_/.test(name);
    const fault = !isService && name.includes("_") ? underscore : foreignFault(name);
    if (fault !== undefined) return `${name}.${domain}.: ${fault}`;
    const host = hostTypes.includes(type) ? withoutDot(hostOf(record)) : "";
    const what = type !== "CNAME" && host.includes("_") ? underscore : foreignFault(host);
    return what && `${record.secret === true ? "its host" : `${host}.`}: ${what}`;
  },
  // Other servers answer at and below a delegation. NS and DS make it; addresses may be its glue.
  "name-occluded": (record, zone) => {
    const { name, type } = record;
    const delegated = zone.delegationOf(name);
    if (delegated === undefined) return undefined;
    if (name === delegated && (type === "NS" || type === "DS")) return undefined;
    if (isAddress(record) && (!zone.isWhole || serverNames(zone).has(name))) return undefined;
    return zone.shown(delegated, record);
  },
  "wildcard-idle": (record, zone) => {
    const { name, type, value, priority, line } = record;
    const parent = parentOf(name);
    if (!isWildcard(name) || !zone.isWhole || parent === "@" || zone.population(parent) > 1) return undefined;
    const isSame = (above: ZoneRecord): boolean =>
      above.type === type && above.value === value && above.priority === priority && above.line === line;
    return zone.wildcardOver(parent, 1).some(isSame) && `hides ${zone.shown(parent, record)}`;
  },
  // A new name takes a wildcard's answers away (RFC 4592 §2.2.2): `_acme-challenge.www` makes `www` exist, and
  // `*` does not match it any more.
  "wildcard-hidden": (record, zone) => {
    const { name: own, domain } = record;
    if (!zone.isWhole || wildcards(zone).size === 0) return undefined;
    if (!zone.isNew(own) || !zone.isLead(record, zone.at(own))) return undefined;
    const created = [...upwards(own)].filter((name) => zone.isNew(name)).reverse();
    const [first = own] = created;
    const parent = parentOf(first);
    const wildcard = parent === "@" ? "*" : `*.${parent}`;
    const above = zone.at(wildcard);
    if (above.length === 0 || zone.delegationOf(first) !== undefined) return undefined;
    const name = created.find((each) => lostTypes(each, above, zone).length > 0);
    if (name === undefined) return undefined;
    const types = lostTypes(name, above, zone).join(", ");
    return `${wildcard}.${domain}. for ${name}.${domain}.: ${types}`;
  },
  "ttl-long": ({ ttl }) => typeof ttl === "number" && ttl > week && `${ttl}, a week is ${week}`,
  "ttl-differs": (record, zone) => {
    const records = zone.setOf(record);
    if (records.length < 2 || !zone.isLead(record)) return undefined;
    const ttls = new Set(records.flatMap(({ ttl }) => (typeof ttl === "number" ? [ttl] : [])));
    return ttls.size > 1 && [...ttls].sort((a, b) => a - b).join(", ");
  },
  // `localhost` is meant to be private (RFC 1912 §4.1).
  "private-address": ({ value, name }) => {
    const version = isIP(value);
    if (/(?:^|\.)localhost$/.test(name) || version === 0) return undefined;
    // `process` would read an IPv4 address four times.
    const address = version === 4 ? ipaddr.IPv4.parse(value) : ipaddr.process(value);
    return privateRanges.get(address.range());
  },
  "caa-open": (record, zone) => {
    const tags = caaTags(record, zone);
    return tags !== undefined && !tags.has("issue") && !tags.has("issuewild");
  },
  "caa-wildcard": (record, zone) => {
    const tags = caaTags(record, zone);
    return tags?.has("issue") === true && !tags.has("issuewild");
  },
  "caa-flags": ({ value }) => !/^(?:0|128) /.test(value),
} satisfies Partial<Checks>;
