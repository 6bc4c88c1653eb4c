/** How the tests get a browser, and their error if there is none. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBrowser, NoBrowser } from "../../scripts/browser";

describe("a browser for the tests", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "legacydns-browser-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const program = (name: string, version: string): string => {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "Chromium ${version}"\n`, { mode: 0o755 });
    return join(folder, name);
  };
  const env = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
    PATH: folder,
    PULUMI_LEGACYDNS_CACHE: join(folder, "cache"),
    ...more,
  });

  it("is the one that is named, or the first on the PATH that is new enough", async () => {
    program("chromium", "90.0.1.2");
    const newer = program("google-chrome", "140.0.7000.1");
    const named = program("mine", "123.0.0.0");
    assert.deepEqual(await ensureBrowser(env()), { program: newer, version: "140.0.7000.1" });
    assert.equal((await ensureBrowser(env({ PULUMI_LEGACYDNS_BROWSER: named }))).program, named);
  });

  it("starts by its path alone, even if the machine lacks libraries", async () => {
    const { program: found, version } = await ensureBrowser();
    const said = execFileSync(found, ["--version"], { env: { PATH: "/usr/bin:/bin" }, encoding: "utf8" });
    assert.ok(said.includes(version), said);
  });

  it("that is unavailable is an error with every attempt, its reason and a remedy", async () => {
    program("chromium", "90.0.1.2");
    await assert.rejects(ensureBrowser(env()), (error: Error) => {
      assert.ok(error instanceof NoBrowser);
      assert.match(
        error.message,
        /installed: .*chromium is 90\.0\.1\.2, older than 123\.0\.0\n[^]*Debian's packages: apt-get could not be started[^]*\nInstall Chromium or Chrome 123 or newer .*PULUMI_LEGACYDNS_BROWSER/,
      );
      return true;
    });
    await assert.rejects(
      ensureBrowser(env({ PULUMI_LEGACYDNS_BROWSER: join(folder, "absent") })),
      /PULUMI_LEGACYDNS_BROWSER: .*absent could not be started/,
    );
  });
});
