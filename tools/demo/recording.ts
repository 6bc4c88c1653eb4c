/** The recorded output of the demo. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

export const recordingFile = join(__dirname, "recording.ansi");

/** With the colours, as escape sequences. */
const recording = (): string => readFileSync(recordingFile, "utf8");

export const recordedText = (): string => stripVTControlCharacters(recording());

/** @returns the chapters with these titles, in the order of the recording */
export function chapters(...titles: readonly string[]): string {
  const all = recording()
    .trimEnd()
    .split(/\n\n(?=.*== )/);
  const titleOf = (chapter: string): string =>
    stripVTControlCharacters(chapter.split("\n", 1).join()).replace("== ", "");
  const missing = titles.filter((title) => !all.some((chapter) => titleOf(chapter) === title));
  if (missing.length > 0) throw new Error(`the demo's recording has no chapter ${missing.join(", ")}`);
  return all.filter((chapter) => titles.includes(titleOf(chapter))).join("\n\n");
}
