/** Findings as lines: those of one code and zone that differ in their record only stand in one, where the code has words for several. Pure. */
import { groupBy } from "../../gather";
import { several, type CheckCode } from "../../problems";
import { listed } from "../../words";

/** A finding as it is told. */
export interface ToldFinding {
  readonly code: string;
  readonly domain: string;
  /** The record that it is about, as messages name it. */
  readonly record?: string | undefined;
  readonly message: string;
}

/** One or several findings of a code, in a line. */
export interface FindingLine<Finding extends ToldFinding = ToldFinding> {
  readonly findings: readonly Finding[];
  /** Ends with the code: `… [mx-cname]`. */
  readonly text: string;
}

/** Findings as lines, each where its first finding stands. */
export function findingLines<Finding extends ToldFinding>(
  findings: readonly Finding[],
): FindingLine<Finding>[] {
  const groups = groupBy(findings, (finding) =>
    wordsOf(finding) === undefined ? finding : `${finding.code} ${finding.domain}`,
  );
  return [...groups.values()].map((group) => ({ findings: group, text: textOf(group) }));
}

function textOf(group: readonly ToldFinding[]): string {
  const [first] = group;
  if (first === undefined) return "";
  const said =
    group.length === 1
      ? first.message
      : wordsOf(first)?.(group.length, listed(group.map(({ record = "" }) => record)));
  return `${said ?? first.message} [${first.code}]`;
}

function wordsOf({ code, record }: ToldFinding): ((n: number, records: string) => string) | undefined {
  return record === undefined ? undefined : several[code as CheckCode];
}
