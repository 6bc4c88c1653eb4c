/**
 * A story has a zone, a declaration, and the plan for both in words. The test compares the plan and executes it. It
 * settles the obstacles as a user does. The next plan must then be empty.
 *
 * The zone's lines are the live records, such as `1*! www 600 A 192.0.2.1`: an id, marks, and the record. The mark `*`
 * is for a record that the resource owns, `!` for a system record, and `-` for a disabled one.
 *
 * The lists `declared` and `elsewhere` have the records of the resource and of other resources. A domain other than
 * example.com stands before the name.
 *
 * The plan's steps are:
 * - `adopt ID`, `make RECORD`, `ID becomes RECORD`, `ID gets TTL N`, `enable ID`, `remove ID`
 * - `remove ID first` (before the creations), `blocked: KIND IDS`, `left over ID` (stale)
 * - `hand over ID` (another resource declares the record), `live twice IDS`, `twin stays IDS`
 */
import { deepEqual, fail } from "node:assert/strict";
import { recordKey, recordText, type DeclaredRecord } from "../../../provider/dns";
import { createOnly, type Permissions } from "../../../provider/reconcile/declaration";
import { planRecords, type Plan } from "../../../provider/reconcile/plan/plan";
import type { LiveEntry } from "../../../provider/reconcile/zones/zone";
import { declare } from "../../support/lab";
import { liveEntry, zoneWith } from "../../support/live";

export interface Story {
  readonly zone: readonly string[];
  readonly declared: readonly string[];
  readonly elsewhere?: readonly string[];
  readonly adopt?: boolean;
  readonly may?: Partial<Permissions>;
  readonly plan: readonly string[];
}

export const full = { may: { change: true, remove: true } };

interface State {
  readonly live: readonly LiveEntry[];
  readonly owned: ReadonlySet<string>;
  readonly declared: readonly DeclaredRecord[];
}

export function tell(story: Story): void {
  const first = begin(story);
  const plan = planOf(story, first);
  deepEqual(inWords(plan), story.plan);
  let after = settled(done(first, plan), plan);
  for (let next = plan; next.obstacles.length > 0; after = settled(done(after, next), next))
    next = planOf(story, after);
  deepEqual(inWords(planOf(story, after)), [], "the second run must find nothing to do");
}

function begin({ zone, declared }: Story) {
  const owned = new Set<string>();
  const live = zone.map((line) => {
    const [, id = "", marks = "", text = ""] = /^(\d+)([*!-]*) (.*)$/.exec(line) ?? fail(line);
    if (marks.includes("*")) owned.add(id);
    return { ...liveAs(recordOf(text), id), enabled: !marks.includes("-"), hold: marks.includes("!") };
  });
  return { live, owned, declared: declared.map(recordOf) };
}

function recordOf(line: string) {
  const [, domain = "example.com", text = ""] = /^(?:(example\.\w+) )?(.*)$/.exec(line) ?? [];
  return declare(domain, [text]).records[0] ?? fail(line);
}

function planOf({ elsewhere = [], adopt = true, may }: Story, { live, owned, declared }: State) {
  const zones = [...live, ...declared].map(({ domain }) => {
    const entries = live.filter((entry) => entry.domain === domain);
    return [domain, zoneWith(entries, domain)] as const;
  });
  const others = new Set(elsewhere.map((line) => recordKey(recordOf(line))));
  return planRecords({
    records: declared,
    zones: new Map(zones),
    owned: new Set(live.filter(({ id }) => owned.has(id))),
    declaredElsewhere: ({ key }) => others.has(key),
    adopt,
    may: { ...createOnly, ...may },
  });
}

function inWords(plan: Plan) {
  const ids = (entries: readonly LiveEntry[]) => entries.map(({ id }) => id).join(" ");
  const name = (record: LiveEntry["record"]) =>
    record.domain === "example.com" ? recordText(record).replace(/^\S+/, record.name) : recordText(record);
  return [
    ...plan.adopted.map(({ live }) => `adopt ${live.id}`),
    ...plan.create.map((record) => `make ${name(record)}`),
    ...plan.changes.map(
      ({ live: { id }, record, kind }) =>
        ({
          data: `${id} becomes ${name(record)}`,
          ttl: `${id} gets TTL ${record.ttl}`,
          enable: `enable ${id}`,
        })[kind],
    ),
    ...plan.removals.map(({ live, first }) => `remove ${live.id}${first ? " first" : ""}`),
    ...plan.obstacles.map(({ kind, live }) => `blocked: ${kind} ${ids(live)}`),
    ...plan.stale.map(({ id }) => `left over ${id}`),
    ...plan.released.map(({ id }) => `hand over ${id}`),
    ...plan.duplicates.map(({ live, isTwin }) => `${isTwin ? "twin stays" : "live twice"} ${ids(live)}`),
  ];
}

function done({ live, owned, declared }: State, plan: Plan) {
  const gone = new Set(plan.removals.map((removal) => removal.live));
  const changed = new Map(plan.changes.map((change) => [change.live, change.record]));
  const stays = live
    .filter((entry) => !gone.has(entry))
    .map((entry) => {
      const record = changed.get(entry);
      return record === undefined ? entry : liveAs(record, entry.id, entry.ttl);
    });
  const made = plan.create.map((record, i) => liveAs(record, String(1000 + i)));
  const kept = [...plan.present, ...plan.changes].map((each) => each.live);
  const now = new Set([...owned, ...[...made, ...kept].map(({ id }) => id)]);
  const keys = new Set(declared.map(recordKey));
  const system = live.filter(({ hold, key }) => hold && !keys.has(key));
  for (const { id } of [...plan.released, ...system]) now.delete(id);
  return { live: [...stays, ...made], owned: now, declared };
}

function liveAs({ ttl, ...record }: DeclaredRecord, id: string, before = 600) {
  return liveEntry(record, id, ttl === "default" ? before : ttl);
}

function settled({ live, owned: before, declared }: State, plan: Plan) {
  let [zone, program] = [[...live], [...declared]];
  const owned = new Set(before);
  const drop = (entries: readonly LiveEntry[]) => {
    const gone = new Set(entries.map(({ id }) => id));
    zone = zone.filter(({ id }) => !gone.has(id));
  };
  drop([...plan.stale, ...plan.duplicates.flatMap(({ live, isTwin }) => (isTwin ? [] : live.slice(1)))]);
  for (const {
    kind,
    record,
    live: [entry, ...others],
  } of plan.obstacles) {
    owned.add(entry.id);
    if (entry.hold && kind === "ttl")
      program = program.map((each) => (each === record ? { ...each, ttl: entry.ttl } : each));
    else if (entry.hold && kind === "disabled") program = program.filter((each) => each !== record);
    else if (kind !== "exists") {
      if (kind === "blocked") drop(others);
      const to = liveAs(record, entry.id, entry.ttl);
      zone = zone.map((each) => (each.id === entry.id ? to : each));
    }
  }
  return { live: zone, owned, declared: program };
}
