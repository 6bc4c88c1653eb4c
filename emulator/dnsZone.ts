/** The served zone: enabled records of the default line, with empty non-terminals (RFC 4592 §2.2.2). */
import { domainToASCII } from "node:url";
import type { Domain, Rec } from "./service/model";

/** Names are absolute, lower case A-labels, without the final dot. */
export interface ServedZone {
  readonly apex: string;
  readonly records: ReadonlyMap<string, readonly Rec[]>;
  readonly names: ReadonlySet<string>;
}

interface Kept {
  readonly revision: number;
  readonly zone: ServedZone;
}

const kept = new WeakMap<Domain, Kept>();

export function servedZone(domain: Domain): ServedZone {
  const { revision } = domain;
  const before = kept.get(domain);
  if (before?.revision === revision) return before.zone;
  const zone = build(domain);
  kept.set(domain, { revision, zone });
  return zone;
}

function build(domain: Domain): ServedZone {
  const apex = domain.punycode;
  const records = new Map<string, Rec[]>();
  const names = new Set<string>([apex]);
  for (const [label, all] of domain.byName) {
    const served = all.filter(({ enabled, lineId }) => enabled && lineId === "0");
    if (served.length === 0) continue;
    const owner = label === "@" ? apex : `${asciiName(label)}.${apex}`;
    records.set(owner, served);
    for (let name = owner; name !== apex && !names.has(name); name = parent(name)) names.add(name);
  }
  return { apex, records, names };
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
