import { equal } from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { compileCacheFolder } from "../../../provider/frontends/native/compile-cache";
import { homeOf } from "../../../provider/support/state-dir";

describe("the cache of the plugin's compiled code", () => {
  let home = "";
  let folder = "";
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "compile-cache-"));
    folder = join(home, ".cache", "pulumi-legacydns");
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it("is a private folder of the home folder", () => {
    equal(compileCacheFolder({ HOME: home }), folder);
    equal(statSync(folder).mode & 0o777, 0o700);
  });

  it("is not used if others can write to its folder", () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    equal(compileCacheFolder({ HOME: home }), undefined);
  });

  it("is not used if another user owns its folder", () => {
    mkdirSync(join(home, ".cache"), { recursive: true });
    // Only root may give a folder away. Other users own no root folder.
    if (process.getuid?.() !== 0) symlinkSync("/", folder);
    else {
      mkdirSync(folder, { mode: 0o755 });
      chownSync(folder, 12_345, 12_345);
    }
    equal(compileCacheFolder({ HOME: home }), undefined);
  });

  it("is never relative to the current folder", () => {
    equal(compileCacheFolder({ HOME: "somewhere" }), undefined);
    equal(isAbsolute(homeOf({ HOME: "" }) ?? "/"), true);
  });
});
