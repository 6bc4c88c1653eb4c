/**
 * The demo for a new user. Its output equals the README's pictures and docs/get-started.md. With `--keep`,
 * its commands and address lead through a loop: an edit in the console, a preview that names it, an up that
 * undoes it.
 */
import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureEngine } from "../../scripts/engine/index";
import { previewIn, recording, steady } from "../../scripts/pictures/recordings";
import { inConsole, startBrowser } from "../support/browser";
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

/** A terminal in the checkout, after the set-up lines. */
function terminal(pasted: string): (command: string) => Promise<string> {
  return (command) =>
    new Promise((done, failed) => {
      execFile(
        "bash",
        ["-ec", `${pasted}\n${command}`],
        { cwd: root, maxBuffer: 1 << 24 },
        (error, stdout, stderr) => {
          const output = stripVTControlCharacters(stdout + stderr);
          if (error === null) done(output);
          else failed(new Error(`${command}: ${output}`));
        },
      );
    });
}

describe("npm run demo -- --keep", function () {
  this.timeout(300_000);
  const scratch = mkdtempSync(join(tmpdir(), "legacydns-demo-"));
  let demo: ChildProcess | undefined;
  let [shown, byHand] = ["", ""];

  before(async function () {
    // A machine that has no engine yet builds it, and the demo would say so.
    this.timeout(900_000);
    await ensureEngine({ say: () => undefined });
    const kept = await keptDemo(join(scratch, "log"));
    demo = kept.demo;
    [shown = "", byHand = ""] = kept.printed.split("\n== Go on by hand");
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

  it("leads on by hand: what is changed and removed in the console's page a preview names, an up puts right, and the page shows", async () => {
    const run = terminal(
      byHand
        .split("\n")
        .filter((line) => /^(export|pulumi stack select) /.test(line))
        .join("\n"),
    );
    const [, address = null] = /^The service's console, for a browser: (\S+)$/m.exec(byHand) ?? [];
    const [preview = "", up = ""] = [...byHand.matchAll(/^ {2}(pulumi .*?) {2,}/gm)].map(
      ([, command]) => command,
    );
    const zone = async (): Promise<string> =>
      run('curl -s --fail "$LEGACYDNS_BASE_URL/_admin/zone?domain=example.com"').then((json) =>
        (JSON.parse(json) as { text: string[] }).text.sort().join("\n"),
      );
    const declared = await zone();
    const browser = await startBrowser();
    try {
      await inConsole(browser, { consoleUrl: address }, async (page) => {
        const edit = page.getByRole("button", { name: /^Edit example\.com\. A 192\.0\.2\.11/ });
        await edit.click();
        await page.getByRole("dialog").getByLabel("Value").fill("198.51.100.9");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByText("198.51.100.9", { exact: true }).waitFor();
        const search = page.getByRole("searchbox", { name: "Search records" });
        await search.fill("status");
        const remove = page.getByRole("button", { name: "Remove status.example.com. CNAME" });
        await remove.click();
        await page.getByRole("button", { name: "Remove record" }).click();
        await remove.waitFor({ state: "detached" });

        const named = await run(preview);
        assert.match(named, /^ +- example\.com\. 600 A 198\.51\.100\.9/m);
        assert.match(named, /^ +\+ example\.com\. 600 A 192\.0\.2\.11$/m);
        assert.match(named, /^ +\+ status\.example\.com\. 3600 CNAME www\.example\.com\.$/m);

        await run('curl -s --fail "$LEGACYDNS_BASE_URL/_admin/calls/clear" -d "{}"');
        await run(`${up} --yes --skip-preview`);
        await remove.waitFor();
        await search.fill("");
        await edit.waitFor();
        assert.equal(await zone(), declared);
        await page.getByRole("link", { name: /^Calls/ }).click();
        await page.locator("summary", { hasText: "Record.Modify" }).getByText("ok").waitFor();
      });
    } finally {
      await browser.close();
    }
  });
});
