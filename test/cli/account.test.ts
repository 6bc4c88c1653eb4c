import { deepEqual, equal, match } from "node:assert/strict";
import { tmpdir } from "node:os";
import type { StartOptions } from "../../emulator";
import { systemClock } from "../../provider/support/clock";
import { cli, codesIn, fakePulumi, inFolder, refuses, withService, write } from "./run";

const day = 86_400_000;
const now = Date.parse("2026-05-01T00:00:00Z");
const at = (days: number): string => new Date(now + days * day).toISOString();
const record = { name: "www", type: "A", value: "192.0.2.1" };
const vip = (end: number, autoRenew: "yes" | "no") => ({ startAt: at(-300), endAt: at(end), autoRenew });

const domains: StartOptions["domains"] = [
  { name: "fine.example", records: [record] },
  { name: "paid.example", grade: "DP_Plus", vip: vip(31, "no") },
  { name: "renews.example", grade: "DP_Plus", vip: vip(5, "yes") },
  { name: "ends.example", grade: "DP_Plus", vip: vip(9, "no") },
  { name: "ended.example", grade: "DP_Plus", vip: vip(-1, "no") },
  { name: "paused.example", status: "pause" },
  { name: "locked.example", status: "lock" },
  { name: "gone.example", extStatus: "notexist" },
  { name: "away.example", extStatus: "dnserror" },
];

/** Runs outside of a project, unless `args` names another folder. */
const account = (
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  onTerminal?: (text: string) => void,
) => cli(["account", "--cwd", tmpdir(), ...args], env, { ...systemClock, wall: () => now }, onTerminal);

describe("pulumi-legacydns account", () => {
  it("prints the support, the token's owner and each domain's findings, from one call", () =>
    withService({ domains, now: () => now }, async (env, service) => {
      const { code, out, err } = await account(env);
      deepEqual([code, err], [2, ""]);
      deepEqual(service.admin.counts(), { "Domain.List": 1 });
      const [supported, owner, blank, head, ...rows] = out.trimEnd().split("\n");
      equal(supported, `${env["LEGACYDNS_BASE_URL"] ?? ""} is a supported service`);
      match(owner ?? "", /^the token belongs to \S+@\S+$/);
      equal(blank, "");
      match(head ?? "", /^domain +records +status +package +package ends$/);
      deepEqual(
        rows.slice(0, 9).map((row) =>
          row
            .replace("personal professional (DP_Plus)", "pro")
            .replace(/ {2,}/g, " | ")
            .replace(/^(\S+) \| \d+/, "$1"),
        ),
        [
          "away.example | not delegated | pro",
          "ended.example | package has ended | pro | 2026-04-30",
          "ends.example | package ends in 9 days | pro | 2026-05-10",
          "gone.example | not registered | pro",
          "locked.example | locked | pro",
          "paused.example | paused | pro",
          "fine.example | fine | pro",
          "paid.example | fine | pro | 2026-06-01",
          "renews.example | fine | pro | 2026-05-06",
        ],
      );
      match(rows.at(-1) ?? "", /^9 domains, \d+ records; 6 domains to attend to$/);
    }));

  it("has a line for each finding, painted on a terminal, and the counts last", () => {
    const states = { status: "pause", extStatus: "dnserror", grade: "DP_Plus", vip: vip(9, "no") } as const;
    const two = ["fine.example", { name: "several.example", ...states }];
    return withService({ domains: two, now: () => now }, async (env) => {
      const { out } = await account(env);
      const [, , , head = "", ...lines] = out.trimEnd().split("\n");
      const [from, to] = [head.indexOf("status"), head.indexOf("package")];
      deepEqual(lines.map((each) => [each.slice(0, 15).trim(), each.slice(from, to).trim()]).slice(0, 4), [
        ["several.example", "paused"],
        ["", "not delegated"],
        ["", "package ends in 9 days"],
        ["fine.example", "fine"],
      ]);
      equal(lines.at(-1), "2 domains, 4 records; 1 domain to attend to");
      let shown = "";
      await account(env, [], (text) => (shown += text));
      match(shown, /\u001b\[33mseveral\.example[^\n]*\n\S*\u001b\[33m +not delegated\u001b\[39m\n/);
      match(shown, /\u001b\[33m2 domains[^\n]*\u001b\[39m\n$/);
    });
  });

  it("ends with 0 without a finding, and prints the same as JSON", () =>
    withService({ domains: [{ name: "fine.example", records: [record] }] }, async (env) => {
      const { code, out } = await account(env, ["--json"]);
      const { ok, url, account: owner, domains } = JSON.parse(out);
      deepEqual([code, ok, url], [0, true, env["LEGACYDNS_BASE_URL"]]);
      match(owner, /@/);
      const { nameServers: _names, owner: _owner, ...fine } = domains[0];
      deepEqual(
        [domains.length, fine],
        [
          1,
          {
            ...{ domain: "fine.example", findings: [], records: 3, sharedBy: null, stacks: null },
            ...{ package: "personal professional (DP_Plus)", packageEnds: null, autoRenew: null },
          },
        ],
      );
    }));

  it("names the owner of a domain that another account shares", () => {
    const [me, other] = ["me@example.org", "other@example.org"];
    const accounts = [{ email: me }, { email: other }];
    const shared = { name: "shared.example", owner: other, shares: [{ email: me }] };
    return withService({ accounts, domains: ["a.example", "b.example", shared] }, async (env) => {
      const { code, out } = await account(env);
      equal(code, 0);
      match(out, /^the token belongs to me@example\.org$/m);
      match(out, /^shared\.example +\d+ +fine .* other@example\.org$/m);
    });
  });

  it("names the stacks of the project that hold records of each domain", () =>
    withService({ domains: ["a.example", "b.example", "c.example"] }, (env) =>
      inFolder(async (folder) => {
        const resource = (type: string, outputs: object) => ({
          urn: `urn:pulumi:prod::zones::${type}::zone`,
          type,
          outputs,
        });
        const batch = resource("pulumi-nodejs:dynamic/legacydns:RecordBatch", { domains: ["a.example"] });
        const zone = resource("legacydns:index:Zone", { domain: "b.example" });
        const other = resource("other:index:Zone", { domain: "c.example" });
        const state = (...resources: object[]) => JSON.stringify({ version: 3, deployment: { resources } });
        write(folder, {
          "Pulumi.yaml": "name: zones\nruntime: nodejs\n",
          "prod.json": state(batch, zone),
          "dev.json": state(batch, other),
        });
        const script = `case "$*" in *"stack ls"*) echo '[{"name":"prod"},{"name":"dev"}]';; *prod*) cat ${folder}/prod.json;; *) cat ${folder}/dev.json;; esac`;
        const given = { ...env, ...fakePulumi(folder, script) };
        const { out } = await account(given, ["--cwd", folder]);
        match(out, /^a\.example .* prod, dev$/m);
        match(out, /^b\.example .* prod$/m);
        match(out, /^c\.example .* none$/m);
        const one = await account(given, ["--json", "--cwd", folder, "--stack", "dev"]);
        deepEqual(
          (JSON.parse(one.out) as { domains: { stacks: string[] }[] }).domains.map(({ stacks }) => stacks),
          [["dev"], [], []],
        );
      }),
    ));

  it("says that the service is supported if it refuses the token, and nothing of it for another server", () =>
    withService({}, async (env) => {
      for (const [wrong, shown, problem] of [
        [
          { LEGACYDNS_LOGIN_TOKEN: "1,wrong" },
          `${env["LEGACYDNS_BASE_URL"]} is a supported service\n`,
          "login.failed",
        ],
        [{ LEGACYDNS_BASE_URL: "http://127.0.0.1:1" }, "", "service.unreachable"],
      ] as const) {
        const { code, out, err } = await account({ ...env, ...wrong });
        deepEqual([code, out, codesIn(err)], [1, shown, [problem]]);
      }
    }));

  refuses("account", { "an argument": [["example.com"], "command.usage", "0 arguments"] });
});
