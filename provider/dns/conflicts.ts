/**
 * Records that cannot stand together: the same record twice, and a CNAME beside other data at its name and line
 * (RFC 1034 §3.6.2; service-notes.md, code 31). Reusable across the resources of a program.
 */
import type { DeclaredRecord, DnsRecord, Problem } from "./record";
import { ownerOf } from "./names";
import { describeRecord, recordKey } from "./text";
import { stateTtl } from "./ttl";

/** A record, or the place of one whose value is not known yet, and where it is declared. */
export interface Claim {
  readonly record: DnsRecord & { readonly ttl?: DeclaredRecord["ttl"] };
  readonly path: string;
  /** False for a value that is not known yet: it has a place, but no identity. */
  readonly known: boolean;
}

/**
 * What is wrong between records: duplicates, CNAMEs beside other data, two CNAMEs in one place, a CNAME at the apex (a
 * warning). A place is a domain, a name and a line.
 * @param records each with the path that messages call it by, such as `records[3]` or `Record "www"`.
 */
export function conflicts(
  records: readonly (DeclaredRecord & { readonly path: string })[],
  options: { readonly sensitive?: boolean } = {},
): Problem[] {
  const claims = records.map((record) => ({ record, path: record.path, known: true }));
  return conflictsOf(claims, options.sensitive === true);
}

/** The same, for records some of whose values are not known yet. */
export function conflictsOf(claims: readonly Claim[], sensitive: boolean): Problem[] {
  const problems: Problem[] = [];
  const distinct = withoutDuplicates(claims, sensitive, problems);
  const aliases = new Map<string, Claim[]>();
  const names = new Set<string>();
  for (const claim of distinct) {
    if (claim.record.type !== "CNAME") continue;
    push(aliases, placeOf(claim.record), claim);
    names.add(claim.record.name);
  }
  const beside = new Map<string, Claim[]>();
  for (const claim of distinct) {
    const { name, type } = claim.record;
    // The zone's own NS records always stand at its apex.
    if (type === "CNAME" || !names.has(name) || (name === "@" && type === "NS")) continue;
    const place = placeOf(claim.record);
    if (aliases.has(place)) push(beside, place, claim);
  }
  for (const [place, found] of aliases) problems.push(...aliasProblems(found, beside.get(place) ?? [], sensitive));
  return problems;
}

function withoutDuplicates(claims: readonly Claim[], sensitive: boolean, problems: Problem[]): Claim[] {
  const seen = new Map<string, Claim>();
  const distinct: Claim[] = [];
  for (const claim of claims) {
    const key = claim.known ? recordKey(claim.record) : undefined;
    const first = key === undefined ? undefined : seen.get(key);
    if (first === undefined) {
      if (key !== undefined) seen.set(key, claim);
      distinct.push(claim);
      continue;
    }
    const what = describeRecord(claim.record, sensitive);
    const [ttl, firstTtl] = [ttlOf(claim), ttlOf(first)];
    const differ = ttl !== firstTtl && ttl !== undefined && firstTtl !== undefined;
    const message = differ
      ? `${what} is declared at ${first.path} already, with TTL ${firstTtl} there and ${ttl} here; a TTL makes no second record: keep one`
      : `${what} is declared at ${first.path} already; declare it once`;
    problems.push({ severity: "error", path: claim.path, message });
  }
  return distinct;
}

function ttlOf({ record }: Claim): number | string | undefined {
  return record.ttl === undefined ? undefined : stateTtl({ ttl: record.ttl });
}

function aliasProblems(aliases: readonly Claim[], beside: readonly Claim[], sensitive: boolean): Problem[] {
  const [first, ...others] = aliases;
  if (first === undefined) return [];
  const { record, path } = first;
  const where = record.line === undefined ? ownerOf(record.name, record.domain) : `${ownerOf(record.name, record.domain)} on line ${record.line}`;
  const problems: Problem[] = others.map((other) => ({
    severity: "error",
    path: other.path,
    message: `${where} has a CNAME at ${path} already; a name has one CNAME on a line: keep one`,
  }));
  if (beside.length > 0) {
    const listed = beside.slice(0, 5).map((claim) => `${claim.path} (${short(claim, sensitive)})`);
    const rest = beside.length > 5 ? ` and ${beside.length - 5} more` : "";
    const message = `the CNAME of ${where} cannot stand beside ${listed.join(", ")}${rest}; take the CNAME or the other data out`;
    problems.push({ severity: "error", path, message });
  } else if (record.name === "@") {
    const message = `a CNAME at the apex of ${record.domain} hides the zone's NS, MX and TXT data from many resolvers; use A and AAAA records where you can`;
    problems.push({ severity: "warning", path, message });
  }
  return problems;
}

function short({ record, known }: Claim, sensitive: boolean): string {
  return known ? describeRecord(record, sensitive) : `${ownerOf(record.name, record.domain)} ${record.type}`;
}

function placeOf({ domain, name, line }: DnsRecord): string {
  return line === undefined ? `${domain} ${name}` : `${domain} ${name} ${line}`;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
