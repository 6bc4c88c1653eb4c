/**
 * Findings as lines. Those of one code and zone share a line if the code has a text for several records.
 * Pure.
 */
import { groupBy } from "../../support/collections";
import { several, type CheckCode } from "../../problems";
import { listed } from "../../support/text";

export interface ReportedFinding {
  readonly code: string;
  readonly domain: string;
  readonly record?: string | undefined;
  readonly message: string;
}

export interface FindingLine<Finding extends ReportedFinding = ReportedFinding> {
  readonly findings: readonly Finding[];
  /** Ends with the code: `… [mx-cname]`. */
  readonly text: string;
}

export function findingLines<Finding extends ReportedFinding>(
  findings: readonly Finding[],
): FindingLine<Finding>[] {
  const groups = groupBy(findings, (finding) =>
    wordsOf(finding) === undefined ? finding : `${finding.code} ${finding.domain}`,
  );
  return [...groups.values()].map((group) => ({ findings: group, text: textOf(group) }));
}

function textOf(group: readonly ReportedFinding[]): string {
  const [first] = group;
  if (first === undefined) return "";
  const summary =
    group.length === 1
      ? first.message
      : wordsOf(first)?.(group.length, listed(group.map(({ record = "" }) => record)));
  return `${summary ?? first.message} [${first.code}]`;
}

function wordsOf({ code, record }: ReportedFinding): ((n: number, records: string) => string) | undefined {
  return record === undefined ? undefined : several[code as CheckCode];
}
