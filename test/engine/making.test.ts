/** Making an engine beside others, and being interrupted: one makes, nothing half made stays, no lock for ever. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureEngine } from "../../scripts/engine/index";
import { withLock } from "../../scripts/engine/lock";
import { isAlive, machine } from "../../scripts/engine/scratch";
import { QUICK, until, World } from "./world";

describe("making an engine", () => {
  let world: World;
  const children: ChildProcess[] = [];
  beforeEach(async () => (world = await World.create()));
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await world.destroy();
  });

  /** Another process that makes the engine with a Go that writes its number into `pid` and takes `seconds`. */
  const otherProcess = async (seconds: number): Promise<ChildProcess> => {
    await world.script(world.bin, "go", goThatTakes(seconds, world.root));
    const child = spawn(
      process.execPath,
      ["-r", "ts-node/register/transpile-only", join(__dirname, "caller.ts")],
      {
        env: world.env,
        cwd: join(__dirname, "..", ".."),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    children.push(child);
    return child;
  };

  it("happens once for two callers, and the second says what it waits for", async () => {
    const maker = world.maker(300);
    const options = { ...world.options, makers: { ...world.options.makers, build: maker } };
    const [one, other] = await Promise.all([ensureEngine(options), ensureEngine(options)]);
    assert.equal(maker.calls, 1);
    assert.deepEqual([one.source, other.source].sort(), ["build", "cache"]);
    assert.equal(one.bin, other.bin);
    assert.ok(
      world.said.some((line) => /^waiting for process \d+, which is getting the engine ready/.test(line)),
    );
    assert.deepEqual(await world.inCache(), [world.recipe.key]);
  });

  it("happens once for two processes", async () => {
    const outputs = await Promise.all(
      (await Promise.all([otherProcess(0.5), otherProcess(0.5)])).map(outputOf),
    );
    assert.deepEqual(
      outputs.map(({ code }) => code),
      [0, 0],
      outputs.map(({ err }) => err).join("\n"),
    );
    assert.deepEqual(outputs.map(({ out }) => sourceOf(out)).sort(), ["build", "cache"]);
    assert.equal((await world.read("built")).trim().split("\n").length, 2, "one build of two programs");
    assert.deepEqual(await world.inCache(), [world.recipe.key]);
  });

  it("goes to the second caller when the first fails", async () => {
    let calls = 0;
    const good = world.maker();
    const build: typeof good = Object.assign(
      async (m: Parameters<typeof good>[0]) => {
        if (calls++ === 0) throw new Error("the disk is full");
        await good(m);
      },
      { calls: 0 },
    );
    const options = { ...world.options, makers: { ...world.options.makers, build } };
    const results = await Promise.allSettled([ensureEngine(options), ensureEngine(options)]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.deepEqual(await world.inCache(), [world.recipe.key]);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`leaves nothing after ${signal}, and no child`, async () => {
      const child = await otherProcess(60);
      await until(async () => (await world.read("pid").catch(() => "")) !== "", "the build to begin");
      const pid = Number(await world.read("pid"));
      assert.equal((await world.inCache()).length, 2, "a lock and a half-made folder");
      const ended = outputOf(child);
      child.kill(signal);
      assert.equal((await ended).signal, signal);
      assert.deepEqual(await world.inCache(), []);
      await until(() => !isAlive(pid), "the build's process to end");
    });
  }

  it("ends when npm's shell is killed, which hands no signal on", async () => {
    await world.script(world.bin, "go", goThatTakes(60, world.root));
    const script = join(__dirname, "..", "..", "scripts", "engine.ts");
    const command = `${process.execPath} -r ts-node/register/transpile-only ${script}; exit 1`;
    const env = { ...world.env, npm_lifecycle_event: "engine", PULUMI_LEGACYDNS_ENGINE: "build" };
    const shell = spawn("sh", ["-c", command], { env, cwd: join(__dirname, "..", ".."), stdio: "ignore" });
    children.push(shell);
    await until(async () => (await world.read("pid").catch(() => "")) !== "", "the build to begin");
    const pid = Number(await world.read("pid"));
    shell.kill("SIGTERM");
    await until(async () => (await world.inCache()).length === 0, "the cache to be clean");
    assert.ok(!isAlive(pid));
  });

  it("after a kill that nobody can handle, the next run takes over and sweeps up", async () => {
    const child = await otherProcess(60);
    await until(async () => (await world.read("pid").catch(() => "")) !== "", "the build to begin");
    const ended = outputOf(child);
    child.kill("SIGKILL");
    await ended;
    process.kill(-Number(await world.read("pid")), "SIGKILL");
    assert.equal((await world.inCache()).length, 2);
    const engine = await ensureEngine({
      ...world.options,
      makers: { ...world.options.makers, build: world.maker() },
    });
    assert.equal(engine.source, "build");
    assert.ok(world.said.some((line) => /^taking over from process \d+, which is gone/.test(line)));
    assert.ok(world.said.some((line) => /^removed \.making-.* left half made/.test(line)));
    assert.deepEqual(await world.inCache(), [world.recipe.key]);
  });

  it("ends when the caller's signal is aborted, while making and while waiting", async () => {
    for (const holdLock of [false, true]) {
      const stop = new AbortController();
      const options = { ...world.options, signal: stop.signal, makers: { build: world.maker(60_000) } };
      const work = async (): Promise<void> => {
        const engine = ensureEngine({ ...options, ways: ["build"] });
        setTimeout(() => stop.abort(new Error("enough")), 200);
        await assert.rejects(engine, /enough|aborted/);
      };
      await mkdir(world.engines, { recursive: true });
      if (holdLock) await withLock(`${world.place}.lock`, () => undefined, work, undefined, QUICK);
      else await work();
      assert.deepEqual(await world.inCache(), []);
    }
  });

  describe("the lock", () => {
    const lockOf = async (owner: unknown, age: number): Promise<string> => {
      const lock = `${world.place}.lock`;
      await mkdir(lock, { recursive: true });
      if (owner !== undefined) await writeFile(join(lock, "owner.json"), JSON.stringify(owner));
      const then = new Date(Date.now() - age);
      if (owner !== undefined) await utimes(join(lock, "owner.json"), then, then);
      await utimes(lock, then, then);
      return lock;
    };
    const owner = { pid: process.pid, machine, token: "another" };
    const takes = (lock: string, within: number): Promise<string> =>
      withLock(
        lock,
        () => undefined,
        () => Promise.resolve("taken"),
        AbortSignal.timeout(within),
        QUICK,
      );

    for (const [what, who, age] of [
      ["a dead process", { ...owner, pid: 2 ** 22 + 1 }, 0],
      ["a live process that has fallen silent", owner, 10_000],
      ["another machine that has fallen silent", { ...owner, machine: "00000000" }, 10_000],
      ["nobody, since long", undefined, 10_000],
      ["something unreadable, since long", "?", 10_000],
    ] as const) {
      it(`of ${what} is taken over`, async () => {
        assert.equal(await takes(await lockOf(who, age), 2_000), "taken");
        assert.deepEqual(await world.inCache(), []);
      });
    }

    it("of a live process with a heartbeat is respected", async () => {
      const lock = await lockOf(owner, 0);
      await assert.rejects(takes(lock, 400));
      assert.deepEqual(await readdir(lock), ["owner.json"]);
      assert.deepEqual(await world.inCache(), [`${world.recipe.key}.lock`]);
    });

    it("beats while the work takes longer than silence is believed", async () => {
      const times = { ...QUICK, silence: 600 };
      const lock = `${world.place}.lock`;
      await mkdir(world.engines, { recursive: true });
      const order: string[] = [];
      const work = (name: string, ms: number) => async (): Promise<void> => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, ms));
        order.push(`${name} ends`);
      };
      const first = withLock(lock, () => undefined, work("first", 1_500), undefined, times);
      await until(() => order.length === 1, "the first to begin");
      await Promise.all([first, withLock(lock, () => undefined, work("second", 0), undefined, times)]);
      assert.deepEqual(order, ["first begins", "first ends", "second begins", "second ends"]);
    });
  });
});

/** A Go that makes a program after a while, out of a shell script. */
function goThatTakes(seconds: number, root: string): string {
  return [
    `[ "$1" = env ] && { echo go1.99.0; exit; }`,
    `echo $$ > ${root}/pid.new; mv ${root}/pid.new ${root}/pid`,
    `while [ "$1" != -o ]; do shift; done`,
    `sleep ${seconds}`,
    `printf '#!/bin/sh\\necho v3.200.0\\n' > "$2"; chmod +x "$2"; echo "$2" >> ${root}/built`,
  ].join("\n");
}

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function outputOf(child: ChildProcess): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ out, err, code, signal })));
}

function sourceOf(out: string): string {
  const value: unknown = JSON.parse(out);
  assert.ok(typeof value === "object" && value !== null && "source" in value);
  return String(value.source);
}
