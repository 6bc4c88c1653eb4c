import { unknownValue } from "./lifecycle";
import { nearest, patternProblems } from "../dns";
import { didYouMean, reason, type Problem, type Reason } from "../problems";
import { readCheckLevels } from "../dns/checks";
import type { Removal } from "../settings";

export function optionProblems(options: Readonly<Record<string, unknown>>): Problem[] {
  const known = Object.entries(options).filter(([, value]) => value !== unknownValue && value !== undefined);
  const { removal, adopt, undeclared, ignore, checks } = Object.fromEntries(known);
  const problems: Problem[] = [];
  const wrong = (path: string, why: Reason): void => void problems.push({ ...why, path });
  const words: readonly (readonly [path: string, given: unknown, words: readonly unknown[]])[] = [
    ["removal", removal, ["verify", "retain", "delete"]],
    ["adopt", adopt, [true, false]],
    ["undeclared", undeclared, ["ignore", "report", "remove"]],
  ];
  for (const [path, given, legal] of words)
    if (given !== undefined && !legal.includes(given)) {
      const hint = `write one of ${legal.map((word) => JSON.stringify(word)).join(", ")}`;
      wrong(path, reason("word.unknown", { given: JSON.stringify(given), hint }));
    }
  if (ignore !== undefined && !(Array.isArray(ignore) && textsOf(ignore).length === ignore.length))
    wrong(
      "ignore",
      reason("field.kind", {
        kind: JSON.stringify(ignore),
        what: "a list of patterns",
        example: '["_acme-challenge*", "* TXT v=spf1*"]',
      }),
    );
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

export function unknownInputs(given: object, names: readonly string[]): Problem[] {
  // The engine's own names begin with two underscores.
  const unknown = Object.keys(given).filter((key) => !names.includes(key) && !key.startsWith("__"));
  return unknown.map((key) => {
    const hint = didYouMean(nearest(key, names), `the inputs are ${names.join(", ")}`);
    return { ...reason("field.unknown", { hint }), path: key };
  });
}
