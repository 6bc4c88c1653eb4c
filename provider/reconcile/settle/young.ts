/** The zones with records of ours that no listing shows yet: asked for one by one, or waited for once. */
import { LegacyDnsError, ServiceError } from "../../api";
import { recordKey, type DeclaredRecord } from "../../dns";
import type { Declaration } from "../declaration";
import { byDigest, type Ledger } from "../memory/ledger";
import { isAsDeclared } from "../plan/plan";
import { reason, type Reason } from "../../problems";
import { Refusal } from "../../problems/refusal";
import type { Run } from "../run";
import { count, named } from "../../words";
import { domainsOf } from "../write/send";
import { Unlisted } from "../zones/reader";
import type { LiveEntry, Zone, Zones } from "../zones/zone";

/** So many records are asked for one by one. */
const handful = 5;

/** A record of ours; `record` is undefined of what is left over. */
interface Own {
  readonly domain: string;
  readonly id: string;
  readonly since: number;
  readonly record: DeclaredRecord | undefined;
}

/** The zones of these records and of the ledger's. @throws LegacyDnsError where one cannot be read */
export async function readZones(parts: Run, records: readonly DeclaredRecord[], ledger: Ledger): Promise<Zones> {
  const { clock, reporter, settings, zones } = parts;
  const domains = domainsOf([...records, ...ledger.leftOver, ...ledger.undeclared]);
  for (const { domain, id, since } of ledger.removed) await zones.drop(domain, [id], since * 1000);
  const read = await zones.getAll(domains);
  const delay = settings.indexDelay * 1000;
  const young = ownOf(records, ledger).filter(({ domain, record, id, since }) => {
    const zone = read.get(domain);
    return zone !== undefined && since > 0 && since * 1000 + delay > zone.readAt && !isListed(zone, id, record);
  });
  if (young.length === 0) return read;
  const found = young.length <= handful ? await Promise.all(young.map((own) => present(parts, own))) : [undefined];
  if (found.every((entry) => entry !== undefined)) {
    // Somebody may have changed it since.
    for (const entry of found) await zones.lay(entry.record.domain, [entry], clock.now(), false);
    return zones.getAll(domains);
  }
  const readable = Math.max(...young.map(({ since }) => since * 1000 + delay));
  reporter.info(`${named(domainsOf(young))}: ${count(young.length, "record")} written less than ${settings.indexDelay} s ago not listed yet; waiting ${Math.ceil((readable - clock.now()) / 1000)} s for the service's index`);
  await clock.sleep(Math.max(0, readable - clock.now()));
  return zones.getAll(domains, readable);
}

function ownOf(records: readonly DeclaredRecord[], { owned, leftOver }: Ledger): Own[] {
  const own = [...byDigest(records)].flatMap(([key, record]): Own[] => {
    const known = owned.get(key);
    return known === undefined ? [] : [{ domain: record.domain, record, id: known.id, since: known.since }];
  });
  return [...own, ...leftOver.map(({ domain, id, since = 0 }) => ({ domain, id, since, record: undefined }))];
}

/** The record as it is now; undefined where the service does not tell. */
async function present({ zones }: Run, { domain, id }: Own): Promise<LiveEntry | undefined> {
  return zones.record(domain, id).catch((error: unknown) => {
    if (error instanceof LegacyDnsError && error.outcome === "refused") return undefined;
    throw error;
  });
}

/** Whether a listing shows the record as it was last left. */
function isListed(zone: Zone, id: string, record: DeclaredRecord | undefined): boolean {
  const entry = zone.byId.get(id);
  if (entry === undefined || record === undefined) return entry !== undefined;
  return entry.key === recordKey(record) && isAsDeclared(record, entry);
}

/** What `read` reads. @throws Refusal with the ways out, where a zone cannot be read of which nothing is declared any more */
export async function withWayOut<T>(declaration: Declaration, command: "up" | "delete", read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const failures: readonly unknown[] = error instanceof Unlisted ? error.failures : [error];
    const reasons = failures.flatMap((failure): (Reason | string)[] => {
      if (!(failure instanceof ServiceError) || failure.target === undefined) return [];
      if (declaration.records.some(({ domain }) => domain === failure.target)) return failures.length > 1 ? [failure.message] : [];
      return [reason("zone.unreadable", { said: failure.message, removalSetBy: declaration.removalSetBy, command })];
    });
    throw reasons.length === 0 ? error : new Refusal(reasons);
  }
}
