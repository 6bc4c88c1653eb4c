/** The table of docs/compatibility.md: the runs and their results. */

export interface Result {
  readonly node: string;
  readonly sdk: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
}

interface Circumstances {
  readonly date: string;
  readonly engine: string;
  readonly machine: string;
}

const marks = ["<!-- matrix: written by `npm run matrix` -->", "<!-- end of matrix -->"] as const;
const head = [
  "| Node.js | `@pulumi/pulumi` | result | passed | failed | time | engine | run on | machine |",
  "|---|---|---|---:|---:|---:|---|---|---|",
];

/** The page with these results in their rows; rows of other combinations stay. @throws where the page has no place for it */
export function withResults(
  page: string,
  { date, engine, machine }: Circumstances,
  results: readonly Result[],
): string {
  const [start, end] = marks.map((mark) => page.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`the page has no ${marks.join(" … ")}`);
  const rows = new Map(
    [...page.slice(start, end).matchAll(/^\| (\d\S+) \| (\S+) \|.*$/gm)].map(([row, node = "", sdk = ""]) => [
      `${node} ${sdk}`,
      row,
    ]),
  );
  for (const { node, sdk, passed, failed, seconds } of results) {
    const works = failed === 0 && passed > 0 ? "works" : "fails";
    rows.set(
      `${node} ${sdk}`,
      `| ${node} | ${sdk} | ${works} | ${passed} | ${failed} | ${seconds} s | ${engine} | ${date} | ${machine} |`,
    );
  }
  const sorted = [...rows]
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([, row]) => row);
  return `${page.slice(0, start + marks[0].length)}\n${[...head, ...sorted].join("\n")}\n${page.slice(end)}`;
}

export function resultsOf(
  page: string,
): { readonly node: string; readonly sdk: string; readonly works: boolean }[] {
  return [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d+\.\d+\.\d+) \| (works|fails) \|/gm)].map(
    ([, node = "", sdk = "", result]) => ({ node, sdk, works: result === "works" }),
  );
}
