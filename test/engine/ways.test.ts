/** Each way on its own: what opens it, what closes it, and that a closed one says so at once. */
import assert from "node:assert/strict";
import { readFile, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { build } from "../../scripts/engine/build";
import { cacheFolder } from "../../scripts/engine/cache";
import { download } from "../../scripts/engine/download";
import { ensureEngine } from "../../scripts/engine/index";
import { installedEngine } from "../../scripts/engine/installed";
import { CLI, isAtLeast, isNewEnough } from "../../scripts/engine/programs";
import { readRecipe } from "../../scripts/engine/recipe";
import { allowedWays, NoEngine, WayClosed } from "../../scripts/engine/ways";
import { closed, World } from "./world";

describe("the ways to an engine", () => {
  let world: World;
  beforeEach(async () => (world = await World.create()));
  afterEach(() => world.destroy());

  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => assert.fail("the way should be closed"),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof WayClosed, String(error));
    assert.notEqual(error.remedy, "");
    return error.message;
  };

  describe("path", () => {
    it("takes an engine that is new enough, and leaves the cache alone", async () => {
      await world.engineIn(world.bin, "3.150.0");
      const engine = await ensureEngine(world.options);
      assert.deepEqual(engine, { bin: world.bin, source: "path", version: "3.150.0" });
      assert.deepEqual(await world.inCache(), []);
    });

    it("refuses one that is too old, of the next major version, or answers nonsense", async () => {
      for (const [version, why] of [
        ["3.149.9", /3\.149\.9; 3\.150\.0 or newer/],
        ["4.0.0", /4\.0\.0; 3\.150\.0 or newer, below 4/],
        ["unknown", /answered "vunknown"/],
      ] as const) {
        await world.engineIn(world.bin, version);
        assert.match(await refusal(installedEngine(world.env)), why);
      }
    });

    it("refuses one that fails, with what it printed", async () => {
      await world.engineIn(world.bin, "3.200.0");
      await world.script(world.bin, CLI, "echo cannot load a library >&2; exit 3");
      assert.match(await refusal(installedEngine(world.env)), /ended with code 3:\ncannot load a library/);
    });

    it("refuses one without its Node.js host", async () => {
      await world.script(world.bin, CLI, "echo v3.200.0");
      assert.match(await refusal(installedEngine(world.env)), /has no pulumi-language-nodejs/);
    });

    it("finds the host beside the file that a link on the PATH points to", async () => {
      const home = join(world.root, "opt");
      await world.engineIn(home, "3.200.0");
      await symlink(join(home, CLI), join(world.bin, CLI));
      assert.equal((await installedEngine(world.env)).bin, world.bin);
    });
  });

  describe("cache", () => {
    it("takes what lies there, and asks no maker", async () => {
      await world.engineIn(world.place, "3.200.0");
      const maker = world.maker();
      const engine = await ensureEngine({ ...world.options, makers: { download: maker, build: maker } });
      assert.deepEqual(engine, { bin: world.place, source: "cache", version: "3.200.0" });
      assert.equal(maker.calls, 0);
    });

    it("replaces an engine that does not run any more", async () => {
      await world.engineIn(world.place, "3.200.0");
      await world.script(world.place, CLI, "exit 1");
      const makers = { ...world.options.makers, build: world.maker() };
      const engine = await ensureEngine({ ...world.options, makers });
      assert.deepEqual(engine, { bin: world.place, source: "build", version: "3.200.0" });
      assert.deepEqual(await world.inCache(), [world.recipe.key]);
    });

    it("lies where the variable says, else in the user's cache folder", () => {
      assert.equal(cacheFolder({ PULUMI_LEGACYDNS_CACHE: "/c" }), "/c/engine");
      assert.equal(cacheFolder({ XDG_CACHE_HOME: "/x", HOME: "/h" }), "/x/pulumi-legacydns/engine");
      assert.equal(cacheFolder({ XDG_CACHE_HOME: "x", HOME: "/h" }), "/h/.cache/pulumi-legacydns/engine");
    });
  });

  describe("download", () => {
    it("is closed at once where nothing listens", async () => {
      const started = Date.now();
      const why = await refusal(download({ site: `http://127.0.0.1:${await freePort()}/` })(world.making()));
      assert.match(why, /cannot be reached from here: .*ECONNREFUSED/);
      assert.ok(Date.now() - started < 2_000);
    });

    it("is closed after the probe's limit where nobody answers", async () => {
      const silent = createServer((socket) => void socket.on("error", () => undefined));
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      try {
        const site = `http://127.0.0.1:${portOf(silent)}/`;
        assert.match(
          await refusal(download({ site, probe: 200 })(world.making())),
          /no answer within 0\.2 s/,
        );
      } finally {
        silent.close();
      }
    });
  });

  describe("build", () => {
    const recipe = async (): Promise<World["recipe"]> => ({ ...(await readRecipe()), key: world.recipe.key });

    it("is closed without Go, and names the version that is needed", async () => {
      const making = world.making({ recipe: await recipe(), env: { PATH: world.bin } });
      assert.match(await refusal(build()(making)), /no Go on the PATH; 1\.\d+(\.\d+)? or newer/);
    });

    it("is closed with a Go that is too old", async () => {
      await world.script(world.bin, "go", "echo go1.20.1");
      const making = world.making({ recipe: await recipe() });
      assert.match(await refusal(build()(making)), /the Go on the PATH is 1\.20\.1; 1\.\d+/);
    });

    it("builds both programs for this machine, with the modules pinned and no C compiler", async () => {
      const log = join(world.root, "go.log");
      const facts = "$* | $GOFLAGS $GOSUMDB $GOTOOLCHAIN $CGO_ENABLED [$GOOS]";
      await world.script(world.bin, "go", `${GO_ANSWERS}\necho "${facts}" >> ${log}`);
      await build()(world.making({ recipe: await recipe(), env: { ...world.env, GOOS: "plan9" } }));
      const lines = (await world.read("go.log")).trim().split("\n");
      assert.equal(lines.length, 2);
      for (const line of lines)
        assert.match(line, /\| -mod=readonly -trimpath -buildvcs=false off local 0 \[\]$/);
      assert.match(lines[0] ?? "", /cmd\/pulumi \|/);
      assert.match(lines[1] ?? "", /pulumi-language-nodejs \|/);
    });

    it("says what Go said when it fails, and how long it takes while it works", async () => {
      await world.script(
        world.bin,
        "go",
        `${GO_ANSWERS}\nsleep 0.3; echo no route to the modules >&2; exit 1`,
      );
      const why = await refusal(build({ report: 50 })(world.making({ recipe: await recipe() })));
      assert.match(why, /could not be built: .*\nno route to the modules/);
      assert.ok(world.said.some((line) => /about 3 minutes on 2 cores, once per machine/.test(line)));
      assert.ok(world.said.some((line) => /^building pulumi 3\.\d+\.\d+: \d+ s$/.test(line)));
    });

    it("makes the same version as the SDK that is installed, which is what a download brings", async () => {
      const sdk: unknown = JSON.parse(await readFile(require.resolve("@pulumi/pulumi/package.json"), "utf8"));
      assert.ok(typeof sdk === "object" && sdk !== null && "version" in sdk);
      assert.equal((await readRecipe()).version, sdk.version);
    });
  });

  it("when none is open, each is listed with its reason and what to do", async () => {
    const error: unknown = await ensureEngine(world.options).catch((reason: unknown) => reason);
    assert.ok(error instanceof NoEngine);
    assert.match(error.message, /^no Pulumi engine could be had\n {2}path: there is no pulumi on the PATH\n/);
    assert.match(error.message, /\n {2}cache: .*\n {4}what to do: .*\n {2}download: the network is closed\n/);
    assert.match(error.message, /\n {2}build: there is no Go\n {4}what to do: /);
    assert.deepEqual(await world.inCache(), []);
  });

  it("an engine that a maker made but that does not run is refused, and nothing of it stays", async () => {
    const broken = world.maker();
    const makers = {
      download: closed("no"),
      build: async (m: Parameters<typeof broken>[0]) => {
        await broken(m);
        await world.script(m.into, CLI, "exit 9");
      },
    };
    await assert.rejects(ensureEngine({ ...world.options, makers }), /ended with code 9/);
    assert.deepEqual(await world.inCache(), []);
  });

  it("a cache that cannot be written closes the ways that need it", async () => {
    await world.script(world.root, "file", "");
    const env = { ...world.env, PULUMI_LEGACYDNS_CACHE: join(world.root, "file") };
    const why = /the cache cannot be written: .*\n.*set PULUMI_LEGACYDNS_CACHE/;
    await assert.rejects(ensureEngine({ ...world.options, env }), why);
  });

  it("a list restricts them, in their own order, and a word that is none is an error", async () => {
    assert.deepEqual(allowedWays(undefined), ["path", "cache", "download", "build"]);
    assert.deepEqual(allowedWays("build, cache"), ["cache", "build"]);
    assert.throws(() => allowedWays("path,brew"), /brew is no way to an engine/);
    await world.engineIn(world.bin, "3.200.0");
    const env = { ...world.env, PULUMI_LEGACYDNS_ENGINE: "build" };
    const engine = await ensureEngine({ ...world.options, env, makers: { build: world.maker() } });
    assert.equal(engine.source, "build");
  });

  it("versions compare by number", () => {
    assert.ok(
      isAtLeast("3.1000.0", "3.150.0") && isAtLeast("go1.25.11", "1.25") && !isAtLeast("1.24.9", "1.25.0"),
    );
    assert.ok(isNewEnough("3.248.0-alpha.1+dirty") && !isNewEnough("2.999.0"));
  });
});

/** The part of a fake Go that answers which version it is. */
const GO_ANSWERS = '[ "$1" = env ] && { echo go1.99.0; exit; }';

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

/** A port on which nothing listens: it was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
