/** Text tables with two spaces between the columns. */
import { largest } from "../provider/support/collections";
import { visibleLine } from "../provider/support/visible";

/** @param right indexes of the columns that are aligned to the right */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const lines = [titles, ...rows.map((row) => row.map(visibleLine))];
  const widths = titles.map((_, at) => {
    const all = lines.map((line) => widthOf(line[at] ?? ""));
    // One long text must not move the other columns out of sight.
    return largest(
      all.filter((width) => width <= 60),
      0,
    );
  });
  return lines.map((line) => {
    const padded = line.map((text, at) => {
      const gap = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
      return right.includes(at) ? gap + text : text + gap;
    });
    return padded.join("  ").trimEnd();
  });
}

/** The width of a text on a terminal. East Asian wide characters count as two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
