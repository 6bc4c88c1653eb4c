/** What leaves a resource and stays in the zone: who made it, and who takes it over. */
import { LegacyDnsError } from "../../api";
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import type { Declaration } from "../declaration";
import type { Ledger, LeftOver } from "../memory/ledger";
import { count } from "../../words";
import { livesText, liveText, recordsName, type Wording } from "../wording";
import type { Run } from "../run";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import { Retained } from "./retained";

export class Departures {
  readonly retained: Retained;

  constructor(private readonly parts: Run) {
    this.retained = new Retained(parts);
  }

  /** Who made what is live: the ledgers of this run tell, else the journal. @param wait another resource may be about to tell */
  async makers(entries: readonly LiveEntry[], wait: boolean): Promise<(live: LiveEntry) => boolean> {
    if (wait) await this.parts.siblings.settled();
    const isKnown = ({ record, id }: LiveEntry): boolean => this.parts.siblings.isMade(record.domain, id);
    const inDoubt = new Map(entries.flatMap((live) => (isKnown(live) ? [] : [[digest(live.key), live] as const])));
    const ofOurs = new Set(inDoubt.size === 0 ? [] : this.parts.journal.unsaved(inDoubt));
    return (live) => ofOurs.has(live) || isKnown(live);
  }

  /** Says which of the service's own records are no longer declared. */
  tellKept(entries: readonly LiveEntry[], wording: Wording): void {
    if (entries.length === 0) return;
    this.parts.reporter.info(`${count(entries.length, "record")} of the service's own, which it keeps, ${entries.length === 1 ? "is" : "are"} let go of: ${livesText(entries, wording, 3)}`);
  }

  /** Another resource has taken these over; its state may not tell who made them. */
  handOver(entries: readonly { readonly domain: string; readonly key: string; readonly id: string | undefined }[]): void {
    this.parts.journal.handOver(entries.flatMap(({ domain, key, id }) => (id !== undefined && this.parts.siblings.isMade(domain, id) ? [digest(key)] : [])));
  }

  /** Says what stays for good: declared records and left-over ones. Where a zone cannot be read, the state names them. */
  async retain(declaration: Declaration, ledger: Ledger, given: readonly DeclaredRecord[]): Promise<void> {
    if (given.length > 0) await this.parts.siblings.settled();
    const records = given.filter((record) => !this.parts.siblings.isDeclared(recordKey(record)));
    const zones = await this.readable([...records, ...ledger.leftOver].map(({ domain }) => domain));
    const { left: all, doubtful } = staying(records, ledger, zones, this.parts.settings.indexDelay * 1000);
    const left = all.filter((each) => !("key" in each) || !this.parts.siblings.isDeclared(each.key));
    const wording = this.parts.siblings.wording(declaration);
    const names = left.map((each) => ("key" in each ? liveText(each, wording) : "type" in each ? recordsName([each], wording) : `record ${each.id} of ${each.domain}`));
    await this.retained.tell(names, "left in the zone (removal: retain)");
    await this.retained.tell(doubtful.map((record) => recordsName([record], wording)), "not known whether made, and let go of (removal: retain)");
  }

  /** The zones of these domains that can be read. */
  async readable(domains: readonly string[]): Promise<Zones> {
    const { zones, failures } = await this.parts.zones.readable(domains);
    // The state tells the names; other errors are told elsewhere.
    const fault = failures.find((error) => !(error instanceof LegacyDnsError));
    if (fault !== undefined) throw fault;
    return zones;
  }
}

/** Of records that are no longer declared, those that no zone in hand lists yet. @param delay the index delay, in milliseconds */
export function unlisted(before: readonly DeclaredRecord[], desired: readonly DeclaredRecord[], ledger: Ledger, zones: Zones, delay: number): DeclaredRecord[] {
  const keys = new Set(desired.map((record) => recordKey(record)));
  return before.filter((record) => {
    const key = recordKey(record);
    const known = ledger.owned.get(digest(key));
    const zone = zones.get(record.domain);
    if (keys.has(key) || known === undefined || zone?.byId.has(known.id) === true) return false;
    return zone === undefined || known.since * 1000 + delay > zone.readAt;
  });
}

interface Staying {
  /** As it is live; as declared, or by number, where no zone lists it. */
  readonly left: readonly (LiveEntry | DeclaredRecord | LeftOver)[];
  /** Nobody knows whether they were made. */
  readonly doubtful: readonly DeclaredRecord[];
}

/** What a resource leaves behind: no refused record, and none that is gone. @param delay the index delay, in milliseconds */
function staying(records: readonly DeclaredRecord[], ledger: Ledger, zones: Zones, delay: number): Staying {
  const left: (LiveEntry | DeclaredRecord | LeftOver)[] = [];
  const doubtful: DeclaredRecord[] = [];
  const open = new Set([...ledger.jobs, ...ledger.unconfirmed].flatMap(({ digests }) => digests));
  const isYoung = (since: number, zone: Zone): boolean => since > 0 && since * 1000 + delay > zone.readAt;
  for (const record of records) {
    const key = digest(recordKey(record));
    const known = ledger.owned.get(key);
    const zone = zones.get(record.domain);
    const live = zone?.byId.get(known?.id ?? "") ?? (open.has(key) ? zone?.byKey.get(recordKey(record))?.[0] : undefined);
    if (live) left.push(live);
    else if (known && (zone === undefined || isYoung(known.since, zone))) left.push(record);
    else if (known === undefined && open.has(key)) doubtful.push(record);
  }
  for (const each of ledger.leftOver) {
    const zone = zones.get(each.domain);
    const live = zone?.byId.get(each.id);
    if (live) left.push(live);
    else if (zone === undefined || isYoung(each.since ?? 0, zone)) left.push(each);
  }
  return { left, doubtful };
}
