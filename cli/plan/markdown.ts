/**
 * The plan as Markdown for a comment on a pull request: a hidden marker by which a pipeline finds its own comment
 * again, the figures as a table, the lines as a diff that folds when it is long. Always below the size that a comment
 * may have.
 */
import { oneLine } from "../table";
import type { DomainPlan, PlanReport } from "./report";
import { checksOf, linesOf, othersText, summaryOf } from "./text";

/** A comment's size in characters stays below this. */
export const maxLength = 60_000;
/** Of it, what refusals, warnings and notes may take together. */
const maxNotes = 24_000;
const maxDomains = 100;
/** Longer diffs fold. */
const openLines = 50;

/** The hidden comment that marks a plan of a stack. */
export function markerOf(stack: string | undefined): string {
  return `<!-- pulumi-legacydns plan${stack === undefined ? "" : `: ${stack.replace(/[^\w./-]/g, "_")}`} -->`;
}

/** The plan as a comment. */
export function markdownOf(report: PlanReport): string {
  const parts = [markerOf(report.stack), `### DNS plan${report.stack === undefined ? "" : ` for \`${report.stack}\``}`, `${report.ok ? "" : "❌ "}${summaryOf(report, "below")}`];
  if (report.domains.length > 0) parts.push(figures(report.domains));
  let room = maxNotes;
  const note = (title: string, texts: readonly string[]): void => {
    if (texts.length === 0) return;
    const [list, used] = bounded(texts, room);
    room -= used;
    parts.push(`**${title}**\n\n${list}`);
  };
  note("Refused", report.refusals);
  note("Warnings", report.warnings);
  note("Checks", checksOf(report));
  note("What the service cannot do", report.limits);
  note("Left half done", report.unfinished);
  const others = othersText(report.others);
  if (others !== undefined) parts.push(others);
  const head = parts.join("\n\n");
  const diff = diffOf(report.domains, maxLength - head.length - 500);
  return `${[head, ...(diff === "" ? [] : [diff])].join("\n\n")}\n`;
}

function figures(domains: readonly DomainPlan[]): string {
  const shown = domains.slice(0, maxDomains);
  const rows = shown.map(({ domain, add, change, remove, stays, unchanged, adopted }) => {
    const added = adopted > 0 ? `${add} (${adopted} adopted)` : String(add);
    return `| ${escaped(domain)} | ${added} | ${change} | ${remove} | ${stays} | ${unchanged} |`;
  });
  const more = domains.length > maxDomains ? [`\nand ${domains.length - maxDomains} more domains`] : [];
  return ["| zone | + add | ~ change | - remove | ! stays | = unchanged |", "|---|---:|---:|---:|---:|---:|", ...rows, ...more].join("\n");
}

/** A list that takes at most `room` characters, and how many it took. */
function bounded(texts: readonly string[], room: number): [list: string, used: number] {
  const items: string[] = [];
  let used = 0;
  for (const [i, text] of texts.entries()) {
    const whole = escaped(text.split("\n").map(oneLine).join("\n"));
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

/** The lines of all domains in one block of at most `room` characters. */
function diffOf(domains: readonly DomainPlan[], room: number): string {
  const lines = domains.filter((plan) => plan.lines.length > 0).flatMap(({ domain, lines: own }, i) => [...(i > 0 ? [""] : []), `# ${domain}`, ...linesOf(own).map(({ text }) => text)]);
  if (lines.length === 0) return "";
  const total = domains.reduce((sum, plan) => sum + plan.lines.length, 0);
  const fits: string[] = [];
  let used = 0;
  for (const line of lines) {
    if (used + line.length + 1 > room) break;
    fits.push(line);
    used += line.length + 1;
  }
  const left = total - fits.filter((line) => /^[+~-] /.test(line)).length;
  const cut = left > 0 ? [`\n${left.toLocaleString("en-US")} more lines are not shown here; \`pulumi-legacydns plan\` shows them all.`] : [];
  // A text in a record may hold a fence of its own.
  const fence = "`".repeat(Math.max(3, ...fits.map((line) => Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1)));
  const block = [`${fence}diff`, ...fits, fence, ...cut].join("\n");
  return total > openLines ? `<details>\n<summary>${total.toLocaleString("en-US")} lines</summary>\n\n${block}\n\n</details>` : block;
}

/** Text that means nothing to Markdown: no tag, no table, no emphasis, nobody called by name. */
function escaped(text: string): string {
  return text.replace(/[&<>|*_[\]`~\\#@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
