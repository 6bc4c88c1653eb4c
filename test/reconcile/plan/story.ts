/**
 * A story of the plan: a zone before, a declaration, and the plan in words. Then every story executes the
 * plan, a user settles the rest, and the next plan must be empty.
 */
import assert from "node:assert/strict";
import { expandSpecs, recordKey, recordText, type DeclaredRecord } from "../../../provider/dns";
import { createOnly, type Permissions } from "../../../provider/reconcile/declaration";
import { planRecords, type Plan } from "../../../provider/reconcile/plan/plan";
import { zoneOf, type LiveEntry, type Zones } from "../../../provider/reconcile/zones/zone";
import { isError, renderAll } from "../../../provider/problems";

export interface Story {
  /**
   * `1* www 600 A 192.0.2.1`: a number, marks, and the record in presentation form. Marks: `*` the resource answers for it,
   * `-` it is disabled, `!` it is the service's own. Another domain than example.com stands before it: `example.net 1* …`.
   */
  readonly zone?: readonly string[];
  /** `www 600 A 192.0.2.1`, or `example.net www 600 A 192.0.2.1`. */
  readonly declared?: readonly string[];
  /** The declarations of other resources of the program. */
  readonly elsewhere?: readonly string[];
  readonly adopt?: boolean;
  readonly may?: Partial<Permissions>;
  readonly plan: readonly string[];
}

/** A service whose records may be changed and removed. */
export const full = { change: true, remove: true };

interface State {
  readonly live: readonly LiveEntry[];
  readonly ours: ReadonlySet<string>;
  readonly declared: readonly DeclaredRecord[];
}

/** Tells a story, and the next run after it. */
export function tell(story: Story): void {
  const first = begin(story);
  const plan = planOf(story, first);
  assert.deepEqual(inWords(plan), story.plan);
  let after = settled(done(first, plan), plan);
  // A blocked change is planned again after its obstacle is gone.
  for (let next = plan; next.obstacles.length > 0; after = settled(done(after, next), next))
    next = planOf(story, after);
  assert.deepEqual(inWords(planOf(story, after)), [], "the second run must find nothing to do");
}

function begin({ zone = [], declared = [] }: Story): State {
  const live: LiveEntry[] = [];
  const ours = new Set<string>();
  for (const line of zone) {
    const [, domain = "example.com", id = "", marks = "", text = ""] =
      /^(example\.\w+)? ?(\d+)([*!-]*) (.*)$/.exec(line) ?? assert.fail(line);
    const { ttl, ...record } = recordOf(`${domain} ${text}`);
    assert.ok(typeof ttl === "number", `a live record has a TTL: ${line}`);
    live.push({
      domain: record.domain,
      record,
      key: recordKey(record),
      id,
      ttl,
      enabled: !marks.includes("-"),
      hold: marks.includes("!"),
    });
    if (marks.includes("*")) ours.add(id);
  }
  return { live, ours, declared: declared.map(recordOf) };
}

function recordOf(line: string): DeclaredRecord {
  const [, domain = "example.com", text = ""] = /^(example\.\w+ )?(.*)$/.exec(line) ?? [];
  const { records, problems } = expandSpecs(domain.trim(), [text], { defaultLine: "默认" });
  const [record] = records;
  assert.ok(
    record && problems.every((problem) => !isError(problem)),
    `${line}: ${renderAll(problems).join("; ")}`,
  );
  return record;
}

function planOf({ elsewhere = [], adopt = true, may }: Story, { live, ours, declared }: State): Plan {
  const domains = [
    ...new Set([...live.map(({ record }) => record.domain), ...declared.map(({ domain }) => domain)]),
  ];
  const head = { id: "1", grade: "", status: undefined, extStatus: undefined, defaultLine: undefined };
  const zones: Zones = new Map(
    domains.map((domain) => [
      domain,
      zoneOf(
        { domain, ...head },
        live.filter(({ record }) => record.domain === domain),
        0,
      ),
    ]),
  );
  const others = new Set(elsewhere.map((line) => recordKey(recordOf(line))));
  return planRecords({
    declared,
    zones,
    owned: new Set(live.filter(({ id }) => ours.has(id))),
    declaredElsewhere: ({ key }) => others.has(key),
    adopt,
    may: { ...createOnly, ...may },
  });
}

/** `www A 192.0.2.1`; of another domain than example.com, the whole name. */
function name(record: LiveEntry["record"]): string {
  return record.domain === "example.com"
    ? `${record.name} ${recordText(record).split(" ").slice(1).join(" ")}`
    : recordText(record);
}

const ids = (entries: readonly LiveEntry[]): string => entries.map(({ id }) => id).join(" ");

function inWords(plan: Plan): string[] {
  return [
    ...plan.adopted.map(({ live }) => `adopt ${live.id}`),
    ...plan.create.map((record) => `make ${name(record)}`),
    ...plan.changes.map(({ live, record, kind }) =>
      kind === "data"
        ? `${live.id} becomes ${name(record)}`
        : kind === "ttl"
          ? `${live.id} gets TTL ${record.ttl}`
          : `enable ${live.id}`,
    ),
    ...plan.removals.map(({ live, first }) => `remove ${live.id}${first ? " first" : ""}`),
    ...plan.obstacles.map(({ kind, live }) => `blocked: ${kind} ${ids(live)}`),
    ...plan.stale.map(({ id }) => `left over ${id}`),
    ...plan.released.map(({ id }) => `hand over ${id}`),
    ...plan.kept.map(({ id }) => `let go of ${id}`),
    ...plan.duplicates.map(({ live, isTwin }) => `${isTwin ? "twin stays" : "live twice"} ${ids(live)}`),
  ];
}

/** The zone and the ledger after the plan was carried out. */
function done({ live, ours, declared }: State, plan: Plan): State {
  const gone = new Set(plan.removals.map((removal) => removal.live));
  const changed = new Map(plan.changes.map((change) => [change.live, change.record]));
  const stays = live
    .filter((entry) => !gone.has(entry))
    .map((entry) => {
      const record = changed.get(entry);
      return record === undefined ? entry : liveAs(record, entry.id, entry.ttl);
    });
  const made = plan.create.map((record, i) => liveAs(record, String(1000 + i)));
  const given = [...plan.released, ...plan.kept].map(({ id }) => id);
  const now = new Set([
    ...ours,
    ...made.map(({ id }) => id),
    ...[...plan.present, ...plan.changes].map((each) => each.live.id),
  ]);
  for (const id of given) now.delete(id);
  return { live: [...stays, ...made], ours: now, declared };
}

function liveAs({ ttl, ...record }: DeclaredRecord, id: string, before = 600): LiveEntry {
  return {
    domain: record.domain,
    record,
    key: recordKey(record),
    id,
    ttl: ttl === "default" ? before : ttl,
    enabled: true,
    hold: false,
  };
}

/** A user's remedies for the rest, in the service's console or in the program. */
function settled({ live, ours, declared }: State, plan: Plan): State {
  let [zone, program] = [[...live], [...declared]];
  const owned = new Set(ours);
  const drop = (entries: readonly LiveEntry[]): void => {
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
    else if (kind === "blocked") {
      drop(others);
      zone = zone.map((each) => (each.id === entry.id ? liveAs(record, entry.id) : each));
    } else if (kind !== "exists")
      zone = zone.map((each) =>
        each.id === entry.id
          ? { ...each, enabled: true, ttl: record.ttl === "default" ? each.ttl : record.ttl }
          : each,
      );
  }
  return { live: zone, ours: owned, declared: program };
}
