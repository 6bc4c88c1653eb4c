/** A batch job: waits for its end, no longer than `jobTimeout`, and reads what it says. */
import { ServiceError, type JobDetail } from "../../api";
import { canonicalDomain, digest, fromLive, recordKey } from "../../dns";
import type { Run } from "../run";
import { clause, named } from "../../words";
import type { LiveEntry } from "../zones/zone";
import type { Result } from "./result";

const firstPoll = 150;
const slowestPoll = 5_000;
/** Milliseconds between two progress lines on a terminal, and in a log. */
const progressEvery = { status: 2_000, line: 10_000 };
/** A job's report is believed to be gone after so many equal codes in a row, and the index delay. */
const fewestAnswers = 3;

type Items = Pick<JobDetail, "items">;

/** What a job said last; `open`: its end was not seen. */
export type JobEnd = { readonly kind: "ended"; readonly detail: Items } | { readonly kind: "open"; readonly detail: Items; readonly text: string };

/**
 * @throws LegacyDnsError when the job cannot be read: the same code came for the whole index delay, after which a listing
 * shows what the job made. Answers that contradict each other are asked about for `jobTimeout`.
 */
export async function pollJob(parts: Run, jobId: string, domains: readonly string[]): Promise<JobEnd> {
  const { client, clock, settings } = parts;
  const begun = clock.now();
  const tell = progressTeller(parts);
  let denied: { readonly code: string; readonly since: number; readonly times: number } | undefined;
  for (let wait = firstPoll; ; wait = Math.min(wait * 1.5, slowestPoll)) {
    await clock.sleep(wait);
    let detail: JobDetail;
    try {
      detail = await client.call("Batch.Detail", { jobId }, { target: `job ${jobId}` });
      denied = undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code } = error;
      const now = clock.now();
      denied = denied?.code === code ? { ...denied, times: denied.times + 1 } : { code, since: now, times: 1 };
      if (denied.times >= fewestAnswers && now - denied.since >= settings.indexDelay * 1000) throw error;
      if (now - begun < settings.jobTimeout * 1000) continue;
      const text = `job ${jobId} could not be read for ${Math.round((now - begun) / 1000)} s (jobTimeout): ${clause(error.message)}`;
      return { kind: "open", detail: { items: [] }, text };
    }
    const { done, all, ended } = progressOf(detail);
    if (ended) return { kind: "ended", detail };
    const age = clock.now() - begun;
    const seconds = Math.round(age / 1000);
    if (age >= settings.jobTimeout * 1000) return { kind: "open", detail, text: `job ${jobId} had done ${done} of ${all} records after ${seconds} s (jobTimeout)` };
    tell(`${named(domains)}: job ${jobId}: ${done} of ${all} records, ${seconds} s`);
  }
}

function progressTeller({ clock, reporter }: Run): (text: string) => void {
  const said = { status: clock.now(), line: clock.now() };
  return (text) => {
    const now = clock.now();
    if (now - said.line >= progressEvery.line) {
      reporter.info(text);
      said.line = said.status = now;
    } else if (now - said.status >= progressEvery.status) {
      reporter.progress(text);
      said.status = now;
    }
  };
}

function progressOf(detail: Items): { done: number; all: number; ended: boolean } {
  let done = 0;
  let all = 0;
  let open = 0;
  let waits = false;
  for (const item of detail.items) {
    if (item.status !== "error" && item.records.length === 0) open += 1;
    for (const record of item.records) {
      all += 1;
      if (record.status === "ok" || record.status === "error" || item.status === "error") done += 1;
      // A status that is not told keeps nobody waiting: the zone tells.
      else if (record.status !== undefined) waits = true;
    }
  }
  return { done, all, ended: detail.items.length > 0 && open === 0 && !waits };
}

interface Said {
  readonly domain: string | undefined;
  readonly record: JobDetail["items"][number]["records"][number];
  readonly status: "done" | "refused" | "open";
  readonly text: string;
}

export function saidBy(detail: Items): Said[] {
  return detail.items.flatMap((item) =>
    item.records.map((record): Said => {
      const refused = record.status === "error" || (item.status === "error" && record.status !== "ok");
      const status = refused ? "refused" : record.status === "ok" ? "done" : "open";
      return { domain: item.domain, record, status, text: record.error ?? item.error ?? "the service gave no reason" };
    }),
  );
}

export interface Creation {
  readonly key: string;
  readonly ended: boolean;
  readonly result: Result;
}

/** A job's records by identity, never by position. @param since seconds since the epoch */
export function creationsIn({ settings, zones }: Run, detail: Items, since: number): Creation[] {
  return saidBy(detail).flatMap(({ domain: listed, record: said, status, text }): Creation[] => {
    const { subDomain: name, type, line, value, priority, recordId: id } = said;
    // The zone tells of a record that the report does not name.
    if (listed === undefined || name === undefined || type === undefined || line === undefined || value === undefined) return [];
    const domain = zoneName(listed);
    const live = { domain, name, type, line: line === zones.defaultLine(domain) ? "" : line, value, priority };
    const record = fromLive(live, { defaultLine: settings.defaultLine });
    const key = recordKey(record);
    if (status === "refused") return [{ key, ended: true, result: { kind: "refused", text } }];
    if (status === "open" || id === undefined) return [{ key, ended: false, result: { kind: "unconfirmed", since, text: "the job names no record id" } }];
    const entry: LiveEntry = { record, key, id, ttl: said.ttl ?? settings.defaultTtl, enabled: true, hold: false };
    return [{ key, ended: true, result: { kind: "made", entry, since } }];
  });
}

export function zoneName(listed: string): string {
  const found = canonicalDomain(listed);
  return "domain" in found ? found.domain : listed;
}

/** What an earlier job did, by digest of the record's key; `open`: why it has not ended. */
export interface EarlierJob {
  readonly results: ReadonlyMap<string, Result>;
  readonly open: string | undefined;
}

/** Waits for an earlier run's job. @returns undefined when the service no longer knows it */
export async function endOfEarlier(parts: Run, id: string, domains: readonly string[]): Promise<EarlierJob | undefined> {
  try {
    const end = await pollJob(parts, id, domains);
    const ended = creationsIn(parts, end.detail, Math.ceil(parts.clock.now() / 1000)).filter((each) => each.ended);
    const results = new Map(ended.map(({ key, result }) => [digest(key), result]));
    if (end.kind === "ended") parts.journal.sawEnd(id, results);
    return { results, open: end.kind === "open" ? end.text : undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.noSuch("job") ? undefined : { results: new Map(), open: clause(error.message) };
  }
}
