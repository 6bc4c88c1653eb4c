import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { versionOf } from "../../tools/engine/build";
import { MINIMUM_VERSION } from "../../tools/engine/programs";
import { combinations, nodes } from "../../tools/test/matrix";
import { inFolder } from "../cli/run";
import { stepOf, stepsOf, workflowIn } from "../support/examples";
import { blocksOf, manifest, read, root } from "../support/page";

const own = readdirSync(join(root, ".github/workflows")).map((file) => `.github/workflows/${file}`);
const copied = ["pipeline/dns", "pipeline/drift", "shards/dns"].map((name) => `examples/${name}.yml`);
const files = [...own, ...copied];

describe("each workflow", () => {
  for (const file of files) {
    const text = read(file);
    const workflow = workflowIn(file);
    const jobs = Object.values(workflow.jobs);
    const steps = stepsOf(workflow);

    it(`pins each action by its commit and names the version: ${file}`, () => {
      const uses = text.match(/uses: .*/g) ?? [];
      for (const line of uses) match(line, /^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      equal(uses.length, steps.filter((step) => step.uses !== undefined).length);
    });

    it(`grants permissions per job, and passes secrets to single steps only: ${file}`, () => {
      deepEqual(workflow.permissions, {});
      for (const { permissions } of jobs) ok(permissions !== undefined);
      for (const env of [workflow.env, ...jobs.map((job) => job.env)])
        doesNotMatch(JSON.stringify(env ?? {}), /secrets\.|github\.token/);
    });

    it(`puts no expression into a script, and keeps no credentials unless it pushes: ${file}`, () => {
      const scripts = steps.map(({ run = "" }) => run).join("\n");
      ok(!scripts.includes("${{"));
      for (const { uses = "", with: options } of steps)
        if (uses.startsWith("actions/checkout@") && !scripts.includes("git push"))
          equal(options?.["persist-credentials"], false);
    });
  }
});

/** Runs a script in a folder, whose programs come first. */
const runIn = (folder: string, script: string, env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)("bash", ["-ec", script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, GITHUB_REPOSITORY: "team/zones", ...env },
  });

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
  it("opens one issue, updates it while the zones differ, and closes it when they agree", () =>
    inFolder(async (folder) => {
      const script = stepOf("pipeline/drift.yml", "Issue");
      const issues = (): unknown => JSON.parse(readFileSync(join(folder, "issues.json"), "utf8"));
      const after = async (code: number, plan: string) => {
        writeFileSync(join(folder, "plan.md"), plan);
        await runIn(folder, script, { CODE: String(code), TITLE: "DNS drift: prod" });
      };
      writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
      const other = { id: 1, open: true, title: "DNS drift: test", body: "" };
      writeFileSync(join(folder, "issues.json"), JSON.stringify([other]));
      const issue = { id: 2, open: true, title: "DNS drift: prod", body: "first" };
      await after(0, "agrees");
      deepEqual(issues(), [other]);
      await after(2, "first");
      deepEqual(issues(), [other, issue]);
      await after(2, "second");
      deepEqual(issues(), [other, { ...issue, body: "second" }]);
      await after(0, "agrees");
      deepEqual(issues(), [other, { ...issue, open: false, body: "second" }]);
    }));
});

describe("the page of pipelines", () => {
  const fake = `#!/bin/bash
if [ "$1 $2" = "run download" ]; then echo "$3"; else jq -r "\${@: -1}" artifacts.json; fi`;

  it("takes a saved plan of a branch of the repository, and never one of a fork", () =>
    inFolder(async (folder) => {
      const block = blocksOf("docs/pipelines.md").find(({ text }) => text.includes("gh run download"));
      writeFileSync(join(folder, "gh"), fake, { mode: 0o755 });
      writeFileSync(join(folder, "git"), "#!/bin/bash\necho tree", { mode: 0o755 });
      const downloadedOf = async (...runs: readonly object[]) => {
        const artifacts = runs.map((workflow_run) => ({ expired: false, workflow_run }));
        writeFileSync(join(folder, "artifacts.json"), JSON.stringify({ artifacts }));
        return (await runIn(folder, block?.text ?? "")).stdout;
      };
      const own = { id: 11, repository_id: 1, head_repository_id: 1 };
      const fork = { id: 22, repository_id: 1, head_repository_id: 2 };
      equal(await downloadedOf(fork, own), "11\n");
      await rejects(downloadedOf(fork));
      await rejects(downloadedOf());
    }));
});

describe("the page of compatibility", () => {
  it("has a result of each combination, and all of them work", () => {
    const rows = read("docs/compatibility.md").matchAll(
      /^\| (\d+\.\d+\.\d+) \| (\S+) \| (\S+) \| (works|fails) \|/gm,
    );
    deepEqual(
      [...rows].map(([, node, sdk, engine, result]) => ({ node, sdk, engine, result })),
      combinations.map((each) => ({ ...each, result: "works" })),
    );
  });

  it("holds the ranges of package.json: nothing is promised that was not run", () => {
    deepEqual(
      [manifest.engines.node, manifest.peerDependencies["@pulumi/pulumi"]],
      [`>=${nodes[0].replace(/\.0$/, "")}`, `^${MINIMUM_VERSION}`],
    );
    equal(versionOf("pulumi"), manifest.devDependencies["@pulumi/pulumi"]);
    deepEqual(
      nodes.map((node) => node.split(".")[0]),
      ["20", "22", "24", "26"],
    );
  });
});

describe("the repository's pipelines", () => {
  it("run the combinations of the page", () => {
    const { jobs } = workflowIn(".github/workflows/check.yml");
    deepEqual(jobs["matrix"]?.strategy?.matrix.include, combinations);
  });

  it("pin the engine to the version that the tests run with, like those that users copy", () => {
    const tested = manifest.devDependencies["@pulumi/pulumi"] ?? "";
    const engines = files.flatMap((file) =>
      stepsOf(workflowIn(file))
        .filter(({ uses = "" }) => uses.startsWith("pulumi/actions@"))
        .map((step) => step.with?.["pulumi-version"]),
    );
    ok(engines.length >= 5);
    deepEqual([...new Set(engines)].sort(), ["${{ matrix.engine }}", tested]);
    match(read("examples/pipeline/gitlab-ci.yml"), new RegExp(`name: pulumi/pulumi-nodejs-22:${tested}\\n`));
  });
});
