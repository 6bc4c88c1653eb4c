/**
 * `npm run matrix`: runs some tests on each supported version of Node.js and of @pulumi/pulumi, and writes
 * docs/compatibility.md.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { delimiter, join } from "node:path";
import { Command } from "commander";
import { ensureEngine, type Engine } from "./engine/index";
import { combinations, tests, type Combination } from "./matrix/combinations";
import { withResults, type Result } from "./matrix/page";
import { checkoutWith, nodeOf } from "./matrix/place";
import { main, root } from "./support/main";

const work = join(root, ".work", "matrix");
const page = join(root, "docs", "compatibility.md");

function run({ node, sdk }: Combination, bin: string | undefined, engine: Engine): Result {
  const checkout = checkoutWith(root, work, sdk);
  const path = [bin, engine.bin, process.env["PATH"]]
    .filter((part) => part !== undefined && part !== "")
    .join(delimiter);
  const program = bin === undefined ? process.execPath : join(bin, "node");
  const began = Date.now();
  const { stdout, stderr } = spawnSync(program, [join(root, "node_modules/mocha/bin/mocha.js"), ...tests], {
    cwd: checkout,
    env: { ...process.env, PATH: path },
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const count = (word: string): number => Number(new RegExp(`^ *(\\d+) ${word}`, "m").exec(stdout)?.[1] ?? 0);
  const result = {
    node,
    sdk,
    passed: count("passing"),
    failed: count("failing"),
    seconds: Math.round((Date.now() - began) / 1000),
  };
  if (result.failed > 0 || result.passed === 0) process.stderr.write(`${stdout}${stderr}\n`);
  process.stdout.write(
    `Node.js ${node}, @pulumi/pulumi ${sdk}: ${result.passed} passed, ${result.failed} failed, ${result.seconds} s\n`,
  );
  return result;
}

interface Flags {
  readonly node?: string;
  readonly sdk?: string;
  readonly here?: boolean;
}

async function matrix(values: Flags): Promise<void> {
  mkdirSync(work, { recursive: true });
  const engine = await ensureEngine();
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
  const here = process.versions.node;
  const chosen = (
    values.here === true
      ? [...new Set(combinations().map(({ sdk }) => sdk))].map((sdk) => ({ node: here, sdk }))
      : combinations()
  ).filter(
    ({ node, sdk }) =>
      (values.node === undefined || node === values.node || node.startsWith(`${values.node}.`)) &&
      (values.sdk === undefined || sdk === values.sdk),
  );
  if (chosen.length === 0) throw new Error("there is no such combination");
  const results = chosen.map((each) =>
    run(each, values.here === true ? undefined : nodeOf(work, each.node), engine),
  );
  if (values.here !== true) {
    const machine = `${process.platform} ${process.arch}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`;
    writeFileSync(
      page,
      withResults(
        readFileSync(page, "utf8"),
        { date: new Date().toISOString().slice(0, 10), engine: engine.version, machine },
        results,
      ),
    );
  }
  if (results.some(({ passed, failed }) => failed > 0 || passed === 0)) process.exitCode = 1;
}

const command = new Command("matrix")
  .option("--node <version>", "only this Node.js (as in the table, or its first number)")
  .option("--sdk <version>", "only this @pulumi/pulumi")
  .option("--here", "with the Node.js that runs this; docs/compatibility.md stays as it is")
  .action(matrix);
main("matrix", () => command.parseAsync());
