/** Texts of a service that wants to rule the terminal. */
import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Painted, painted, visibleTerminal } from "../../cli/terminal";
import { systemClock } from "../../provider/support/clock";
import { cleanUp, freshFolder } from "../api/support";
import { serving } from "../functions/support";
import { cli } from "./run";

const token = "13490,6b5976c68aba5b14a0558b77c17c3932";
const evil = "\r\u001b[K\u001b[8m\u001b[31mEVIL\u202e";
const long = "x".repeat(60_000);

async function onTerminal(args: readonly string[], answers: Readonly<Record<string, object>>) {
  const folder = freshFolder();
  let text = "";
  const run = (baseUrl: string) =>
    cli(
      args.map((arg) => arg.replace("FOLDER", folder)),
      {
        LEGACYDNS_BASE_URL: baseUrl,
        LEGACYDNS_LOGIN_TOKEN: token,
        LEGACYDNS_CONTACT: "tests@example.com",
        LEGACYDNS_STATE_DIR: freshFolder(),
        LEGACYDNS_REQUESTS_PER_SECOND: "1000",
      },
      { ...systemClock, sleep: () => Promise.resolve() },
      (part) => (text += part),
    );
  const { code } = await serving(answers, run);
  return { code, text, folder };
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
      for (const command of ["limits", "dump"]) {
        const answers = { "Record.List": { status }, "Domain.Purview": { status } };
        assertTame((await onTerminal([command, "example.com"], answers)).text);
      }
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
    const { out } = visibleTerminal({ env: {}, out: stream, err: stream, clock: systemClock, exitCode: 0 });
    const { red, bold } = out.colours;
    out.write(painted`${red("a\u001b[8m")} ${"\u001b[K\r"}${Painted.join([bold("b"), "\u0007"], "\u009b")}`);
    equal(written, "\u001b[31ma\\u001b[8m\u001b[39m \\u001b[K\\u000d\u001b[1mb\u001b[22m\\u009b\\u0007");
  });
});
