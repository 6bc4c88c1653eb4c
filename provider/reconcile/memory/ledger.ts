/**
 * The history of one resource, kept in its outputs as compact text. It names records by digest, since
 * their text may be secret.
 */
import { LegacyDnsError } from "../../api";
import { digest, recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import { groupBy } from "../../support/collections";
import { defined } from "../../support/defined";
import { perObject } from "../../support/per-object";
import { withoutEnd } from "../../support/text";

export interface OwnedRecord extends RecordRef {
  /** The last write by this stack, in seconds since the epoch; 0 without one. */
  readonly since: number;
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

export interface StaleRecord extends RecordRef {
  /** Its creation, while the index may not show it. */
  readonly since?: number;
  readonly made: boolean;
  /** If the service stores another form of the record: the digests of both. It may be declared again. */
  readonly stored?: { readonly of: string; readonly form: string };
}

export interface MissingRecord {
  readonly domain: string;
  readonly digest: string;
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
  /** By digest. */
  readonly owned: ReadonlyMap<string, OwnedRecord>;
  readonly stale: readonly StaleRecord[];
  readonly removed: readonly RemovedRecord[];
  /** Declared records that a refresh found missing. */
  readonly missing: readonly MissingRecord[];
  readonly openWrites: readonly OpenWrite[];
  /** A digest. The deletion of a replaced resource finds its replacement by it. */
  readonly urn?: string | undefined;
}

export const emptyLedger: Ledger = {
  owned: new Map(),
  stale: [],
  removed: [],
  missing: [],
  openWrites: [],
};

const version = "ledger 3";

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

/** Reads the rest only if there are any, because a preview needs no more of it. */
export function missingIn(text: unknown): readonly MissingRecord[] {
  return typeof text === "string" && /^g /m.test(text) ? parseLedger(text).missing : [];
}

/** The part of some domains. */
export function partOf(ledger: Ledger, isIn: (domain: string) => boolean): Ledger {
  const is = ({ domain }: { readonly domain: string }): boolean => isIn(domain);
  return {
    ...ledger,
    owned: new Map([...ledger.owned].filter(([, each]) => is(each))),
    stale: ledger.stale.filter(is),
    removed: ledger.removed.filter(is),
    missing: ledger.missing.filter(is),
    openWrites: ledger.openWrites.filter(is),
  };
}

export function joined(ledger: Ledger, more: Ledger): Ledger {
  return {
    ...ledger,
    owned: new Map([...ledger.owned, ...more.owned]),
    stale: [...ledger.stale, ...more.stale],
    removed: [...ledger.removed, ...more.removed],
    missing: [...ledger.missing, ...more.missing],
    openWrites: [...ledger.openWrites, ...more.openWrites],
  };
}

/** Converts times between the state's and this process's (`Stamps`), in milliseconds since the epoch. */
export function withTimes(ledger: Ledger, convert: (at: number) => number): Ledger {
  const seconds = new Map<number, number>();
  const at = <T extends { readonly since?: number }>(each: T): T => {
    if (!each.since) return each;
    const since = seconds.get(each.since) ?? Math.round(convert(each.since * 1000) / 1000);
    seconds.set(each.since, since);
    return since === each.since ? each : { ...each, since };
  };
  return {
    ...ledger,
    owned: new Map([...ledger.owned].map(([key, each]) => [key, at(each)])),
    stale: ledger.stale.map(at),
    removed: ledger.removed.map(at),
    openWrites: ledger.openWrites.map(at),
  };
}

export function withoutMissing(
  ledger: Ledger,
  missing: readonly DeclaredRecord[],
  strays: readonly RecordRef[],
): Ledger {
  const owned = new Map(ledger.owned);
  const stale = [...ledger.stale];
  const stray = new Set(strays.map(refOf));
  for (const each of ledger.stale) stray.delete(refOf(each));
  for (const record of missing) {
    const known = owned.get(digestOf(record));
    owned.delete(digestOf(record));
    if (known === undefined || !stray.delete(refOf(known))) continue;
    const { domain, id, made } = known;
    stale.push({ domain, id, made });
  }
  const news = missing.map((record) => ({ domain: record.domain, digest: digestOf(record) }));
  const all = new Map([...ledger.missing, ...news].map((each) => [each.digest, each]));
  return { ...ledger, owned, stale, missing: [...all.values()] };
}

/**
 * Created records are `+ since domain digest:id…`, adopted ones `= since domain digest:id…`; one that the service
 * stores in another form is `digest:id:form`. Stale records are `- domain id…` (created) and `_ domain id…`
 * (adopted); a young one is `id:since`, one in another form `id:since:digest:form`. The others are `x since domain id…` and `g domain digest…`. Open writes are
 * `@ job since domain digest…` and `? since domain digest…`. The URN is `u digest`, a failed update `f`.
 */
export function formatLedger({ owned, stale, removed, missing, openWrites, urn }: Ledger): string {
  const code = encodeURIComponent;
  return [
    version,
    ...grouped([...owned], ([key, { domain, id, since, made, form }]) => [
      `${made ? "+" : "="} ${since} ${domain}`,
      `${key}:${code(id)}${form === undefined ? "" : `:${form}`}`,
    ]),
    ...grouped(stale, ({ domain, id, since, made, stored }) => [
      `${made ? "-" : "_"} ${domain}`,
      withoutEnd([code(id), since ?? "", stored?.of ?? "", stored?.form ?? ""].join(":"), ":"),
    ]),
    ...grouped(removed, ({ domain, id, since }) => [`x ${since} ${domain}`, code(id)]),
    ...grouped(missing, (each) => [`g ${each.domain}`, each.digest]),
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

/** @throws LegacyDnsError for a text of a newer version, or another text */
export function parseLedger(text: unknown): Ledger {
  if (text === undefined || text === "") return emptyLedger;
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
  return readLines(lines.slice(1));
}

function readLines(lines: readonly string[]): Ledger {
  const owned = new Map<string, OwnedRecord>();
  const [stale, removed]: [StaleRecord[], RemovedRecord[]] = [[], []];
  const [missing, openWrites]: [MissingRecord[], OpenWrite[]] = [[], []];
  let urn: string | undefined;
  const decode = decodeURIComponent;
  for (const line of lines) {
    const [sign = "", ...rest] = line.split(" ");
    const [first = "", second = "", third = ""] = rest;
    const made = sign === "+" || sign === "-";
    if (sign === "+" || sign === "=")
      for (const [key = "", id = "", form] of rest.slice(2).map((each) => each.split(":")))
        owned.set(key, { domain: second, id: decode(id), since: Number(first), made, ...defined({ form }) });
    else if (sign === "-" || sign === "_")
      for (const [id = "", since, of, form] of rest.slice(1).map((each) => each.split(":")))
        stale.push({
          domain: first,
          id: decode(id),
          ...(since ? { since: Number(since) } : {}),
          made,
          ...(of && form ? { stored: { of, form } } : {}),
        });
    else if (sign === "x")
      for (const id of rest.slice(2)) removed.push({ domain: second, id: decode(id), since: Number(first) });
    else if (sign === "g") for (const digest of rest.slice(1)) missing.push({ domain: first, digest });
    else if (sign === "@")
      openWrites.push({ domain: third, job: decode(first), since: Number(second), digests: rest.slice(3) });
    else if (sign === "?") openWrites.push({ domain: second, since: Number(first), digests: rest.slice(2) });
    else if (sign === "u") urn = first;
  }
  return { owned, stale, removed, missing, openWrites, ...(urn === undefined ? {} : { urn }) };
}
