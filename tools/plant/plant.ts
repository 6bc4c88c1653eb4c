/**
 * Plants the faults of tools/plant/faults.yaml, one at a time, in a scratch copy of the checkout. Writes the table of the
 * tests and laws that notice them into tools/plant/README.md.
 */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { load } from "js-yaml";
import { z } from "zod";
import { main, root, say, script } from "../support/main";
import { madePart } from "../support/page";

const command = script(
  "plant",
  "Plants faults in a copy of the checkout, one at a time, and runs unit tests and simulated schedules on each. Half of the schedules are mixed, half have the feature full. Writes each result into tools/plant/README.md at once.",
)
  .option("--only <names>", "plant these faults only, with commas", "")
  .option("--missing", "plant the faults without a whole result", false)
  .option("--laws", "run the schedules even if a unit test notices the fault", false)
  .option("--schedules <n>", "at most this number for each fault; 0 for the unit tests alone", "2000")
  .option("--seed <n>", "the first seed", "1")
  .option("--check", "only check that each old text is found exactly once", false);
type Flags = Record<"only" | "schedules" | "seed", string> & Record<"missing" | "laws" | "check", boolean>;
const values = command.parse().opts<Flags>();

const page = join(root, "tools/plant/README.md");
const part = "faults";

const fault = z.strictObject({
  name: z.string(),
  file: z.string(),
  what: z.string(),
  old: z.string().min(1),
  new: z.string(),
  /** Why nothing has to notice it. */
  harmless: z.string().optional(),
});
type Fault = z.output<typeof fault>;

const loader = ["-r", "./tools/support/typescript.cjs"];
const chunk = 100;
/** Milliseconds. */
const longest = 900_000;

/** @throws Error unless the old text of each fault is found exactly once */
function readFaults(): Fault[] {
  const faults = z.array(fault).parse(load(readFileSync(join(root, "tools/plant/faults.yaml"), "utf8")));
  const wrong = faults.flatMap(({ name, file, old }) => {
    const times = readFileSync(join(root, file), "utf8").split(old).length - 1;
    return times === 1 ? [] : [`${name}: the old text is ${times} times in ${file}`];
  });
  if (new Set(faults.map(({ name }) => name)).size < faults.length) wrong.push("two faults have one name");
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return faults;
}

function run(folder: string, args: readonly string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const options = { cwd: folder, timeout: longest, killSignal: "SIGKILL", maxBuffer: 1 << 28 } as const;
    execFile(process.execPath, args, options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, out, err: code === -1 ? `it took longer than ${longest / 1000} s` : err });
    });
  });
}

function scratchCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), "legacydns-plant-"));
  for (const name of readdirSync(root))
    if (![".git", ".work", "dist", "node_modules"].includes(name))
      cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function unitTests(): string[] {
  const files = ["test/lifecycle", "test/reconcile", "test/size"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => join(folder, file)),
  );
  return files.sort();
}

const report = z.object({ failures: z.array(z.object({ fullTitle: z.string(), file: z.string() })) });

/** The first test that fails, as a cell of the table. */
interface Failed {
  readonly text: string;
  readonly files: readonly string[];
}

async function failedTest(folder: string, files: readonly string[]): Promise<Failed | undefined> {
  const mocha = ["node_modules/mocha/bin/mocha.js", "--no-parallel", "--bail", "--timeout", "120000"];
  const output = join(folder, "report.json");
  rmSync(output, { force: true });
  const reporter = ["--reporter", "json", "--reporter-option", `output=${output}`];
  const { code, err } = await run(folder, [...mocha, ...reporter, ...files]);
  if (code === 0) return undefined;
  const [first] = existsSync(output) ? report.parse(JSON.parse(readFileSync(output, "utf8"))).failures : [];
  if (first === undefined) return { text: `the tests end with: ${lastLine(err)}`, files };
  const file = relative(folder, first.file);
  return { text: `\`${file}\`: ${first.fullTitle}`, files: [file] };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

async function brokenLaw(folder: string, seed: number, runs: number, more: readonly string[]) {
  const simulate = [...loader, "tools/simulate/simulate.ts", "--jobs", "1", "--stop", "1"];
  const seeds = ["--runs", `${runs}`, "--seed", `${seed}`];
  const { code, out, err } = await run(folder, [...simulate, ...seeds, ...more]);
  if (code === 0) return undefined;
  const [, at = `${seed + runs - 1}`, law = `the simulation ends with: ${lastLine(err)}`] =
    /^seed (\d+) \(.*\)\n {2}([\w-]+): /m.exec(out) ?? [];
  return { law, at: Number(at) };
}

/** @returns the law, and the number of schedules until then */
async function firstBroken(folder: string, without: () => void, plant: () => void) {
  const [most, first] = [Number(values.schedules), Number(values.seed)];
  const kinds = [[], ["--always", "full"]];
  for (let done = 0; done < most; done += chunk) {
    const more = kinds[(done / chunk) % 2] ?? [];
    const begun = first + Math.floor(done / chunk / 2) * chunk;
    for (let seed = begun; seed < begun + chunk;) {
      const broken = await brokenLaw(folder, seed, begun + chunk - seed, more);
      if (broken === undefined) break;
      without();
      const before = await brokenLaw(folder, broken.at, 1, more);
      plant();
      if (before === undefined) return { law: broken.law, schedules: `${done + broken.at - begun + 1}` };
      seed = broken.at + 1;
    }
  }
  return undefined;
}

/** A row of the table. The columns of a step that did not run stay as they were. */
interface Row {
  readonly test: string;
  readonly law: string;
  readonly schedules: string;
}

const unknown: Row = { test: "not run", law: "not run", schedules: "" };
const none = "none";

async function resultOf(folder: string, { file, old, new: planted }: Fault, before: Row): Promise<Row> {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  const without = (): void => writeFileSync(path, text);
  const plant = (): void =>
    writeFileSync(
      path,
      text.replace(old, () => planted),
    );
  try {
    plant();
    const isTested = values.missing && before.test === none;
    const all = isTested ? [] : unitTests();
    const former = all.filter((name) => before.test.startsWith(`\`${name}\``));
    let failed: Failed | undefined;
    for (const files of [former, all]) if (files.length > 0) failed ??= await failedTest(folder, files);
    if (failed !== undefined) {
      without();
      const also = await failedTest(folder, failed.files);
      if (also !== undefined) throw new Error(`without the fault, this fails, too: ${also.text}`);
      plant();
    }
    const test = failed?.text ?? none;
    if ((failed !== undefined && !values.laws) || values.schedules === "0") return { ...before, test };
    const broken = await firstBroken(folder, without, plant);
    return { test, ...(broken ?? { law: none, schedules: values.schedules }) };
  } finally {
    without();
  }
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");

/** Fault → its row. */
function readRows(): Map<string, Row> {
  const rows = madePart(page, part)
    .text.split("\n")
    .flatMap((line): [string, Row][] => {
      const [, name = "", , test = "", law = "", schedules = ""] = line
        .split(/(?<!\\)\|/)
        .map((each) => each.trim());
      const hasRun = test !== unknown.test || law !== unknown.law;
      return /^`.+`$/.test(name) && hasRun ? [[name.slice(1, -1), { test, law, schedules }]] : [];
    });
  return new Map(rows);
}

function isNoticed({ test, law }: Row): boolean {
  return [test, law].some((each) => each !== none && each !== unknown.law);
}

function isKnown(row = unknown): boolean {
  return isNoticed(row) || row.law !== unknown.law;
}

function tableOf(faults: readonly Fault[], rows: ReadonlyMap<string, Row>): string {
  const rowOf = ({ name }: Fault): Row => rows.get(name) ?? unknown;
  const noticed = faults.filter((each) => isNoticed(rowOf(each))).length;
  const open = faults.filter((each) => !isKnown(rowOf(each))).length;
  const lines = faults.map((each) => {
    const { test, law, schedules } = rowOf(each);
    const { name, file, what, harmless = "" } = each;
    const where = `${what} (\`${file.replace(/^provider\/(?:reconcile\/)?/, "")}\`) ${harmless}`.trim();
    return `| \`${name}\` | ${cell(where)} | ${cell(test)} | ${law} | ${schedules} |`;
  });
  return [
    `${noticed} of ${faults.length} faults are noticed. ${open} have not met all their schedules yet.`,
    "",
    "| name | fault | first unit test | first law | schedules |",
    "|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

function chosen(faults: readonly Fault[]): Fault[] {
  const names = values.only.split(",").filter((name) => name !== "");
  for (const name of names)
    if (!faults.some((each) => each.name === name)) throw new Error(`${name}: no fault has this name`);
  const known = readRows();
  return faults.filter(
    ({ name }) =>
      (names.length === 0 || names.includes(name)) && !(values.missing && isKnown(known.get(name))),
  );
}

main(command, async () => {
  const faults = readFaults();
  if (values.check) return say(`${faults.length} faults can be planted`);
  const folder = scratchCopy();
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  for (const each of chosen(faults)) {
    const before = readRows().get(each.name) ?? unknown;
    try {
      const row = await resultOf(folder, each, before);
      const rows = readRows().set(each.name, row);
      writeFileSync(page, madePart(page, part).with(tableOf(faults, rows)));
      say(`${each.name}: ${row.test}; ${row.law} ${row.schedules}`);
    } catch (error) {
      process.exitCode = 1;
      say(`${each.name}: ${String(error)}`);
    }
  }
});
