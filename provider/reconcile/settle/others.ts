/** Waits for what other processes were about to write of the same records. */
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import { wantedOf, type Intent } from "../memory/journal";
import { becomesAnother } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { reason } from "../../problems";
import { Refusal } from "../../problems/refusal";
import type { Run } from "../run";
import { count, named } from "../../words";
import { endOfEarlier } from "../write/job";
import { domainsOf } from "../write/send";
import type { Zones } from "../zones/zone";
import { lookUp } from "./earlier";

/** Waits for others' writes of a plan's records. @returns whether there was any: then read the zones, plan and ask again */
export async function awaitOthers(parts: Run, plan: Pick<Plan, "create" | "changes" | "adopted" | "present">, known: Zones): Promise<boolean> {
  const { journal } = parts;
  const readAt = (domain: string): number => known.get(domain)?.readAt ?? 0;
  // A record to adopt or change may be about to go, or to become another.
  const concerned = [...plan.create, ...[...plan.changes, ...plan.adopted].map(({ record }) => record)];
  const wanted = wantedOf(concerned);
  const all = journal.othersOf(wanted, readAt);
  // What the state counts as live may be gone: a destroy that failed for other records has removed it, and saved nothing.
  const gone = journal.hasRemovals() ? journal.othersOf(wantedOf(plan.present.map(({ record }) => record)), readAt).filter(({ deed }) => deed === "remove") : [];
  const edits = [...all.filter(({ deed }) => deed !== "create"), ...gone];
  await awaitEdits(parts, edits);
  for (const intent of edits) journal.foundOut(intent, intent.digests);
  // A record that is listed and only changed need not be waited for.
  const coming = [...plan.create, ...plan.changes.filter(becomesAnother).map(({ record }) => record)];
  const byDigest = new Map(coming.map((record) => [digest(recordKey(record)), record]));
  const intents = all.filter(({ deed, digests }) => deed === "create" && digests.some((each) => byDigest.has(each)));
  await awaitListed(parts, intents.filter(({ ended }) => ended !== undefined), byDigest);
  for (const intent of intents) {
    if (intent.ended === undefined) await awaitCreation(parts, intent, amongThese(intent, byDigest));
    // Also of what is live: else the journal would tell of it again and again.
    journal.foundOut(intent, intent.digests.filter((each) => wanted.has(each)));
  }
  return intents.length + edits.length > 0;
}

function amongThese({ digests }: Intent, byDigest: ReadonlyMap<string, DeclaredRecord>): ReadonlyMap<string, DeclaredRecord> {
  const found = new Map<string, DeclaredRecord>();
  for (const each of digests) {
    const record = byDigest.get(each);
    if (record) found.set(each, record);
  }
  return found;
}

/** Waits until a listing shows others' changes and removals. */
async function awaitEdits(parts: Run, intents: readonly Intent[]): Promise<void> {
  const { clock, reporter, settings, zones } = parts;
  let until = 0;
  for (const { at, domains, ended, file, job } of intents) {
    if (ended === undefined && job !== undefined) {
      reporter.info(`${named(domains)}: another run was changing some of these (job ${job}); waiting for it first`);
      const settled = await endOfEarlier(parts, { id: job, since: Math.floor(at / 1000) }, domains);
      if (settled?.open !== undefined) {
        throw new Refusal([reason("job.other-changes", { domains: named(domains), job, said: settled.open, file })]);
      }
      until = Math.max(until, clock.now() + settings.indexDelay * 1000);
    } else until = Math.max(until, (ended ?? at + settings.requestTimeout * 1000) + settings.indexDelay * 1000);
  }
  const wait = until - clock.now();
  const domains = [...new Set(intents.flatMap((intent) => intent.domains))];
  if (wait > 0) {
    reporter.info(`${named(domains)}: a run before this one, or another resource, has just changed or removed some of these, or tried to; waiting ${Math.ceil(wait / 1000)} s for the service's index`);
    await clock.sleep(wait);
  }
  if (domains.length > 0) await zones.getAll(domains, until);
}

/** Waits until another process's creation has ended and is listed. @param lost by digest */
async function awaitCreation(parts: Run, intent: Intent, lost: ReadonlyMap<string, DeclaredRecord>): Promise<void> {
  const { clock, reporter, settings, zones } = parts;
  const { at, domains, file, job } = intent;
  const records = [...lost.values()];
  if (job !== undefined) {
    reporter.info(`${named(domains)}: another run was making ${count(lost.size, "record")} of these (job ${job}); waiting for it first`);
    const settled = await endOfEarlier(parts, { id: job, since: Math.floor(at / 1000) }, domains);
    if (settled !== undefined) {
      const unnamed = [...lost.keys()].filter((each) => !settled.results.has(each));
      const missing = settled.open === undefined ? [] : (await lookUp(parts, unnamed, records)).missing;
      if (missing.length > 0) {
        throw new Refusal([reason("job.other-makes", { records: missing.length, domains: named(domains), job, said: settled.open ?? "", file })]);
      }
      // The index may lag behind the job's end.
      const made = [...lost].flatMap(([each, record]) => (settled.results.get(each)?.kind === "refused" ? [] : [record]));
      if (made.length > 0) await zones.lookFor(made, clock.now(), clock.now() + settings.indexDelay * 1000);
      return;
    }
  }
  const first = at + settings.indexDelay * 1000;
  const last = first + settings.jobTimeout * 1000;
  reporter.info(`${named(domains)}: another run was about to make ${count(lost.size, "record")} of these; looking for them for up to ${Math.max(0, Math.ceil((last - clock.now()) / 1000))} s before anything is sent`);
  await zones.waitFor(records, first, last);
}

/** Waits until the index shows what ended jobs made. */
async function awaitListed({ clock, reporter, settings, zones }: Run, intents: readonly Intent[], byDigest: ReadonlyMap<string, DeclaredRecord>): Promise<void> {
  const made = intents.flatMap(({ digests }) => digests.flatMap((each) => byDigest.get(each) ?? []));
  if (made.length === 0) return;
  const ended = Math.max(...intents.map((intent) => intent.ended ?? 0));
  const listed = ended + settings.indexDelay * 1000;
  reporter.info(`${named(domainsOf(made))}: ${count(made.length, "record")} of these made ${Math.round((clock.now() - ended) / 1000)} s ago by another run or resource; waiting up to ${Math.max(0, Math.ceil((listed - clock.now()) / 1000))} s for the service's index`);
  // The snapshot may be older.
  await zones.waitFor(made, clock.now(), listed);
}
