/** The records of deleted resources that no declared resource keeps. Pure. */
import {
  planProblem,
  type DeclaredEntry,
  type HeldEntry,
  type PlanLine,
  type PlanProblem,
  type PlanSettings,
  type Sign,
} from "../../provider/lifecycle/plan-file";
import {
  commandsOf,
  reason,
  removalSetBy,
  type RecordLine,
  type RemovalSetBy,
} from "../../provider/problems";
import { groupBy } from "../../provider/support/collections";
import type { Deletion } from "./gates";
import type { Step } from "./preview";

export interface Leaving extends Deletion {
  readonly line: PlanLine;
  readonly setBy: RemovalSetBy;
  /** The program declares its successor. */
  readonly isReplaced: boolean;
}

/** Resources that `read` reported twice: the second state is a pending deletion. */
export function pendingIn(held: readonly HeldEntry[]): ReadonlySet<string> {
  const byUrn = [...groupBy(held, ({ urn }) => urn)];
  return new Set(byUrn.flatMap(([urn, { length }]) => (urn !== "" && length > 1 ? [urn] : [])));
}

export function leavingOf(
  steps: ReadonlyMap<string, Step>,
  declared: readonly DeclaredEntry[],
  held: readonly HeldEntry[],
): Leaving[] {
  const pending = pendingIn(held);
  const kept = new Set(
    declared.flatMap(({ declares, lines }) => [
      ...declares,
      ...lines.flatMap(({ sign, id }) => (id !== undefined && isDeclared(sign) ? [id] : [])),
    ]),
  );
  const shown = new Set(declared.flatMap(({ lines }) => lines.flatMap(({ refs = [] }) => refs)));
  // A refresh reads with the settings of the last up. The program's processes have the next ones.
  const latest = new Map(declared.map(({ urn, settings }) => [steps.get(urn)?.provider, settings]));
  const found = held.flatMap(({ urn, lines, removal, live, settings: last }) => {
    const step = steps.get(urn);
    const isReplaced = pending.has(urn);
    if (!isReplaced && step?.op !== "delete") return [];
    const settings = (step && latest.get(step.provider)) ?? last;
    const sign = step?.retained ? "." : signOf(removal, settings);
    const setBy = removalSetBy(removal, settings.explicit);
    return lines
      .filter(({ id = "", refs = [] }) => !kept.has(id) && !refs.some((ref) => shown.has(ref)))
      .map(({ gate, changed: _, ...line }) => {
        return { line: { sign, ...line }, settings, gate, live: live[line.domain], setBy, isReplaced };
      });
  });
  return [...new Map(found.map((each) => [each.line.refs?.[0], each])).values()];
}

function signOf(own: PlanSettings["removal"] | undefined, { removal, full }: PlanSettings): Sign {
  return ({ retain: ".", verify: "!", delete: full ? "-" : "!" } as const)[own ?? removal];
}

/** Why held records stay: no provider process has reported it, because no declared resource is involved. */
export function blockedBy(leaving: readonly Leaving[]): PlanProblem[] {
  const groups = groupBy(leaving.filter(hasSign("!")), (each) =>
    [each.line.domain, each.setBy, each.isReplaced].join(" "),
  );
  return [...groups.values()].map((these) => {
    const [{ isReplaced, line: first, setBy, settings }] = these;
    const how = { removalSetBy: setBy, isReplaced, change: settings.full, full: false };
    const { why, ...commands } = commandsOf(how, "delete");
    const lines = these.map(({ line }) => recordLine(line));
    return planProblem(reason("live.left-over", { domain: first.domain, ...commands }, lines, why));
  });
}

/** A secret record is found in the console only by its id. A share has none. */
function recordLine({ text, refs = [] }: PlanLine): RecordLine {
  const id = / (\d+)$/.exec(refs[0] ?? "")?.[1];
  return id === undefined ? { text } : { text, note: `record ${id}` };
}

export function hasSign(sign: Sign) {
  return ({ line }: Leaving): boolean => line.sign === sign;
}

export function isDeclared(sign: Sign): boolean {
  return sign === "+" || sign === "=" || sign === "~" || sign === " ";
}
