/** Checks of a record's name. */
import { gather } from "../../support/collections";
import { aLabelProblem, withoutDot } from "../names";
import { hostIn, hostOf, isAddress, isAlias } from "./targets";
import {
  isSecret,
  parentOf,
  perZone,
  upwards,
  type RecordSet,
  type ZoneIndex,
  type ZoneRecord,
} from "./view";

export interface UnusualName {
  readonly name: string;
  readonly what: string;
}

const underscore = "an underscore (RFC 1123 §2.1)";
const hostTypes = ["MX", "NS", "SRV", "CNAME"];

/** RFC 5890 §2.3.1, §2.3.2.1. */
function foreignFault(name: string): string | undefined {
  if (/(?:^|\.)(?!xn)[^.]{2}--/.test(name)) return '"--" after two characters (RFC 5890 §2.3.1)';
  return aLabelProblem(name) === undefined
    ? undefined
    : '"xn--" before text that encodes no name (RFC 5890 §2.3.2.1)';
}

/** RFC 1123 §2.1; for the name and for its host. */
export function unusualName(record: ZoneRecord): UnusualName | undefined {
  const { name, domain, type } = record;
  // `_dmarc` and `_service._protocol` are no hosts.
  const isService = /(?:^|\.)_/.test(name);
  const of = (what: string): UnusualName => ({ name: `${name}.${domain}.`, what });
  if (!isService && name.includes("_")) return of(underscore);
  const fault = foreignFault(name);
  if (fault !== undefined) return of(fault);
  const host = hostTypes.includes(type) ? withoutDot(hostOf(record)) : "";
  // A CNAME may point to a service's name.
  const what = type !== "CNAME" && host.includes("_") ? underscore : foreignFault(host);
  return what === undefined ? undefined : { name: isSecret(record) ? "its host" : `${host}.`, what };
}

const serverNames = perZone((zone) => {
  const names = new Set<string | undefined>();
  for (const name of zone.names())
    for (const record of zone.at(name)) if (record.type === "NS") names.add(hostIn(record, zone));
  return names;
});

/** Other servers answer at and below a delegation. NS and DS make it; addresses may be its glue. */
export function occluded(record: ZoneRecord, zone: ZoneIndex): { readonly delegated: string } | undefined {
  const { name, type } = record;
  const delegated = zone.delegationOf(name);
  if (delegated === undefined) return undefined;
  if (name === delegated && (type === "NS" || type === "DS")) return undefined;
  if (isAddress(record) && (!zone.isWhole || serverNames(zone).has(name))) return undefined;
  return { delegated: zone.shown(delegated, record) };
}

function isWildcard(name: string): boolean {
  return name === "*" || name.startsWith("*.");
}

/** A wildcard that repeats the one above it. */
export function idleWildcard(record: ZoneRecord, zone: ZoneIndex): { readonly parent: string } | undefined {
  const parent = parentOf(record.name);
  // The wildcard above matches no name with data or with names below it.
  if (!isWildcard(record.name) || !zone.isWhole || parent === "@" || zone.population(parent) > 1)
    return undefined;
  const repeats = zone
    .wildcardOver(parent, 1)
    .some(
      (above) =>
        above.type === record.type &&
        above.value === record.value &&
        above.priority === record.priority &&
        above.line === record.line,
    );
  return repeats ? { parent: zone.shown(parent, record) } : undefined;
}

export interface HiddenWildcard {
  readonly wildcard: string;
  readonly name: string;
  readonly types: string;
}

const atNames = perZone(() => new Map<string, RecordSet>());

/**
 * A new name takes a wildcard's answers away (RFC 4592 §2.2.2): `_acme-challenge.www` makes `www` exist,
 * and `*` does not match it any more.
 */
export function hiddenWildcard(record: ZoneRecord, zone: ZoneIndex): HiddenWildcard | undefined {
  if (!zone.isWhole || !zone.isNew(record.name)) return undefined;
  const { lead } = gather<string, RecordSet>(atNames(zone), record.name, zone.withLead(zone.at(record.name)));
  if (lead !== record) return undefined;
  const created = [...upwards(record.name)].filter((name) => zone.isNew(name)).reverse();
  const [first = record.name] = created;
  const parent = parentOf(first);
  const wildcard = parent === "@" ? "*" : `*.${parent}`;
  const above = zone.at(wildcard);
  if (above.length === 0 || zone.delegationOf(first) !== undefined) return undefined;
  for (const name of created) {
    const types = lostTypes(name, above, zone);
    if (types.length === 0) continue;
    return {
      wildcard: `${wildcard}.${record.domain}.`,
      name: `${name}.${record.domain}.`,
      types: types.join(", "),
    };
  }
  return undefined;
}

function lostTypes(name: string, above: readonly ZoneRecord[], zone: ZoneIndex): string[] {
  const own = zone.at(name);
  // `_tcp` needs no address. A CNAME, or data in its place, answers every question otherwise.
  if (name.startsWith("_") || isWildcard(name)) return [];
  if (own.some(isAlias) || (own.length > 0 && above.some(isAlias))) return [];
  const types = new Set(own.map(({ type }) => type));
  return [...new Set(above.map(({ type }) => type))].filter((type) => !types.has(type)).sort();
}
