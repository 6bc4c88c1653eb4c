/** Texts of a service that wants to rule the terminal. */
import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../cli/program";
import { Painted, painted, visibleTerminal } from "../../cli/terminal";
import { systemClock } from "../../provider/support/clock";
import { cleanUp, freshFolder } from "../api/support";

const token = "13490,6b5976c68aba5b14a0558b77c17c3932";
const evil = "\r\u001b[K\u001b[8m\u001b[31mEVIL\u202e";
const long = "x".repeat(60_000);

async function onTerminal(
  args: readonly string[],
  answers: Readonly<Record<string, object>>,
): Promise<{ readonly code: number; readonly text: string; readonly folder: string }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const status = { code: "1", message: "ok", created_at: "2026-01-01 08:00:00" };
      response.end(JSON.stringify({ status, ...answers[(request.url ?? "").slice(1)] }));
    });
  }).listen(0, "127.0.0.1");
  const folder = freshFolder();
  let text = "";
  const stream = { isTTY: true, columns: 200, write: (part: string) => (text += part) };
  try {
    await new Promise((done) => server.once("listening", done));
    const code = await run(
      args.map((arg) => arg.replace("FOLDER", folder)),
      visibleTerminal({
        env: {
          LEGACYDNS_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          LEGACYDNS_LOGIN_TOKEN: token,
          LEGACYDNS_CONTACT: "tests@example.com",
          LEGACYDNS_STATE_DIR: freshFolder(),
          LEGACYDNS_REQUESTS_PER_SECOND: "1000",
        },
        out: stream,
        err: stream,
        clock: { ...systemClock, sleep: () => Promise.resolve() },
        exitCode: 0,
      }),
    );
    return { code, text, folder };
  } finally {
    server.close();
  }
}

/** The own sequences: colours, and the removal of a progress line at the beginning of a text. */
function assertTame(text: string): void {
  doesNotMatch(text, /\u001b\[8m|\u001b\[K\u001b|\u202e|6b5976c6/);
  doesNotMatch(
    text.replace(/\r\u001b\[K|\u001b\[(?:[12]|22|3[1236]|39)m/g, ""),
    /[\u0000-\u0008\u000b-\u001f]/,
  );
  for (const [before] of text.matchAll(/.{0,12}EVIL/g)) match(before, /\\u001b\[31mEVIL/);
  for (const line of text.split("\n")) ok(line.length < 1_500, `${line.length} characters`);
}

const domain = { id: "1", name: "example.com", grade: `${evil} ${token}`, records: "1" };
const record = {
  id: "7",
  name: "www",
  type: "A",
  line: "默认",
  line_id: "0",
  value: "192.0.2.1",
  ttl: "600",
  enabled: "1",
};
const zone = { domain, info: { sub_domains: "1", record_total: "1", records_num: "1" }, records: [record] };
const purview = [
  { name: `${evil}${long}`, value: `${evil} ${token}` },
  { name: "NS记录条数", value: `${evil}${long}` },
];

describe("A hostile text on a terminal", () => {
  after(cleanUp);

  it("is escaped, shortened and without the token in limits", async () => {
    const { code, text } = await onTerminal(["limits", "example.com"], {
      "Record.List": zone,
      "Domain.Purview": { purview },
    });
    equal(code, 0);
    match(text, /EVIL/);
    assertTame(text);
  });

  it("is escaped, shortened and without the token in the errors of every command", async () => {
    for (const message of [evil, long, `you sent ${token}`]) {
      const status = { code: "6", message, created_at: "2026-01-01 08:00:00" };
      for (const args of [
        ["limits", "example.com"],
        ["dump", "example.com"],
      ] as const)
        assertTame(
          (await onTerminal(args, { "Record.List": { status }, "Domain.Purview": { status } })).text,
        );
    }
  });

  it("names no file outside the folder, and is escaped, in dump --all", async () => {
    const names = [`../../${evil}`, `${token}.example`, long, "example.com"];
    const domains = names.map((name, n) => ({ id: n + 1, name, punycode: name }));
    const { text, folder } = await onTerminal(["dump", "--all", "--out", "FOLDER/zones"], {
      "Domain.List": { info: { domain_total: names.length }, domains },
      "Record.List": { ...zone, domain: { id: "1" } },
      "Domain.Info": { domain: { id: "1", records: "1" } },
    });
    assertTame(text);
    deepEqual(readdirSync(folder), ["zones"]);
    deepEqual(readdirSync(join(folder, "zones")), ["example.com.zone"]);
  });

  it("leaves the program's own colours as they are", () => {
    const root = join(__dirname, "../..");
    const script = 'process.stderr.isTTY = true; require("./cli/main")';
    const { NO_COLOR: _none, ...env } = process.env;
    const { stderr } = spawnSync(
      process.execPath,
      ["-r", "./tools/support/typescript.cjs", "-e", script, "--", "x", "dump"],
      { cwd: root, env, encoding: "utf8" },
    );
    match(stderr, /^\u001b\[31merror: no domain is named/);
  });

  it("cannot be painted before it is escaped", () => {
    let written = "";
    const stream = { isTTY: true, write: (text: string) => (written += text) };
    const terminal = visibleTerminal({
      ...{ env: {}, out: stream, err: stream, clock: systemClock, exitCode: 0 },
    });
    const { red, bold } = terminal.out.colours;
    terminal.out.write(
      painted`${red("a\u001b[8m")} ${"\u001b[K\r"}${Painted.join([bold("b"), "\u0007"], "\u009b")}`,
    );
    equal(written, "\u001b[31ma\\u001b[8m\u001b[39m \\u001b[K\\u000d\u001b[1mb\u001b[22m\\u009b\\u0007");
  });
});
