/**
 * The history of one resource, kept in its outputs as compact text. It names records by digest, since
 * their text may be secret.
 */
import { LegacyDnsError } from "../../api";
import { digest, recordKey, type DnsRecord } from "../../dns";
import { groupBy } from "../../support/collections";
import { perObject } from "../../support/per-object";

/** A live record that the resource owns. It is stale if no declared record has its digest. */
export interface HeldRecord extends RecordRef {
  /** Of the record, as it was declared or seen. */
  readonly digest: string;
  /** The last write by this stack, in seconds since the epoch; 0 without one. */
  readonly since: number;
  /** Whether the stack created it. */
  readonly made: boolean;
  /** Digest of what the service stores, if that is another form of the record. */
  readonly form?: string | undefined;
}

/** Ids count within their domain. */
export interface RecordRef {
  readonly domain: string;
  readonly id: string;
}

export function refOf({ domain, id }: RecordRef): string {
  return `${domain} ${id}`;
}

/** A listing may still show it. */
export interface RemovedRecord extends RecordRef {
  readonly since: number;
}

/** A write of records of one domain, with an unknown outcome. */
export interface OpenWrite {
  readonly domain: string;
  readonly job?: string;
  /** An upper bound of the send time. */
  readonly since: number;
  readonly digests: readonly string[];
  /** The job's state at the last look. Not stored. */
  readonly detail?: string;
  /** The journal's file of another run's job that changes the records. Such a write is not stored. */
  readonly file?: string;
  /** The job has ended, but its answer does not show which of its records these are. Not stored. */
  readonly isUnclear?: true;
}

/** A write of records that nothing declares any more blocks nothing. */
export function blocksAny({ digests }: OpenWrite, records: readonly DnsRecord[]): boolean {
  const open = new Set(digests);
  return records.some((record) => open.has(digestOf(record)));
}

export interface Ledger {
  readonly held: readonly HeldRecord[];
  readonly removed: readonly RemovedRecord[];
  readonly openWrites: readonly OpenWrite[];
  /** A digest. The deletion of a replaced resource finds its replacement by it. */
  readonly urn?: string | undefined;
}

export const emptyLedger: Ledger = {
  held: [],
  removed: [],
  openWrites: [],
};

const version = "ledger 4";

export const digestOf = perObject((record: DnsRecord) => digest(recordKey(record)));

export function byDigest<T extends DnsRecord>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [digestOf(record), record]));
}

/** The engine updates a failed resource even if the program has not changed. */
export function asFailed(text: unknown): string {
  return `${String(text)}\nf`;
}

export function needsUpdate(text: unknown): boolean {
  return typeof text === "string" && (text.endsWith("\nf") || hasOpenWrite(text));
}

export function hasOpenWrite(text: unknown): boolean {
  return typeof text === "string" && /^[@?] /m.test(text);
}

export function urnIn(text: unknown): string | undefined {
  return typeof text === "string" ? /^u (.+)$/m.exec(text)?.[1] : undefined;
}

/** The first of several that are equal: a twin is entered after the record that the resource uses. */
export const heldByDigest = perObject(
  ({ held }: Ledger): ReadonlyMap<string, HeldRecord> =>
    new Map(held.map((each) => [each.digest, each] as const).reverse()),
);

export const heldByRef = perObject(
  ({ held }: Ledger): ReadonlyMap<string, HeldRecord> => new Map(held.map((each) => [refOf(each), each])),
);

/** Of the records that a write with an unknown outcome may have created or changed. */
export const openDigests = perObject(
  ({ openWrites }: Ledger): ReadonlySet<string> => new Set(openWrites.flatMap(({ digests }) => digests)),
);

/** A record that appeared while a write of this stack was open counts as that write's. */
export function isAwaited(ledger: Ledger, live: RecordRef, record: DnsRecord): boolean {
  return openDigests(ledger).has(digestOf(record)) && !heldByRef(ledger).has(refOf(live));
}

/** Live with the data that the ledger has. */
export function isAsHeld(live: RecordRef & { readonly record: DnsRecord }, ledger: Ledger): boolean {
  const known = heldByRef(ledger).get(refOf(live));
  return [known?.digest, known?.form].includes(digestOf(live.record));
}

/** The live records that no declared record needs. */
export function staleIn({ held }: Ledger, records: readonly DnsRecord[]): HeldRecord[] {
  const declared = new Set(held.length === 0 ? [] : records.map(digestOf));
  return held.filter((each) => !declared.has(each.digest));
}

/** The part of some domains. */
export function partOf(ledger: Ledger, isIn: (domain: string) => boolean): Ledger {
  const is = ({ domain }: { readonly domain: string }): boolean => isIn(domain);
  return {
    ...ledger,
    held: ledger.held.filter(is),
    removed: ledger.removed.filter(is),
    openWrites: ledger.openWrites.filter(is),
  };
}

export function joined(ledger: Ledger, more: Ledger): Ledger {
  return {
    ...ledger,
    held: [...ledger.held, ...more.held],
    removed: [...ledger.removed, ...more.removed],
    openWrites: [...ledger.openWrites, ...more.openWrites],
  };
}

/** Converts times between the state's and this process's (`Stamps`), in milliseconds since the epoch. */
export function withTimes(ledger: Ledger, convert: (at: number) => number): Ledger {
  const seconds = new Map<number, number>();
  const at = <T extends { readonly since: number }>(each: T): T => {
    if (each.since === 0) return each;
    const since = seconds.get(each.since) ?? Math.round(convert(each.since * 1000) / 1000);
    seconds.set(each.since, since);
    return since === each.since ? each : { ...each, since };
  };
  return {
    ...ledger,
    held: ledger.held.map(at),
    removed: ledger.removed.map(at),
    openWrites: ledger.openWrites.map(at),
  };
}

/**
 * Created records are `+ since domain digest:id…`, adopted ones `= since domain digest:id…`; one that the service
 * stores in another form is `digest:id:form`. Removed records are `x since domain id…`. Open writes are
 * `@ job since domain digest…` and `? since domain digest…`. The URN is `u digest`, a failed update `f`.
 */
export function formatLedger({ held, removed, openWrites, urn }: Ledger): string {
  const code = encodeURIComponent;
  return [
    version,
    ...grouped(held, ({ digest: of, domain, id, since, made, form }) => [
      `${made ? "+" : "="} ${since} ${domain}`,
      `${of}:${code(id)}${form === undefined ? "" : `:${form}`}`,
    ]),
    ...grouped(removed, ({ domain, id, since }) => [`x ${since} ${domain}`, code(id)]),
    ...openWrites.map(
      ({ domain, job, since, digests }) =>
        `${job === undefined ? "?" : `@ ${code(job)}`} ${since} ${domain} ${digests.join(" ")}`,
    ),
    ...(urn === undefined ? [] : [`u ${urn}`]),
  ].join("\n");
}

function grouped<T>(
  all: readonly T[],
  lineOf: (each: T) => readonly [head: string, entry: string],
): string[] {
  return [...groupBy(all.map(lineOf), ([head]) => head)].map(
    ([head, lines]) => `${head} ${lines.map(([, entry]) => entry).join(" ")}`,
  );
}

/**
 * Parses the text when it is first asked for, because most resources of a run are unchanged.
 * @throws LegacyDnsError at once for a text of a newer version, or another text
 */
export function ledgerIn(text: unknown): () => Ledger {
  if (text === undefined || text === "") return () => emptyLedger;
  const lines = typeof text === "string" ? text.split("\n") : [];
  if (lines[0] !== version) {
    throw new LegacyDnsError({
      operation: "state",
      target: "the resource's ledger",
      meaning: `it begins with ${JSON.stringify(String(lines[0] ?? typeof text).slice(0, 40))}, which this version of pulumi-legacydns does not know`,
      help: [
        "deploy with the version of pulumi-legacydns that this stack was last deployed with",
        "a stack from before the first release: `pulumi state delete URN`, then `pulumi up` adopts its records",
      ],
      outcome: "not-sent",
    });
  }
  let ledger: Ledger | undefined;
  return () => (ledger ??= readLines(lines.slice(1)));
}

function readLines(lines: readonly string[]): Ledger {
  const [held, removed]: [HeldRecord[], RemovedRecord[]] = [[], []];
  const openWrites: OpenWrite[] = [];
  let urn: string | undefined;
  const decode = decodeURIComponent;
  for (const line of lines) {
    const [sign = "", ...rest] = line.split(" ");
    const [first = "", second = "", third = ""] = rest;
    if (sign === "+" || sign === "=")
      for (const [of = "", id = "", form] of rest.slice(2).map((each) => each.split(":"))) {
        const known = {
          digest: of,
          domain: second,
          id: decode(id),
          since: Number(first),
          made: sign === "+",
        };
        held.push(form === undefined ? known : { ...known, form });
      }
    else if (sign === "x")
      for (const id of rest.slice(2)) removed.push({ domain: second, id: decode(id), since: Number(first) });
    else if (sign === "@")
      openWrites.push({ domain: third, job: decode(first), since: Number(second), digests: rest.slice(3) });
    else if (sign === "?") openWrites.push({ domain: second, since: Number(first), digests: rest.slice(2) });
    else if (sign === "u") urn = first;
  }
  return { held, removed, openWrites, ...(urn === undefined ? {} : { urn }) };
}
