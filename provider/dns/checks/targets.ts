/** Checks of MX, NS, SRV and CNAME records, which point to a name. */
import { perObject } from "../../support/per-object";
import { gather } from "../../support/collections";
import { isWithin } from "../names";
import type { DnsRecord } from "../record";
import { isAddress, typeOf } from "../types";
import { type Check, type Checks, type ZoneIndex, type ZoneRecord } from "./view";

function mayAnswer(record: DnsRecord): boolean {
  return isAddress(record) || isAlias(record) || typeOf(record.type) === undefined;
}

export function isAlias({ type }: DnsRecord): boolean {
  return type === "CNAME";
}

export function hostOf({ value }: DnsRecord): string {
  return value.slice(value.lastIndexOf(" ") + 1);
}

export function hostIn(record: DnsRecord, zone: ZoneIndex): string | undefined {
  const host = hostOf(record);
  return host === "." ? undefined : zone.inside(host);
}

function ofHost(isFound: (host: string, zone: ZoneIndex, record: ZoneRecord) => boolean): Check {
  return (record, zone) => {
    const host = hostIn(record, zone);
    return host !== undefined && isFound(host, zone, record) && zone.shown(host, record);
  };
}

const aliasHost = ofHost((host, zone) => zone.answering(host).some(isAlias));
const missingHost = ofHost((host, zone) => zone.lacks(host, mayAnswer));

const nullBeside: Check = (record, zone) => {
  const records = zone.setOf(record);
  if (!zone.isLead(record)) return undefined;
  const count = records.filter((each) => hostOf(each) !== ".").length;
  return count < records.length && count > 0 && `hosts beside it: ${count}`;
};

/** The service keeps its own NS records at the apex. */
const single: Check = (record, zone) => {
  const { name, type } = record;
  const isOnly = zone.isWhole && zone.setOf(record).length === 1;
  return isOnly && !(type === "NS" && name === "@") && hostOf(record) !== ".";
};

/** The next CNAME for a resolver on a line. A line's records replace those of the default line. */
function nextOf(record: ZoneRecord, line: string | undefined, zone: ZoneIndex): ZoneRecord | undefined {
  const target = hostIn(record, zone);
  const there = target === undefined ? [] : zone.answering(target);
  const own = there.filter((each) => each.line === line);
  return (own.length > 0 ? own : there.filter((each) => each.line === undefined)).find(isAlias);
}

/** Line → CNAME → whether its chain is endless. */
const chains = perObject((_: ZoneIndex) => new Map<string, Map<ZoneRecord, boolean>>());

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

export const targetChecks = {
  "mx-cname": aliasHost,
  "ns-cname": aliasHost,
  "srv-cname": aliasHost,
  "mx-missing": missingHost,
  "ns-missing": missingHost,
  "srv-missing": missingHost,
  "mx-single": single,
  "ns-single": single,
  "srv-null": nullBeside,
  "mx-null": (record, zone) =>
    nullBeside(record, zone) || (hostOf(record) === "." && record.priority !== 0 && "its priority is not 0"),
  "glue-missing": ofHost(
    (host, zone, { name }) =>
      name !== "@" && isWithin(host, name) && zone.isWhole && !zone.at(host).some(isAddress),
  ),
  "ns-wildcard": ({ name }) => /^\*(?:\.|$)/.test(name),
  "srv-port": (record) => {
    const host = hostOf(record);
    const isFound = record.value.split(" ")[2] === "0" && host !== ".";
    return isFound && (record.secret === true ? "the host" : host);
  },
  // RFC 2782, RFC 6335 §5.1. `_sipfederationtls` is in use and too long, so the length does not count.
  "srv-name": ({ name }) => !/^(?:\*|_(?=[^.]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*)\._[^.]+(?:\.|$)/.test(name),
  "cname-dangling": ofHost((host, zone) => host !== "@" && zone.lacks(host, () => true)),
  "cname-loop": ofHost((_, zone, record) => isEndless(record, zone)),
  "cname-chain": ofHost(
    (_, zone, record) => nextOf(record, record.line, zone) !== undefined && !isEndless(record, zone),
  ),
} satisfies Partial<Checks>;
