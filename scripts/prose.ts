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

/** Marks of English that reads like a translation. Each match in a sentence counts. */
const marks = {
  'a clause with "what": write a noun':
    /\bwhat (?:is|are|was|were|has|have|had|goes|stays|comes?|came|becomes?|may|must|can|could|will|would|should|does|did|remains|happens|follows|stands|differs|lives|counts|an?|the|its?|they|we|you|he|nobody|somebody|no|this|that|others?|else|only)\b/gi,
  '"where" for "if"':
    /\bwhere (?:an?|the|its?|they|there|that|this|these|those|one|no|nobody|somebody|another|others?|nothing|something|what|none|all|each|every|some|any|both|several|records?|values?|data|only|we|you|he)\b/g,
  "a thing that tells or knows": /\b(?:tells?|told|says?|said|hears?|heard|speaks?|knows of)\b/g,
  "an actor without a name": /\b(?:nobody|somebody|anybody|everybody|whoever|whatever)\b/gi,
  "a clause with a preposition in front: write two sentences":
    /\b(?:of|by|in|from|for|with|to|under|beside|behind|at|on) (?:which|whom|whose|what)\b/g,
  "a condition in front": /^(?:Of|Without|Beside|Under) (?:an?|the|what|these|those|such|each|its?|any)\b/g,
};

export function marksIn(sentence: string): string[] {
  return Object.entries(marks).flatMap(([name, pattern]) => (sentence.match(pattern) ?? []).map(() => name));
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

/** The sentences of comments. Each tag and each list item begins a sentence; examples do not count. */
export function sentencesOfCode(text: string): string[] {
  const comments = text.matchAll(/\/\*\*?([^]*?)\*\/|(?:^|\s)\/\/ (.+(?:\n[ \t]*\/\/ .+)*)/g);
  return [...comments]
    .map(([, block, lines = ""]) => (block ?? lines).replace(/^[ \t]*(?:\*|\/\/) ?/gm, ""))
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
  let [sentences, allMarks, allWords, long] = [0, 0, 0, 0];
  for (const file of paths.flatMap(filesIn))
    for (const sentence of sentencesOf(file)) {
      const words = sentence.split(" ").length;
      const reasons = marksIn(sentence);
      sentences += 1;
      allMarks += reasons.length;
      allWords += words;
      if (words > longest) {
        long += 1;
        reasons.unshift(`${words} words`);
      }
      if (reasons.length > 0) findings.push(`${file}: ${sentence}\n  ${[...new Set(reasons)].join("; ")}`);
    }
  const figures = [100 * allMarks, allWords, 100 * long].map((sum) => sum / Math.max(1, sentences));
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
