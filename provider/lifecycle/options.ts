import { unknownValue } from "./lifecycle";
import { nearest, patternProblems, wholeNumber } from "../dns";
import { didYouMean, reason, type Problem, type Reason } from "../problems";
import { append } from "../support/collections";
import { readCheckLevels } from "../dns/checks";
import type { Removal, Settings } from "../settings";

export function optionProblems(options: Readonly<Record<string, unknown>>): Problem[] {
  const known = Object.entries(options).filter(([, value]) => value !== unknownValue && value !== undefined);
  const { removal, adopt, undeclared, maxChangeShare, maxTtl, checks, ...others } = Object.fromEntries(known);
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
  for (const name of ["ignore", "protect", "absent"]) {
    const given = others[name];
    if (given !== undefined && !(Array.isArray(given) && textsOf(given).length === given.length))
      wrong(name, reason("field.kind", { kind: JSON.stringify(given), what: "a list of patterns", example }));
    append(problems, patternProblems(textsOf(given), name, textsOf(others["domains"])));
  }
  const share = maxChangeShare === undefined ? 0 : wholeNumber(maxChangeShare, 0, 100);
  if (typeof share !== "number") wrong("maxChangeShare", share);
  const highest = maxTtl === undefined ? 1 : wholeNumber(maxTtl, 1, 2_147_483_647);
  if (typeof highest !== "number") wrong("maxTtl", highest);
  const levels = checks === undefined ? { levels: undefined } : readCheckLevels(checks);
  if ("problem" in levels) wrong("checks", levels.problem);
  return problems;
}

const example = '["_acme-challenge*", "* TXT v=spf1*"]';

interface FullOptions {
  readonly removal: unknown;
  readonly undeclared: unknown;
}

/** Options that need full mode. */
export function unallowed(
  { removal, undeclared }: FullOptions,
  { explicit, undocumentedOperations }: Settings,
): Problem[] {
  if (undocumentedOperations) return [];
  const allow = explicit
    ? "set undocumentedOperations: true on the Provider"
    : "pulumi config set legacydns:undocumentedOperations true";
  const refused = (path: string, given: string, instead: string): Problem => ({
    ...reason("option.not-allowed", { given, allow, instead }),
    path,
  });
  return [
    ...(removal === "delete" ? [refused("removal", '"delete"', '"retain"')] : []),
    ...(undeclared === "remove" ? [refused("undeclared", '"remove"', '"report"')] : []),
  ];
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
