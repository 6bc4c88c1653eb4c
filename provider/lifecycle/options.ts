/** The options of a resource with records: their legal values, and the records that they forbid. */
import {
  describeRecord,
  nearest,
  patternMatcher,
  patternProblems,
  wholeNumber,
  type DeclaredEntry,
  type Matcher,
} from "../dns";
import { readCheckLevels } from "../dns/checks";
import { didYouMean, reason, type Problem } from "../problems";
import type { Settings } from "../settings";
import { unknownValue, type Props } from "./lifecycle";

interface Option<Value> {
  /** A missing or wrong value is undefined, or an empty list. */
  read(given: unknown): Value;
  problems(given: unknown, path: string, domains: readonly string[]): readonly Problem[];
}

function oneOf<Word extends string | boolean>(...words: readonly Word[]): Option<Word | undefined> {
  const read = (given: unknown): Word | undefined => words.find((word) => word === given);
  const hint = `write one of ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  return {
    read,
    problems: (given, path) =>
      read(given) === undefined
        ? [{ ...reason("word.unknown", { given: JSON.stringify(given), hint }), path }]
        : [],
  };
}

function whole(low: number, high: number): Option<number | undefined> {
  return {
    read: (given) => (typeof given === "number" ? given : undefined),
    problems: (given, path) => {
      const found = wholeNumber(given, low, high);
      return typeof found === "number" ? [] : [{ ...found, path }];
    },
  };
}

const example = '["_acme-challenge*", "* TXT v=spf1*"]';

const patterns: Option<readonly string[]> = {
  read: textsOf,
  problems: (given, path, domains) => {
    const texts = textsOf(given);
    const isList = Array.isArray(given) && texts.length === given.length;
    const kind = { kind: JSON.stringify(given), what: "a list of patterns", example };
    return [
      ...(isList ? [] : [{ ...reason("field.kind", kind), path }]),
      ...patternProblems(texts, path, domains),
    ];
  },
};

const levels: Option<unknown> = {
  read: (given) => given,
  problems: (given, path) => {
    const found = readCheckLevels(given);
    return "problem" in found ? [{ ...found.problem, path }] : [];
  },
};

export const optionTable = {
  removal: oneOf("verify", "retain", "delete"),
  adopt: oneOf(true, false),
  undeclared: oneOf("ignore", "report", "remove"),
  ignore: patterns,
  protect: patterns,
  absent: patterns,
  maxChangeShare: whole(0, 100),
  maxTtl: whole(1, 2_147_483_647),
  checks: levels,
};

type OptionName = keyof typeof optionTable;
export type Options = { readonly [Name in OptionName]: ReturnType<(typeof optionTable)[Name]["read"]> };

export function readOptions(props: Props): Options {
  const values = Object.entries(optionTable).map(([name, option]) => [name, option.read(props[name])]);
  // fromEntries loses the type of the names.
  return Object.fromEntries(values) as Options;
}

export function optionProblems(props: Props): Problem[] {
  return Object.entries(optionTable).flatMap(([name, option]) => {
    const given = props[name];
    const isKnown = given !== undefined && given !== unknownValue;
    return isKnown ? option.problems(given, name, textsOf(props["domains"])) : [];
  });
}

/** Options that need full mode. */
export function unallowed(
  { removal, undeclared }: Options,
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

/** The records that `absent` forbids. `ignore` and `protect` win. */
export function unwantedBy({ absent, ignore, protect }: Options): Matcher | undefined {
  if (absent.length === 0) return undefined;
  const [isNamed, isKept] = [patternMatcher(absent), patternMatcher([...ignore, ...protect])];
  return (record) => isNamed(record) && !isKept(record);
}

/** @param declared called only if the resource has patterns */
export function contradictions(declared: () => readonly DeclaredEntry[], options: Options): Problem[] {
  const isUnwanted = unwantedBy(options);
  const both = isUnwanted === undefined ? [] : declared().filter(isUnwanted);
  const lines = both.map((record) => ({ text: describeRecord(record) }));
  return both.length === 0 ? [] : [{ ...reason("record.unwanted", undefined, lines), path: "absent" }];
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
