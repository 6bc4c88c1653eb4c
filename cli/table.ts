/** Text tables with two spaces between the columns. */
import { visibleLine } from "../provider/support/visible";
import type { Colours } from "./terminal";

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly align?: "left" | "right";
  readonly paint?: (text: string, row: Row) => string;
}

export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  colours: Colours,
): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => columns.map((column) => visibleLine(column.cell(row))));
  const widths = columns.map((column, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), widthOf(column.title)),
  );
  const line = (texts: readonly string[], paint: (text: string, at: number) => string): string => {
    const padded = texts.map((text, at) => {
      const gap = " ".repeat((widths[at] ?? 0) - widthOf(text));
      return paint(columns[at]?.align === "right" ? `${gap}${text}` : `${text}${gap}`, at);
    });
    return padded.join("  ").trimEnd();
  };
  const titles = columns.map(({ title }) => title);
  return [
    line(titles, colours.dim),
    ...rows.map((row, i) => line(cells[i] ?? [], (text, at) => columns[at]?.paint?.(text, row) ?? text)),
  ];
}

/** The width of a text on a terminal. East Asian wide characters count as two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
