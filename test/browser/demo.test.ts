/** The demo for a new user. Its output equals the README's pictures and docs/get-started.md. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine } from "../../scripts/engine/index";
import { previewIn, recording, steady } from "../../scripts/pictures/recordings";
import { root } from "../support/page";

const stack = `demo-test-${process.pid}`;

/** Starts the demo in its own process group, and waits for its last lines. */
async function keptDemo(log: string): Promise<{ readonly demo: ChildProcess; readonly printed: string }> {
  const demo = spawn("npm", ["run", "--silent", "demo", "--", "--keep", "--stack", stack, "--log", log], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let printed = "";
  await new Promise<void>((done, failed) => {
    demo.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes("until Ctrl-C")) done();
    });
    demo.on("exit", (code) => failed(new Error(`the demo ended with ${String(code)}: ${printed}`)));
  });
  return { demo, printed };
}

describe("npm run demo -- --keep", function () {
  this.timeout(300_000);
  const scratch = mkdtempSync(join(tmpdir(), "legacydns-demo-"));
  let demo: ChildProcess | undefined;
  let shown = "";

  before(async function () {
    // A machine that has no engine yet builds it, and the demo would say so.
    this.timeout(900_000);
    await ensureEngine({ say: () => undefined });
    const kept = await keptDemo(join(scratch, "log"));
    demo = kept.demo;
    [shown = ""] = kept.printed.split("\n== Go on by hand");
  });

  after(async () => {
    // The whole group: npm stands between.
    if (demo?.pid !== undefined && demo.exitCode === null) {
      const ended = new Promise((done) => demo?.on("exit", done));
      process.kill(-demo.pid, "SIGTERM");
      await ended;
    }
    for (const path of [scratch, join(root, ".work", stack), join(root, ".work", `Pulumi.${stack}.yaml`)])
      rmSync(path, { recursive: true, force: true });
  });

  it("shows what the README's pictures and docs/get-started.md show, in fewer than 60 lines", () => {
    const outdated = "the pictures of the README are out of date: npm run pictures";
    assert.deepEqual(steady(shown), steady(recording("demo")), outdated);
    assert.deepEqual(
      steady(previewIn(readFileSync(join(scratch, "log"), "utf8"))),
      steady(recording("preview")),
      outdated,
    );
    assert.ok(shown.trimEnd().split("\n").length < 60, shown);
  });
});
