/** A diagnostic, and the one renderer of all messages. */
import { groupBy, largest } from "../support/collections";
import { number } from "../support/text";
import { visible } from "../support/visible";
import type { Level } from "./kinds";

export interface RecordLine {
  readonly text: string;
  readonly note?: string | undefined;
}

export interface Diagnostic {
  readonly code: string;
  readonly level: Level;
  readonly title: string;
  readonly records: readonly RecordLine[];
  readonly why?: string;
  readonly help: readonly string[];
  /** All records are listed (`Row.releases`). */
  readonly releases?: true;
}

/** Begins each help of a rendered diagnostic. */
export const helpMark = "  help: ";

const mostRecords = 10;
const mostHelp = 3;
/** One long text must not move the notes out of sight. */
const widest = 60;
const longestLine = 160;

export function rendered(diagnostic: Diagnostic, given?: number): string {
  const { code, title, records, releases, why, help } = diagnostic;
  const most = given ?? (releases === true ? Infinity : mostRecords);
  const listed = records.slice(0, most);
  const lengths = listed.map(({ text }) => text.length);
  const width = Math.min(widest, largest(lengths, 0));
  const more = records.length - listed.length;
  return [
    `${title} [${code}]`,
    ...listed.map((line) => lineOf(line, width)),
    ...(more > 0 ? [`  … and ${number(more)} more`] : []),
    ...(why === undefined ? [] : [`  ${why}`]),
    ...help.slice(0, mostHelp).map((each) => `${helpMark}${each}`),
  ]
    .map(visible)
    .join("\n");
}

function lineOf({ text, note }: RecordLine, width: number): string {
  if (note === undefined) return cut(`  ${text}`);
  // The note has the number of the record, so a long text gives way.
  const room = Math.max(widest, longestLine - note.length - 4);
  return cut(`  ${cut(text, room).padEnd(width)}  ${note}`);
}

function cut(line: string, longest = longestLine): string {
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

const severity: Readonly<Record<Level, number>> = { error: 0, blocked: 1, warning: 2 };

export function merged(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = groupBy(diagnostics, ({ code, title, why = "" }) => `${code} ${title} ${why}`);
  return [...groups.values()]
    .map((these) => {
      const help = [...new Set(these.flatMap((each) => each.help))];
      const lines = these.flatMap(({ records }) => records);
      const records = [...new Map(lines.map((line) => [`${line.text} ${line.note ?? ""}`, line])).values()];
      return { ...these[0], records, help };
    })
    .sort((a, b) => severity[a.level] - severity[b.level]);
}
