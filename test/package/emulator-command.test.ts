import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../cli/run";
import { code, get } from "../emulator/lab";

/** The build's result, which a user runs. */
const script = join(__dirname, "../../dist/cli/main.js");

interface Run {
  readonly child: ChildProcess;
  /** Standard output and error so far. */
  out: string;
  err: string;
  readonly ended: Promise<number | null>;
}

/** A quiet emulator on a free port, which prints its facts as JSON and accepts the token of {@link ask}. */
const quiet = ["--token", "1,2", "--port", "0", "--json", "--quiet"];

/** The answer to an operation of example.com. */
async function ask(url: string, operation: string): Promise<unknown> {
  const body = new URLSearchParams({ login_token: "1,2", format: "json", domain: "example.com" });
  return (await fetch(`${url}/${operation}`, { method: "POST", body })).json();
}

function run(...args: string[]): Run {
  const child = spawn(process.execPath, [script, "emulator", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1", NO_COLOR: "" },
  });
  const ended = new Promise<number | null>((resolve) =>
    child.on("close", (status) => {
      resolve(status);
    }),
  );
  const state: Run = { child, out: "", err: "", ended };
  child.stdout.on("data", (chunk: Buffer) => {
    state.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    state.err += chunk.toString();
  });
  return state;
}

/** Waits for standard output to hold a text. */
async function until(state: Run, test: RegExp): Promise<void> {
  let over = false;
  void state.ended.then(() => {
    over = true;
  });
  while (!test.test(state.out)) {
    assert.ok(!over, `it ended early: ${state.err}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("pulumi-legacydns emulator", () => {
  it("prints commands to paste, logs calls as lines without colour, and ends cleanly", async () => {
    const state = run(
      "--domain",
      "example.com",
      "--domain",
      "other.example",
      "--port",
      "0",
      "--dns-port",
      "0",
      "--token",
      "1,2",
    );
    try {
      await until(state, /curl[^\n]*\n/);
      const url = /export LEGACYDNS_BASE_URL=(\S+)/.exec(state.out)?.[1] ?? "";
      assert.match(state.out, /export LEGACYDNS_LOGIN_TOKEN=1,2\n/);
      assert.match(state.out, /other\.example \(\d+\)/);
      const page = await fetch(/ {2}console {3}(http:\S+)\n/.exec(state.out)?.[1] ?? "");
      assert.match(await page.text(), /<title>DNS console<\/title>/);
      const edit = await fetch(`${url}/_admin/record/add`, {
        method: "POST",
        body: /-d '(.*)'/.exec(state.out)?.[1] ?? "",
      });
      assert.equal(edit.status, 200);
      const answer = await ask(url, "Domain.Info");
      assert.deepEqual([code(answer), get(answer, "domain.records")], ["1", "3"]);
    } finally {
      state.child.kill("SIGTERM");
    }
    assert.equal(await state.ended, 0);
    assert.match(state.err, /\d\d:\d\d:\d\d {2}Domain\.Info +example\.com +1 /);
    assert.doesNotMatch(state.out + state.err, /\u001b/);
  });

  it("prints the facts as one line of JSON, from a state file, and ends on Ctrl-C", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-"));
    const file = join(folder, "state.json");
    const records = [{ name: "www", type: "A", value: "192.0.2.1" }];
    writeFileSync(
      file,
      JSON.stringify({
        accounts: [{ email: "me@example.com", token: "3,4" }],
        domains: [{ name: "filed.example", records }],
      }),
    );
    const state = run("--state", file, "--port", "0", "--json", "--quiet");
    try {
      await until(state, /\n/);
      const facts: unknown = JSON.parse(state.out);
      assert.deepEqual(
        [get(facts, "token"), get(facts, "dns"), get(facts, "domains.0.name")],
        ["3,4", null, "filed.example"],
      );
      assert.equal((await fetch(String(get(facts, "consoleUrl")))).status, 200);
    } finally {
      state.child.kill("SIGINT");
      rmSync(folder, { recursive: true });
    }
    assert.equal(await state.ended, 0);
    assert.equal(state.err, "");
  });

  it("starts with zone files, which it reads as a Zone does, and warns of a host that others reach", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-"));
    writeFileSync(
      join(folder, "example.com.zone"),
      `$TTL 1h
@ SOA ns1.example.net. host.example.net. 1 2h 1h 2w 1h
@ MX 5 mx1
www 600 A 192.0.2.1
www 600 A 192.0.2.2 ; line=电信
t TXT "one; " "two"
$INCLUDE more.txt
`,
    );
    writeFileSync(join(folder, "more.txt"), "s 900 SRV 1 2 443 www\n");
    writeFileSync(join(folder, "prod.yaml"), "records:\n  - www 600 CNAME example.com.\n");
    const files = ["example.com.zone", "other.example=prod.yaml"].map((name) =>
      name.replace(/[^=]+$/, (file) => join(folder, file)),
    );
    const state = run("--zone", ...files, "--host", "0.0.0.0", "--port", "0", "--json", "--quiet");
    try {
      await until(state, /\n/);
      const facts: unknown = JSON.parse(state.out);
      const zone = async (domain: string): Promise<unknown> =>
        get(await (await fetch(`${String(get(facts, "adminUrl"))}/zone?domain=${domain}`)).json(), "text");
      assert.deepEqual(await zone("example.com"), [
        "@ 3600 MX 5 mx1.example.com.",
        "s 900 SRV 1 2 443 www.example.com.",
        "t 3600 TXT one; two",
        "www 600 A 192.0.2.1",
        "www 600 A 192.0.2.2 [电信]",
      ]);
      assert.deepEqual(await zone("other.example"), ["www 600 CNAME example.com."]);
    } finally {
      state.child.kill("SIGTERM");
      rmSync(folder, { recursive: true });
    }
    assert.equal(await state.ended, 0);
    assert.match(state.err, /^warning: --host 0\.0\.0\.0 .*\/_admin.*\n$/);
  });

  it("reports problems of zone files with file and line, and the form of their names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-"));
    writeFileSync(join(folder, "example.com.zone"), "www A 192.0.2\n@ MX mx1\n");
    writeFileSync(join(folder, "prod.zone"), "www A 192.0.2.1\n");
    try {
      const state = run("--port", "0", "--zone", join(folder, "example.com.zone"), join(folder, "prod.zone"));
      assert.equal(await state.ended, 1);
      assert.equal(state.out, "");
      for (const place of ["1:7", "2:3"])
        assert.match(state.err, new RegExp(`error: example.com.zone:${place}: `));
      assert.match(
        state.err,
        /error: --zone \S+prod\.zone: "prod" is no domain \[command\.usage\]\n {2}help: .*--zone DOMAIN=FILE\n/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("answers the operations outside api.md with --undocumented, even against a state file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-"));
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify({ settings: { undocumented: false, indexDelay: 3 } }));
    const state = run("--undocumented", "--state", file, ...quiet);
    try {
      await until(state, /\n/);
      const facts: unknown = JSON.parse(state.out);
      const answer = await ask(String(get(facts, "url")), "Domainshare.List");
      assert.notEqual(code(answer), "3", "it is a known operation");
    } finally {
      state.child.kill("SIGTERM");
      rmSync(folder, { recursive: true });
    }
    assert.equal(await state.ended, 0);
  });

  it("answers in the shape of --answers, without the mark of the service's own NS records with --without-hold", async () => {
    const state = run("--answers", "2017", "--without-hold", ...quiet);
    try {
      await until(state, /\n/);
      const facts: unknown = JSON.parse(state.out);
      const answer = await ask(String(get(facts, "url")), "Record.List");
      assert.deepEqual(
        [get(answer, "domain.ttl"), get(answer, "records.0.hold"), get(answer, "info.records_num")],
        [600, undefined, undefined],
      );
    } finally {
      state.child.kill("SIGTERM");
    }
    assert.equal(await state.ended, 0);
  });

  it("refuses all wrong options at once, and ends with 1", async () => {
    const wrong = [
      ["--port", "99999"],
      ["--identical", "maybe"],
      ["--answers", "1999"],
      ["--index-delay", "soon"],
      ["--domain", "nodot"],
    ];
    const run = await cli(["emulator", ...wrong.flat()]);
    const found = [...run.err.matchAll(/^error: option '(\S+) .*'(.*)' is invalid \[command\.usage\]$/gm)];
    assert.deepEqual(
      found.map(([, option, value]) => [option, value]),
      wrong,
    );
    assert.deepEqual([run.code, run.out], [1, ""]);
  });

  it("reports the problem of an invalid state file, and describes a valid one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-cli-"));
    const help = "\n  help: make one: curl -s URL/_admin/snapshot > FILE\n";
    try {
      writeFileSync(join(folder, "half.json"), '{"domains":');
      writeFileSync(join(folder, "foreign.json"), '{"version":3,"deployment":{},"domains":[{"nme":"x"}]}');
      const said = async (file: string): Promise<string> => {
        const state = run("--port", "0", "--state", join(folder, file));
        assert.equal(await state.ended, 1);
        return state.err.replace(join(folder, file), "FILE");
      };
      const [half, foreign, absent, whole] = await Promise.all(
        ["half.json", "foreign.json", "absent.json", ""].map(said),
      );
      assert.equal(
        half,
        `error: --state: FILE is no state of an emulator [state.unfit]\n  Unexpected end of JSON input${help}`,
      );
      assert.equal(
        foreign,
        `error: --state: FILE is no state of an emulator [state.unfit]\n  ${"domains[0]".padEnd(42)}  Invalid input\n  Unrecognized keys: "version", "deployment"${help}`,
      );
      assert.match(absent ?? "", /^error: --state: there is no file FILE \[path\.missing\]\n/);
      assert.match(whole ?? "", /^error: --state: \S+ cannot be read \(EISDIR\) \[file\.unreadable\]\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
