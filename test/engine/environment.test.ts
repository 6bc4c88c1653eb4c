/** The environment of an engine: its own, quiet, offline, with nothing of the user's Pulumi in it. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { engineEnvironment } from "../../scripts/engine/index";
import { World } from "./world";

describe("the engine's environment", () => {
  let world: World;
  beforeEach(async () => (world = await World.create()));
  afterEach(() => world.destroy());

  const environment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
    engineEnvironment(
      { bin: world.bin },
      { home: join(world.root, "home"), backend: join(world.root, "a b"), env },
    );

  it("finds the engine first, keeps its things in the given folders and makes them", async () => {
    const env = environment({ PATH: "/usr/bin" });
    assert.equal(env.PATH, `${world.bin}:/usr/bin`);
    assert.equal(env.PULUMI_BACKEND_URL, `file://${world.root}/a%20b`);
    assert.ok((await stat(join(world.root, "a b"))).isDirectory());
    assert.ok((await stat(env.PULUMI_HOME ?? "")).isDirectory());
    assert.ok((env.PULUMI_CONFIG_PASSPHRASE ?? "") !== "");
    assert.equal(env.PULUMI_SKIP_UPDATE_CHECK, "true");
    assert.equal(env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION, "true");
  });

  it("leaves the PATH as it is when the engine is first on it", () => {
    assert.equal(environment({ PATH: `${world.bin}:/usr/bin` }).PATH, `${world.bin}:/usr/bin`);
  });

  it("inherits everything but the user's Pulumi and its surrounding trace", () => {
    const env = environment({
      PULUMI_ACCESS_TOKEN: "t",
      PULUMI_STACK: "s",
      PULUMI_CONFIG_PASSPHRASE_FILE: "f",
      TRACEPARENT: "p",
      PULUMI_LEGACYDNS_CACHE: "c",
      LEGACYDNS_BASE_URL: "u",
    });
    for (const name of [
      "PULUMI_ACCESS_TOKEN",
      "PULUMI_STACK",
      "PULUMI_CONFIG_PASSPHRASE_FILE",
      "TRACEPARENT",
    ]) {
      assert.equal(env[name], undefined, name);
    }
    assert.deepEqual([env.PULUMI_LEGACYDNS_CACHE, env.LEGACYDNS_BASE_URL], ["c", "u"]);
  });
});
