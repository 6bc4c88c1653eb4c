/**
 * The zone checks: what is legal and hardly meant. They take the records of one zone as they will be, in linear time, and
 * claim that something is missing only of a zone that they know as a whole. Pure.
 */
import { Found, type CheckFinding } from "./found";
import { findingLines, type ToldFinding } from "./lines";
import { textOf } from "../../problems";
import { levelOf, type CheckLevels } from "./levels";
import { checkDkim, checkDmarc, checkSpf, checkTwice, SpfCounter } from "./mail";
import { checkAlias, checkHosts } from "./targets";
import { checkAddress, checkTtl, checkWildcard } from "./values";
import { ZoneIndex, type ZoneView } from "./view";

export type { CheckFinding } from "./found";
export {
  allOff,
  levelOf,
  overlaid,
  readCheckLevels,
  type CheckLevel,
  type CheckLevels,
  type CheckLevelsInput,
} from "./levels";
export { findingLines, type FindingLine, type ToldFinding } from "./lines";
export type { ZoneView } from "./view";

/** What the checks find in a zone, of the declared records. */
export function checkZone(view: ZoneView): CheckFinding[] {
  const zone = new ZoneIndex(view);
  const found = new Found();
  const counter = new SpfCounter(zone);
  for (const record of view.declared) {
    checkHosts(record, zone, found);
    checkAlias(record, zone, found);
    checkSpf(record, counter, found);
    checkDkim(record, found);
    checkTtl(record, found);
    checkAddress(record, found);
    checkWildcard(record, zone, found);
  }
  checkTwice(zone, found);
  checkDmarc(zone, found);
  return found.sorted();
}

/** The most lines of a resource's findings that a preview shows. */
export const mostShown = 20;

/** A finding as it is told. */
export function toldFinding(finding: CheckFinding): ToldFinding {
  const { code, domain, of } = finding;
  return {
    code,
    domain,
    ...(of === undefined ? {} : { record: of.replace(/:$/, "") }),
    message: textOf(finding),
  };
}

/**
 * Findings as messages: the first lines, and of more the number by code. @param more where all of them are shown
 * @returns each with its code, `checks` of those that are counted
 */
export function findingTexts(
  findings: readonly CheckFinding[],
  more: string,
): { readonly code: string; readonly text: string }[] {
  const lines = findingLines(findings.map(toldFinding));
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

/** What of the findings is refused, and what is warned of. */
export function divideFindings(
  findings: readonly CheckFinding[],
  levels: CheckLevels,
): { readonly refused: readonly CheckFinding[]; readonly warned: readonly CheckFinding[] } {
  const of = (wanted: "refuse" | "warn"): CheckFinding[] =>
    findings.filter(({ code }) => levelOf(code, levels) === wanted);
  return { refused: of("refuse"), warned: of("warn") };
}
