/** The plugin's program is loaded with its compiled code, and without it wherever that is not to be trusted. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, load } from "../../native/compiled";

describe("the plugin's compiled code", () => {
  const folder = mkdtempSync(join(tmpdir(), "legacydns-code-"));
  const program = join(folder, "program.js");
  const cache = join(folder, "own", "plugin.code");
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    rmSync(join(folder, "own"), { recursive: true, force: true });
    writeFileSync(
      program,
      'exports.sum = (a, b) => a + b; exports.path = require("node:path").basename(__filename);',
    );
  });

  /** Loads the program. @returns whether what was kept was used */
  function loads(expected: number, file = cache): boolean {
    const works: (() => void)[] = [];
    const { sum, path } = load(program, file, (work) => works.push(work)) as {
      sum: (a: number, b: number) => number;
      path: string;
    };
    assert.deepEqual([sum(1, 2), path], [expected, "program.js"]);
    for (const work of works) work();
    return works.length === 0;
  }

  it("is kept for this user alone, and used the next time", () => {
    assert.equal(loads(3), false);
    assert.equal(statSync(cache).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, "own")).mode & 0o777, 0o700);
    assert.equal(loads(3), true);
  });

  it("is not used where a byte of it differs, half of it is missing, or the program has changed at the same length", () => {
    loads(3);
    const whole = readFileSync(cache);
    const other = Buffer.from(whole);
    other.writeUInt8((other.at(-100) ?? 0) ^ 1, other.length - 100);
    for (const damaged of [other, whole.subarray(0, whole.length / 2), Buffer.alloc(0)]) {
      writeFileSync(cache, damaged);
      assert.equal(loads(3), false);
      assert.equal(loads(3), true, "it was written anew");
    }
    writeFileSync(program, readFileSync(program, "utf8").replace("a + b", "a - b"));
    assert.equal(loads(-1), false);
    assert.equal(loads(-1), true);
  });

  it("is not used from a folder that others may write to, and needs none", () => {
    loads(3);
    chmodSync(join(folder, "own"), 0o770);
    assert.equal(loads(3), false);
    writeFileSync(join(folder, "file"), "");
    assert.equal(loads(3, join(folder, "file", "plugin.code")), false);
    mkdirSync(join(folder, "own", "taken"));
    assert.equal(loads(3, join(folder, "own", "taken")), false);
  });

  it("stands in the user's cache folder, or nowhere", () => {
    if (process.platform !== "win32")
      assert.equal(cacheFolder({ XDG_CACHE_HOME: "/cache" }), "/cache/pulumi-legacydns");
    assert.match(String(cacheFolder({})), /pulumi-legacydns$/);
    assert.equal(cacheFolder({ XDG_CACHE_HOME: "relative", LOCALAPPDATA: "relative" }), undefined);
    assert.equal(cacheFolder({ NODE_DISABLE_COMPILE_CACHE: "1" }), undefined);
  });
});
