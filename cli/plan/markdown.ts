/**
 * The plan as Markdown for a comment on a pull request. A pipeline finds its own comment by the hidden
 * marker at the top.
 */
import { number } from "../../provider/support/text";
import { visibleLine } from "../../provider/support/visible";
import { changes, type StackPlan } from "./report";
import { answerLines, codeIn, diffLines, figuresOf, sectionsOf, summaryOf } from "./text";

/** Characters. GitHub allows 65,536. */
export const maxLength = 60_000;
const room = { table: 8_000, lists: 24_000, item: 2_000, rest: 500 };
const openEntries = 5;
const openLines = 20;

export function markdownOf(report: StackPlan): string {
  const { stack, ok, domains } = report;
  const changing = domains.filter(changes);
  const rows = changing.map((plan) => `| ${escaped(plan.domain)} | ${figuresOf(plan)} |`);
  const quiet = domains.length - changing.length;
  const sections = sectionsOf(report);
  const lists = sections.map(([title, texts]) => {
    const items = bounded(texts.map(itemOf), room.lists / sections.length).join("\n");
    return title === "Errors" && texts.length <= openEntries
      ? `**${title}**\n\n${items}`
      : folded(`${title}: ${number(texts.length)}`, items);
  });
  const head = [
    `<!-- pulumi-legacydns plan${stack === undefined ? "" : `: ${stack.replace(/[^\w./-]/g, "_")}`} -->`,
    `### DNS plan${stack === undefined ? "" : ` for \`${stack}\``}`,
    `${ok ? "" : "❌ "}${summaryOf(report)}`,
    ...(rows.length === 0
      ? []
      : [["| zone | records |", "|---|---|", ...bounded(rows, room.table)].join("\n")]),
    ...(rows.length > 0 && quiet > 0 ? [`Zones without a change: ${number(quiet)}`] : []),
  ];
  const used = [...head, ...lists].reduce((sum, { length }) => sum + length + 2, room.rest);
  const shown = domains.filter(({ lines }) => lines.length > 0);
  const diff = shown.flatMap((plan) => [`# ${plan.domain}`, ...diffLines(plan.lines), ...answerLines(plan)]);
  return `${[...head, ...diffOf(diff, maxLength - used), ...lists].join("\n\n")}\n`;
}

function folded(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function bounded(lines: readonly string[], most: number): string[] {
  let used = 0;
  const fits = lines.filter(({ length }) => (used += length + 1) <= most);
  const more = lines.length - fits.length;
  return more === 0 ? fits : [...fits, `and ${number(more)} more: run \`pulumi-legacydns plan\``];
}

function itemOf(text: string): string {
  const whole = escaped(text.split("\n").map(visibleLine).join("\n"));
  const shown = whole.length > room.item ? `${whole.slice(0, room.item)}…` : whole;
  return `- ${shown.replaceAll("\n", "\n  ")}`;
}

function diffOf(lines: readonly string[], most: number): string[] {
  if (lines.length === 0) return [];
  const fits = bounded(lines, most);
  // A text in a record may contain a fence.
  const longest = fits.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest.reduce((most, n) => Math.max(most, n + 1), 3));
  const block = [`${fence}diff`, ...fits, fence].join("\n");
  return [lines.length > openLines ? folded(`Diff: ${number(lines.length)} lines`, block) : block];
}

/**
 * Text without any meaning in Markdown: no tag, no table, no emphasis, no mention of a person. Commands and
 * settings are code.
 */
function escaped(text: string): string {
  const plain = (part: string): string =>
    part.replace(/[&<>|*_[\]`~\\#@]/g, (character) => `&#${character.charCodeAt(0)};`);
  const inLine = (line: string): string =>
    codeIn(line)
      .map((part, i) => (i % 2 === 1 ? `\`${part}\`` : plain(part)))
      .join("");
  return text.split("\n").map(inLine).join("\n");
}
