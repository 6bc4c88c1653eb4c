/** The commands that the documentation names, in blocks and in its text: each with options that the program has. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { experiments } from "../../bench/experiments";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { ensureEngine } from "../../scripts/engine/index";
import { blocksOf, commandsOf, pages, prose, root } from "../support/page";

interface Named {
  readonly page: string;
  /** Without variables before it, the prompt, and comments. */
  readonly words: readonly string[];
}

/** Every command of `program` that a page names. */
function named(program: string): Named[] {
  const found: Named[] = [];
  for (const page of pages()) {
    const lines = blocksOf(page).flatMap((block) =>
      block.language === "console"
        ? commandsOf(block).map(({ command }) => command)
        : block.language === "sh"
          ? block.text.replaceAll("\\\n", " ").split("\n")
          : [],
    );
    const inline = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
    for (const text of [...lines, ...inline].flatMap((line) =>
      line.replace(/(^|\s)#.*$/, "").split(/&&|\||;/),
    )) {
      const words = text
        .trim()
        .replace(/^(?:[A-Z_]+=(?:"[^"]*"|\S+) )*(?:npx )?/, "")
        .split(/\s+/);
      if (words[0] === program && words.length > 1) found.push({ page, words });
    }
  }
  return found;
}

/** What the engine takes and its help hides; test/pulumi/saved-plan.test.ts runs both. */
const hidden: ReadonlySet<string> = new Set(["up --plan", "preview --save-plan"]);

const options = (words: readonly string[]): string[] =>
  words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.replace(/=.*$/, ""));

describe("the commands in the documentation", () => {
  it("of pulumi-legacydns have the options that the command line has", () => {
    const commands = new Map(
      programOf(processTerminal()).commands.map((command) => [command.name(), command]),
    );
    const all = named("pulumi-legacydns").filter(({ words }) => !words[1]?.startsWith("-"));
    assert.ok(all.length > 20);
    for (const { page, words } of all) {
      const command = commands.get(words[1] ?? "");
      assert.ok(command, `${page}: ${words.join(" ")}: there is no such command`);
      const known = command.options.flatMap(({ long, short }) => [long, short]);
      for (const option of options(words))
        assert.ok(option === "--help" || known.includes(option), `${page}: ${words.join(" ")}: ${option}`);
    }
  });

  it("of npm run are scripts of the package", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const all = named("npm").filter(({ words }) => words[1] === "run");
    assert.ok(all.length > 10);
    for (const { page, words } of all) {
      const script = words.slice(2).find((word) => !word.startsWith("-")) ?? "";
      assert.ok(script in scripts, `${page}: ${words.join(" ")}`);
    }
  });

  it("of the benchmarks have experiments that there are, and the page names all", () => {
    const page = prose("docs/benchmarks.md");
    const [, listed = ""] = /^Experiments: ([^]*?)\.$/m.exec(page) ?? [];
    assert.deepEqual(
      [...listed.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort(),
      experiments.map(({ name }) => name).sort(),
    );
    const asked = named("npm").flatMap(({ words }) =>
      words.includes("bench") ? words.filter((_, at) => words[at - 1] === "--only") : [],
    );
    assert.ok(
      asked.length > 0 && asked.every((name) => experiments.some((experiment) => experiment.name === name)),
      String(asked),
    );
  });

  it("of pulumi have the options that the real engine has", async () => {
    const { bin } = await ensureEngine({ say: () => undefined });
    const groups = new Set(["config", "stack", "plugin", "state", "package"]);
    const wanted = new Map<string, { readonly where: string; readonly option: string }[]>();
    for (const { page, words } of named("pulumi")) {
      const [, first = "", second = ""] = words;
      if (!/^[a-z][a-z-]*$/.test(first)) continue;
      const command = groups.has(first) && /^[a-z][a-z-]*$/.test(second) ? `${first} ${second}` : first;
      const list = options(words).map((option) => ({ where: `${page}: ${words.join(" ")}`, option }));
      wanted.set(command, [...(wanted.get(command) ?? []), { where: page, option: "--help" }, ...list]);
    }
    assert.ok(wanted.size > 8);
    const help = async (command: string): Promise<string> =>
      (await promisify(execFile)(join(bin, "pulumi"), [...command.split(" "), "--help"])).stdout;
    for (const [command, list] of wanted) {
      const text = await help(command);
      // Of a command that is not there, its group's help comes, or an error.
      const [, usage = "", aliases = ""] =
        /^Usage:\n {2}pulumi ([a-z -]+\w)[^]*?(?:^Aliases:\n {2}(.*)$|^Flags:)/m.exec(text) ?? [];
      const last = command.split(" ").at(-1) ?? "";
      assert.ok(
        usage === command || aliases.split(", ").includes(last),
        `${list[0]?.where ?? ""}: pulumi ${command} is no command, but ${usage}`,
      );
      for (const { where, option } of list.filter(({ option }) => !hidden.has(`${command} ${option}`)))
        assert.match(text, new RegExp(`(^|\\s)${option}\\b`, "m"), `${where}: ${option}`);
    }
  });
});
