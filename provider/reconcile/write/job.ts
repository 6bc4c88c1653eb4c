/** Waits for the end of a batch job, and reads its results. */
import { ServiceError, type JobDetail } from "../../api";
import { canonicalDomain, digest, fromLive, recordKey, setOf, type DnsRecord } from "../../dns";
import { groupBy } from "../../support/collections";
import { progressReporter, waiting } from "../../support/reporter";
import { digestOf } from "../memory/ledger";
import type { Run } from "../run";
import { named } from "../../support/text";
import { secondsOf } from "../timeline";
import { asDeclared, bareValue } from "../zones/own-forms";
import type { Result } from "./result";

const firstPoll = 150;
const slowestPoll = 5_000;
/** A report is believed to be gone after so many equal codes in a row, and the index delay. */
const fewestAnswers = 3;

const noReason = "the service gave no reason";

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
      return open(`could not be read (${error.message})`, { items: [] });
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
        text: record.error ?? item.error ?? noReason,
      } as const;
    }),
  );
}

interface Report {
  /** As the answer names it. */
  readonly record: DnsRecord;
  readonly result: Result | undefined;
}

/** Positions are not documented, and a report without a record's data names none. */
function reportsIn({ settings, zones }: Run, detail: Items, since: number): Report[] {
  return resultsIn(detail).flatMap(({ domain: listed, record: result, status, text }): Report[] => {
    const { name, type, line, value, priority, recordId: id } = result;
    if (
      listed === undefined ||
      name === undefined ||
      type === undefined ||
      line === undefined ||
      value === undefined
    )
      return [];
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
    const { ttl = settings.defaultTtl } = result;
    if (status === "refused") return [{ record, result: { kind: "refused", text } }];
    if (status !== "done" || id === undefined) return [{ record, result: undefined }];
    const entry = { domain, id, record, key: recordKey(record), ttl, enabled: true, hold: false };
    return [{ record, result: { kind: "made", entry, since } }];
  });
}

interface Creations {
  /** By record key. Open and unnamed records are missing. */
  readonly results: ReadonlyMap<string, Result>;
  /** Unnamed ones of a name, type and line of which the service has made records in other forms. */
  readonly unclear: ReadonlySet<DnsRecord>;
}

/**
 * A requested record that no report names is the reported one that is like it, or that is left with it of a
 * name, type and line. If its domain has failed as a whole, it is refused.
 * @param asked the records of the job, as far as the caller knows them
 */
export function creationsIn(run: Run, detail: Items, since: number, asked: readonly DnsRecord[]): Creations {
  const results = new Map<string, Result>();
  const unnamed = new Map(asked.map((record) => [recordKey(record), record]));
  const others: Report[] = [];
  for (const report of reportsIn(run, detail, since)) {
    const key = recordKey(report.record);
    if (!unnamed.delete(key) && !results.has(key)) others.push(report);
    if (report.result !== undefined) results.set(key, report.result);
  }
  const reported = groupBy(others, ({ record }) => setOf(record));
  const failed = failedIn(detail);
  const unclear = new Set<DnsRecord>();
  for (const [set, records] of groupBy(unnamed.values(), setOf)) {
    const { pairs, rest, left } = paired(records, reported.get(set) ?? []);
    for (const [record, { result }] of pairs) {
      const made = result?.kind === "made" && asDeclared(result.entry, record, result.entry.record);
      if (result !== undefined) results.set(recordKey(record), made ? { ...result, entry: made } : result);
    }
    for (const record of rest) {
      const text = failed.get(record.domain);
      if (text !== undefined) results.set(recordKey(record), { kind: "refused", text });
      else if (left.some(({ result }) => result?.kind === "made")) unclear.add(record);
    }
  }
  return { results, unclear };
}

/** @param records of one name, type and line, as the reports are */
function paired(records: readonly DnsRecord[], reports: readonly Report[]) {
  const pairs = new Map<DnsRecord, Report>();
  const byValue = groupBy(reports, ({ record }) => bareValue(record));
  for (const [bare, [record, ...others]] of groupBy(records, bareValue)) {
    const [like, ...more] = byValue.get(bare) ?? [];
    if (like !== undefined && more.length === 0 && others.length === 0) pairs.set(record, like);
  }
  const taken = new Set(pairs.values());
  const rest = records.filter((record) => !pairs.has(record));
  const left = reports.filter((report) => !taken.has(report));
  const [record, report] = [rest[0], left[0]];
  if (rest.length !== 1 || left.length !== 1 || record === undefined || report === undefined)
    return { pairs, rest, left };
  return { pairs: pairs.set(record, report), rest: [], left: [] };
}

/** Domain → why the service has done nothing there. */
function failedIn({ items }: Items): ReadonlyMap<string, string> {
  return new Map(
    items.flatMap(({ domain, status, records, error = noReason }) =>
      domain === undefined || status !== "error" || records.some((each) => each.status === "ok")
        ? []
        : [[zoneName(domain), error] as const],
    ),
  );
}

function zoneName(listed: string): string {
  const found = canonicalDomain(listed);
  return "domain" in found ? found.domain : listed;
}

/** Resources whose records are in one job ask together. */
async function sharedPoll(run: Run, id: string, domains: readonly string[], whose?: string): Promise<JobEnd> {
  const { polls, reporter, settings, siblings } = run;
  const seconds = whose === undefined ? 0 : settings.jobTimeout;
  const name = `${id} ${seconds}`;
  const known = polls.get(name);
  if (known !== undefined) return known;
  if (whose !== undefined) waiting(reporter, domains, seconds * 1000, `job ${id} ${whose} (jobTimeout)`);
  const poll = pollJob(run, id, domains, !siblings.secrets.isEmpty, seconds);
  polls.set(name, poll);
  return poll.finally(() => polls.delete(name));
}

/** What the service says about an earlier run's job. */
export interface EarlierEnd {
  /** By digest. */
  readonly results: ReadonlyMap<string, Result>;
  /** Why the job has not ended. */
  readonly open?: string;
  /** Digests of records that the answer does not name. */
  readonly unclear: readonly string[];
}

/**
 * @param whose for the message of the wait for the job's end. Default: ask once
 * @returns undefined if the service no longer knows the job
 */
export async function endOfEarlier(
  run: Run,
  id: string,
  domains: readonly string[],
  asked: readonly DnsRecord[],
  whose?: string,
): Promise<EarlierEnd | undefined> {
  const { clock, journal } = run;
  try {
    const end = await sharedPoll(run, id, domains, whose);
    const found = creationsIn(run, end.detail, secondsOf(clock.now()), asked);
    const results = new Map([...found.results].map(([key, result]) => [digest(key), result]));
    const unclear = [...found.unclear].map(digestOf);
    if (end.kind === "open") return { results, open: end.text, unclear };
    journal.sawEnd(id, results);
    return { results, unclear };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.noSuch("job") ? undefined : { results: new Map(), open: error.message, unclear: [] };
  }
}
