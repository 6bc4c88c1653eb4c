/** Checks of the options of resources with records, without the settings. */
import { unknownValue } from "./lifecycle";
import { nearest, patternProblems } from "../dns";
import { didYouMean, reason, type Problem, type Reason } from "../problems";
import { readCheckLevels } from "../dns/checks";
import type { Removal } from "../settings";

/** Unknown values are not checked. */
export function optionProblems(options: Readonly<Record<string, unknown>>): Problem[] {
  const known = Object.entries(options).filter(([, value]) => value !== unknownValue && value !== undefined);
  const { removal, adopt, undeclared, ignore, checks } = Object.fromEntries(known);
  const problems: Problem[] = [];
  const wrong = (path: string, why: Reason): void => void problems.push({ ...why, path });
  const given = (value: unknown): { given: string } => ({ given: JSON.stringify(value) });
  if (removal !== undefined && removalOf(removal) === undefined)
    wrong("removal", reason("removal.unfit", given(removal)));
  if (adopt !== undefined && typeof adopt !== "boolean") wrong("adopt", reason("adopt.unfit", given(adopt)));
  if (undeclared !== undefined && !["ignore", "report", "remove"].some((word) => word === undeclared))
    wrong("undeclared", reason("undeclared.unfit", given(undeclared)));
  if (ignore !== undefined && !(Array.isArray(ignore) && textsOf(ignore).length === ignore.length))
    wrong("ignore", reason("ignore.unfit"));
  const levels = checks === undefined ? { levels: undefined } : readCheckLevels(checks);
  if ("problem" in levels) wrong("checks", levels.problem);
  return [...problems, ...patternProblems(textsOf(ignore), "ignore")];
}

export function removalOf(value: unknown): Removal | undefined {
  return (["verify", "retain", "delete"] as const).find((word) => word === value);
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

/**
 * A problem for each unknown input, with the nearest name: a misspelt input would silently have its default.
 * @param names all inputs of the resource
 */
export function unknownInputs(given: object, names: readonly string[]): Problem[] {
  // The engine's own names begin with two underscores.
  const unknown = Object.keys(given).filter((key) => !names.includes(key) && !key.startsWith("__"));
  return unknown.map((key) => {
    const hint = didYouMean(nearest(key, names), `the inputs are ${names.join(", ")}`);
    return { ...reason("input.unknown", { hint }), path: key };
  });
}
