/** The records that a resource's `absent` forbids. Its `ignore` and `protect` win. */
import { describeRecord, patternMatcher, type DeclaredEntry, type Matcher } from "../dns";
import { reason, type Problem } from "../problems";
import type { Options } from "./state";

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
