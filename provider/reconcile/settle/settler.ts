/**
 * What earlier runs left open: jobs that had not ended, writes whose answer was lost, records too young to be listed.
 * All of it is settled by asking and reading, before anything is sent.
 */
import { LegacyDnsError } from "../../api";
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import { wantedOf, type Intent } from "../memory/journal";
import { isUnsettled, type Ledger, type PendingJob, type Unconfirmed } from "../memory/ledger";
import { recordsName, type Wording } from "../messages";
import { sameTtl, type Plan } from "../plan/plan";
import { Refusal } from "../refusal";
import { count, named } from "../words";
import { endOfEarlier } from "../write/job";
import type { WriteParts } from "../write/send";
import { entryOf, type LiveEntry, type Zone } from "../zones/zone";

/** Records of a handful that are not listed yet are asked for one by one rather than waited for. */
const handful = 5;
export class Settler {
  constructor(private readonly parts: WriteParts) {}

  /** Jobs and lost answers of an earlier run are settled before anything is sent. */
  async settle(
    ledger: Ledger,
    records: readonly DeclaredRecord[],
    wording: Pick<Wording, "sensitive">,
  ): Promise<{ ledger: Ledger; stillOpen: string[] }> {
    if (!isUnsettled(ledger)) return { ledger, stillOpen: [] };
    const { clock, reporter, settings } = this.parts;
    const domains = [...new Set(records.map((record) => record.domain))];
    const owned = new Map(ledger.owned);
    const own = (key: string, { id, record }: LiveEntry, since: number): void => {
      owned.set(key, { id, since, made: isOfOurMaking(ledger, key, record.domain, id) });
    };
    const jobs: PendingJob[] = [];
    const unconfirmed: Unconfirmed[] = [...ledger.unconfirmed];
    const stillOpen: string[] = [];
    const forgotten: PendingJob[] = [];
    for (const job of ledger.jobs) {
      reporter.info(`${named(domains)}: job ${job.id} of an earlier run is looked at first`);
      const settled = await endOfEarlier(this.parts, job, domains);
      if (settled === undefined) {
        unconfirmed.push({ since: job.since, digests: job.digests });
        forgotten.push(job);
        continue;
      }
      // Made just now, for all that is known: the listing may not show it yet.
      const now = Math.ceil(clock.now() / 1000);
      const open: string[] = [];
      const unnamed: string[] = [];
      for (const key of job.digests) {
        const outcome = settled.results.get(key);
        if (outcome?.kind === "made") own(key, outcome.entry, now);
        else if (outcome === undefined) (settled.open === undefined ? unnamed : open).push(key);
      }
      // It has ended and does not say what became of them: the zone does, once the index must show them.
      const shown = await this.awaitShown(unnamed, records);
      for (const entry of shown) own(digest(entry.key), entry, now);
      const { live, missing } = await this.lookUp(open, records);
      for (const [key, entry] of live) own(key, entry, now);
      if (missing.length > 0) {
        jobs.push({ ...job, digests: missing });
        const open = new Set(missing);
        const missed = recordsName([...byKey(records).values()].filter((record) => open.has(digest(recordKey(record)))), wording, 10);
        stillOpen.push(
          `${missed}: ${settled.open ?? ""}; nothing else was sent. Run \`pulumi up\` again when the job may have ended. ${neverEnds}`,
        );
      }
    }
    if (unconfirmed.length > 0 && stillOpen.length === 0) {
      const since = Math.max(...unconfirmed.map((lost) => lost.since));
      const digests = new Set(unconfirmed.flatMap((lost) => lost.digests));
      // The last of a key counts: as it was sent, and not as it is to become.
      const lost = [...byKey(records.filter((record) => digests.has(digest(recordKey(record))))).values()];
      const first = (since + settings.indexDelay) * 1000;
      // The job whose number was lost may still be at work: nothing is sent again before it must have ended.
      const last = first + settings.jobTimeout * 1000;
      if (last > clock.now()) {
        const why = forgotten.length === 0 ? "the answer to a write was lost" : `the service no longer knows job ${forgotten.map(({ id }) => id).join(", ")} of an earlier run`;
        reporter.info(`${named(domains)}: ${why}; looking for its records for up to ${Math.ceil((last - clock.now()) / 1000)} s before anything is sent`);
      }
      // A job that gives live records another TTL may be the one whose number was lost.
      const { failure, found } = await this.parts.zones.lookFor(lost, first, last, (record, live) => asSent(record, live) !== undefined);
      if (failure !== undefined) throw failure;
      for (const record of lost) {
        const entry = asSent(record, found.get(recordKey(record)) ?? []);
        if (entry) own(digest(entry.key), entry, since);
      }
      this.knowJobs(forgotten, records);
      return { ledger: { ...ledger, owned, jobs, unconfirmed: [] }, stillOpen };
    }
    return { ledger: { ...ledger, owned, jobs, unconfirmed }, stillOpen };
  }

  /** What came of these jobs has been looked for long enough: the journal need not tell of them once more. */
  private knowJobs(jobs: readonly PendingJob[], records: readonly DeclaredRecord[]): void {
    const { journal } = this.parts;
    const all = wantedOf(records);
    for (const { id, digests } of jobs) {
      const wanted = new Map(digests.map((each) => [each, all.get(each) ?? ""]));
      for (const intent of journal.othersOf(wanted, () => 0)) if (intent.job === id) journal.foundOut(intent, digests);
    }
  }

  /** Of these records, those that the zone shows as they were sent within the index delay. @throws where it cannot be read */
  private async awaitShown(digests: readonly string[], records: readonly DeclaredRecord[]): Promise<LiveEntry[]> {
    if (digests.length === 0) return [];
    const { clock, settings, zones } = this.parts;
    const wanted = new Set(digests);
    const lost = [...byKey(records.filter((record) => wanted.has(digest(recordKey(record))))).values()];
    const { failure, found } = await zones.lookFor(lost, clock.now(), clock.now() + settings.indexDelay * 1000);
    if (failure !== undefined) throw failure;
    return lost.flatMap((record) => asSent(record, found.get(recordKey(record)) ?? []) ?? []);
  }

  /** Of the records that an unfinished job was to make, those that are in the zone by now, and those that are not. */
  private async lookUp(
    digests: readonly string[],
    records: readonly DeclaredRecord[],
  ): Promise<{ live: ReadonlyMap<string, LiveEntry>; missing: readonly string[] }> {
    const live = new Map<string, LiveEntry>();
    if (digests.length === 0) return { live, missing: [] };
    const byDigest = new Map(records.map((record) => [digest(recordKey(record)), record]));
    const domains = digests.flatMap((each) => byDigest.get(each)?.domain ?? []);
    const zones = await this.parts.zones.getAll(domains, this.parts.clock.now());
    const missing: string[] = [];
    for (const each of digests) {
      const record = byDigest.get(each);
      const entries = (record && zones.get(record.domain)?.byKey.get(recordKey(record))) ?? [];
      const entry = record && asSent(record, entries);
      if (entry) live.set(each, entry);
      // One that is live otherwise is somebody else's, and stands in the way of ours: that is the plan's affair.
      else if (entries.length === 0) missing.push(each);
    }
    return { live, missing };
  }

  /**
   * Waits for what other processes, killed or still at work, were about to make of these records.
   * @param known the zones as they were read
   * @returns whether there was anything: the zones must then be read again, the plan made anew, and this asked again.
   */
  async awaitOthers(plan: Pick<Plan, "create" | "changes" | "adopted">, known: ReadonlyMap<string, Zone>): Promise<boolean> {
    const { journal } = this.parts;
    const made = [...plan.create, ...plan.changes.map(({ record }) => record)];
    // What is taken over may be about to go, or to become another.
    const concerned = [...made, ...plan.adopted.map(({ record }) => record)];
    if (concerned.length === 0) return false;
    const wanted = wantedOf(concerned);
    const all = journal.othersOf(wanted, (domain) => known.get(domain)?.readAt ?? 0);
    const edits = all.filter(({ deed }) => deed !== "create");
    await this.awaitEdits(edits);
    for (const intent of edits) journal.foundOut(intent, intent.digests);
    // What is listed and only changed is there: its creation is nothing to wait for.
    const coming = [...plan.create, ...plan.changes.flatMap(({ kind, record }) => (kind === "data" ? [record] : []))];
    const byDigest = new Map(coming.map((record) => [digest(recordKey(record)), record]));
    const intents = all.filter(({ deed, digests }) => deed === "create" && digests.some((each) => byDigest.has(each)));
    await this.awaitListed(intents.filter(({ ended }) => ended !== undefined), byDigest);
    for (const intent of intents) {
      const lost = new Map(intent.digests.flatMap((each) => [[each, byDigest.get(each)] as const]).filter(hasValue));
      if (intent.ended === undefined) await this.awaitIntent(intent, lost);
      // Of what is live already, too: asked about it again, the journal would have news for ever.
      journal.foundOut(intent, intent.digests.filter((each) => wanted.has(each)));
    }
    return intents.length + edits.length > 0;
  }

  /** Waits until a listing must show what other processes have changed or removed, or were about to. */
  private async awaitEdits(intents: readonly Intent[]): Promise<void> {
    const { clock, reporter, settings, zones } = this.parts;
    let until = 0;
    for (const { at, domains, ended, file, job } of intents) {
      if (ended === undefined && job !== undefined) {
        reporter.info(`${named(domains)}: another run was changing some of these (job ${job}); waiting for it first`);
        const settled = await endOfEarlier(this.parts, { id: job, since: Math.floor(at / 1000) }, domains);
        if (settled?.open !== undefined) {
          throw new Refusal([`${named(domains)}: job ${job} of another run is still changing records; nothing was sent. ${sentence(settled.open)}Run \`pulumi up\` again when it may have ended. ${forgets(file)}`]);
        }
        until = Math.max(until, clock.now() + settings.indexDelay * 1000);
      } else until = Math.max(until, (ended ?? at + settings.requestTimeout * 1000) + settings.indexDelay * 1000);
    }
    const wait = until - clock.now();
    const domains = [...new Set(intents.flatMap((intent) => intent.domains))];
    if (wait > 0) reporter.info(`${named(domains)}: another run or resource has just changed or removed some of these; waiting ${Math.ceil(wait / 1000)} s for the service's index`);
    if (wait > 0) await clock.sleep(wait);
    // The zones in hand were read before that.
    if (domains.length > 0) await zones.getAll(domains, until);
  }

  /** Waits for the end of another process's write, and until the index shows what it made. @param lost by digest */
  private async awaitIntent(intent: Intent, lost: ReadonlyMap<string, DeclaredRecord>): Promise<void> {
    const { clock, reporter, settings, zones } = this.parts;
    const records = [...lost.values()];
    if (intent.job !== undefined) {
      reporter.info(`${named(intent.domains)}: another run was making ${count(lost.size, "record")} of these (job ${intent.job}); waiting for it first`);
      const settled = await endOfEarlier(this.parts, { id: intent.job, since: Math.floor(intent.at / 1000) }, intent.domains);
      if (settled !== undefined) {
        const unnamed = [...lost.keys()].filter((each) => !settled.results.has(each));
        const { missing } = settled.open === undefined ? { missing: [] } : await this.lookUp(unnamed, records);
        if (missing.length > 0) {
          throw new Refusal([
            `${count(missing.length, "record")} of ${named(intent.domains)}: job ${intent.job} of another run is still making them; nothing was sent. ${sentence(settled.open)}Run \`pulumi up\` again when it may have ended. ${neverEnds}. ${forgets(intent.file)}`,
          ]);
        }
        // What it made must be seen before the plan is made anew: the index may lag behind the job's end.
        const made = [...lost].flatMap(([each, record]) => (settled.results.get(each)?.kind === "refused" ? [] : [record]));
        if (made.length > 0) await zones.lookFor(made, clock.now(), clock.now() + settings.indexDelay * 1000);
        return;
      }
    }
    const first = intent.at + settings.indexDelay * 1000;
    const last = first + settings.jobTimeout * 1000;
    reporter.info(`${named(intent.domains)}: another run was about to make ${count(lost.size, "record")} of these; looking for them for up to ${Math.max(0, Math.ceil((last - clock.now()) / 1000))} s before anything is sent`);
    const { failure } = await zones.lookFor(records, first, last);
    if (failure !== undefined) throw failure;
  }

  /** Waits until the index shows what jobs that have ended made, all of them together. */
  private async awaitListed(intents: readonly Intent[], byDigest: ReadonlyMap<string, DeclaredRecord>): Promise<void> {
    const { clock, reporter, settings, zones } = this.parts;
    const made = intents.flatMap(({ digests }) => digests.flatMap((each) => byDigest.get(each) ?? []));
    if (made.length === 0) return;
    const ended = Math.max(...intents.map((intent) => intent.ended ?? 0));
    const listed = ended + settings.indexDelay * 1000;
    const domains = [...new Set(made.map(({ domain }) => domain))];
    reporter.info(`${named(domains)}: ${count(made.length, "record")} of these made ${Math.round((clock.now() - ended) / 1000)} s ago by another run or resource; waiting up to ${Math.max(0, Math.ceil((listed - clock.now()) / 1000))} s for the service's index`);
    // The snapshot may be older than what they made: it is read again in any case.
    const { failure } = await zones.lookFor(made, clock.now(), listed);
    if (failure !== undefined) throw failure;
  }

  /** The zones, with records of ours that are too young to be listed confirmed one by one or waited for, once. */
  async read(records: readonly DeclaredRecord[], ledger: Ledger): Promise<ReadonlyMap<string, Zone>> {
    const { client, clock, reporter, settings } = this.parts;
    const domains = new Set([...records, ...ledger.leftOver, ...ledger.undeclared].map(({ domain }) => domain));
    for (const { domain, id, since } of ledger.removed) await this.parts.zones.drop(domain, [id], since * 1000);
    const zones = await this.parts.zones.getAll(domains);
    const delay = settings.indexDelay * 1000;
    // The last of a key counts: as it was left, and not as it is to become.
    const asLeft = [...byKey(records).values()];
    const ours = [
      ...asLeft.flatMap((record) => {
        const known = ledger.owned.get(digest(recordKey(record)));
        return known === undefined ? [] : [{ domain: record.domain, record, ...known }];
      }),
      ...ledger.leftOver.map(({ domain, id, since = 0 }) => ({ domain, record: undefined, id, since })),
    ];
    const young = ours.filter(({ domain, record, id, since }) => {
      const zone = zones.get(domain);
      return zone !== undefined && since > 0 && since * 1000 + delay > zone.readAt && !isListed(zone, id, record);
    });
    if (young.length === 0) return zones;
    if (young.length <= handful) {
      const found = await Promise.all(
        young.map(async ({ domain, id }) => {
          try {
            const target = `record ${id} of ${domain}`;
            const { record } = await client.call("Record.Info", { domain, recordId: id }, { target });
            // As it is now: somebody may have changed it since.
            return entryOf(domain, record, settings.defaultLine);
          } catch (error) {
            if (error instanceof LegacyDnsError && error.outcome === "refused") return undefined;
            throw error;
          }
        }),
      );
      if (found.every((entry) => entry !== undefined)) {
        for (const entry of found) await this.parts.zones.change(entry.record.domain, [entry], clock.now());
        return this.parts.zones.getAll(domains);
      }
    }
    const readable = Math.max(...young.map(({ since }) => since * 1000 + delay));
    reporter.info(`${named([...new Set(young.map(({ domain }) => domain))])}: ${count(young.length, "record")} written less than ${settings.indexDelay} s ago not listed yet; waiting ${Math.ceil((readable - clock.now()) / 1000)} s for the service's index`);
    await clock.sleep(Math.max(0, readable - clock.now()));
    return this.parts.zones.getAll(domains, readable);
  }
}

/** Whether this stack made what a write of an earlier run led to: a record that it had adopted, it has only changed. */
function isOfOurMaking({ owned, leftOver }: Ledger, key: string, domain: string, id: string): boolean {
  const known = owned.get(key);
  if (known?.id === id) return known.made;
  return leftOver.find((each) => each.id === id && each.domain === domain)?.made ?? true;
}

const neverEnds = "If it never ends: make what is missing in the service's console, and the next up adopts it";

function sentence(text: string | undefined): string {
  return text === undefined || text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}. `;
}

/** The way out of a journal whose job is asked about for a day. */
function forgets(file: string): string {
  return `When the service's console shows that the job does nothing any more: remove ${file}, which forgets what that run was about to write`;
}

/** Of the live records of one identity, the one that is as it was sent. */
function asSent(record: DeclaredRecord, live: readonly LiveEntry[]): LiveEntry | undefined {
  return live.find((entry) => entry.enabled && sameTtl(record, entry));
}

/** The last record of each key. */
function byKey(records: readonly DeclaredRecord[]): ReadonlyMap<string, DeclaredRecord> {
  return new Map(records.map((record) => [recordKey(record), record]));
}

function hasValue<K, V>(entry: readonly [K, V | undefined]): entry is readonly [K, V] {
  return entry[1] !== undefined;
}

/** Whether a listing shows the record as it was last left; one that it shows otherwise may have been changed too lately. */
function isListed(zone: Zone, id: string, record: DeclaredRecord | undefined): boolean {
  const entry = zone.byId.get(id);
  if (entry === undefined || record === undefined) return entry !== undefined;
  return entry.key === recordKey(record) && entry.enabled && sameTtl(record, entry);
}
