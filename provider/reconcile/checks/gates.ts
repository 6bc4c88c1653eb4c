/** The safety gates limit a run's changes in a zone, unless the user confirms the domain. */
import {
  describeRecord,
  fewestForShare,
  gateNames,
  recordKey,
  roleOf,
  roles,
  textWith,
  type DeclaredRecord,
  type DnsRecord,
  type Role,
} from "../../dns";
import { confirmHelp, reason, type Reason, type RecordLine } from "../../problems";
import type { Settings } from "../../settings";
import { domainsOf, gather, smallest } from "../../support/collections";
import { perObject } from "../../support/per-object";
import { hiddenText } from "../../support/secret";
import { listed } from "../../support/text";
import type { DomainOptions } from "../declaration";
import type { DeclaredRecords } from "../memory/siblings/declared";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import type { Match } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { liveLine, type Hides } from "../wording";

/** A record before its removal or change, as messages show it. */
interface LostRecord {
  readonly record: DnsRecord;
  readonly value: string;
  readonly line: RecordLine;
}

/** The changes of this run in one zone. Records are named by their ids. */
class Tally {
  readonly lost = new Map<string, LostRecord>();
  /** Those that become other records. */
  readonly changed = new Map<string, DeclaredRecord>();
  /** Of records that the run creates or leaves. */
  readonly staying = new Set<Role>();
  private readonly lostOf = new Map<Role, Set<string>>();
  private readonly changedTo = new Map<Role, Set<string>>();
  private counted: { readonly zone: Zone; readonly removed: number; readonly found: number } | undefined;

  get removed(): number {
    return this.lost.size - this.changed.size;
  }

  remove(live: LiveEntry, { hides }: Hides): void {
    const before = this.changed.get(live.id);
    if (before) this.changedTo.get(roleOf(before))?.delete(live.id);
    this.changed.delete(live.id);
    this.lose(live, { hides }, "-");
  }

  change({ live, record }: Match, { hides }: Hides): void {
    if (this.lost.has(live.id) && !this.changed.has(live.id)) return;
    this.changed.set(live.id, record);
    gather(this.changedTo, roleOf(record), new Set()).add(live.id);
    const isOther = recordKey(record) !== live.key;
    const becomes = isOther ? `, becomes ${describeRecord(record, hides(record), live.record)}` : "";
    this.lose(live, { hides }, "~", becomes);
  }

  /** The live records of a zone, with those that this run has removed. */
  foundIn(zone: Zone): number {
    const { removed } = this;
    if (this.counted?.zone !== zone || this.counted.removed !== removed) {
      const gone = [...this.lost.keys()].filter((id) => !zone.byId.has(id)).length;
      this.counted = { zone, removed, found: countIn(zone).listed + gone };
    }
    return this.counted.found;
  }

  /** The roles of a zone's served records after this run. */
  rolesAfter(zone: Zone): ReadonlySet<Role> {
    return new Set(roles.filter((role) => this.hasAfter(role, zone)));
  }

  private hasAfter(role: Role, zone: Zone): boolean {
    if (this.staying.has(role) || (this.changedTo.get(role)?.size ?? 0) > 0) return true;
    const lost = this.lostOf.get(role) ?? new Set();
    const served = countIn(zone).served.get(role) ?? 0;
    // Enough in most cases, so a run of many single records does not count the zone again for each.
    return served > lost.size || served > [...lost].filter((id) => isServed(zone.byId.get(id))).length;
  }

  valuesOf(role: Role): string[] {
    return [...(this.lostOf.get(role) ?? [])].flatMap((id) => this.lost.get(id)?.value ?? []);
  }

  private lose(live: LiveEntry, { hides }: Hides, sign: "-" | "~", more = ""): void {
    const { id, record } = live;
    const { text, note = "" } = liveLine(live, { hides });
    gather(this.lostOf, roleOf(record), new Set()).add(id);
    this.lost.set(id, {
      record,
      value: hides(record) ? hiddenText : record.value,
      line: { text: `${sign} ${text}`, note: `${note}${more}` },
    });
  }
}

const isServed = (live: LiveEntry | undefined): boolean => live !== undefined && live.enabled && !live.hold;

const countIn = perObject(({ entries }: Zone) => {
  const served = new Map<Role, number>();
  let listed = 0;
  for (const live of entries) {
    const role = roleOf(live.record);
    if (!live.hold) listed += 1;
    if (isServed(live)) served.set(role, (served.get(role) ?? 0) + 1);
  }
  return { listed, served };
});

/** A gate that stops the run, for the title, and its line. */
interface GateStop {
  readonly gate: string;
  readonly line: RecordLine;
}

/** @param isWhole whether no other resource changes the zone. If not, the share is a lower bound */
function shareStops(tally: Tally, zone: Zone, maxChangeShare: number, isWhole: boolean): GateStop[] {
  const { changed, lost, removed } = tally;
  const found = tally.foundIn(zone);
  const share = found === 0 ? 0 : (lost.size / found) * 100;
  if (found < fewestForShare || share <= maxChangeShare) return [];
  const bound = isWhole || share >= 100 ? "" : "at least ";
  const text = `${removed} to delete, ${changed.size} to update, ${found} live: ${bound}${Math.round(share)} %`;
  return [{ gate: gateNames.share, line: { text, note: `maxChangeShare ${maxChangeShare} %` } }];
}

function lossStops(tally: Tally, after: ReadonlySet<Role>): GateStop[] {
  const { removed } = tally;
  const apexMail = after.has("apex MX") ? [] : tally.valuesOf("apex MX");
  const hasMail = apexMail.length > 0 || after.has("apex MX") || after.has("MX");
  const rules: readonly (readonly [lost: string, values: readonly string[]])[] = [
    ["NS records of the apex", tally.valuesOf("apex NS")],
    ["the last MX record of the apex", apexMail],
    ["the last MX record", hasMail ? [] : tally.valuesOf("MX")],
    ["the last address of the apex", after.has("apex address") ? [] : tally.valuesOf("apex address")],
    [gateNames.zone, removed > 0 && isEmpty(after) ? [`${removed} to delete`] : []],
  ];
  return rules.flatMap(([gate, own]) =>
    own.length > 0 ? [{ gate, line: { text: `${gate}: ${own.join(" and ")}` } }] : [],
  );
}

/** Name servers alone answer nothing. */
function isEmpty(after: ReadonlySet<Role>): boolean {
  return after.size === 0 || (after.size === 1 && after.has("apex NS"));
}

/** @param plan the resource's own: what others have lost was asked for then */
function protectedStops(plan: Plan, domain: string, options: readonly DomainOptions[]): GateStop[] {
  const lost = options.length === 0 ? [] : [...plan.removals, ...plan.changes];
  const found = lost.flatMap(({ live: { record } }) =>
    record.domain === domain && options.some(({ isProtected }) => isProtected?.(record)) ? [record] : [],
  );
  const names = new Set(found.map((record) => textWith(record)));
  return names.size === 0
    ? []
    : [{ gate: gateNames.guard, line: { text: `protected: ${listed([...names], 3)}` } }];
}

type GatedCommand = "up" | "destroy";

export class Gates {
  private readonly tallies = new Map<string, Tally>();
  /** Domain → resource → its options: as refreshed, or as its last check has them. */
  private readonly options = new Map<string, Map<string, DomainOptions>>();

  constructor(
    private readonly settings: Settings,
    private readonly declared: Pick<DeclaredRecords, "rolesIn">,
  ) {}

  obey(options: DomainOptions, resource = ""): void {
    const hasNone = options.isProtected === undefined && options.maxChangeShare === undefined;
    for (const domain of options.domains)
      if (hasNone) this.options.get(domain)?.delete(resource);
      else gather(this.options, domain, new Map()).set(resource, options);
  }

  add(plan: Plan, wording: Hides): void {
    for (const { live } of plan.removals) this.tally(live.domain).remove(live, wording);
    for (const change of plan.changes) this.tally(change.record.domain).change(change, wording);
    for (const record of [...plan.create, ...plan.present.map((match) => match.record)])
      this.tally(record.domain).staying.add(roleOf(record));
  }

  /**
   * A `destroy` may empty a zone, so only the share and protected records count.
   * @param isWhole whether no other resource changes these zones. If not, the engine may have asked only about
   * some of the run's resources
   */
  refusals(plan: Plan, zones: Zones, isWhole: boolean, command: GatedCommand = "up"): Reason<"zone.gated">[] {
    const { confirmedDomains, explicit } = this.settings;
    const gated = domainsOf([...plan.removals, ...plan.changes].map(({ live }) => live)).flatMap((domain) => {
      const zone = zones.get(domain);
      if (zone === undefined || confirmedDomains.includes(domain)) return [];
      const tally = this.tally(domain);
      const options = this.optionsIn(domain);
      const losses = command === "up" ? this.losses(tally, zone) : [];
      const share = smallest(options.flatMap(({ maxChangeShare = [] }) => maxChangeShare));
      const most = share === Infinity ? this.settings.maxChangeShare : share;
      const stops = [
        ...shareStops(tally, zone, most, isWhole),
        ...protectedStops(plan, domain, options),
        ...losses,
      ];
      if (stops.length === 0) return [];
      const gate = stops.map((stop) => stop.gate).join(", ");
      return [{ domain, gate, lines: [...stops, ...tally.lost.values()].map(({ line }) => line) }];
    });
    const domains = [...confirmedDomains, ...gated.map(({ domain }) => domain)];
    const confirm = confirmHelp(explicit, domains, command);
    const whole = isWhole || command === "destroy" ? "" : "the whole run's changes: pulumi-legacydns plan";
    return gated.map(({ lines, ...stop }) => reason("zone.gated", { ...stop, confirm, whole }, lines));
  }

  mayRefuse(plan: Plan, zones: Zones): boolean {
    return domainsOf(plan.removals.map(({ live }) => live)).some((domain) => {
      const zone = zones.get(domain);
      if (zone === undefined || this.settings.confirmedDomains.includes(domain)) return false;
      const isGuarded = this.optionsIn(domain).some(({ isProtected }) => isProtected);
      // What is listed suffices in most cases, and is not counted again for each deletion.
      const hasShare =
        zone.entries.length >= fewestForShare || this.tally(domain).foundIn(zone) >= fewestForShare;
      return isGuarded || hasShare;
    });
  }

  private losses(tally: Tally, zone: Zone): GateStop[] {
    const after = tally.rolesAfter(zone);
    const isLoss = lossStops(tally, after).length > 0;
    return isLoss ? lossStops(tally, new Set([...after, ...this.declared.rolesIn(zone.domain)])) : [];
  }

  private optionsIn(domain: string): DomainOptions[] {
    return [...(this.options.get(domain)?.values() ?? [])];
  }

  private tally(domain: string): Tally {
    return gather(this.tallies, domain, new Tally());
  }
}
