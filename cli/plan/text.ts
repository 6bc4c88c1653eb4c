/** The plan as text for a terminal or a log. */
import { shortText } from "../../provider/dns";
import { findingLines } from "../../provider/dns/checks";
import type { Colours } from "../terminal";
import { afterFailure } from "../pulumi";
import { visibleLine } from "../../provider/support/visible";
import { widthOf } from "../table";
import type { DomainPlan, PlanLine, PlanReport, Sign } from "./report";

/** The plan as lines. */
export function textOf(report: PlanReport, colours: Colours): string[] {
  const paint: Readonly<Record<Sign, (text: string) => string>> = {
    "+": colours.green,
    "=": colours.green,
    "~": colours.yellow,
    "-": colours.red,
    "!": colours.yellow,
    "?": colours.yellow,
    x: colours.bold,
  };
  if (report.unplanned === true)
    return [
      ...report.refusals.flatMap((text) => text.split("\n").map((line) => colours.red(visibleLine(line)))),
      "",
      summaryOf(report, "above"),
    ];
  const blocks: string[][] = [];
  for (const plan of report.domains) {
    const { domain, lines } = plan;
    blocks.push([
      `${colours.bold(domain)}  ${figuresOf(plan)}`,
      ...linesOf(lines).map(({ sign, text }) => paint[sign](`  ${text}`)),
    ]);
  }
  const listed = (title: string, texts: readonly string[], colour: (text: string) => string): void => {
    if (texts.length > 0) blocks.push([colour(title), ...texts.flatMap((text) => bullet(text))]);
  };
  listed("Refused", report.refusals, colours.red);
  listed("Warnings", report.warnings, colours.yellow);
  listed("Checks", checksOf(report), colours.yellow);
  listed("What stays as it is", report.limits, colours.yellow);
  listed("Not finished by an earlier up", report.unfinished, colours.yellow);
  const others = othersText(report.others);
  if (others !== undefined) blocks.push([others]);
  blocks.push([summaryOf(report, "above")]);
  return blocks.flatMap((block, i) => (i === 0 ? block : ["", ...block]));
}

/** The findings of the checks, the same of several records in a line. Refused ones stand among the refusals. */
export function checksOf({ checks }: PlanReport): string[] {
  return findingLines(checks.filter(({ level }) => level !== "refuse")).map(({ text }) => text);
}

/** `+ 2  = 1 to adopt  ~ 1  - 1  120 unchanged`. */
export function figuresOf({
  add,
  adopt,
  change,
  remove,
  stays,
  fails,
  undecided,
  refused,
  notBegun,
  unchanged,
}: DomainPlan): string {
  return [
    ...(add > 0 ? [`+ ${number(add)}`] : []),
    ...(adopt > 0 ? [`= ${number(adopt)} to adopt`] : []),
    ...(change > 0 ? [`~ ${number(change)}`] : []),
    ...(remove > 0 ? [`- ${number(remove)}`] : []),
    ...(stays > 0 ? [`! ${number(stays)} ${staying(stays, fails)}`] : []),
    ...(undecided > 0 ? [`? ${number(undecided)} decided at the update`] : []),
    ...(refused > 0 ? [`x ${number(refused)} refused`] : []),
    ...(notBegun > 0 ? [`x ${number(notBegun)} not begun`] : []),
    `${number(unchanged)} unchanged`,
  ].join("  ");
}

/** `stay`, `stay, and the up fails`, `stay, and the up fails for 2 of them`. */
function staying(stays: number, fails: number): string {
  const verb = stays === 1 ? "stays" : "stay";
  if (fails === 0) return verb;
  return `${verb}, and the up fails${fails === stays ? "" : ` for ${number(fails)} of them`}`;
}

/** Lines with their signs, the TTLs in a column. */
export function linesOf(
  lines: readonly PlanLine[],
): { readonly sign: PlanLine["sign"]; readonly text: string }[] {
  // One long text must not push every TTL out of sight.
  const shown = lines.map((line) => ({
    ...line,
    data: visibleLine(
      line.before === undefined ? shortText(line.text) : changed(line.before.text, line.text),
    ),
  }));
  const width = shown.reduce((most, { data }) => Math.max(most, Math.min(60, widthOf(data))), 0);
  return shown.map(({ sign, data, ttl, before, outcome }) => {
    const change = before === undefined || before.ttl === ttl ? ttl : `${before.ttl} => ${ttl}`;
    return {
      sign,
      text: `${sign} ${data}${" ".repeat(Math.max(0, width - widthOf(data)))}  ${change}${outcome === undefined ? "" : ` (${outcomes[outcome]})`}`.trimEnd(),
    };
  });
}

/** Old before new, without saying twice what both have: `www.example.com. A 192.0.2.1 => 192.0.2.2`. */
function changed(before: string, after: string): string {
  if (before === after) return shortText(after);
  const [old, now] = [shortText(before, after).split(" "), shortText(after, before).split(" ")];
  const same = old[0] !== now[0] ? 0 : old[1] !== now[1] ? 1 : 2;
  return [...old, "=>", ...now.slice(same)].join(" ");
}

/** What becomes of a line, in words. */
export const outcomes = {
  adopted: "live already: adopted",
  stays: "stays",
  fails: "stays as it is, and the up fails",
  undecided: "stays, unless the update finds another",
  refused: "refused",
  notBegun: "not begun, since what it depends on fails",
};

/** `Other resources: 2 to create, 1 to delete`; undefined where there are none. */
export function othersText(others: PlanReport["others"]): string | undefined {
  const parts = Object.entries(others).map(([op, count]) => `${number(count)} to ${op}`);
  return parts.length === 0 ? undefined : `Other resources: ${parts.join(", ")}`;
}

/** The plan in a sentence. @param where the refusals stand, seen from it */
export function summaryOf(report: PlanReport, where: "above" | "below"): string {
  const { ok, domains, unfinished } = report;
  if (report.unplanned === true)
    return `The engine failed before it planned any resource, so there is no plan. ${afterFailure(report.refusals.join("\n"), "pulumi preview")}`;
  if (!ok)
    return `${domains.length > 0 ? `Partial figures, since something is refused: ${totals(report)} ` : ""}The preview failed, and so would that of \`pulumi up\`, which then writes nothing: mend what stands ${where} first.`;
  if (domains.every(({ lines }) => lines.length === 0))
    return unfinished.length > 0
      ? "The program declares nothing else than before; an up goes on with what an earlier one has not finished."
      : "No change to any zone.";
  return totals(report);
}

/** The heading of what keeps an up from doing anything. */
export function refusalTitle({ unplanned }: PlanReport): string {
  return unplanned === true ? "The engine's error" : "Refused";
}

function totals({ domains }: PlanReport): string {
  const sum = (of: (plan: DomainPlan) => number): number =>
    domains.reduce((total, plan) => total + of(plan), 0);
  const [later, adopt, stays, fails, undecided, refused, notBegun] = [
    sum((plan) => plan.later),
    sum((plan) => plan.adopt),
    sum((plan) => plan.stays),
    sum((plan) => plan.fails),
    sum((plan) => plan.undecided),
    sum((plan) => plan.refused),
    sum((plan) => plan.notBegun),
  ];
  const adoptText = adopt > 0 ? `, ${number(adopt)} to adopt` : "";
  const undecidedText = undecided > 0 ? `, ${number(undecided)} decided at the update` : "";
  const refusedText = `${refused > 0 ? `, ${number(refused)} refused` : ""}${notBegun > 0 ? `, ${number(notBegun)} not begun` : ""}`;
  const staysText =
    stays > 0
      ? `, ${number(stays)} ${stays === 1 ? "stays" : "stay"}${fails > 0 ? ` (the up fails${fails === stays ? "" : ` for ${number(fails)}`})` : ""}`
      : "";
  const laterText = later > 0 ? ` (${number(later)} known at the update)` : "";
  return `${number(sum((plan) => plan.add))} to add${laterText}${adoptText}, ${number(sum((plan) => plan.change))} to change, ${number(sum((plan) => plan.remove))} to remove${staysText}${undecidedText}${refusedText}.`;
}

function bullet(text: string): string[] {
  return text.split("\n").map((line, i) => `${i === 0 ? "  * " : "    "}${visibleLine(line)}`);
}

function number(n: number): string {
  return n.toLocaleString("en-US");
}
