/**
 * Records that cannot stand together: the same record twice, and a CNAME beside other data at its name and line
 * (RFC 1034 §3.6.2; service-notes.md, code 31). `Places` holds the second rule, for one resource and for a program.
 */
import { reason, type Problem } from "../problems";
import type { DeclaredRecord, DnsRecord } from "./record";
import { ownerOf } from "./names";
import { describeRecord, placeOf, recordKey } from "./text";
import { stateTtl } from "./ttl";

/**
 * A path in the program, or the number of an element of the list of records: its path is written where something is told of it,
 * and a large zone has nothing to tell.
 */
export type Where = string | number;

/** @param list the list's own path. */
export function pathOf(where: Where, list: string): string {
  return typeof where === "string" ? where : `${list}[${where}]`;
}

/** A record, or the place of one whose value is not known yet, and where it is declared. */
export interface Claim {
  readonly record: DnsRecord & Partial<Pick<DeclaredRecord, "ttl" | "secret">>;
  readonly path: Where;
  /** False for a value that is not known yet: it has a place, but no identity. */
  readonly known: boolean;
}

/**
 * What records stand in one place: a domain, a name and a line. Keyed by text, so that a program's 100,000 records cost
 * a map and nothing else.
 */
export class Places<C extends { readonly record: DnsRecord }> {
  private readonly claims = new Map<string, C[]>();
  private readonly aliased = new Set<string>();

  /** Puts a record into its place. @returns what is there already and cannot stand beside it */
  add(claim: C): readonly C[] {
    if (standsBesideAll(claim.record)) return [];
    const place = `${claim.record.domain} ${placeOf(claim.record)}`;
    const there = this.claims.get(place);
    const against =
      there === undefined
        ? []
        : isAlias(claim)
          ? [...there]
          : this.aliased.has(place)
            ? there.filter(isAlias)
            : [];
    this.put(claim);
    return against;
  }

  /** Puts a record into its place, whatever is there. */
  put(claim: C): void {
    if (standsBesideAll(claim.record)) return;
    const place = `${claim.record.domain} ${placeOf(claim.record)}`;
    const there = this.claims.get(place);
    if (isAlias(claim)) this.aliased.add(place);
    if (there === undefined) this.claims.set(place, [claim]);
    else there.push(claim);
  }

  /** The places that have a CNAME: their CNAMEs, and the other data. */
  *withAliases(): Iterable<{ readonly aliases: readonly C[]; readonly beside: readonly C[] }> {
    for (const place of this.aliased) {
      const there = this.claims.get(place) ?? [];
      yield { aliases: there.filter(isAlias), beside: there.filter((claim) => !isAlias(claim)) };
    }
  }
}

/** The zone's own NS records always stand at its apex, and the records that sign a CNAME at its name (RFC 4035 §2.5). */
function standsBesideAll({ name, type }: DnsRecord): boolean {
  return (name === "@" && type === "NS") || type === "RRSIG" || type === "NSEC";
}

function isAlias({ record }: { readonly record: DnsRecord }): boolean {
  return record.type === "CNAME";
}

/**
 * What is wrong between the records of one resource: duplicates, CNAMEs beside other data, two CNAMEs in one place, a
 * CNAME at the apex (a warning).
 * @param list the path of the list of records.
 */
export function conflictsOf(claims: readonly Claim[], list: string): Problem[] {
  const problems: Problem[] = [];
  const distinct = areDistinct(claims) ? claims : withoutDuplicates(claims, list, problems);
  // Most zones have few CNAMEs: only what bears the name of one is looked at.
  const names = new Set(distinct.filter(isAlias).map(({ record }) => record.name));
  if (names.size === 0) return problems;
  const places = new Places<Claim>();
  for (const claim of distinct) if (names.has(claim.record.name)) places.put(claim);
  for (const { aliases, beside } of places.withAliases())
    for (const problem of aliasProblems(aliases, beside, list)) problems.push(problem);
  return problems;
}

/** Whether no record is declared twice. Most names of a large zone are borne by one record, which needs no key then. */
function areDistinct(claims: readonly Claim[]): boolean {
  const alone = new Map<string, DnsRecord | undefined>();
  const keys = new Set<string>();
  let keyed = 0;
  const add = (record: DnsRecord): void => {
    keys.add(recordKey(record));
    keyed += 1;
  };
  for (const { known, record } of claims) {
    if (!known) continue;
    const first = alone.get(record.name);
    if (first === undefined && !alone.has(record.name)) {
      alone.set(record.name, record);
      continue;
    }
    if (first !== undefined) {
      add(first);
      alone.set(record.name, undefined);
    }
    add(record);
  }
  return keys.size === keyed;
}

function withoutDuplicates(claims: readonly Claim[], list: string, problems: Problem[]): Claim[] {
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
    const what = describeRecord(claim.record);
    const [ttl, firstTtl] = [ttlOf(claim), ttlOf(first)];
    const differ = ttl !== firstTtl && ttl !== undefined && firstTtl !== undefined;
    const why = differ
      ? reason("record.twice-by-ttl", { what, at: pathOf(first.path, list), firstTtl, ttl })
      : reason("record.twice", { what, at: pathOf(first.path, list) });
    problems.push({ ...why, path: pathOf(claim.path, list) });
  }
  return distinct;
}

function ttlOf({ record }: Claim): number | string | undefined {
  return record.ttl === undefined ? undefined : stateTtl({ ttl: record.ttl });
}

function aliasProblems(aliases: readonly Claim[], beside: readonly Claim[], list: string): Problem[] {
  const [first, ...others] = aliases;
  if (first === undefined) return [];
  const { record } = first;
  const path = pathOf(first.path, list);
  const where =
    record.line === undefined
      ? ownerOf(record.name, record.domain)
      : `${ownerOf(record.name, record.domain)} on line ${record.line}`;
  const problems: Problem[] = others.map((other) => ({
    ...reason("cname.twice", { where, at: path }),
    path: pathOf(other.path, list),
  }));
  if (beside.length > 0) {
    problems.push({
      ...reason("cname.beside", {
        where,
        beside: beside.map((claim) => ({ at: pathOf(claim.path, list), what: short(claim) })),
      }),
      path,
    });
  } else if (record.name === "@") {
    problems.push({ ...reason("cname.apex", { domain: record.domain }), path });
  }
  return problems;
}

function short({ record, known }: Claim): string {
  return known ? describeRecord(record) : `${ownerOf(record.name, record.domain)} ${record.type}`;
}
