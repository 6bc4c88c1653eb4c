import { startEmulator } from "../../emulator";
import { deepEqual, doesNotMatch, equal, match, notEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli, inFolder, write } from "../cli/run";
import { code, get } from "../emulator/lab";
import { cliProcess } from "./process";

const quiet = ["--port", "0", "--json", "--quiet"];

async function ask(url: unknown, operation: string) {
  const body = new URLSearchParams({ login_token: "1,2", format: "json", domain: "example.com" });
  return (await fetch(`${String(url)}/${operation}`, { method: "POST", body })).json();
}

describe("pulumi-legacydns emulator", () => {
  it("prints commands to paste, logs calls as lines without colour, and ends cleanly", async () => {
    const domains = ["--domain", "example.com", "--domain", "other.example"];
    const run = await cliProcess(
      ["emulator", ...domains, "--port", "0", "--dns-port", "0", "--token", "1,2"],
      async (out) => {
        const url = /export LEGACYDNS_BASE_URL=(\S+)/.exec(out)?.[1] ?? "";
        match(out, /export LEGACYDNS_LOGIN_TOKEN=1,2\n/);
        match(out, /other\.example \(\d+\)/);
        const page = await fetch(/ {2}console {3}(http:\S+)\n/.exec(out)?.[1] ?? "");
        match(await page.text(), /DNS console<\/title>/);
        const body = /-d '(.*)'/.exec(out)?.[1] ?? "";
        const edit = await fetch(`${url}/_admin/record/add`, { method: "POST", body });
        equal(edit.status, 200);
        const answer = await ask(url, "Domain.Info");
        deepEqual([code(answer), get(answer, "domain.records")], ["1", "3"]);
      },
      { ready: /curl[^\n]*\n/ },
    );
    equal(run.code, 0);
    match(run.err, /\d\d:\d\d:\d\d {2}Domain\.Info +example\.com +1 /);
    doesNotMatch(run.out + run.err, /\u001b/);
  });

  it("prints the facts as one line of JSON, from a state file, and ends on Ctrl-C", () =>
    inFolder(async (folder) => {
      const file = join(folder, "state.json");
      const accounts = [{ email: "me@example.com", token: "3,4" }];
      writeFileSync(file, JSON.stringify({ accounts, domains: ["filed.example"] }));
      const run = await cliProcess(
        ["emulator", "--snapshot", file, ...quiet],
        async (out) => {
          const facts: unknown = JSON.parse(out);
          deepEqual(
            [get(facts, "token"), get(facts, "dns"), get(facts, "domains.0.name")],
            ["3,4", null, "filed.example"],
          );
          equal((await fetch(String(get(facts, "consoleUrl")))).status, 200);
        },
        { signal: "SIGINT" },
      );
      deepEqual([run.code, run.err], [0, ""]);
    }));

  it("starts with zone files, which it reads as a Zone does, and warns of a host that others reach", () =>
    inFolder(async (folder) => {
      write(folder, {
        "example.com.zone": "$TTL 1h\n@ MX 5 mx1\nwww 600 A 192.0.2.2 ; line=电信\n$INCLUDE more.txt\n",
        "more.txt": "s 900 SRV 1 2 443 www\n",
        "prod.zone": "www 600 CNAME example.com.\n",
      });
      const zones = [join(folder, "example.com.zone"), `other.example=${join(folder, "prod.zone")}`];
      const run = await cliProcess(
        ["emulator", "--file", ...zones, "--host", "0.0.0.0", ...quiet],
        async (out) => {
          const zone = async (domain: string) => {
            const url = `${String(get(JSON.parse(out), "adminUrl"))}/zone?domain=${domain}`;
            return get(await (await fetch(url)).json(), "text");
          };
          deepEqual(await zone("example.com"), [
            "@ 3600 MX 5 mx1.example.com.",
            "s 900 SRV 1 2 443 www.example.com.",
            "www 600 A 192.0.2.2 [电信]",
          ]);
          deepEqual(await zone("other.example"), ["www 600 CNAME example.com."]);
        },
      );
      equal(run.code, 0);
      match(run.err, /^warning: --host 0\.0\.0\.0 .*\/_admin.*\n$/);
    }));

  it("reports problems of zone files with file and line, and the form of their names", () =>
    inFolder(async (folder) => {
      write(folder, { "example.com.zone": "www A 192.0.2\n@ MX mx1\n", "prod.zone": "www A 192.0.2.1\n" });
      const files = ["example.com.zone", "prod.zone"].map((name) => join(folder, name));
      const { code, out, err } = await cli(["emulator", "--port", "0", "--file", ...files]);
      deepEqual([code, out], [1, ""]);
      for (const place of ["1:7", "2:3"]) match(err, new RegExp(`error: example.com.zone:${place}: `));
      match(err, /error: --file \S+prod\.zone: .* \[command\.usage\]\n {2}help: .*--file DOMAIN=PATH\n/);
    }));

  it("answers the operations outside api.md with --undocumented, even against a state file", () =>
    inFolder(async (folder) => {
      const file = join(folder, "state.json");
      writeFileSync(file, JSON.stringify({ settings: { undocumented: false, indexDelay: 3 } }));
      const args = ["emulator", "--undocumented", "--snapshot", file, "--token", "1,2", ...quiet];
      await cliProcess(args, async (out) => {
        const answer = await ask(get(JSON.parse(out), "url"), "Domainshare.List");
        notEqual(code(answer), "3", "it is a known operation");
      });
    }));

  it("names the address of a port that is in use, and ends with 1", async () => {
    const other = await startEmulator();
    try {
      const { code, out, err } = await cli(["emulator", "--port", String(other.port)]);
      match(err, new RegExp(`cannot listen on 127\\.0\\.0\\.1:${other.port} \\(EADDRINUSE\\)`));
      deepEqual([code, out], [1, ""]);
    } finally {
      await other.close();
    }
  });

  it("refuses a wrong option with its value, and ends with 1", async () => {
    for (const text of ["--port 99999", "--index-delay soon", "--domain nodot"]) {
      const [option = "", value = ""] = text.split(" ");
      const { code, out, err } = await cli(["emulator", option, value]);
      match(err, new RegExp(`^error: option '${option} .*'${value}' is invalid \\[command\\.usage\\]`));
      deepEqual([code, out], [1, ""]);
    }
  });

  const unfit = (...lines: string[]) =>
    [
      "error: --snapshot: FILE is not the state of an emulator [state.unfit]",
      ...lines,
      "  help: make one: curl -s URL/_admin/snapshot > FILE\n",
    ].join("\n");
  for (const [what, name, text, message] of [
    ["half a state", "state.json", '{"domains":', unfit("  Unexpected end of JSON input")],
    [
      "a foreign state",
      "state.json",
      '{"version":3,"deployment":{},"domains":[{"nme":"x"}]}',
      unfit(`  ${"domains[0]".padEnd(42)}  Invalid input`, '  Unrecognized keys: "version", "deployment"'),
    ],
    [
      "an absent state",
      "state.json",
      undefined,
      /^error: --snapshot: there is no file FILE \[path\.missing\]\n/,
    ],
    ["a folder", "", undefined, /^error: --snapshot: FILE cannot be read \(EISDIR\) \[file\.unreadable\]\n/],
  ] as const)
    it(`reports the problem of ${what} as the state file`, () =>
      inFolder(async (folder) => {
        const file = join(folder, name);
        if (text !== undefined) writeFileSync(file, text);
        const run = await cli(["emulator", "--port", "0", "--snapshot", file]);
        const printed = run.err.replaceAll(file, "FILE");
        if (typeof message === "string") equal(printed, message);
        else match(printed, message);
        deepEqual([run.code, run.out], [1, ""]);
      }));
});
