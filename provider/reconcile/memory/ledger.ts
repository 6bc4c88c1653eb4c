/**
 * The history of one resource, kept in its outputs as compact text. It names records by digest, since
 * their text may be secret.
 */
import { LegacyDnsError } from "../../api";
import { digest, recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import { append, groupBy } from "../../support/collections";
import { defined } from "../../support/defined";
import { perObject } from "../../support/per-object";
import { withoutEnd } from "../../support/text";

export interface OwnedRecord {
  readonly id: string;
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
  /** In a resource with secrets: declared without a secret, so messages may show it. */
  readonly open?: true;
  /** If the service stores another form of the record: the digests of both. It may be declared again. */
  readonly stored?: { readonly of: string; readonly form: string };
}

/** A listing may still show it. */
export interface RemovedRecord extends RecordRef {
  readonly since: number;
}

export interface Uncertain {
  readonly job?: string;
  /** An upper bound of the send time. */
  readonly since: number;
  readonly digests: readonly string[];
  /** The job's state at the last look. Not stored. */
  readonly detail?: string;
  /** The job has ended, but its answer does not show which of its records these are. Not stored. */
  readonly isUnclear?: true;
}

/** A write of records that nothing declares any more blocks nothing. */
export function blocksAny({ digests }: Uncertain, records: readonly DnsRecord[]): boolean {
  const open = new Set(digests);
  return records.some((record) => open.has(digestOf(record)));
}

export interface Ledger {
  /** By digest. */
  readonly owned: ReadonlyMap<string, OwnedRecord>;
  readonly stale: readonly StaleRecord[];
  readonly removed: readonly RemovedRecord[];
  /** Digests of declared records that a refresh found missing. */
  readonly gone: readonly string[];
  readonly uncertain: readonly Uncertain[];
  /** A digest. The deletion of a replaced resource finds its replacement by it. */
  readonly urn?: string | undefined;
}

export const emptyLedger: Ledger = {
  owned: new Map(),
  stale: [],
  removed: [],
  gone: [],
  uncertain: [],
};

const version = "ledger 2";

export const digestOf = perObject((record: DnsRecord) => digest(recordKey(record)));

export function byDigest<T extends DnsRecord>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [digestOf(record), record]));
}

/** The engine updates a failed resource even if the program has not changed. */
export function asFailed(text: unknown): string {
  return `${String(text)}\nf`;
}

export function needsUpdate(text: unknown): boolean {
  return typeof text === "string" && (text.endsWith("\nf") || hasUncertain(text));
}

export function hasUncertain(text: unknown): boolean {
  return typeof text === "string" && /^[@?] /m.test(text);
}

/** Reads the rest only if there are any, because a preview needs no more of it. */
export function goneDigests(text: unknown): readonly string[] {
  return typeof text === "string" && /^g /m.test(text) ? parseLedger(text).gone : [];
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
    uncertain: ledger.uncertain.map(at),
  };
}

export function withoutMissing(
  ledger: Ledger,
  missing: readonly DeclaredRecord[],
  strays: readonly RecordRef[],
  hasSecrets: boolean,
): Ledger {
  const owned = new Map(ledger.owned);
  const stale = [...ledger.stale];
  const stray = new Set(strays.map(refOf));
  for (const each of ledger.stale) stray.delete(refOf(each));
  for (const record of missing) {
    const { domain } = record;
    const known = owned.get(digestOf(record));
    owned.delete(digestOf(record));
    if (known === undefined || !stray.delete(refOf({ domain, id: known.id }))) continue;
    const open = hasSecrets && record.secret !== true ? { open: true as const } : {};
    stale.push({ domain, id: known.id, made: known.made, ...open });
  }
  const gone = [...new Set([...ledger.gone, ...missing.map(digestOf)])];
  return { ...ledger, owned, stale, gone };
}

/**
 * Created records are `+ since digest:id…`, adopted ones `= since digest:id…`; one that the service stores in
 * another form is `digest:id:form`. Stale records are `- domain id…` (created) and `_ domain id…` (adopted); a
 * young one is `id:since`, a public one `id:since:open`, one in another form `id:since:open:digest:form`.
 * The others are `x since domain id…` and `g digest…`. Uncertain writes are `@ job since
 * digest…` and `? since digest…`. The URN is `u digest`, a failed update `f`.
 */
export function formatLedger({ owned, stale, removed, gone, uncertain, urn }: Ledger): string {
  const code = encodeURIComponent;
  return [
    version,
    ...grouped([...owned], ([key, { id, since, made, form }]) => [
      `${made ? "+" : "="} ${since}`,
      `${key}:${code(id)}${form === undefined ? "" : `:${form}`}`,
    ]),
    ...grouped(stale, ({ domain, id, since, made, open, stored }) => [
      `${made ? "-" : "_"} ${domain}`,
      withoutEnd(
        [code(id), since ?? "", open ? "open" : "", stored?.of ?? "", stored?.form ?? ""].join(":"),
        ":",
      ),
    ]),
    ...grouped(removed, ({ domain, id, since }) => [`x ${since} ${domain}`, code(id)]),
    ...grouped(gone, (each) => ["g", each]),
    ...uncertain.map(
      ({ job, since, digests }) =>
        `${job === undefined ? "?" : `@ ${code(job)}`} ${since} ${digests.join(" ")}`,
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
      help: ["deploy with the newest version of pulumi-legacydns that this stack was ever deployed with"],
      outcome: "not-sent",
    });
  }
  return readLines(lines.slice(1));
}

function readLines(lines: readonly string[]): Ledger {
  const owned = new Map<string, OwnedRecord>();
  const [stale, removed]: [StaleRecord[], RemovedRecord[]] = [[], []];
  const [gone, uncertain]: [string[], Uncertain[]] = [[], []];
  let urn: string | undefined;
  const decode = decodeURIComponent;
  for (const line of lines) {
    const [sign = "", head = "", ...rest] = line.split(" ");
    const [first = "", ...others] = rest;
    const made = sign === "+" || sign === "-";
    if (sign === "+" || sign === "=")
      for (const [key = "", id = "", form] of rest.map((each) => each.split(":")))
        owned.set(key, { id: decode(id), since: Number(head), made, ...defined({ form }) });
    else if (sign === "-" || sign === "_")
      for (const [id = "", since, open, of, form] of rest.map((each) => each.split(":")))
        stale.push({
          domain: head,
          id: decode(id),
          ...(since ? { since: Number(since) } : {}),
          made,
          ...(open ? { open: true } : {}),
          ...(of && form ? { stored: { of, form } } : {}),
        });
    else if (sign === "x")
      for (const id of others) removed.push({ domain: first, id: decode(id), since: Number(head) });
    else if (sign === "g") append(gone, [head, ...rest]);
    else if (sign === "@") uncertain.push({ job: decode(head), since: Number(first), digests: others });
    else if (sign === "?") uncertain.push({ since: Number(head), digests: rest });
    else if (sign === "u") urn = head;
  }
  return { owned, stale, removed, gone, uncertain, ...(urn === undefined ? {} : { urn }) };
}
