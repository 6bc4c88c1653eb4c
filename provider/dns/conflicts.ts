/** Duplicates, and CNAMEs beside other data (RFC 1034 §3.6.2; service-notes.md, code 31). */
import { append, gather, groupBy, split } from "../support/collections";
import { reason, type Problem } from "../problems";
import { ownerOf } from "./names";
import type { DeclaredRecord, DnsRecord } from "./record";
import { describeRecord, placeOf, recordKey } from "./text";

/** A path in the program, or an index in the input `records`. */
export type Where = string | number;

export function pathOf(where: Where): string {
  return typeof where === "string" ? where : `records[${where}]`;
}

export interface Claim {
  readonly record: DnsRecord & Partial<Pick<DeclaredRecord, "ttl" | "secret">>;
  readonly path: Where;
  readonly known: boolean;
}

export class Places<C extends { readonly record: DnsRecord }> {
  private readonly claims = new Map<string, C[]>();
  private readonly aliased = new Set<string>();

  add(claim: C): readonly C[] {
    if (isSignature(claim)) return [];
    const place = keyOf(claim);
    const there = gather<string, C[]>(this.claims, place, []);
    const against = isAlias(claim) ? [...there] : this.aliased.has(place) ? there.filter(isAlias) : [];
    if (isAlias(claim)) this.aliased.add(place);
    there.push(claim);
    return against;
  }
}

function keyOf({ record }: { readonly record: DnsRecord }): string {
  return `${record.domain} ${placeOf(record)}`;
}

/** The zone's own NS records at its apex, and the records that sign a CNAME at its name (RFC 4035 §2.5). */
function isSignature({ record: { name, type } }: { readonly record: DnsRecord }): boolean {
  return (name === "@" && type === "NS") || type === "RRSIG" || type === "NSEC";
}

function isAlias({ record }: { readonly record: DnsRecord }): boolean {
  return record.type === "CNAME";
}

export function conflictsOf(claims: readonly Claim[]): Problem[] {
  const problems: Problem[] = [];
  const distinct = areDistinct(claims) ? claims : withoutDuplicates(claims, problems);
  const names = new Set(distinct.filter(isAlias).map(({ record }) => record.name));
  if (names.size === 0) return problems;
  const near = distinct.filter((claim) => names.has(claim.record.name) && !isSignature(claim));
  for (const there of groupBy(near, keyOf).values())
    append(problems, aliasProblems(...split(there, isAlias)));
  return problems;
}

/** Most names of a large zone have one record, and need no key. */
function areDistinct(claims: readonly Claim[]): boolean {
  const records = claims.filter(({ known }) => known).map(({ record }) => record);
  /** Name → number of records. */
  const counts = new Map<string, number>();
  for (const { name } of records) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shared = records.filter(({ name }) => counts.get(name) !== 1);
  return new Set(shared.map(recordKey)).size === shared.length;
}

function withoutDuplicates(claims: readonly Claim[], problems: Problem[]): Claim[] {
  const seen = new Map<string, Claim>();
  return claims.filter((claim) => {
    if (!claim.known) return true;
    const key = recordKey(claim.record);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, claim);
      return true;
    }
    const [ttl, firstTtl] = [claim.record.ttl, first.record.ttl];
    const differ = ttl !== firstTtl && ttl !== undefined && firstTtl !== undefined;
    const where = `at ${pathOf(first.path)}${differ ? `, with TTL ${firstTtl},` : ""}`;
    const why = reason("record.twice", { what: describeRecord(claim.record), where });
    problems.push({ ...why, path: pathOf(claim.path) });
    return false;
  });
}

function aliasProblems(aliases: readonly Claim[], beside: readonly Claim[]): Problem[] {
  const [first, ...others] = aliases;
  if (first === undefined) return [];
  const { domain, name, line } = first.record;
  const path = pathOf(first.path);
  const where = `${ownerOf(name, domain)}${line === undefined ? "" : ` on line ${line}`}`;
  const problems: Problem[] = others.map((other) => ({
    ...reason("cname.beside", { where }, [{ text: short(first), note: path }]),
    path: pathOf(other.path),
  }));
  if (beside.length > 0) {
    const there = beside.map((claim) => ({ text: short(claim), note: pathOf(claim.path) }));
    problems.push({ ...reason("cname.beside", { where }, there), path });
  } else if (name === "@") problems.push({ ...reason("cname.apex", { domain }), path });
  return problems;
}

function short({ record, known }: Claim): string {
  return known ? describeRecord(record) : `${ownerOf(record.name, record.domain)} ${record.type}`;
}
