/**
 * The zone checks: they report legal records that are hardly meant. They take linear time, and report
 * something as missing only if they know the whole zone. Pure.
 */
import { groupBy } from "../../support/collections";
import { about, textOf, type CheckCode, type Reason } from "../../problems";
import { compareTexts, zoneOrder } from "../names";
import { describeRecord } from "../text";
import { levelOf, type CheckLevel, type CheckLevels } from "./levels";
import { findingLines, type ReportedFinding } from "./lines";
import { codesOf, table } from "./table";
import { ZoneIndex, type ZoneRecord, type ZoneView } from "./view";

export * from "./levels";
export { findingLines, type FindingLine, type ReportedFinding } from "./lines";
export { hostOf } from "./targets";
export { upwards, type ZoneRecord, type ZoneView } from "./view";

/** About one record. */
export interface CheckFinding extends Reason<CheckCode> {
  readonly domain: string;
}

/**
 * The findings about a zone's declared records, in the order of a zone.
 * @param isOff checks that are not made
 */
export function checkZone(view: ZoneView, isOff: (code: CheckCode) => boolean = () => false): CheckFinding[] {
  const zone = new ZoneIndex(view);
  const found: { readonly order: string; readonly finding: CheckFinding }[] = [];
  for (const [type, records] of groupBy(view.declared, (record) => record.type)) {
    const codes = codesOf(type).filter((code) => !isOff(code));
    for (const record of records)
      for (const code of codes) {
        const parts = table[code](record, zone);
        if (parts === undefined || parts === false) continue;
        const why: Reason<CheckCode> = { code, parts: parts === true ? undefined : parts };
        const finding = { ...about(`${describeRecord(record)}:`, why), domain: record.domain };
        found.push({ order: orderOf(record, code), finding });
      }
  }
  return found.sort((a, b) => compareTexts(a.order, b.order)).map(({ finding }) => finding);
}

/** The mark of a secret differs from process to process. */
function orderOf(record: ZoneRecord, code: CheckCode): string {
  const own = record.secret === true ? "" : describeRecord(record);
  return `${zoneOrder(record.name)}\0\0${record.type}\0${own}\0${code}`;
}

/** Most lines of a resource in a preview. */
export const mostShown = 20;

export function reportedFinding(finding: CheckFinding): ReportedFinding {
  const { code, domain, of } = finding;
  return {
    code,
    domain,
    ...(of === undefined ? {} : { record: of.replace(/:$/, "") }),
    message: textOf(finding),
  };
}

/**
 * The first lines, then a count of the others with the code `checks`.
 * @param more a hint at the place that shows all of them
 */
export function findingTexts(
  findings: readonly CheckFinding[],
  more: string,
): { readonly code: string; readonly text: string }[] {
  const lines = findingLines(findings.map(reportedFinding));
  const shown = lines
    .slice(0, mostShown)
    .map(({ findings: [first], text }) => ({ code: first?.code ?? "checks", text }));
  const rest = lines.slice(mostShown).flatMap((line) => line.findings);
  if (rest.length === 0) return shown;
  const counts = new Map<string, number>();
  for (const { code } of rest) counts.set(code, (counts.get(code) ?? 0) + 1);
  const domains = new Set(rest.map(({ domain }) => domain));
  const [first = ""] = domains;
  const where = domains.size === 1 ? first : `${domains.size} domains`;
  const list = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${code} ${count.toLocaleString("en-US")}`);
  return [
    ...shown,
    {
      code: "checks",
      text: `${where}: ${rest.length.toLocaleString("en-US")} more findings of checks (${list.join(", ")}); ${more}`,
    },
  ];
}

export function divideFindings(
  findings: readonly CheckFinding[],
  levels: CheckLevels,
): Readonly<Record<Exclude<CheckLevel, "off">, readonly CheckFinding[]>> {
  const of = (wanted: CheckLevel): CheckFinding[] =>
    findings.filter(({ code }) => levelOf(code, levels) === wanted);
  return { refuse: of("refuse"), warn: of("warn"), note: of("note") };
}
