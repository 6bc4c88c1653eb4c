/** `pulumi-legacydns explain`: prints the section of a code from the package's own pages. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { nearest } from "../provider/support/nearest";
import { didYouMean, reason } from "../provider/problems";
import { guarded, newCommand, print } from "./command";
import { CommandError } from "./errors";
import { exitCodes, type Terminal } from "./terminal";

/** The pages with a section per code: the first has all codes, the second explains zone checks. */
const pages = ["errors.md", "checks.md"];

export function explainCommand(terminal: Terminal): Command {
  return newCommand("explain", terminal, [
    "pulumi-legacydns explain live.left-over",
    "pulumi-legacydns explain mx-cname",
  ])
    .description("explain the code at the end of a message: its cause, an example and the remedies")
    .argument("<code>", "the code, with or without its brackets")
    .action((code: string) =>
      guarded(terminal, () => {
        print(terminal, explanation(code.replace(/^\[(.*)\]$/, "$1")));
        return Promise.resolve(exitCodes.fine);
      }),
    );
}

function explanation(code: string): string[] {
  const folder = join(dirname(require.resolve("pulumi-legacydns/package.json")), "docs");
  const sections = pages.map((page) => sectionsOf(readFileSync(join(folder, page), "utf8")));
  const found = sections.flatMap((each) => each.get(code) ?? []);
  if (found.length > 0) return [code, ...found];
  const guess = nearest(code, [...new Set(sections.flatMap((each) => [...each.keys()]))]);
  const hint = didYouMean(guess, "copy the code in brackets at the end of a message's first line");
  throw new CommandError(reason("word.unknown", { given: JSON.stringify(code), hint }));
}

function sectionsOf(page: string): Map<string, string> {
  const sections = page.split(/^#+ /m).flatMap((section): [string, string][] => {
    const [, code, text = ""] = /^([a-z0-9]+(?:[.-][a-z0-9]+)+)\n([^]*)$/.exec(section) ?? [];
    const plain = text.replace(/^```.*\n/gm, "").replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, "$1");
    return code === undefined ? [] : [[code, `\n${plain.trim()}`]];
  });
  return new Map(sections);
}
