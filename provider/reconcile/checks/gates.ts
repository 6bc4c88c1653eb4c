/** The safety gates limit a run's changes in a zone, unless the user confirms the domain. */
import { describeRecord, recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import { reason, type Reason, type RecordLine } from "../../problems";
import type { Settings } from "../../settings";
import { domainsOf, gather } from "../../support/collections";
import type { Siblings } from "../memory/siblings";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import type { Match } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { liveLine, type Wording } from "../wording";

const fewest = 10;

class Doings {
  readonly removed = new Set<string>();
  /** By number: each removed or changed record, as messages show it. */
  readonly lines = new Map<string, RecordLine>();
  /** By number. */
  readonly changed = new Map<string, Match>();
  /** By number: a removed or changed MX record, or NS record of the apex. */
  readonly grave = new Map<string, DnsRecord>();
  /** MX records that stay or come. */
  readonly staying = new Map<string, DeclaredRecord>();
  private counted: { readonly zone: Zone; readonly removed: number; readonly found: number } | undefined;

  remove(live: LiveEntry, wording: Pick<Wording, "hides">): void {
    this.changed.delete(live.id);
    this.removed.add(live.id);
    this.lines.set(live.id, signed("-", liveLine(live, wording)));
    this.weigh(live);
  }

  change(match: Match, wording: Pick<Wording, "hides">): void {
    const { live, record } = match;
    this.weigh(live);
    if (this.removed.has(live.id)) return;
    this.changed.set(live.id, match);
    const line = signed("~", liveLine(live, wording));
    const becomes =
      recordKey(record) === live.key
        ? ""
        : `, becomes ${describeRecord(record, wording.hides(record), live.record)}`;
    this.lines.set(live.id, { ...line, note: `${line.note ?? ""}${becomes}` });
  }

  /** Includes the records that this run has removed. */
  foundIn(zone: Zone): number {
    if (this.counted?.zone !== zone || this.counted.removed !== this.removed.size) {
      const listed = zone.entries.filter((entry) => !entry.hold).length;
      const gone = [...this.removed].filter((id) => !zone.byId.has(id)).length;
      this.counted = { zone, removed: this.removed.size, found: listed + gone };
    }
    return this.counted.found;
  }

  private weigh({ id, record }: LiveEntry): void {
    if (record.type === "MX" || (record.type === "NS" && record.name === "@")) this.grave.set(id, record);
  }
}

function signed(sign: "-" | "~", { text, note }: RecordLine): RecordLine {
  return { text: `${sign} ${text}`, note };
}

type GatedCommand = "up" | "destroy";

export class Gates {
  private readonly zones = new Map<string, Doings>();

  constructor(
    private readonly settings: Settings,
    private readonly declared: Pick<Siblings, "mailIn">,
  ) {}

  add(plan: Plan, wording: Pick<Wording, "hides">): void {
    for (const { live } of plan.removals) this.doings(live.domain).remove(live, wording);
    for (const { live, record } of plan.changes) this.doings(record.domain).change({ live, record }, wording);
    for (const record of [...plan.create, ...plan.present.map((match) => match.record)]) {
      if (record.type === "MX")
        this.doings(record.domain).staying.set(`${record.name} ${record.value}`, record);
    }
  }

  /**
   * For a `destroy`, only the share counts.
   * @param isWhole whether no other resource changes these zones. If not, the engine may have asked only about
   * some of the run's resources, so the share is a lower bound
   */
  refusals(plan: Plan, zones: Zones, isWhole: boolean, command: GatedCommand = "up"): Reason<"zone.gated">[] {
    const gated = domainsOf([...plan.removals, ...plan.changes].map(({ live }) => live)).flatMap((domain) => {
      const zone = zones.get(domain);
      if (zone === undefined || this.settings.confirmedDomains.includes(domain)) return [];
      const doings = this.doings(domain);
      const losses = command === "up" ? this.losses(zone, doings) : [];
      const gates = [...this.shareLines(zone, doings, isWhole), ...losses];
      return gates.length === 0 ? [] : [{ domain, lines: [...gates, ...doings.lines.values()] }];
    });
    const domains = [...this.settings.confirmedDomains, ...gated.map(({ domain }) => domain)];
    const confirm = this.settings.explicit
      ? `add it to confirmedDomains on the Provider, then run \`pulumi up\`${command === "up" ? "" : " and `pulumi destroy`"}`
      : `LEGACYDNS_CONFIRMED_DOMAINS=${domains.join(",")} pulumi ${command}`;
    const whole = isWhole || command === "destroy" ? "" : "the whole run's changes: pulumi-legacydns plan";
    return gated.map(({ domain, lines }) => reason("zone.gated", { domain, confirm, whole }, lines));
  }

  private doings(domain: string): Doings {
    return gather(this.zones, domain, new Doings());
  }

  mayRefuse(plan: Plan, zones: Zones): boolean {
    return domainsOf(plan.removals.map(({ live }) => live)).some(
      (domain) =>
        !this.settings.confirmedDomains.includes(domain) &&
        (zones.get(domain)?.entries.length ?? 0) >= fewest,
    );
  }

  private shareLines(zone: Zone, doings: Doings, isWhole: boolean): RecordLine[] {
    const { changed, removed } = doings;
    const { maxChangeShare } = this.settings;
    const found = doings.foundIn(zone);
    const share = found === 0 ? 0 : ((removed.size + changed.size) / found) * 100;
    if (found < fewest || share <= maxChangeShare) return [];
    const bound = isWhole || share >= 100 ? "" : "at least ";
    const text = `${removed.size} to delete, ${changed.size} to update, ${found} live: ${bound}${Math.round(share)} %`;
    return [{ text, note: `maxChangeShare ${maxChangeShare} %` }];
  }

  private losses(zone: Zone, { removed, changed, grave, staying }: Doings): RecordLine[] {
    const going = [...grave.values()];
    const valuesOf = (records: readonly DnsRecord[]): string =>
      records.map(({ value }) => value).join(" and ");
    const atApex = going.filter(({ type }) => type === "NS");
    const nameServers = atApex.length === 0 ? [] : [{ text: `NS records of the apex: ${valuesOf(atApex)}` }];
    const mail = going.filter(({ type }) => type === "MX");
    if (mail.length === 0) return nameServers;
    const stays = zone.entries.filter(
      (entry) => !entry.hold && entry.enabled && !removed.has(entry.id) && !changed.has(entry.id),
    );
    const after = [...stays, ...changed.values()]
      .map(({ record }) => record)
      .concat([...staying.values()])
      .filter(({ type }) => type === "MX");
    const beside = this.declared.mailIn(zone.domain);
    const apexMail = mail.filter(({ name }) => name === "@");
    const isLastOfApex = apexMail.length > 0 && !after.some(({ name }) => name === "@") && beside !== "apex";
    const isLast = isLastOfApex || (after.length === 0 && beside === undefined);
    if (!isLast) return nameServers;
    const text = `the last MX record${isLastOfApex ? " of the apex" : ""}: ${valuesOf(isLastOfApex ? apexMail : mail)}`;
    return [...nameServers, { text }];
  }
}
