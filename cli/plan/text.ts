/** The plan as text for a terminal or a log, and the sentences that every form of it shares. */
import { shortText } from "../../provider/dns";
import { helpMark, merged, rendered } from "../../provider/problems";
import { visibleLine } from "../../provider/support/visible";
import { number, planWords, signWords } from "../../provider/support/text";
import { widthOf } from "../table";
import { painted, type Colours, type Part } from "../terminal";
import {
  figureNames,
  hasChanges,
  totalOf,
  type DomainPlan,
  type Figures,
  type PlanLine,
  type StackPlan,
  type Sign,
} from "./report";

export function textOf(report: StackPlan, colours: Colours): Part[] {
  const { green, yellow, red } = colours;
  const changed = { "+": green, "=": green, "~": yellow, "-": red };
  const paint = { ...changed, "!": yellow, ".": yellow, "?": yellow, " ": (part: Part) => part };
  const blocks = report.domains.map((plan): Part[] => [
    painted`${colours.bold(plan.domain)}  ${figuresOf(plan)}`,
    ...textLines(plan.lines).map(({ sign, text }) => paint[sign](`  ${text}`)),
    ...answerLines(plan).map((text) => `  ${text}`),
  ]);
  for (const [title, texts] of sectionsOf(report))
    blocks.push([(title === "Errors" ? red : yellow)(title), ...texts.flatMap(bullet)]);
  blocks.push([summaryOf(report)]);
  return blocks.flatMap((block, i) => (i === 0 ? block : ["", ...block]));
}

export function sectionsOf(report: StackPlan): (readonly [title: string, texts: readonly string[]])[] {
  const checks = merged(
    report.checks
      .filter(({ level }) => level !== "refuse")
      .map(({ code, domain, record, message, help }) => ({
        code,
        level: "warning",
        title: `${domain}: ${message}`,
        help,
        records: record === undefined ? [] : [record],
      })),
  );
  const sections = [
    ["Errors", report.errors.map(({ text }) => text)],
    ["Blocked", report.blocked],
    ["Warnings", report.warnings],
    ["Checks", checks.map((each) => rendered(each, Infinity))],
    ["Unfinished", report.unfinished],
  ] as const;
  return sections.filter(([, texts]) => texts.length > 0);
}

export function figuresOf(figures: Figures): string {
  return figureTexts(figures)
    .map(([, text]) => text)
    .join(", ");
}

export function figureTexts(figures: Figures): (readonly [name: keyof Figures, text: string])[] {
  const shown = figureNames.filter((name) => figures[name] > 0 || name === "unchanged");
  return shown.map((name) => [name, `${number(figures[name])} ${planWords[name]}`]);
}

export function summaryOf(report: StackPlan): string {
  const { ok, domains, cacheSeconds } = report;
  const figures = totalOf(report);
  const total = figuresOf(figures);
  if (!ok)
    return `The up writes nothing: fix the errors first.${domains.length > 0 ? ` The rest of the plan: ${total}.` : ""}`;
  if (!hasChanges(report)) return "No change to any zone.";
  const fails = figures.blocked > 0 ? " The up makes every other change, then fails." : "";
  const caches =
    cacheSeconds > 0 ? ` Caches can keep old answers for ${number(cacheSeconds)} s after the change.` : "";
  return `${total}.${fails}${caches}`;
}

/** A line for each name whose record lines do not show its whole answer. */
export function answerLines({ answers }: DomainPlan): string[] {
  const shown = (data: readonly string[]): string =>
    data.length === 0 ? "nothing" : data.map((each) => shortText(each)).join(", ");
  return answers
    .filter(({ hasOthers }) => hasOthers)
    .map(({ name, before, after }) => visibleLine(`  ${name}: ${shown(before)} → ${shown(after)}`));
}

const code = /[-A-Za-z][\w ./:=,@"'[\]{}-]*/.source;
// A comma ends a command only before a space.
const command =
  /(?:[A-Z][A-Z_]*=[\w.,-]+ )*(?:pulumi|pulumi-legacydns|export|npx|rm) (?:[\w ./:=@"'-]|,(?=\S))*[\w"']/
    .source;
const quoted = new RegExp(`\`(${code})\``);
const quotedOrRun = new RegExp(
  `\`?((?<=\`)${code}(?=\`)|(?<=: |\\(|\\bor )${command}(?=$|[;)]|,(?:$| )))\`?`,
);

/**
 * Cuts a line of a message, so that every second part is a command or a setting. Such a part stands between backticks. In
 * a help line, a command may also stand without them. Text from outside may look like a command, so such a part has only
 * characters without a meaning in Markdown.
 */
export function codeIn(line: string): readonly string[] {
  return line.split(line.startsWith(helpMark) ? quotedOrRun : quoted);
}

export function textLines(lines: readonly PlanLine[]): { readonly sign: Sign; readonly text: string }[] {
  const shown = lines.map((line) => ({ ...line, data: dataOf(line) }));
  // One long text must not move the TTLs out of sight.
  const width = shown.reduce((most, { data }) => Math.max(most, Math.min(60, widthOf(data))), 0);
  return shown.map(({ sign, data, ttl, was, later }) => {
    const change = was === undefined || was.ttl === ttl ? ttl : `${was.ttl} => ${ttl}`;
    const note = later === true ? " (compared at the update)" : sign in notes ? ` (${notes[sign]})` : "";
    const space = " ".repeat(Math.max(0, width - widthOf(data)));
    return { sign, text: `${sign} ${data}${space}  ${change}${note}`.trimEnd() };
  });
}

const notes: Readonly<Partial<Record<Sign, string>>> = signWords;

/** Lines for a diff: an update is a deletion and an addition. */
export function diffLines(lines: readonly PlanLine[]): string[] {
  return lines.flatMap((line) => {
    const { sign, domain, text, ttl, was } = line;
    const shown: readonly PlanLine[] =
      sign === "~" && was !== undefined
        ? [
            { sign: "-", domain, ...was },
            { sign: "+", domain, text, ttl },
          ]
        : [line];
    return textLines(shown).map((each) => each.text);
  });
}

function dataOf({ text, was }: PlanLine): string {
  if (was === undefined || was.text === text) return visibleLine(shortText(text));
  const [old, now] = [shortText(was.text, text).split(" "), shortText(text, was.text).split(" ")];
  const same = old[0] !== now[0] ? 0 : old[1] !== now[1] ? 1 : 2;
  return visibleLine([...old, "=>", ...now.slice(same)].join(" "));
}

function bullet(text: string): string[] {
  return text.split("\n").map((line, i) => `${i === 0 ? "  * " : "    "}${visibleLine(line)}`);
}
