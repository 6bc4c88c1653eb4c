/** The answers of the names that an up changes, before and after it. Pure. */
import type { PlanAnswer, PlanLine } from "../../provider/lifecycle/plan-file";
import { groupBy, largest } from "../../provider/support/collections";

/** The whole answer of a name, type and line, unmanaged records included. */
export interface Answer {
  /** `host09 A`, with the line: `host09 A [电信]`. */
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether the changed lines do not show all of it. */
  readonly hasOthers: boolean;
  /** Seconds: the largest live TTL. */
  readonly ttl: number;
}

/** @param reported live records of one domain, as its resources report them */
export function answersOf(lines: readonly PlanLine[], reported: readonly PlanAnswer[]): Answer[] {
  // Of several reports about a record, the one of its own resource may show more.
  const sorted = [...reported].sort((a, b) => Number(b.hidden === true) - Number(a.hidden === true));
  const live = new Map(sorted.map((each) => [each.ref, each]));
  const changed = lines.filter(({ sign }) => sign === "+" || sign === "~" || sign === "-");
  const goes = new Set(changed.flatMap(({ refs = [] }) => refs));
  const added = groupBy(
    changed.flatMap(({ answer, sign }) => (answer === undefined || sign === "-" ? [] : [answer])),
    ({ name }) => name,
  );
  const liveAt = groupBy(live.values(), ({ name }) => name);
  const left = [...live.values()].flatMap(({ name, ref }) => (goes.has(ref) ? [name] : []));
  return [...new Set([...added.keys(), ...left])].map((name) => {
    const before: readonly PlanAnswer[] = liveAt.get(name) ?? [];
    const stays = before.filter(({ ref }) => !goes.has(ref));
    return {
      name,
      before: before.map(({ data }) => data),
      after: [...(added.get(name) ?? []), ...stays].map(({ data }) => data),
      hasOthers: stays.length > 0,
      ttl: largest(
        before.map(({ ttl }) => ttl),
        0,
      ),
    };
  });
}
