/** Notes of a plan beside its figures. Pure. */
import type { HeldEntry } from "../../provider/lifecycle/plan-file";
import { groupBy } from "../../provider/support/collections";
import { listed } from "../../provider/support/text";
import type { Step } from "./preview";
import type { Leaving } from "./report";

export function unreadNotes(held: readonly HeldEntry[]): string[] {
  return [
    ...new Set(
      held.flatMap(({ domains, unread }) =>
        unread === undefined
          ? []
          : [`${listed(domains)}: the zone was not read, the state is shown: ${unread}`],
      ),
    ),
  ];
}

/** Deletions of whole resources: only the up counts them against the safety gates. */
export function gateNotes(leaving: readonly Leaving[]): string[] {
  const deleted = groupBy(
    leaving.filter(({ line, settings }) => {
      return line.sign === "-" && !settings.confirmedDomains.includes(line.domain);
    }),
    ({ line }) => line.domain,
  );
  return [...deleted].flatMap(([domain, these]) => {
    const { live = 0, settings } = these[0] ?? {};
    const exceeds = these.length * 100 > live * (settings?.maxChangeShare ?? 100);
    return exceeds || these.some(({ guarded }) => guarded)
      ? [
          `${domain}: the up checks the deletion of ${these.length} of ${live} records against its safety gates`,
        ]
      : [];
  });
}

/**
 * Resources that the engine may not begin, because the up fails before.
 * @param failing keys of resources that fail
 */
export function failureNotes(steps: readonly Step[], failing: ReadonlySet<string>): string[] {
  const stuck = new Set(steps.flatMap(({ urn, key }) => (failing.has(key) ? [urn] : [])));
  const waiting = steps.filter(({ op, urn, dependsOn }) => {
    const waits = op !== "same" && dependsOn.some((each) => stuck.has(each));
    if (waits) stuck.add(urn);
    return waits;
  });
  if (waiting.length === 0) return [];
  return [
    `the up fails before it begins resources that depend on a blocked one: ${listed(waiting.map(({ resource }) => resource))}`,
  ];
}

export function unfinishedNotes(steps: readonly Step[]): string[] {
  return steps
    .filter(({ isHalfDone, op }) => isHalfDone && op !== "same" && op !== "delete")
    .map(({ resource }) => `${resource}: the last update failed; the next up continues it`);
}

export function pendingNotes(pending: readonly HeldEntry[]): string[] {
  return pending.map(({ resource }) => `${resource}: its replaced state is still to be deleted`);
}
