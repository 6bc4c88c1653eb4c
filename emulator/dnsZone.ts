/** The served zone: enabled records of one line, with empty non-terminals (RFC 4592 §2.2.2). */
import { domainToASCII } from "node:url";
import { lineNamed, linesOf } from "./service/lines";
import type { Domain, Rec, World } from "./service/model";

/** Names are absolute, lower case A-labels, without the final dot. */
export interface ServedZone {
  readonly apex: string;
  readonly records: ReadonlyMap<string, readonly Rec[]>;
  readonly names: ReadonlySet<string>;
}

interface Kept {
  readonly revision: number;
  readonly line: string;
  readonly zone: ServedZone;
}

const kept = new WeakMap<Domain, Kept>();

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

/** A line's records replace those of the default line of the same type; a CNAME replaces all. */
function forLine(records: readonly Rec[], line: string): Rec[] {
  const own = records.filter((record) => record.lineId === line);
  const general = records.filter((record) => record.lineId === "0");
  if (line === "0" || own.length === 0) return general;
  if (own.some((record) => record.type === "CNAME")) return own;
  const types = new Set(own.map((record) => record.type));
  return [...own, ...general.filter((record) => record.type !== "CNAME" && !types.has(record.type))];
}

export function parent(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

/** Lower case A-labels without the final dot; other labels stay. */
export function asciiName(name: string): string {
  const bare = name.toLowerCase().replace(/\.$/, "");
  if (/^[\x21-\x7e]*$/.test(bare)) return bare;
  return bare
    .split(".")
    .map((label) => domainToASCII(label) || label)
    .join(".");
}
