import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli, fakePulumi, inFolder, withService } from "./run";

const value = (text: string, secret = false) => ({ value: text, secret });

/** A project whose stack has these values; `pulumi` leaves a file when it runs. */
async function inProject(
  configuration: (env: Record<string, string>) => object,
  tell: (scene: {
    run: (env: Record<string, string>, ...args: string[]) => ReturnType<typeof cli>;
    env: Record<string, string>;
    ran: () => boolean;
  }) => Promise<void>,
): Promise<void> {
  await withService({}, (env) =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, "Pulumi.yaml"), "name: zones\nruntime: nodejs\n");
      writeFileSync(join(folder, "config.json"), JSON.stringify(configuration(env)));
      const path = fakePulumi(folder, `touch ${folder}/ran\ncat ${folder}/config.json`);
      await tell({
        env,
        run: (given, ...args) => cli([...args, "--cwd", folder], { ...given, ...path }),
        ran: () => existsSync(join(folder, "ran")),
      });
    }),
  );
}

const without = (env: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

const ofStack = (env: Record<string, string>) => ({
  "legacydns:baseUrl": value(env["LEGACYDNS_BASE_URL"] ?? ""),
  "legacydns:loginToken": value(env["LEGACYDNS_LOGIN_TOKEN"] ?? "", true),
  "legacydns:contact": value("stack@example.com"),
  "other:list": { objectValue: [1], secret: false },
});
const three = ["LEGACYDNS_BASE_URL", "LEGACYDNS_LOGIN_TOKEN", "LEGACYDNS_CONTACT"];

describe("address, token and contact of the commands", () => {
  for (const args of [["dump", "example.com"], ["limits", "example.com"], ["account"]])
    it(`come from the stack's configuration without an environment in ${String(args[0])}`, () =>
      inProject(ofStack, async ({ run, env }) => {
        const { code, err } = await run(without(env, ...three), ...args);
        equal(code, 0, err);
      }));

  it("come from the environment first", () =>
    inProject(
      (env) => ({ ...ofStack(env), "legacydns:loginToken": value("1,wrong", true) }),
      async ({ run, env }) =>
        equal((await run(without(env, "LEGACYDNS_CONTACT"), "limits", "example.com")).code, 0),
    ));

  it("need no engine if the environment has all three", () =>
    inProject(ofStack, async ({ run, env, ran }) => {
      equal((await run(env, "limits", "example.com")).code, 0);
      equal(ran(), false);
      equal((await run(without(env, "LEGACYDNS_CONTACT"), "limits", "example.com")).code, 0);
      equal(ran(), true);
    }));

  it("are missing with both ways to set them, in a project", () =>
    inProject(
      () => ({}),
      async ({ run, env }) => {
        const { code, err } = await run(without(env, "LEGACYDNS_LOGIN_TOKEN"), "limits", "example.com");
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
      writeFileSync(join(folder, "Pulumi.yaml"), "name: zones\n");
      const { code, out, err } = await cli(["limits", "example.com", "--cwd", folder], path);
      deepEqual([code, out], [1, ""]);
      match(
        err,
        /loginToken is missing[^]*`pulumi config` failed \[engine\.failed\]\n {2}no stack selected\n/,
      );
    }));
});
