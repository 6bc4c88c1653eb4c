import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cli, fakePulumi, inFolder, withService, write, type CliRun } from "./run";

const project = { "Pulumi.yaml": "name: zones\nruntime: nodejs\n" };
const limits = ["limits", "example.com"];

interface Scene {
  /** Runs with the service's environment, except for some variables. */
  run(args: readonly string[], without?: readonly string[]): Promise<CliRun>;
  /** Whether the engine has run. */
  hasEngineRun(): boolean;
}

/** A project whose stack has these values. */
const inProject = (
  configuration: (env: Record<string, string>) => object,
  tell: (scene: Scene) => Promise<void>,
) =>
  withService({}, (env) =>
    inFolder(async (folder) => {
      write(folder, { ...project, "config.json": JSON.stringify(configuration(env)) });
      const path = fakePulumi(folder, `touch ${folder}/ran\ncat ${folder}/config.json`);
      await tell({
        run: (args, without = []) => {
          const given = Object.entries(env).filter(([name]) => !without.includes(name));
          return cli([...args, "--cwd", folder], { ...Object.fromEntries(given), ...path });
        },
        hasEngineRun: () => existsSync(join(folder, "ran")),
      });
    }),
  );

const ofStack = (env: Record<string, string>) => ({
  "legacydns:baseUrl": { value: env["LEGACYDNS_BASE_URL"], secret: false },
  "legacydns:loginToken": { value: env["LEGACYDNS_LOGIN_TOKEN"], secret: true },
  "legacydns:contact": { value: "stack@example.com", secret: false },
  "other:list": { objectValue: [1], secret: false },
});

describe("address, token and contact of the commands", () => {
  for (const args of [["dump", "example.com"], limits, ["account"]])
    it(`come from the stack's configuration without an environment in ${String(args[0])}`, () =>
      inProject(ofStack, async ({ run }) => {
        const three = ["LEGACYDNS_BASE_URL", "LEGACYDNS_LOGIN_TOKEN", "LEGACYDNS_CONTACT"];
        const { code, err } = await run(args, three);
        equal(code, 0, err);
      }));

  it("come from the environment first", () =>
    inProject(
      (env) => ({ ...ofStack(env), "legacydns:loginToken": { value: "1,wrong", secret: true } }),
      async ({ run }) => equal((await run(limits, ["LEGACYDNS_CONTACT"])).code, 0),
    ));

  it("need no engine if the environment has all three", () =>
    inProject(ofStack, async ({ run, hasEngineRun }) => {
      equal((await run(limits)).code, 0);
      equal(hasEngineRun(), false);
      equal((await run(limits, ["LEGACYDNS_CONTACT"])).code, 0);
      equal(hasEngineRun(), true);
    }));

  it("are missing with both ways to set them, in a project", () =>
    inProject(
      () => ({}),
      async ({ run }) => {
        const { code, err } = await run(limits, ["LEGACYDNS_LOGIN_TOKEN"]);
        equal(code, 1);
        match(
          err,
          /legacydns:loginToken is missing \[setting\.wrong\]\n {2}help: pulumi config set --secret/,
        );
        match(err, /export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN/);
      },
    ));

  it("are missing with the engine's error, if the engine cannot read the configuration", () =>
    inFolder(async (folder) => {
      const path = fakePulumi(folder, "echo 'error: no stack selected' >&2\nexit 255");
      write(folder, project);
      const { code, out, err } = await cli([...limits, "--cwd", folder], path);
      deepEqual([code, out], [1, ""]);
      match(
        err,
        /loginToken is missing[^]*`pulumi config` failed \[engine\.failed\]\n {2}no stack selected\n/,
      );
    }));
});
