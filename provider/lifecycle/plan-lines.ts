/** The lines of a resource in the report of a plan. Pure. */
import {
  dataText,
  digest,
  gateNames,
  placeOf,
  recordKey,
  recordText,
  roleOf,
  stateTtl,
  textWith,
  type DeclaredRecord,
  type DnsRecord,
  type UnknownRecord,
} from "../dns";
import type { Declaration } from "../reconcile/declaration";
import { digestOf, type RecordRef } from "../reconcile/memory/ledger";
import type { Plan } from "../reconcile/plan/plan";
import type { Wording } from "../reconcile/wording";
import type { LiveEntry, Zones } from "../reconcile/zones/zone";
import { hiddenText } from "../support/secret";
import type { PlanAnswer, PlanLine } from "./plan-file";

type UnsignedLine = Omit<PlanLine, "sign">;

/** Names and shows the records of one resource, without the data of secrets. */
export class LineWriter {
  private readonly own: ReadonlyMap<string, DeclaredRecord>;

  constructor(
    private readonly account: string,
    records: readonly DeclaredRecord[],
    private readonly wording: Wording,
  ) {
    this.own = new Map(records.map((record) => [recordKey(record), record]));
  }

  declared(
    record: DeclaredRecord,
    ...live: readonly (RecordRef & { readonly ttl?: number })[]
  ): UnsignedLine {
    const ttl = (record.ttl === "default" ? live[0]?.ttl : undefined) ?? stateTtl(record);
    const id = `${this.account} ${digestOf(record)}`;
    const refs = live.length === 0 ? undefined : this.refs(live);
    return { domain: record.domain, text: this.text(record), ttl: String(ttl), id, refs };
  }

  /** All live records at the places of these. The value of one that is not the resource's may be a secret. */
  answers(places: readonly DnsRecord[], zones: Zones, isOwn: (live: LiveEntry) => boolean): PlanAnswer[] {
    const { hides, hidesForeign } = this.wording;
    const names = new Map(places.map((record) => [`${record.domain} ${answerName(record)}`, record]));
    return [...names.values()].flatMap((place) => {
      const there = zones.get(place.domain)?.byPlace.get(placeOf(place)) ?? [];
      const served = there.filter(({ enabled, record }) => enabled && record.type === place.type);
      return served.map((live) => {
        const { domain, record, ttl } = live;
        const hidden = hides(record) || (!isOwn(live) && hidesForeign(record));
        const data = hidden ? hiddenText : dataText(record);
        const [ref = ""] = this.refs([live]);
        return { domain, name: answerName(record), data, ttl, ref, ...(hidden ? { hidden } : {}) };
      });
    });
  }

  answer(record: DnsRecord): { readonly name: string; readonly data: string } {
    return { name: answerName(record), data: this.wording.hides(record) ? hiddenText : dataText(record) };
  }

  live(entry: LiveEntry): UnsignedLine {
    const text = this.text(entry.record);
    const id = `${this.account} ${digest(entry.key)}`;
    return { domain: entry.domain, text, ttl: ttlText(entry), id, refs: this.refs([entry]) };
  }

  held(
    entry: LiveEntry,
    isProtected: (record: DnsRecord) => boolean = () => false,
  ): UnsignedLine & { readonly gate: string | undefined; readonly changed: boolean } {
    const own = this.own.get(entry.key);
    // A value that the console set may be the secret of a resource that is not checked yet.
    const text = own ? this.text(own) : textWith(entry.record, "[changed since the last up]");
    const role = roleOf(entry.record);
    const gate = isProtected(entry.record)
      ? gateNames.guard
      : /^apex/.test(role)
        ? `${role} records`
        : undefined;
    return { ...this.live(entry), text, gate, changed: own === undefined };
  }

  until(entry: LiveEntry): NonNullable<PlanLine["was"]> {
    return { text: this.text(entry.record), ttl: ttlText(entry) };
  }

  private refs(live: readonly RecordRef[]): string[] {
    return live.map(({ domain, id }) => `${this.account} ${domain} ${id}`);
  }

  private text(record: DnsRecord): string {
    return this.wording.hides(record) ? textWith(record, hiddenText) : recordText(record);
  }
}

export function linesOf(
  plan: Plan,
  { records, unknowns = [], removal, may }: Declaration,
  writer: LineWriter,
  domain: string,
): PlanLine[] {
  const keys = new Set(records.map(recordKey));
  const lines: PlanLine[] = [];
  const add = (sign: PlanLine["sign"], line: UnsignedLine): void => void lines.push({ sign, ...line });
  for (const record of plan.create) add("+", { ...writer.declared(record), answer: writer.answer(record) });
  for (const { record } of plan.adopted) add("=", writer.declared(record));
  for (const { record, live } of plan.changes)
    add("~", {
      ...writer.declared(record, live),
      was: writer.until(live),
      answer: writer.answer(record),
    });
  for (const { live } of plan.removals)
    add("-", { ...writer.live(live), duplicate: keys.has(live.key) || undefined });
  for (const { record, live } of plan.obstacles)
    add("!", { ...writer.declared(record, ...live), was: writer.until(live[0]) });
  for (const entry of plan.stale) add(removal === "retain" ? "." : "!", writer.live(entry));
  for (const { live, unknown } of plan.undecided) {
    const sought = unknowns[unknown];
    const { ttl, later: _, ...line } = laterLine(sought, live.domain);
    const refs = writer.live(live).refs;
    // A different place is a different record.
    const named = sought && "record" in sought && sought.what !== "name" ? sought.record : undefined;
    const moves = may.single && named !== undefined && placeOf(named) !== placeOf(live.record);
    add(moves ? "~" : "?", {
      ...line,
      ttl: ttl === "default" ? String(live.ttl) : ttl,
      was: writer.until(live),
      refs,
    });
  }
  for (const unknown of unmatched(unknowns, plan)) add("+", laterLine(unknown, domain));
  return lines;
}

/** The unknown records that no live one may be. */
export function unmatched(
  unknowns: readonly UnknownRecord[] = [],
  { undecided }: Plan,
): readonly UnknownRecord[] {
  const matched = new Set(undecided.map(({ unknown }) => unknown));
  return unknowns.filter((_, i) => !matched.has(i));
}

function laterLine(unknown: UnknownRecord | undefined, domain: string): UnsignedLine {
  if (unknown === undefined || !("record" in unknown))
    return {
      domain,
      text: `${unknown?.what === "specs" ? "records" : "a record"} ${laterMark}`,
      ttl: laterMark,
      later: true,
    };
  const { record, ttl, what } = unknown;
  const text =
    what === "ttl"
      ? recordText(record)
      : what === "name"
        ? textWith({ ...record, name: laterMark }, record.value === "" ? laterMark : dataText(record))
        : textWith(record, laterMark);
  const answer = { name: answerName(record), data: what === "ttl" ? dataText(record) : laterMark };
  return {
    domain: record.domain,
    text,
    ttl: what === "ttl" ? laterMark : String(ttl),
    later: true,
    ...(what === "name" ? {} : { answer }),
  };
}

/** `host09 A`, with the line: `host09 A [电信]`. */
function answerName(record: DnsRecord): string {
  const [, ...rest] = textWith(record).split(" ");
  return [record.name, ...rest].join(" ");
}

/** The places that an update changes. */
export function changedPlaces(
  { create, changes, removals }: Plan,
  unknowns: readonly UnknownRecord[] = [],
): DnsRecord[] {
  return [
    ...create,
    ...changes.flatMap(({ live, record }) => [live.record, record]),
    ...removals.map(({ live }) => live.record),
    ...unknowns.flatMap((each) => ("record" in each && each.what !== "name" ? [each.record] : [])),
  ];
}

const laterMark = "(known after the update)";

function ttlText({ ttl, enabled }: LiveEntry): string {
  return `${ttl}${enabled ? "" : " (disabled)"}`;
}
