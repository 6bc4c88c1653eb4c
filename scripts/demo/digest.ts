/** The engine's lines that a chapter of the demo shows. Pure. */
import { stripVTControlCharacters } from "node:util";

export type Digest = (lines: readonly string[]) => (line: string) => boolean;

export const summary: Digest = (lines) => {
  const from = lines.findLastIndex((line) => /^ *Resources:/.test(line)) + 1;
  const length = lines.slice(from).findIndex((line) => line.trim() === "" || line.includes("Permalink"));
  const counts = new Set(from === 0 ? [] : lines.slice(from, length < 0 ? undefined : from + length));
  return (line) => counts.has(line) || isSummary(line);
};

export const differences: Digest = (lines) => {
  const update = new Set(lines.slice(lines.findIndex((line) => line.includes("Stack: (same)"))));
  return (line) => update.has(line) && (/^ +[-+] \S+\. (\d+ )?[A-Z]+ /.test(line) || isSummary(line));
};

export const failures: Digest = (lines) => {
  const counts = summary(lines);
  return (line) => /^ *\t\* /.test(line) || (counts(line) && !isSummary(line));
};

export const nothing: Digest = () => () => false;

/** The lines of a digest, each once, with their colours. A message ends before its reasons. */
export function digested(output: string, digest: Digest): string[] {
  const lines = output.split("\n").map((line) => line.trimEnd());
  const shown = digest(lines.map((line) => stripVTControlCharacters(line)));
  return [
    ...new Set(
      lines
        .filter((line) => shown(stripVTControlCharacters(line)))
        .map((line) =>
          line
            .replace(indent, (blanks) => `    ${blanks.replace(/\s/g, "")}`)
            .replace(/; the documented interface .*/, " …"),
        ),
    ),
  ];
}

const indent = /^(?:\s|\u001b\[[\d;]*m)*/;

/** `example.com: 157 records to add`, perhaps after its resource's name (planSummary, provider/lifecycle/records.ts). */
function isSummary(line: string): boolean {
  return /^ *(?:\w+ "[^"]*": )?\S+\.\S+( and \d+ more domains?)?: (\d|nothing)/.test(line);
}
