/** Rules that keep the token of a pipeline safe, in this repository's workflows and in those that users copy. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { root } from "../support/page";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly permissions?: object;
  readonly env?: object;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: object; readonly env?: object; readonly steps: readonly Step[] }>
  >;
}

const own = readdirSync(join(root, ".github/workflows")).map((file) => `.github/workflows/${file}`);
const files = [...own, "examples/pipeline/dns.yml", "examples/pipeline/drift.yml", "examples/shards/dns.yml"];

for (const file of files)
  describe(file, () => {
    const text = readFileSync(join(root, file), "utf8");
    const workflow = parse(text) as Workflow;
    const jobs = Object.values(workflow.jobs);
    const steps = jobs.flatMap((job) => job.steps);

    it("pins each action by its commit and names the version", () => {
      const uses = text.match(/uses: .*/g) ?? [];
      assert.deepEqual(
        uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
        [],
      );
      assert.equal(uses.length, steps.filter((step) => step.uses !== undefined).length);
    });

    it("grants permissions per job only", () => {
      assert.deepEqual(workflow.permissions, {});
      for (const job of jobs) assert.ok(job.permissions !== undefined);
    });

    it("passes secrets to single steps only", () => {
      for (const env of [workflow.env, ...jobs.map((job) => job.env)])
        assert.doesNotMatch(JSON.stringify(env ?? {}), /secrets\.|github\.token/);
    });

    it("puts no expression into the text of a script", () => {
      assert.deepEqual(
        steps.filter(({ run = "" }) => run.includes("${{")),
        [],
      );
    });

    it("keeps no credentials in a checkout, unless a later step pushes", () => {
      const pushes = steps.some(({ run = "" }) => run.includes("git push"));
      for (const { uses = "", with: options } of steps)
        if (uses.startsWith("actions/checkout@"))
          assert.ok(pushes || options?.["persist-credentials"] === false);
    });
  });

/** Stands in for gh: issues in a file, a line of calls for each command. */
const gh = `#!/usr/bin/env node
  const fs = require("node:fs"), [, , , command, ...args] = process.argv;
  const after = (name) => args[args.indexOf(name) + 1];
  const all = JSON.parse(fs.readFileSync("issues.json", "utf8"));
  if (command === "list") for (const { id, open, title } of all) if (open && title === process.env.TITLE) console.log(id);
  if (command === "create") all.push({ id: all.length + 1, open: true, title: after("--title"), body: fs.readFileSync(after("--body-file"), "utf8") });
  if (command === "edit") all.find(({ id }) => id === Number(args[0])).body = fs.readFileSync(after("--body-file"), "utf8");
  if (command === "close") all.find(({ id }) => id === Number(args[0])).open = false;
  fs.writeFileSync("issues.json", JSON.stringify(all));
`;

describe("the workflow that looks for drift", () => {
  it("opens one issue, updates it while the zones differ, and closes it when they agree", async () => {
    const { jobs } = parse(readFileSync(join(root, "examples/pipeline/drift.yml"), "utf8")) as Workflow;
    const script = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .find(({ name }) => name === "Issue")?.run;
    const folder = mkdtempSync(join(tmpdir(), "legacydns-drift-"));
    const issues = (): unknown => JSON.parse(readFileSync(join(folder, "issues.json"), "utf8"));
    const after = async (code: number, plan: string): Promise<void> => {
      writeFileSync(join(folder, "plan.md"), plan);
      const env = {
        PATH: `${folder}:${process.env["PATH"] ?? ""}`,
        CODE: String(code),
        TITLE: "DNS drift: prod",
        GITHUB_REPOSITORY: "team/zones",
      };
      await promisify(execFile)("bash", ["-ec", script ?? ""], { cwd: folder, env });
    };
    try {
      writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
      writeFileSync(
        join(folder, "issues.json"),
        JSON.stringify([{ id: 1, open: true, title: "DNS drift: test", body: "" }]),
      );
      const other = { id: 1, open: true, title: "DNS drift: test", body: "" };
      const issue = { id: 2, open: true, title: "DNS drift: prod", body: "first" };
      await after(0, "agrees");
      assert.deepEqual(issues(), [other]);
      await after(2, "first");
      assert.deepEqual(issues(), [other, issue]);
      await after(2, "second");
      assert.deepEqual(issues(), [other, { ...issue, body: "second" }]);
      await after(0, "agrees");
      assert.deepEqual(issues(), [other, { ...issue, open: false, body: "second" }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
