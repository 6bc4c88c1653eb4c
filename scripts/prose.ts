/**
 * Checks the English of pages and comments (docs/decisions/0029-prose.md). `scripts/prose.ts PATH…` lists
 * all sentences to rewrite.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The most marks per 100 sentences, words per sentence, and long sentences in per cent. */
const most = { "marks per 100 sentences": 5, "words per sentence": 13, "% long sentences": 4 };
const longest = 25;
const groups = [
  "README.md",
  "CONTRIBUTING.md SECURITY.md CHANGELOG.md .github",
  ...["docs", "provider", "cli", "native", "emulator", "scripts", "test", "bench examples"],
];

const oneOf = (words: string): string => `(?:${words.split(" ").join("|")})`;
const verbs =
  "is are was were has have had goes stays came comes becomes became may must can could will would should does did remains happens follows stands differs lives counts";
const subjects = "a an the it its they we you he nobody somebody no this that another other others else only";
const places =
  "a an the it its they there that this these those one no nobody somebody another other others nothing something what none all each every some any both several record records value values data only we you he";
const demonstratives = "a an the what these those such each it any its";

/** Name → pattern of a mark of English that reads like a translation. Any match in a sentence counts. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ['a clause with "what": write a noun', new RegExp(`\\bwhat ${oneOf(`${verbs} ${subjects}`)}\\b`, "gi")],
  ['"where" for "if"', new RegExp(`\\bwhere ${oneOf(places)}\\b`, "g")],
  ["a thing that tells or knows", /\b(?:tells?|told|says?|said|hears?|heard|speaks?|knows of)\b/g],
  ["an actor without a name", /\b(?:nobody|somebody|anybody|everybody|whoever|whatever)\b/gi],
  [
    "a clause with a preposition in front: write two sentences",
    /\b(?:of|by|in|from|for|with|to|under|beside|behind|at|on) (?:which|whom|whose|what)\b/g,
  ],
  ["a condition in front", new RegExp(`^(?:Of|Without|Beside|Under) ${oneOf(demonstratives)}\\b`, "g")],
]);

export function marksIn(sentence: string): string[] {
  return [...marks].flatMap(([name, pattern]) => (sentence.match(pattern) ?? []).map(() => name));
}

function sentencesIn(paragraph: string): string[] {
  return paragraph
    .replace(/`[^`]*`|\{@link [^}]*\}/g, "code")
    .replace(/[*_]/g, "")
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?])\s+(?=[A-Z"(])/)
    .map((sentence) => sentence.replace(/^\W+/, "").trim())
    .filter((sentence) => / .* /.test(sentence));
}

export function sentencesOfPage(text: string): string[] {
  const prose = text
    .replace(/^(`{3,}|~{3,})[^]*?^\1/gm, "")
    .replace(/^(?:#|\s*[|<>]).*$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return prose.split(/\n\s*\n|^\s*(?:[-*+]|\d+\.) /m).flatMap(sentencesIn);
}

/**
 * The sentences of comments in TypeScript, JavaScript or Go. Comments are found by a pattern, so that a string with the look
 * of a comment counts, too. Examples do not count. Each tag and each list item begins a sentence.
 */
export function sentencesOfCode(text: string): string[] {
  const blocks = text.matchAll(/\/\*\*?([^]*?)\*\//g);
  const lines = text.matchAll(/(?:^|\s)\/\/ (.+(?:\n[ \t]*\/\/ .+)*)/g);
  return [
    ...[...blocks].map(([, content = ""]) => content.replace(/^[ \t]*\* ?/gm, "")),
    ...[...lines].map(([, content = ""]) => content.replace(/^[ \t]*\/\/ /gm, "")),
  ]
    .filter((comment) => !/^\s*(?:eslint|@ts)/.test(comment))
    .map((comment) => comment.replace(/@example[^]*/, ""))
    .flatMap((comment) => comment.split(/@(?:param|returns|throws|remarks)\b(?: \w+(?= ))?|\n\s*\n|^- /m))
    .flatMap(sentencesIn);
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !["node_modules", "dist", ".work", "fixtures"].includes(name))
    .flatMap((name) => filesIn(join(path, name)));
}

function sentencesOf(file: string): string[] {
  if (file.endsWith(".md")) return sentencesOfPage(readFileSync(file, "utf8"));
  return /\.(?:ts|m?js|cjs|go)$/.test(file) ? sentencesOfCode(readFileSync(file, "utf8")) : [];
}

/** @returns the limits that these files exceed, and the sentences to rewrite */
export function measure(paths: readonly string[]): { excess: string[]; findings: string[] } {
  const findings: string[] = [];
  const sum = { sentences: 0, words: 0, long: 0, marks: 0 };
  for (const file of paths.flatMap(filesIn))
    for (const sentence of sentencesOf(file)) {
      const words = sentence.split(" ").length;
      const found = marksIn(sentence);
      sum.sentences += 1;
      sum.words += words;
      sum.marks += found.length;
      sum.long += words > longest ? 1 : 0;
      const reasons = words > longest ? [`${words} words`, ...found] : found;
      if (reasons.length > 0) findings.push(`${file}: ${sentence}\n  ${[...new Set(reasons)].join("; ")}`);
    }
  const of = (count: number): number => count / Math.max(1, sum.sentences);
  const figures = [100 * of(sum.marks), of(sum.words), 100 * of(sum.long)];
  const excess = Object.entries(most).flatMap(([name, limit], i) => {
    const figure = figures[i] ?? 0;
    return figure > limit ? [`${figure.toFixed(1)} ${name}, at most ${limit}`] : [];
  });
  return { excess, findings };
}

if (require.main === module) {
  const paths = process.argv.slice(2);
  for (const group of paths.length > 0 ? [paths.join(" ")] : groups) {
    const { excess, findings } = measure(group.split(" "));
    if (excess.length === 0 && paths.length === 0) continue;
    process.stdout.write([...findings, ...excess.map((each) => `${group}: ${each}`), ""].join("\n"));
    if (excess.length > 0) process.exitCode = 1;
  }
}
