/** What leaves a resource and stays in the zone: who made it, who takes it over, and the last word on it. */
import { LegacyDnsError } from "../api";
import { digest, recordKey, type DeclaredRecord } from "../dns";
import type { Clock } from "../clock";
import type { Reporter } from "../report";
import type { Settings } from "../settings";
import type { Declaration } from "./declaration";
import { staying } from "./holdings";
import type { Journal } from "./journal";
import type { Ledger } from "./ledger";
import { liveText, recordsName } from "./messages";
import { Retained } from "./retained";
import type { Siblings } from "./siblings";
import type { LiveEntry, Zone, ZoneReader } from "./zones";

interface DepartureParts {
  readonly siblings: Siblings;
  readonly zones: ZoneReader;
  readonly journal: Journal;
  readonly settings: Settings;
  readonly reporter: Reporter;
  readonly clock: Clock;
  readonly project?: string;
}

export class Departures {
  readonly retained: Retained;

  constructor(private readonly parts: DepartureParts) {
    this.retained = new Retained(parts);
  }

  /**
   * Who made what is live: what a resource of this run has in its ledger as made, and of these what no state tells of.
   * @param wait another resource, which gives some of them up, may be about to say that it made them
   */
  async makers(entries: readonly LiveEntry[], wait: boolean): Promise<(live: LiveEntry) => boolean> {
    if (wait) await this.parts.siblings.settled();
    const isKnown = ({ record, id }: LiveEntry): boolean => this.parts.siblings.isMade(record.domain, id);
    const inDoubt = new Map(entries.flatMap((live) => (isKnown(live) ? [] : [[digest(live.key), live] as const])));
    const unsaved = inDoubt.size === 0 ? new Set<string>() : this.parts.journal.unsaved(new Set(inDoubt.keys()));
    const ofOurs = new Set([...unsaved].map((each) => inDoubt.get(each)));
    return (live) => ofOurs.has(live) || isKnown(live);
  }

  /** Another resource has taken these over, and its state may not tell who made them. */
  handOver(entries: readonly { readonly domain: string; readonly key: string; readonly id: string | undefined }[]): void {
    this.parts.journal.handOver(entries.flatMap(({ domain, key, id }) => (id !== undefined && this.parts.siblings.isMade(domain, id) ? [digest(key)] : [])));
  }

  /**
   * Says what stays for good: records that were declared, as they are live now, and what was left over of earlier ones.
   * A zone that cannot be read is let go of all the same, with what the state knows.
   */
  async retain(declaration: Declaration, ledger: Ledger, given: readonly DeclaredRecord[]): Promise<void> {
    if (given.length > 0) await this.parts.siblings.settled();
    const records = given.filter((record) => !this.parts.siblings.isDeclared(recordKey(record)));
    const zones = await this.readable([...records, ...ledger.leftOver].map(({ domain }) => domain));
    const { left: all, doubtful } = staying(records, ledger, zones, this.parts.settings.indexDelay * 1000);
    const left = all.filter((each) => !("key" in each) || !this.parts.siblings.isDeclared(each.key));
    const wording = this.parts.siblings.wording(declaration);
    const names = left.map((each) => ("key" in each ? liveText(each, wording) : "type" in each ? recordsName([each], wording) : `record ${each.id} of ${each.domain}`));
    this.retained.tell(names, "left in the zone (removal: retain)");
    this.retained.tell(doubtful.map((record) => recordsName([record], wording)), "not known whether made, and let go of (removal: retain)");
  }

  /** The zones of these domains that can be read. */
  private async readable(domains: readonly string[]): Promise<ReadonlyMap<string, Zone>> {
    const { zones, failures } = await this.parts.zones.readable(domains);
    // Nothing is lost by a name that is told from the state; a stop of all calls is said elsewhere.
    const fault = failures.find((error) => !(error instanceof LegacyDnsError));
    if (fault !== undefined) throw fault;
    return zones;
  }
}
