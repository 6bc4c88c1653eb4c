/**
 * Checks the English of pages and comments (docs/decisions/0029-prose.md). `scripts/prose.ts PATH…` lists
 * all sentences to rewrite.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { marksIn } from "./prose/marks";
import { sentencesOfCode, sentencesOfPage } from "./prose/sentences";

interface Figures {
  readonly marks: number;
  readonly mean: number;
  readonly long: number;
}

const common: Figures = { marks: 5, mean: 13, long: 4 };
const longest = 25;
const rootPages = "CONTRIBUTING.md SECURITY.md CHANGELOG.md .github";
const folders = ["docs", "provider", "cli", "native", "emulator", "scripts", "test", "bench examples"];
const groups = ["README.md", rootPages, ...folders];

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

export function measure(paths: readonly string[]): {
  readonly figures: Figures;
  readonly findings: string[];
} {
  const findings: string[] = [];
  const sum = { sentences: 0, words: 0, long: 0, marks: 0 };
  for (const file of paths.flatMap(filesIn))
    for (const sentence of sentencesOf(file)) {
      const words = sentence.split(" ").length;
      const marks = marksIn(sentence);
      sum.sentences += 1;
      sum.words += words;
      sum.marks += marks.length;
      sum.long += words > longest ? 1 : 0;
      const reasons = words > longest ? [`${words} words`, ...marks] : marks;
      if (reasons.length > 0) findings.push(`${file}: ${sentence}\n  ${[...new Set(reasons)].join("; ")}`);
    }
  const of = (count: number): number => count / Math.max(1, sum.sentences);
  return { figures: { marks: 100 * of(sum.marks), mean: of(sum.words), long: 100 * of(sum.long) }, findings };
}

export function excess(figures: Figures, most = common): string[] {
  const names = { marks: "marks per 100 sentences", mean: "words per sentence", long: "% long sentences" };
  return (["marks", "mean", "long"] as const)
    .filter((key) => figures[key] > most[key])
    .map((key) => `${figures[key].toFixed(1)} ${names[key]}, at most ${most[key]}`);
}

function main(paths: readonly string[]): void {
  for (const group of paths.length > 0 ? [paths.join(" ")] : groups) {
    const { figures, findings } = measure(group.split(" "));
    const problems = excess(figures);
    if (problems.length === 0 && paths.length === 0) continue;
    process.stdout.write([...findings, ...problems.map((problem) => `${group}: ${problem}`), ""].join("\n"));
    process.exitCode = problems.length > 0 ? 1 : process.exitCode;
  }
}

if (require.main === module) main(process.argv.slice(2));
