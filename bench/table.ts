/** The rows as a table in plain text, which is Markdown too. */
import { largest } from "../provider/support/collections";
import type { Row } from "./lab";

const heads = ["what", "command", "calls to the service", "seconds", "host MiB", "target", "met"];
const rightAligned = new Set([3, 4]);

export function formatTable(rows: readonly Row[]): string {
  const notes: string[] = [];
  const cells = rows.map((row) => {
    const mark = row.note === undefined ? "" : ` [${notes.push(row.note)}]`;
    return [
      row.name,
      `${row.command}${mark}`,
      row.calls === undefined ? "" : formatCalls(row.calls),
      row.seconds?.toFixed(1) ?? "",
      row.memory?.host === undefined ? "" : String(Math.round(row.memory.host)),
      row.target ?? "",
      row.met === undefined ? "" : row.met ? "yes" : "NO",
    ];
  });
  const widths = heads.map((head, i) =>
    largest(
      cells.map((row) => row[i]?.length ?? 0),
      head.length,
    ),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => (rightAligned.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (rightAligned.has(i) ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
  const below = notes.map((note, i) => `- [${i + 1}] ${note}`);
  return [line(heads), rule, ...cells.map(line), ...(below.length > 0 ? ["", ...below] : [])].join("\n");
}

function formatCalls(calls: Readonly<Record<string, number>>): string {
  const entries = Object.entries(calls).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? "none" : entries.map(([operation, n]) => `${n} ${operation}`).join(", ");
}
