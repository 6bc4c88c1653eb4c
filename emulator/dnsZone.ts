/**
 * The zone of a domain's name servers: its enabled records for one line, as a tree of names with empty
 * non-terminals (RFC 4592 §2.2.2).
 */
import { domainToASCII } from "node:url";
import { lineNamed, linesOf } from "./service/lines";
import type { Domain, Rec, World } from "./service/model";

/** A served zone. Names are absolute, in lower case and A-labels, without the final dot. */
export interface ServedZone {
  readonly apex: string;
  /** Records by owner name. */
  readonly records: ReadonlyMap<string, readonly Rec[]>;
  /** Every name that exists, empty non-terminals included. */
  readonly names: ReadonlySet<string>;
}

interface Kept {
  readonly revision: number;
  readonly line: string;
  readonly zone: ServedZone;
}

const kept = new WeakMap<Domain, Kept>();

/** The zone of a domain as it is served now; built anew only when a record changed. */
export function servedZone(world: World, domain: Domain): ServedZone {
  const wanted = world.settings.dnsLine;
  const line = wanted === null ? "0" : (lineNamed(linesOf(domain, world.settings), wanted)?.id ?? "0");
  const before = kept.get(domain);
  if (before !== undefined && before.revision === domain.revision && before.line === line) return before.zone;
  const zone = build(domain, line);
  kept.set(domain, { revision: domain.revision, line, zone });
  return zone;
}

function build(domain: Domain, line: string): ServedZone {
  const apex = domain.punycode;
  const records = new Map<string, Rec[]>();
  const names = new Set<string>([apex]);
  for (const [label, all] of domain.byName) {
    const served = forLine(
      all.filter((record) => record.enabled),
      line,
    );
    if (served.length === 0) continue;
    const owner = label === "@" ? apex : `${asciiName(label)}.${apex}`;
    records.set(owner, served);
    for (let name = owner; name !== apex && !names.has(name); name = parent(name)) names.add(name);
  }
  return { apex, records, names };
}

/** A line's records stand in for the default line's of the same type; a CNAME for all. */
function forLine(records: readonly Rec[], line: string): Rec[] {
  const own = records.filter((record) => record.lineId === line);
  const general = records.filter((record) => record.lineId === "0");
  if (line === "0" || own.length === 0) return general;
  if (own.some((record) => record.type === "CNAME")) return own;
  const types = new Set(own.map((record) => record.type));
  return [...own, ...general.filter((record) => record.type !== "CNAME" && !types.has(record.type))];
}

/** A name without its first label. */
export function parent(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

/** Lower case and A-labels, without the final dot; labels that are no IDN stay as they are. */
export function asciiName(name: string): string {
  const bare = name.toLowerCase().replace(/\.$/, "");
  if (/^[\x21-\x7e]*$/.test(bare)) return bare;
  return bare
    .split(".")
    .map((label) => domainToASCII(label) || label)
    .join(".");
}
