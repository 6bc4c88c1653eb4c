/**
 * The ledger: what one resource has done so far, kept in its outputs between runs as compact text. Records are named
 * by a digest of their text, never by the text, since a text may be secret. The first line is the format's version;
 * every text that was ever written stays readable (test/reconcile/ledger.test.ts).
 */
import { LegacyDnsError } from "../../api";
import { digest, recordKey, type DnsRecord } from "../../dns";
import { gather } from "../gather";

/** A record on the service that the resource answers for. */
export interface OwnedRecord {
  /** The service's record id. */
  readonly id: string;
  /** When a write of ours last touched it, in seconds since the epoch; 0 where none did. */
  readonly since: number;
  /** True where this stack made it, false where it was live already and was adopted: then a destroy leaves it. */
  readonly made: boolean;
}

/** A record that is no longer declared, still lives on the service, and could not be removed. */
export interface LeftOver {
  readonly domain: string;
  readonly id: string;
  /** Where the index may not show it yet: when it was made, in seconds since the epoch. */
  readonly since?: number;
  /** As of an owned record. */
  readonly made: boolean;
}

/** A live record that nobody declares. */
export interface Undeclared {
  readonly domain: string;
  readonly id: string;
}

/** A record that was removed: until the index has noticed, a listing may still show it. */
export interface RemovedRecord {
  readonly domain: string;
  readonly id: string;
  /** When it was removed, in seconds since the epoch. */
  readonly since: number;
}

/** A batch job that was accepted and whose end nobody has seen. */
export interface PendingJob {
  readonly id: string;
  /** When it was sent, in seconds since the epoch. */
  readonly since: number;
  readonly digests: readonly string[];
}

/** Records of a write whose answer was lost and that a reading did not find. */
export interface Unconfirmed {
  /** When it was sent, in seconds since the epoch. */
  readonly since: number;
  readonly digests: readonly string[];
}

export interface Ledger {
  /** By digest of the record's key. */
  readonly owned: ReadonlyMap<string, OwnedRecord>;
  readonly leftOver: readonly LeftOver[];
  readonly removed: readonly RemovedRecord[];
  /** Live records that a refresh found declared by nobody, where such are to be removed. */
  readonly undeclared: readonly Undeclared[];
  /** Digests of records that a refresh found gone: the resource declares them still, and answers for them no more. */
  readonly gone: readonly string[];
  readonly jobs: readonly PendingJob[];
  readonly unconfirmed: readonly Unconfirmed[];
}

export const emptyLedger: Ledger = { owned: new Map(), leftOver: [], removed: [], undeclared: [], gone: [], jobs: [], unconfirmed: [] };

const version = "ledger 2";
/** It did not tell what was made from what was adopted: all of it counts as adopted, so that a destroy takes nothing. */
const firstVersion = "ledger 1";

/** True when something in the ledger must be settled before anything else is sent. */
export function isUnsettled(ledger: Ledger): boolean {
  return ledger.jobs.length > 0 || ledger.unconfirmed.length > 0;
}

/**
 * The ledger with its times converted: from the state's to this process's own, or back (`Stamps`).
 * @param convert milliseconds since the epoch
 */
export function withTimes(ledger: Ledger, convert: (at: number) => number): Ledger {
  const seconds = (since: number): number => (since === 0 ? 0 : Math.round(convert(since * 1000) / 1000));
  const timed = [ledger.owned.values(), ledger.leftOver, ledger.removed, ledger.jobs, ledger.unconfirmed];
  if (timed.every((list) => [...list].every(({ since = 0 }) => seconds(since) === since))) return ledger;
  const at = <T extends { readonly since?: number }>(each: T): T => (each.since === undefined ? each : { ...each, since: seconds(each.since) });
  return {
    ...ledger,
    owned: new Map([...ledger.owned].map(([key, each]) => [key, at(each)])),
    leftOver: ledger.leftOver.map(at),
    removed: ledger.removed.map(at),
    jobs: ledger.jobs.map(at),
    unconfirmed: ledger.unconfirmed.map(at),
  };
}

/** The ledger without records that are gone; what lives on as something else (`strays`) is left over. */
export function withoutMissing(ledger: Ledger, missing: readonly DnsRecord[], strays: readonly { readonly id: string; readonly record: DnsRecord }[]): Ledger {
  const owned = new Map(ledger.owned);
  const leftOver = [...ledger.leftOver];
  for (const record of missing) {
    const key = digest(recordKey(record));
    const known = owned.get(key);
    owned.delete(key);
    if (known === undefined) continue;
    const { domain } = record;
    const { id, made } = known;
    const livesOn = strays.some((stray) => stray.id === id && stray.record.domain === domain);
    if (livesOn && !leftOver.some((each) => each.id === id && each.domain === domain)) leftOver.push({ domain, id, made });
  }
  const gone = [...new Set([...ledger.gone, ...missing.map((record) => digest(recordKey(record)))])];
  return { ...ledger, owned, leftOver, gone };
}

/**
 * The ledger as text: a version line, then a line per group: `+ since digest:id…` (made) and `= since digest:id…`
 * (adopted), `- domain id…` (left over, made) and `_ domain id…` (left over, adopted; a young one as `id:since`),
 * `x since domain id…`, `! domain id…`, `g digest…`, `@ job since digest…`, `? since digest…`.
 */
export function formatLedger(ledger: Ledger): string {
  const bySince = new Map<string, string[]>();
  for (const [digest, { id, since, made }] of ledger.owned) {
    gather<string, string[]>(bySince, `${made ? "+" : "="} ${since}`, []).push(`${digest}:${encodeURIComponent(id)}`);
  }
  const byDomain = new Map<string, string[]>();
  for (const { domain, id, since, made } of ledger.leftOver) {
    gather<string, string[]>(byDomain, `${made ? "-" : "_"} ${domain}`, []).push(`${encodeURIComponent(id)}${since === undefined ? "" : `:${since}`}`);
  }
  const gone = new Map<string, string[]>();
  for (const { domain, id, since } of ledger.removed) gather<string, string[]>(gone, `${since} ${domain}`, []).push(encodeURIComponent(id));
  const strange = new Map<string, string[]>();
  for (const { domain, id } of ledger.undeclared) gather<string, string[]>(strange, domain, []).push(encodeURIComponent(id));
  return [
    version,
    ...[...bySince].map(([group, entries]) => `${group} ${entries.join(" ")}`),
    ...[...byDomain].map(([group, ids]) => `${group} ${ids.join(" ")}`),
    ...[...gone].map(([place, ids]) => `x ${place} ${ids.join(" ")}`),
    ...(ledger.gone.length === 0 ? [] : [`g ${ledger.gone.join(" ")}`]),
    ...[...strange].map(([domain, ids]) => `! ${domain} ${ids.join(" ")}`),
    ...ledger.jobs.map((job) => `@ ${encodeURIComponent(job.id)} ${job.since} ${job.digests.join(" ")}`),
    ...ledger.unconfirmed.map((lost) => `? ${lost.since} ${lost.digests.join(" ")}`),
  ].join("\n");
}

/**
 * Reads a ledger back. An absent one (a resource whose creation never got that far) is the empty one.
 * @throws LegacyDnsError when the text is of a newer version, or no ledger at all.
 */
export function parseLedger(text: unknown): Ledger {
  if (text === undefined || text === "") return emptyLedger;
  const lines = typeof text === "string" ? text.split("\n") : [];
  if (lines[0] !== version && lines[0] !== firstVersion) {
    throw new LegacyDnsError({
      operation: "state",
      target: "the resource's ledger",
      meaning: `it begins with ${JSON.stringify(String(lines[0] ?? typeof text).slice(0, 40))}, which this version of pulumi-legacydns does not know`,
      hint: "deploy with the newest version of pulumi-legacydns that this stack was ever deployed with",
      outcome: "not-sent",
    });
  }
  const tells = lines[0] === version;
  const owned = new Map<string, OwnedRecord>();
  const leftOver: LeftOver[] = [];
  const removed: RemovedRecord[] = [];
  const undeclared: Undeclared[] = [];
  const gone: string[] = [];
  const jobs: PendingJob[] = [];
  const unconfirmed: Unconfirmed[] = [];
  for (const line of lines.slice(1)) {
    const [sign, head = "", ...rest] = line.split(" ");
    if (sign === "+" || sign === "=") {
      const since = Number(head);
      for (const entry of rest) {
        const colon = entry.indexOf(":");
        owned.set(entry.slice(0, colon), { id: decodeURIComponent(entry.slice(colon + 1)), since, made: tells && sign === "+" });
      }
    } else if (sign === "-" || sign === "_") {
      for (const entry of rest) {
        const [id = "", since] = entry.split(":");
        leftOver.push({ domain: head, id: decodeURIComponent(id), ...(since === undefined ? {} : { since: Number(since) }), made: tells && sign === "-" });
      }
    } else if (sign === "x") {
      const [domain = "", ...ids] = rest;
      for (const id of ids) removed.push({ domain, id: decodeURIComponent(id), since: Number(head) });
    } else if (sign === "g") {
      gone.push(head, ...rest);
    } else if (sign === "!") {
      for (const id of rest) undeclared.push({ domain: head, id: decodeURIComponent(id) });
    } else if (sign === "@") {
      const [since, ...digests] = rest;
      jobs.push({ id: decodeURIComponent(head), since: Number(since), digests });
    } else if (sign === "?") {
      unconfirmed.push({ since: Number(head), digests: rest });
    }
  }
  return { owned, leftOver, removed, undeclared, gone, jobs, unconfirmed };
}
