/**
 * The plan as Markdown for a comment on a pull request: what a reviewer needs, which is the verdict, the figures of the
 * zones that change, what is refused and a short diff; the rest is folded. It begins with a hidden marker by which a
 * pipeline finds its own comment again, and stays below the size that a comment may have.
 */
import { append, largest } from "../../provider/gather";
import { visibleLine } from "../../provider/support/visible";
import type { DomainPlan, PlanReport } from "./report";
import { checksOf, othersText, refusalTitle, summaryOf } from "./text";
import { tells, zoneDiff, type DiffLine } from "./zone-diff";

/** A comment's size in characters stays below this. */
export const maxLength = 60_000;
/** Of it, what refusals, warnings and notes may take together. */
const maxNotes = 24_000;
const maxDomains = 100;
/** Longer diffs fold. */
const openLines = 20;
/** Further refusals fold. */
const openRefusals = 5;

/** The hidden comment that marks a plan of a stack. */
export function markerOf(stack: string | undefined): string {
  return `<!-- pulumi-legacydns plan${stack === undefined ? "" : `: ${stack.replace(/[^\w./-]/g, "_")}`} -->`;
}

/** The plan as a comment. */
export function markdownOf(report: PlanReport): string {
  const parts = [
    markerOf(report.stack),
    `### DNS plan${report.stack === undefined ? "" : ` for \`${report.stack}\``}`,
    `${report.ok ? "" : "❌ "}${summaryOf(report, "below")}`,
  ];
  append(parts, figures(report.domains));
  let room = maxNotes;
  const listed = (texts: readonly string[]): string => {
    const [list, used] = bounded(texts, room);
    room -= used;
    return list;
  };
  const { refusals } = report;
  if (refusals.length > 0)
    parts.push(`**${refusalTitle(report)}**\n\n${listed(refusals.slice(0, openRefusals))}`);
  const folds: [title: string, texts: readonly string[]][] = [
    ["more refusals", refusals.slice(openRefusals)],
    ["What stays as it is", report.limits],
    ["Not finished by an earlier up", report.unfinished],
    ["Warnings", report.warnings],
    ["Checks", checksOf(report)],
  ];
  const folded = folds.flatMap(([title, texts]) => {
    if (texts.length === 0) return [];
    const count = number(texts.length);
    return [fold(title.startsWith("more") ? `${count} ${title}` : `${title}: ${count}`, listed(texts))];
  });
  const others = othersText(report.others);
  const end = [...folded, ...(others === undefined ? [] : [others])];
  const used = [...parts, ...end].reduce((sum, { length }) => sum + length + 2, 0);
  return `${[...parts, ...diffOf(report.domains, maxLength - used - 500), ...end].join("\n\n")}\n`;
}

function fold(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A row for each zone that changes; how many others there are is told in a line. */
function figures(domains: readonly DomainPlan[]): string[] {
  const changing = domains.filter(({ lines }) => lines.length > 0);
  const quiet = domains.length - changing.length;
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  // Columns that most plans have no use for.
  const some = (figure: "undecided" | "refused" | "notBegun", cell: string | number): (string | number)[] =>
    changing.some((plan) => plan[figure] > 0) ? [cell] : [];
  const rows = changing
    .slice(0, maxDomains)
    .map(({ domain, add, adopt, change, remove, stays, undecided, refused, notBegun, unchanged }) =>
      row([
        escaped(domain),
        add,
        adopt,
        change,
        remove,
        stays,
        ...some("undecided", undecided),
        ...some("refused", refused),
        ...some("notBegun", notBegun),
        unchanged,
      ]),
    );
  const titles = [
    "+ add",
    "= adopt",
    "~ change",
    "- remove",
    "! stays",
    ...some("undecided", "? at the update"),
    ...some("refused", "x refused"),
    ...some("notBegun", "x not begun"),
    "unchanged",
  ];
  const table =
    rows.length === 0
      ? []
      : [[row(["zone", ...titles]), `|---|${titles.map(() => "---:|").join("")}`, ...rows].join("\n")];
  const more =
    changing.length > maxDomains
      ? [`and ${number(changing.length - maxDomains)} more zones that change`]
      : [];
  const same =
    quiet > 0 && changing.length > 0
      ? [`${number(quiet)} more ${quiet === 1 ? "zone stays as it is" : "zones stay as they are"}.`]
      : [];
  return [...table, ...more, ...same];
}

/** A list that takes at most `room` characters, and how many it took. */
function bounded(texts: readonly string[], room: number): [list: string, used: number] {
  const items: string[] = [];
  let used = 0;
  for (const [i, text] of texts.entries()) {
    const whole = message(text.split("\n").map(visibleLine).join("\n"));
    const item = `- ${whole.length > 2000 ? `${whole.slice(0, 2000)}…` : whole}`.replaceAll("\n", "\n  ");
    if (used + item.length > room) {
      items.push(`- and ${texts.length - i} more`);
      break;
    }
    items.push(item);
    used += item.length + 1;
  }
  return [items.join("\n"), used];
}

/** The diffs of all zones in one block of at most `room` characters. */
function diffOf(domains: readonly DomainPlan[], room: number): string[] {
  const zones = domains
    .filter(({ lines }) => lines.length > 0)
    .map((plan) => ({ domain: plan.domain, lines: zoneDiff(plan) }));
  if (zones.length === 0) return [];
  const all = zones.flatMap(({ domain, lines }, i): (DiffLine | string)[] => [
    ...(i > 0 ? [""] : []),
    `# ${domain}`,
    ...lines,
  ]);
  const fits: string[] = [];
  let used = 0;
  let told = 0;
  for (const line of all) {
    const text = typeof line === "string" ? line : line.text;
    if (used + text.length + 1 > room) break;
    fits.push(text);
    used += text.length + 1;
    if (typeof line !== "string" && tells(line)) told += 1;
  }
  const total = zones.reduce((sum, { lines }) => sum + lines.filter(tells).length, 0);
  const cut =
    total > told
      ? [`\n${number(total - told)} more lines are not shown here; \`pulumi-legacydns plan\` shows them all.`]
      : [];
  // A text in a record may hold a fence of its own.
  const fence = "`".repeat(
    largest(
      fits.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length + 1)),
      3,
    ),
  );
  const block = [`${fence}diff`, ...fits, fence, ...cut].join("\n");
  return [
    total > openLines
      ? fold(`The zone${zones.length === 1 ? "" : "s"} as a diff: ${number(total)} lines`, block)
      : block,
  ];
}

const plainCharacters = String.raw`[\w ./:=,@"'[\]{}-]+`;
/** What our messages put between backquotes: a command, with a variable before it or not; the name of a setting or an option, with a value or not. */
const code = new RegExp(
  String.raw`\`((?:[A-Z_]+=[\w.,-]+ )?(?:pulumi|pulumi-legacydns|npm|export|unset|cp) ${plainCharacters}|(?:--)?[A-Za-z][\w-]{3,}(?:: ${plainCharacters})?)\``,
  "g",
);

/** A message of ours: commands as code, the rest escaped. A code span holds plain characters alone, whoever wrote them. */
function message(text: string): string {
  let at = 0;
  let markdown = "";
  for (const { 0: span, index } of text.matchAll(code)) {
    markdown += `${escaped(text.slice(at, index))}${span}`;
    at = index + span.length;
  }
  return markdown + escaped(text.slice(at));
}

/** Text that means nothing to Markdown: no tag, no table, no emphasis, nobody called by name. */
function escaped(text: string): string {
  return text.replace(/[&<>|*_[\]`~\\#@]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function number(n: number): string {
  return n.toLocaleString("en-US");
}
