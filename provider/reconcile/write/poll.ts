/** Waits for a batch job: with growing pauses, a progress line every few seconds, and no longer than `jobTimeout`. */
import { ServiceError, type Client, type JobDetail } from "../../api";
import type { Clock } from "../../clock";
import type { Reporter } from "../../report";
import type { Settings } from "../../settings";
import { clause, named } from "../words";

interface PollParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly settings: Settings;
}

const firstPoll = 150;
const slowestPoll = 5_000;
/** Milliseconds between two progress lines on a terminal, and in a log. */
const progressEvery = { status: 2_000, line: 10_000 };

/** So often in a row a job's report must be denied with one and the same code, and for the index delay, to be believed. */
const fewestAnswers = 3;

/** How a job ended, or that it has not in time. */
export type JobEnd =
  | { readonly kind: "ended"; readonly detail: JobDetail }
  | { readonly kind: "timeout"; readonly detail: JobDetail; readonly text: string };

/**
 * @throws LegacyDnsError when the job cannot be read. A code in the report's place, even one that denies the job, is
 * believed once it has stayed the same for the index delay: what a job had made by the first one is then listed. Answers
 * that contradict each other tell nothing; they are asked about for as long as a job may take.
 */
export async function pollJob(
  { client, clock, reporter, settings }: PollParts,
  jobId: string,
  domains: readonly string[],
): Promise<JobEnd> {
  const begun = clock.now();
  const said = { status: begun, line: begun };
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
      return { kind: "timeout", detail: { jobId, items: [] }, text };
    }
    const { done, all, ended } = progressOf(detail);
    if (ended) return { kind: "ended", detail };
    const age = clock.now() - begun;
    const text = `${named(domains)}: job ${jobId}: ${done} of ${all} records, ${Math.round(age / 1000)} s`;
    if (age >= settings.jobTimeout * 1000) {
      return {
        kind: "timeout",
        detail,
        text: `job ${jobId} had done ${done} of ${all} records after ${Math.round(age / 1000)} s (jobTimeout)`,
      };
    }
    const now = clock.now();
    if (now - said.line >= progressEvery.line) {
      reporter.info(text);
      said.line = said.status = now;
    } else if (now - said.status >= progressEvery.status) {
      reporter.progress(text);
      said.status = now;
    }
  }
}

function progressOf(detail: JobDetail): { done: number; all: number; ended: boolean } {
  let done = 0;
  let all = 0;
  let open = 0;
  let waits = false;
  for (const item of detail.items) {
    if (item.status !== "error" && item.records.length === 0) open += 1;
    for (const record of item.records) {
      all += 1;
      if (record.status === "ok" || record.status === "error" || item.status === "error") done += 1;
      // One whose status is not told keeps nobody waiting: the zone tells what became of it.
      else if (record.status !== undefined) waits = true;
    }
  }
  return { done, all, ended: detail.items.length > 0 && open === 0 && !waits };
}
