import { equal, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";

export const root = resolve(__dirname, "../..");

export const read = (path: string) => readFileSync(join(root, path), "utf8");

type Texts = Readonly<Record<string, string>>;
export const manifest = JSON.parse(read("package.json")) as {
  readonly [field in "name" | "version" | "main" | "types"]: string;
} & {
  readonly [field in "bin" | "scripts" | "dependencies" | "devDependencies" | "peerDependencies"]: Texts;
} & { readonly engines: { readonly node: string }; readonly repository: { readonly url: string } };

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; indent: string; info: string; text: string[] } | undefined;
  for (const [index, line] of read(page).split("\n").entries()) {
    const [, indent = "", info = ""] = /^( *)```(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (/^ *```/.test(line)) open = { line: index + 1, indent, info, text: [] };
    } else if (/^ *```$/.test(line)) {
      blocks.push({ page, line: open.line, language: open.info, text: `${open.text.join("\n")}\n` });
      open = undefined;
    } else open.text.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  equal(open, undefined, `${page}:${open?.line ?? 0}: a fence is not closed`);
  return blocks;
}

/** The blocks of a language that begin with a comment with a file's name. */
export function filesOf(page: string, language: string): { readonly name: string; readonly text: string }[] {
  return blocksOf(page).flatMap((block) => {
    const [, name, text = ""] = /^(?:\/\/|#) (\S+)\n([^]*)$/.exec(block.text) ?? [];
    return block.language === language && name !== undefined ? [{ name, text }] : [];
  });
}

export function commandsOf({
  text,
}: Block): { readonly command: string; readonly prints: readonly string[] }[] {
  const commands: { command: string; prints: string[] }[] = [];
  for (const line of text.trimEnd().split("\n")) {
    if (line.startsWith("$ ")) commands.push({ command: line.slice(2), prints: [] });
    else commands.at(-1)?.prints.push(line);
  }
  return commands;
}

/** The lines of a script, without comments. */
const linesOf = (script: string) =>
  script
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .replace(/ +/g, " ")
        .trim(),
    );

export function commandOn(page: string, pattern: RegExp): string {
  const scripts = blocksOf(page).filter(({ language }) => language === "sh");
  const found = scripts.flatMap(({ text }) => linesOf(text)).filter((line) => pattern.test(line));
  const [command = ""] = found;
  equal(found.length, 1, `${page}: ${found.length} commands are like ${String(pattern)}`);
  return command;
}

/** `…` stands for any text, or for any lines. */
export function shows(page: string, command: string, prints: readonly string[], output: string): void {
  const lines = output.split("\n").map((line) => line.trimEnd());
  let at = 0;
  for (const shown of prints.map((line) => line.trimEnd())) {
    if (shown === "" || shown.trim() === "…" || shown.trim() === "...") continue;
    const parts = shown.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join(".*")}$`);
    const found = lines.findIndex((line, index) => index >= at && pattern.test(line));
    ok(found >= 0, `${page}: \`${command}\` does not print ${JSON.stringify(shown)} there:\n${output}`);
    at = found + 1;
  }
}

/** Every page of the repository but those of the generated SDKs. No page links to that of tools/engine/. */
export function pages(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "*.md"], { cwd: root, encoding: "utf8" }).split("\0");
  return listed.filter((page) => /^(?!(sdk|tools\/engine)\/)./.test(page) && existsSync(join(root, page)));
}

/** For the Pulumi registry; the npm package has no shortcodes. */
export const registryPages = ["docs/_index.md", "docs/installation-configuration.md"];

export function linkedFrom(contents: string): string[] {
  const links = read(contents).matchAll(/^- \[[^\]]+\]\(([^)#]+\.md)\)$/gm);
  return [...links].map(([, target = ""]) => posix.join(posix.dirname(contents), target));
}

export function prose(page: string): string {
  return read(page).replace(/^( *)```[^]*?^ *```$/gm, "");
}

export function unfenced(page: string): number[] {
  let fenced = false;
  return read(page)
    .split("\n")
    .flatMap((line, index) => {
      if (/^ *```/.test(line)) fenced = !fenced;
      return !fenced && /^(?: {4}|\t|~~~)(?! *(?:[-*]|\d+\.) )/.test(line) ? [index + 1] : [];
    });
}

export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of prose(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let twin = 1; anchors.has(anchor); twin += 1) anchor = `${slug}-${twin}`;
    anchors.add(anchor);
  }
  return anchors;
}

export interface Named {
  readonly page: string;
  readonly words: readonly string[];
}

export function named(program: string): Named[] {
  const found: Named[] = [];
  for (const page of pages()) {
    const scripts = blocksOf(page).flatMap((block) =>
      block.language === "console"
        ? commandsOf(block).map(({ command }) => command)
        : block.language === "sh"
          ? [block.text]
          : [],
    );
    const inline = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
    for (const text of [...scripts, ...inline].flatMap(linesOf).flatMap((line) => line.split(/&&|\||;/))) {
      const words = text
        .trim()
        .replace(/^(?:[A-Z_]+=(?:"[^"]*"|\S+) )*(?:npx )?/, "")
        .split(/\s+/);
      if (words[0] === program && words.length > 1) found.push({ page, words });
    }
  }
  return found;
}

export const optionsOf = (words: readonly string[]) =>
  words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.replace(/=.*$/, ""));
