/** The script itself: its last line is the result, and everything else goes to standard error. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { World } from "./world";

const ROOT = join(__dirname, "..", "..");

describe("the engine script", () => {
  let world: World;
  beforeEach(async () => (world = await World.create()));
  afterEach(() => world.destroy());

  const script = (
    env: NodeJS.ProcessEnv,
    ...args: string[]
  ): Promise<{ code: unknown; out: string; err: string }> =>
    new Promise((resolve) => {
      const command = ["-r", "ts-node/register/transpile-only", join(ROOT, "scripts", "engine.ts"), ...args];
      execFile(process.execPath, command, { cwd: ROOT, env: { ...world.env, ...env } }, (error, out, err) =>
        resolve({ code: error === null ? 0 : error.code, out, err }),
      );
    });

  it("prints the folder, or JSON, and tells on standard error what it found", async () => {
    await world.engineIn(world.bin, "3.200.0");
    const plain = await script({});
    assert.deepEqual([plain.code, plain.out], [0, `${world.bin}\n`]);
    assert.match(plain.err, /^engine: path: Pulumi 3\.200\.0 in /m);
    const json = await script({}, "--json");
    assert.deepEqual(JSON.parse(json.out), { bin: world.bin, source: "path", version: "3.200.0" });
  });

  it("without an engine it prints no result, the reasons, and ends with 1", async () => {
    const { code, out, err } = await script({ PULUMI_LEGACYDNS_ENGINE: "path,cache" });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /no Pulumi engine could be had/);
    assert.match(err, /download: it is switched off/);
    assert.doesNotMatch(err, / at .*\.ts:/, "no stack");
  });

  it("explains itself, and refuses what it does not know in one line", async () => {
    const help = await script({}, "--help");
    assert.match(help.out, /PULUMI_LEGACYDNS_ENGINE/);
    for (const [env, args] of [
      [{ PULUMI_LEGACYDNS_ENGINE: "brew" }, []],
      [{}, ["--jsno"]],
    ] as const) {
      const { code, out, err } = await script(env, ...args);
      assert.deepEqual([code, out], [1, ""]);
      assert.equal(
        err
          .trim()
          .split("\n")
          .filter((line) => !line.startsWith("npm")).length,
        1,
        err,
      );
    }
  });
});
