/** Waits for other processes' writes of the same records. */
import type { DeclaredRecord, DnsRecord } from "../../dns";
import { append, domainsOf, groupBy, largest, split } from "../../support/collections";
import type { Intent } from "../memory/journal";
import { digestOf, type OpenWrite } from "../memory/ledger";
import { becomesAnother } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { reason } from "../../problems";
import { Refusal } from "../../problems/refusal";
import { waiting } from "../../support/reporter";
import type { Run } from "../run";
import { count, named } from "../../support/text";
import { endOfEdit, listed } from "../timeline";
import { findOutEarlier, findOutEnded } from "../write/find-out";
import { endOfEarlier } from "../write/job";
import type { Zones } from "../zones/zone";

/**
 * @param settled the jobs that the state has as open: their changes are left out of the plan
 * @returns `any`: whether there were such writes; then plan again. `open`: jobs that did not end in time
 */
export async function awaitOthers(
  run: Run,
  { create, changes, adopted, present }: Plan,
  known: Zones,
  settled: readonly OpenWrite[],
): Promise<{ readonly any: boolean; readonly open: readonly OpenWrite[] }> {
  const adopting = new Set<DnsRecord>(adopted.map(({ record }) => record));
  // A record to adopt or change may be removed or changed by another process.
  const concerned = new Set<DnsRecord>([
    ...create,
    ...adopting,
    ...changes.flatMap(({ live, record }) => [live.record, record]),
  ]);
  // A process that failed or was killed later has saved nothing.
  const declared = [...concerned, ...present.map(({ record }) => record)];
  const found = run.journal.othersOf(declared, (domain) => known.get(domain)?.readAt ?? 0, adopting);
  const jobs = new Set(settled.map(({ job }) => job));
  // A job of changes belongs to one resource, a job of creations to any number.
  const [own, all] = split(found, ({ deed, job }) => deed === "change" && job !== undefined && jobs.has(job));
  for (const intent of own) run.journal.foundOut(intent);
  const edits = all.filter(
    ({ deed, left, records }) =>
      deed === "remove" ||
      left.length > 0 ||
      (deed === "change" && records.some((record) => concerned.has(record))),
  );
  if (edits.length > 0) await awaitEdits(run, edits);
  for (const edit of edits) run.journal.foundOut(edit);
  // A record that is listed and only changed need not be waited for.
  const coming = [...create, ...changes.filter(becomesAnother).map(({ record }) => record)];
  const creations = all.flatMap((intent) => {
    const named = new Set(intent.deed === "create" ? intent.records : []);
    const lost = coming.filter((record) => named.has(record));
    return lost.length > 0 ? [{ intent, lost }] : [];
  });
  const [ended, running] = split(creations, ({ intent }) => intent.ended !== undefined);
  if (ended.length > 0) await awaitListed(run, ended);
  const open: OpenWrite[] = [];
  for (const { intent, lost } of running) append(open, await awaitCreation(run, intent, lost));
  // Live records are settled as well, or the journal would report them in every run.
  for (const { intent } of creations) run.journal.foundOut(intent, intent.records);
  return { any: creations.length + edits.length > 0, open };
}

async function awaitEdits(run: Run, edits: readonly Intent[]): Promise<void> {
  const { clock, reporter, settings, zones } = run;
  let done = 0;
  for (const edit of edits) {
    const { at, ended, job, marks } = edit;
    const end = await endOfJob(run, edit, "changing some");
    if (end?.open !== undefined)
      throw new Refusal([reason("job.other-changes", end.parts, undefined, end.open)]);
    const latest = job === undefined ? endOfEdit(settings, at, marks.length > 1) : clock.now();
    done = Math.max(done, ended ?? latest);
  }
  const until = listed(settings, done);
  const wait = until - clock.now();
  const domains = [...new Set(edits.flatMap((edit) => edit.domains))];
  waiting(reporter, domains, wait, "another run's changes (requestTimeout, jobTimeout, indexDelay)");
  if (wait > 0) await clock.sleep(wait);
  await zones.getAll(domains, until);
}

async function awaitCreation(
  run: Run,
  intent: Intent,
  lost: readonly DeclaredRecord[],
): Promise<readonly OpenWrite[]> {
  const { clock } = run;
  const records = count(lost.length, "record");
  const end = await endOfJob(run, intent, `making ${records}`);
  if (end !== undefined) {
    const { open: state, parts, results, unclear } = end;
    const unrefused = lost.filter((record) => results.get(digestOf(record))?.kind !== "refused");
    const [made, unnamed] = split(
      unrefused,
      (record) => state === undefined || results.has(digestOf(record)),
    );
    // The snapshot may be older than the job's records, and the index may lag behind them.
    await findOutEnded(run, made, clock.now());
    const since = Math.ceil(intent.at / 1000);
    const { job } = parts;
    if (state === undefined)
      return openOf(
        lost.filter((record) => unclear.includes(digestOf(record))),
        { job, since, isUnclear: true },
      );
    const seen = await findOutEnded(run, unnamed);
    return openOf(
      unnamed.filter((record) => !seen.has(digestOf(record))),
      { job, since, detail: state },
    );
  }
  const source = intent.id === 0 ? `the damaged journal file ${intent.file}` : "another run";
  await findOutEarlier(run, lost, intent.at, `${records} of ${source}`);
  return [];
}

function openOf(
  records: readonly DeclaredRecord[],
  write: Omit<OpenWrite, "domain" | "digests">,
): OpenWrite[] {
  return [...groupBy(records, ({ domain }) => domain)].map(([domain, these]) => ({
    ...write,
    domain,
    digests: these.map(digestOf),
  }));
}

async function endOfJob(run: Run, { domains: all, ended, file, job, records }: Intent, doing: string) {
  if (job === undefined || ended !== undefined) return undefined;
  const what = `job ${job} of another run, ${doing} of these (jobTimeout)`;
  waiting(run.reporter, all, run.settings.jobTimeout * 1000, what);
  const end = await endOfEarlier(run, job, all, records);
  return end && { ...end, parts: { domain: named(all), job, file } };
}

async function awaitListed(
  run: Run,
  creations: readonly { readonly intent: Intent; readonly lost: readonly DeclaredRecord[] }[],
): Promise<void> {
  const made = creations.flatMap(({ lost }) => lost);
  const { clock, reporter, settings } = run;
  const ended = largest(creations.map(({ intent }) => intent.ended ?? 0));
  waiting(reporter, domainsOf(made), listed(settings, ended) - clock.now());
  await findOutEnded(run, made, ended);
}
