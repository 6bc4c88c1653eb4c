/** Waits for the end of a batch job, and reads its results. */
import { ServiceError, type JobDetail } from "../../api";
import { canonicalDomain, digest, fromLive, recordKey } from "../../dns";
import { progressReporter } from "../../support/reporter";
import type { Run } from "../run";
import { clause, named } from "../../support/text";
import type { Result } from "./result";

const firstPoll = 150;
const slowestPoll = 5_000;
/** A report is believed to be gone after so many equal codes in a row, and the index delay. */
const fewestAnswers = 3;

type Items = Pick<JobDetail, "items">;

export type JobEnd =
  | { readonly kind: "ended"; readonly detail: Items }
  | { readonly kind: "open"; readonly detail: Items; readonly text: string };

/**
 * @param seconds how long to wait; 0 asks once
 * @throws LegacyDnsError if the same code came for the whole index delay
 */
export async function pollJob(
  run: Run,
  jobId: string,
  domains: readonly string[],
  carriesSecret: boolean,
  seconds = run.settings.jobTimeout,
): Promise<JobEnd> {
  const { client, clock, settings } = run;
  const begun = clock.now();
  const open = (what: string, detail: Items): JobEnd => {
    const after = seconds === 0 ? "" : ` after ${Math.round((clock.now() - begun) / 1000)} s (jobTimeout)`;
    return { kind: "open", detail, text: `job ${jobId} ${what}${after}` };
  };
  const report = progressReporter(run.reporter, clock);
  let denied: { readonly code: string; readonly since: number; readonly times: number } | undefined;
  for (let wait = firstPoll; ; wait = Math.min(wait * 1.5, slowestPoll)) {
    await clock.sleep(wait);
    let detail: JobDetail;
    try {
      detail = await client.call("Batch.Detail", { jobId }, { target: `job ${jobId}`, carriesSecret });
      denied = undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code } = error;
      const now = clock.now();
      denied =
        denied?.code === code ? { ...denied, times: denied.times + 1 } : { code, since: now, times: 1 };
      if (denied.times >= fewestAnswers && now - denied.since >= settings.indexDelay * 1000) throw error;
      if (now - begun < seconds * 1000) continue;
      return open(`could not be read (${clause(error.message)})`, { items: [] });
    }
    const { done, all, ended } = progressOf(detail);
    if (ended) return { kind: "ended", detail };
    const age = clock.now() - begun;
    if (age >= seconds * 1000) return open(`had done ${done} of ${all} records`, detail);
    report(`${named(domains)}: job ${jobId}: ${done} of ${all} records, ${Math.round(age / 1000)} s`);
  }
}

function progressOf(detail: Items): { done: number; all: number; ended: boolean } {
  const all = resultsIn(detail);
  const open = all.filter(({ status }) => status === "open");
  // The zone decides about records without a status.
  const waits =
    open.some(({ record }) => record.status !== undefined) ||
    detail.items.some(({ status, records }) => status !== "error" && records.length === 0);
  return { done: all.length - open.length, all: all.length, ended: detail.items.length > 0 && !waits };
}

export function resultsIn(detail: Items) {
  return detail.items.flatMap((item) =>
    item.records.map((record) => {
      const refused = record.status === "error" || (item.status === "error" && record.status !== "ok");
      const status = refused ? "refused" : record.status === "ok" ? "done" : "open";
      return {
        domain: item.domain,
        record,
        status,
        text: record.error ?? item.error ?? "the service gave no reason",
      } as const;
    }),
  );
}

/** By record key, since positions are not documented. Open and unnamed records are missing. */
export function creationsIn({ settings, zones }: Run, detail: Items, since: number): Map<string, Result> {
  const results = new Map<string, Result>();
  for (const { domain: listed, record: result, status, text } of resultsIn(detail)) {
    const { name, type, line, value, priority, recordId: id } = result;
    if (
      listed === undefined ||
      name === undefined ||
      type === undefined ||
      line === undefined ||
      value === undefined
    )
      continue;
    const domain = zoneName(listed);
    const live = {
      domain,
      name,
      type,
      line: line === zones.defaultLine(domain) ? "" : line,
      value,
      priority,
    };
    const record = fromLive(live, { defaultLine: settings.defaultLine });
    const key = recordKey(record);
    const { ttl = settings.defaultTtl } = result;
    if (status === "refused") results.set(key, { kind: "refused", text });
    else if (status === "done" && id !== undefined) {
      const entry = { domain, id, record, key, ttl, enabled: true, hold: false };
      results.set(key, { kind: "made", entry, since });
    }
  }
  return results;
}

export function zoneName(listed: string): string {
  const found = canonicalDomain(listed);
  return "domain" in found ? found.domain : listed;
}

/** @returns digest → result, and why the job has not ended; undefined if the service no longer knows it */
export async function endOfEarlier(
  run: Run,
  id: string,
  domains: readonly string[],
  seconds?: number,
): Promise<{ results: Map<string, Result>; open: string | undefined } | undefined> {
  try {
    const end = await pollJob(run, id, domains, run.siblings.haveSecrets, seconds);
    const now = Math.ceil(run.clock.now() / 1000);
    const results = new Map(
      [...creationsIn(run, end.detail, now)].map(([key, result]) => [digest(key), result]),
    );
    if (end.kind === "ended") run.journal.sawEnd(id, results);
    return { results, open: end.kind === "open" ? end.text : undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.noSuch("job") ? undefined : { results: new Map(), open: clause(error.message) };
  }
}
