/**
 * The plan as Markdown for a comment on a pull request. A pipeline finds its own comment by the hidden
 * marker at the top.
 */
import { visibleLine } from "../../provider/support/visible";
import type { DomainPlan, PlanReport } from "./report";
import { figuresOf, number, othersOf, sectionsOf, summaryOf, textLines } from "./text";

/** Characters. GitHub allows 65,536. */
export const maxLength = 60_000;
const maxLists = 24_000;
const maxDomains = 100;
/** Lists and diffs with more entries are folded. */
const openEntries = 5;
const openLines = 20;

function markerOf(stack: string | undefined): string {
  return `<!-- pulumi-legacydns plan${stack === undefined ? "" : `: ${stack.replace(/[^\w./-]/g, "_")}`} -->`;
}

export function markdownOf(report: PlanReport): string {
  const { stack, domains } = report;
  const head = [
    markerOf(stack),
    `### DNS plan${stack === undefined ? "" : ` for \`${stack}\``}`,
    `${report.ok ? "" : "❌ "}${summaryOf(report)}`,
    ...table(domains),
  ];
  let room = maxLists;
  const lists = sectionsOf(report).map(([title, texts]) => {
    const list = bounded(texts, room);
    room -= list.length;
    return title === "Errors" && texts.length <= openEntries
      ? `**${title}**\n\n${list}`
      : folded(`${title}: ${number(texts.length)}`, list);
  });
  const rest = [...lists, ...othersOf(report)];
  const used = [...head, ...rest].reduce((sum, { length }) => sum + length + 2, 0);
  return `${[...head, ...diffOf(domains, maxLength - used - 500), ...rest].join("\n\n")}\n`;
}

function folded(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function table(domains: readonly DomainPlan[]): string[] {
  const changing = domains.filter(({ lines }) => lines.length > 0);
  if (changing.length === 0) return [];
  const rows = changing
    .slice(0, maxDomains)
    .map((plan) => `| ${escaped(plan.domain)} | ${figuresOf(plan)} |`);
  const [more, quiet] = [changing.length - rows.length, domains.length - changing.length];
  return [
    ["| zone | records |", "|---|---|", ...rows].join("\n"),
    ...(more > 0 ? [`and ${number(more)} more zones that change`] : []),
    ...(quiet > 0 ? [`Zones without a change: ${number(quiet)}`] : []),
  ];
}

function bounded(texts: readonly string[], room: number): string {
  const items: string[] = [];
  let used = 0;
  for (const [i, text] of texts.entries()) {
    const whole = escaped(text.split("\n").map(visibleLine).join("\n"));
    const item = `- ${whole.length > 2000 ? `${whole.slice(0, 2000)}…` : whole}`.replaceAll("\n", "\n  ");
    if (used + item.length > room) return [...items, `- and ${texts.length - i} more`].join("\n");
    items.push(item);
    used += item.length + 1;
  }
  return items.join("\n");
}

function diffOf(domains: readonly DomainPlan[], room: number): string[] {
  const changing = domains.filter(({ lines }) => lines.length > 0);
  const all = changing.flatMap(({ domain, lines }) => [`# ${domain}`, ...diffLines(lines)]);
  if (all.length === 0) return [];
  let used = 0;
  const fits = all.filter(({ length }) => (used += length + 1) <= room);
  const cut = all.length - fits.length;
  // A text in a record may contain a fence.
  const longest = fits.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest.reduce((most, n) => Math.max(most, n + 1), 3));
  const block = [
    `${fence}diff`,
    ...fits,
    fence,
    ...(cut > 0 ? [`\n${number(cut)} more lines: run \`pulumi-legacydns plan\``] : []),
  ].join("\n");
  return [all.length > openLines ? folded(`Diff: ${number(all.length)} lines`, block) : block];
}

/** Lines for a diff block: an update is a deletion and an addition. */
export function diffLines(lines: DomainPlan["lines"]): string[] {
  return lines.flatMap((line) => {
    const { sign, domain, text, ttl, was } = line;
    const isUpdate = sign === "~" && was !== undefined;
    const shown = isUpdate
      ? ([
          { sign: "-", domain, ...was },
          { sign: "+", domain, text, ttl },
        ] as const)
      : [line];
    return textLines(shown).map((each) => each.text);
  });
}

/**
 * Text without any meaning in Markdown: no tag, no table, no emphasis, no mention of a person. Commands and
 * settings stay code.
 */
function escaped(text: string): string {
  return text.replace(
    /(`[-A-Za-z][\w ./:=,@"'[\]{}-]*`)|[&<>|*_[\]`~\\#@]/g,
    (character, code?: string) => code ?? `&#${character.charCodeAt(0)};`,
  );
}
