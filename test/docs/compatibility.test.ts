/** docs/compatibility.md, package.json, the pipeline and the forms for issues say the same. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { MINIMUM_VERSION } from "../../scripts/engine/programs";
import { combinations, nodes, sdks, tests } from "../../scripts/matrix/combinations";
import { resultsOf, withResults } from "../../scripts/matrix/page";
import { root } from "../support/page";
import { citedIn } from "../support/titles";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  engines: { node: string };
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  version: string;
};

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy?: { readonly matrix: { readonly include: { node: string; sdk: string }[] } };
        readonly steps: {
          readonly run?: string;
          readonly uses?: string;
          readonly with?: Readonly<Record<string, string>>;
        }[];
      }
    >
  >;
}

describe("the page of compatibility", () => {
  const results = resultsOf(read("docs/compatibility.md"));

  it("has a result of each combination, and all of them work", () => {
    assert.deepEqual(
      results,
      combinations().map(({ node, sdk }) => ({ node, sdk, works: true })),
    );
  });

  it("holds the ranges of package.json: nothing is promised that was not run", () => {
    const [oldest] = sdks;
    assert.deepEqual(
      [manifest.engines.node, manifest.peerDependencies["@pulumi/pulumi"]],
      [`>=${nodes[0].replace(/\.0$/, "")}`, `^${oldest}`],
    );
    assert.equal(MINIMUM_VERSION, oldest);
    assert.ok(sdks.some((sdk) => sdk === manifest.devDependencies["@pulumi/pulumi"]));
    for (const node of ["20", "22", "24"])
      assert.ok(
        nodes.some((version) => version.startsWith(`${node}.`)),
        node,
      );
  });

  it("is written by a run: its rows are replaced, and the rest stays", () => {
    const page = read("docs/compatibility.md");
    const failed = { node: "20.19.0", sdk: "3.150.0", passed: 3, failed: 1, seconds: 9 };
    const written = withResults(page, { date: "2026-01-31", engine: "3.1.0", machine: "a machine" }, [
      failed,
    ]);
    assert.deepEqual(
      resultsOf(written),
      results.map((row) =>
        row.node === failed.node && row.sdk === failed.sdk ? { ...row, works: false } : row,
      ),
    );
    assert.match(
      written,
      /^\| 20\.19\.0 \| 3\.150\.0 \| fails \| 3 \| 1 \| 9 s \| 3\.1\.0 \| 2026-01-31 \| a machine \|$/m,
    );
    assert.deepEqual(
      [written.split("<!--")[0], written.split("-->").at(-1)],
      [page.split("<!--")[0], page.split("-->").at(-1)],
    );
  });

  it("names tests that are there", () => {
    for (const test of tests) assert.ok(existsSync(join(root, test)), test);
  });
});

describe("the repository's pipeline", () => {
  const workflow = parse(read(".github/workflows/check.yml")) as Workflow;

  it("runs the combinations of the page, and all tests by the script that counts them", () => {
    const matrix = workflow.jobs["matrix"]?.strategy?.matrix.include ?? [];
    assert.deepEqual(matrix, combinations());
    const commands = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
    );
    assert.deepEqual(commands, [
      ".ci/run",
      "npm run docs",
      "npm ci",
      'npm run --silent matrix -- --here --sdk "$SDK"',
    ]);
  });
});

describe("the nightly pipeline", () => {
  it("runs all tests at a fixed time", () => {
    const { on, jobs } = parse(read(".github/workflows/nightly.yml")) as Workflow & {
      readonly on: { readonly schedule: readonly { readonly cron: string }[] };
    };
    assert.equal(on.schedule.length, 1);
    assert.equal(jobs["all"]?.steps.at(-1)?.run, "npm run test:all");
  });
});

describe("the engine in the pipelines", () => {
  it("is pinned, to the version that the tests run with", () => {
    const tested = manifest.devDependencies["@pulumi/pulumi"] ?? "";
    for (const path of [
      ".github/workflows/check.yml",
      ".github/workflows/release.yml",
      "examples/pipeline/dns.yml",
      "examples/pipeline/drift.yml",
      "examples/shards/dns.yml",
    ]) {
      const steps = Object.values((parse(read(path)) as Workflow).jobs)
        .flatMap((job) => job.steps)
        .filter(({ uses = "" }) => uses.startsWith("pulumi/actions@"));
      assert.deepEqual([...new Set(steps.map((step) => step.with?.["pulumi-version"]))], [tested], path);
    }
    assert.match(
      read("examples/pipeline/gitlab-ci.yml"),
      new RegExp(`name: pulumi/pulumi-nodejs-22:${tested}\\n`),
    );
  });
});

describe("the page of security", () => {
  it("names tests that are there", () => {
    const rows = read("SECURITY.md")
      .split("\n")
      .filter((line) => /^\| (?!subject)\w/.test(line));
    assert.ok(rows.length > 5);
    assert.ok(rows.flatMap((row) => citedIn(row.split("|").at(-2) ?? "")).length > 5);
  });
});
