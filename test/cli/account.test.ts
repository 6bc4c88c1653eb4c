import { deepEqual, equal, match } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import type { StartOptions } from "../../emulator";
import { systemClock } from "../../provider/support/clock";
import { cli, fakePulumi, inFolder, refuses, withService } from "./run";

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

const several: NonNullable<StartOptions["domains"]>[0] = {
  name: "several.example",
  status: "pause",
  extStatus: "dnserror",
  grade: "DP_Plus",
  vip: vip(9, "no"),
};

const outside = ["--cwd", tmpdir()];

describe("pulumi-legacydns account", () => {
  it("prints the support, the token's owner and each domain's findings, from one call", () =>
    withService({ domains, now: () => now }, async (env, service) => {
      const { code, out, err } = await cli(["account", ...outside], env, { ...systemClock, wall: () => now });
      deepEqual([code, err], [2, ""]);
      deepEqual(service.admin.counts(), { "Domain.List": 1 });
      const [supported, owner, blank, head, ...rows] = out.trimEnd().split("\n");
      equal(supported, `${env["LEGACYDNS_BASE_URL"] ?? ""} is a supported service`);
      match(owner ?? "", /^the token belongs to \S+@\S+$/);
      equal(blank, "");
      match(head ?? "", /^domain +records +status +package +package ends$/);
      deepEqual(
        rows.slice(0, 9).map((row) => row.replace(/ {2,}/g, " | ").replace(/^(\S+) \| \d+/, "$1")),
        [
          "away.example | not delegated | personal professional (DP_Plus)",
          "ended.example | package has ended | personal professional (DP_Plus) | 2026-04-30",
          "ends.example | package ends in 9 days | personal professional (DP_Plus) | 2026-05-10",
          "gone.example | not registered | personal professional (DP_Plus)",
          "locked.example | locked | personal professional (DP_Plus)",
          "paused.example | paused | personal professional (DP_Plus)",
          "fine.example | fine | personal professional (DP_Plus)",
          "paid.example | fine | personal professional (DP_Plus) | 2026-06-01",
          "renews.example | fine | personal professional (DP_Plus) | 2026-05-06",
        ],
      );
      match(rows.at(-1) ?? "", /^9 domains, \d+ records; 6 domains to attend to$/);
    }));

  it("has a line for each finding, painted on a terminal, and the counts last", () =>
    withService({ domains: [{ name: "fine.example" }, several], now: () => now }, async (env) => {
      const clock = { ...systemClock, wall: () => now };
      const { out } = await cli(["account", ...outside], env, clock);
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
      await cli(["account", ...outside], env, clock, (text) => (shown += text));
      match(shown, /\u001b\[33mseveral\.example[^\n]*\n\S*\u001b\[33m +not delegated\u001b\[39m\n/);
      match(shown, /\u001b\[33m2 domains[^\n]*\u001b\[39m\n$/);
    }));

  it("ends with 0 without a finding, and prints the same as JSON", () =>
    withService({ domains: [{ name: "fine.example", records: [record] }] }, async (env) => {
      const { code, out } = await cli(["account", "--json", ...outside], env);
      const {
        ok,
        url,
        account,
        domains: rows,
      } = JSON.parse(out) as Record<string, unknown> & { domains: object[] };
      deepEqual([code, ok, url], [0, true, env["LEGACYDNS_BASE_URL"]]);
      match(String(account), /@/);
      deepEqual(
        rows.map((row) => ({ ...row, nameServers: [], owner: "" })),
        [
          {
            ...{
              domain: "fine.example",
              findings: [],
              records: 3,
              package: "personal professional (DP_Plus)",
            },
            ...{
              packageEnds: null,
              autoRenew: null,
              owner: "",
              sharedBy: null,
              nameServers: [],
              stacks: null,
            },
          },
        ],
      );
    }));

  it("names the owner of a domain that another account shares", () => {
    const accounts = [
      { email: "me@example.org", token: "1,mine" },
      { email: "other@example.org", token: "2,other" },
    ];
    const shared = {
      ...{ name: "shared.example", owner: "other@example.org" },
      shares: [{ email: "me@example.org", mode: "rw" as const }],
    };
    const own = ["a.example", "b.example"].map((name) => ({ name, owner: "me@example.org" }));
    return withService({ accounts, domains: [...own, shared] }, async (env) => {
      const { code, out } = await cli(["account", ...outside], env);
      equal(code, 0);
      match(out, /^the token belongs to me@example\.org$/m);
      match(out, /^shared\.example +\d+ +fine .* other@example\.org$/m);
    });
  });

  it("names the stacks of the project that hold records of each domain", () =>
    withService({ domains: [{ name: "a.example" }, { name: "b.example" }, { name: "c.example" }] }, (env) =>
      inFolder(async (folder) => {
        writeFileSync(join(folder, "Pulumi.yaml"), "name: zones\nruntime: nodejs\n");
        const state = (...resources: object[]) => JSON.stringify({ version: 3, deployment: { resources } });
        const batch = {
          urn: "urn:pulumi:prod::zones::pulumi-nodejs:dynamic/legacydns:RecordBatch::zone",
          type: "pulumi-nodejs:dynamic/legacydns:RecordBatch",
          outputs: { domains: ["a.example"] },
        };
        const zoneOf = (type: string, domain: string) => ({
          ...{ urn: `urn:pulumi:prod::zones::${type}::${domain}`, type },
          outputs: { domain },
        });
        const zone = zoneOf("legacydns:index:Zone", "b.example");
        writeFileSync(join(folder, "prod.json"), state(batch, zone));
        writeFileSync(join(folder, "dev.json"), state(batch, zoneOf("other:index:Zone", "c.example")));
        const script = `case "$*" in *"stack ls"*) echo '[{"name":"prod"},{"name":"dev"}]';; *prod*) cat ${folder}/prod.json;; *) cat ${folder}/dev.json;; esac`;
        const given = { ...env, ...fakePulumi(folder, script) };
        const { out } = await cli(["account", "--cwd", folder], given);
        match(out, /^a\.example .* prod, dev$/m);
        match(out, /^b\.example .* prod$/m);
        match(out, /^c\.example .* none$/m);
        const one = JSON.parse(
          (await cli(["account", "--json", "--cwd", folder, "--stack", "dev"], given)).out,
        ) as {
          domains: { stacks: string[] }[];
        };
        deepEqual(
          one.domains.map(({ stacks }) => stacks),
          [["dev"], [], []],
        );
      }),
    ));

  it("says that the service is supported if it refuses the token, and nothing of it for another server", () =>
    withService({}, async (env) => {
      const refused = await cli(["account", ...outside], { ...env, LEGACYDNS_LOGIN_TOKEN: "1,wrong" });
      equal(refused.code, 1);
      match(refused.out, / is a supported service\n$/);
      match(refused.err, /\[login\.failed\]/);
      const other = await cli(["account", ...outside], { ...env, LEGACYDNS_BASE_URL: "http://127.0.0.1:1" });
      deepEqual([other.code, other.out], [1, ""]);
      match(other.err, /\[service\.unreachable\]/);
    }));

  refuses("account", [["an argument", ["example.com"], /^error: too many arguments/]]);
});
