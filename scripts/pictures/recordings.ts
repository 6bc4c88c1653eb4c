/** The pictures of the README and their sources: recordings of the demo's output with its colours. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { drawTerminal } from "./terminal";

export const folder = resolve(__dirname, "../../docs/pictures");

export const recordingOf = (name: "demo" | "preview"): string => join(__dirname, `${name}.ansi`);

export const pictures = {
  demo: {
    title: "npm run demo, in a terminal",
    description:
      "171 records of two domains are deployed with a few calls; DNS answers; a second up makes no call. After three edits in the service's console, a preview shows them. In documented mode, an up creates the missing record and reports the two others; in full mode, an up repairs these. Get started has the same output as text.",
  },
  preview: {
    title: "pulumi preview --refresh --diff, in a terminal",
    description:
      "The two warnings of what the service cannot change, and what an up would do; then the zone as a diff of lines: a disabled mail.example.com, a TTL of *.preview.example.com that drifted from 300 to 60 and a missing status.example.com, each between its neighbours in the zone; and the counts: 1 to update, 6 unchanged.",
  },
} as const;

type PictureName = keyof typeof pictures;
export const names = Object.keys(pictures) as PictureName[];

export function recording(name: PictureName): string {
  return readFileSync(recordingOf(name), "utf8");
}

export function drawn(name: PictureName): string {
  return drawTerminal(recording(name), pictures[name]);
}

/** The provider's messages and the zone in the preview of a demo's log (`--log`). */
export function previewIn(log: string): string {
  const lines = log.split("\n").map((line) => line.trimEnd());
  const plain = lines.map((line) => stripVTControlCharacters(line));
  const command = plain.findIndex((line) => line.startsWith("$ pulumi preview"));
  const from = plain.findIndex((line, at) => at > command && line.includes("RecordBatch: (update)"));
  const to = plain.findIndex((line, at) => at > from && /^\s*\d+ unchanged/.test(line));
  if (command < 0 || from < 0 || to < 0)
    throw new Error(`the demo's log holds no preview with an update of a batch:\n${plain.join("\n")}`);
  const isShown = (at: number): boolean =>
    (at > command && at < from ? /^(warning: |RecordBatch ")/ : /^(?!.*\[(id|urn)=)/).test(plain[at] ?? "");
  const shown = Array.from({ length: to - command + 1 }, (_, i) => command + i).filter(isShown);
  return `${shown.map((at) => (lines[at] ?? "").replace(/; the documented interface .*/, " …")).join("\n")}\n`;
}

/** The lines of a recording or of a run, sorted, without what each run has of its own. */
export function steady(text: string): string[] {
  return (
    stripVTControlCharacters(text)
      .split("\n")
      .map((line) =>
        line
          .replace(/\b\d+ s\b/g, "<time>")
          .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>")
          .replace(/\b\d{6,}\b/g, "<id>")
          // How many creations meet in one job depends on the machine.
          .replace(/\d+ (Batch\.[\w.]+)/g, "<n> $1")
          .trimEnd(),
      )
      // Where the engine comes from depends on the machine, too.
      .filter((line) => line !== "" && !/^ {2}[a-z]+: /.test(line))
      .sort()
  );
}
