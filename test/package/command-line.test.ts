import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { codesIn, withService } from "../cli/run";
import { manifest } from "../support/page";
import { isAlive, until } from "../support/processes";
import { cliProcess, main } from "./process";

describe("the command line as a process", () => {
  it("lists its commands and prints its version", async () => {
    const { code, out } = await cliProcess(["--help"]);
    equal(code, 0);
    match(out, /^ {2}emulator /m);
    deepEqual(await cliProcess(["--version"]), { code: 0, out: `${manifest.version}\n`, err: "" });
  });

  it("prints results alone on standard output, without colour, and ends by itself", async () => {
    await withService({}, async (env) => {
      const { code, out, err } = await cliProcess(["limits", "example.com"], undefined, {
        env: { ...env, FORCE_COLOR: "1" },
      });
      deepEqual([code, err], [0, ""]);
      match(out, /^minimum TTL +60 s$/m);
      doesNotMatch(out, /\u001b/);
    });
  });

  it("hands its exit code to the shell, and no reader's haste is a failure", async () => {
    const { code, out, err } = await cliProcess(["verify", "--state", "absent.json"]);
    deepEqual([code, out, codesIn(err)], [1, "", ["path.missing"]]);
    const record = { type: "A", value: "192.0.2.1" };
    const records = Array.from({ length: 5000 }, (_, n) => ({ name: `h${n}`, ...record }));
    await withService({ domains: [{ name: "example.com", records }] }, async (env) => {
      const script = `set -o pipefail; '${process.execPath}' '${main}' dump example.com | head -c 1`;
      const { stderr } = await promisify(execFile)("bash", ["-c", script], {
        env: { ...process.env, ...env },
      });
      doesNotMatch(stderr, /EPIPE|^\s+at /m);
    });
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
    it(`leaves neither a temporary folder nor an engine when ${signal} ends a plan`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "legacydns-killed-"));
      const [temporary, pid] = [join(folder, "tmp"), join(folder, "pid")];
      try {
        mkdirSync(temporary);
        const engine = `#!/bin/sh\ncase "$*" in *preview*) echo $$ > ${pid}.part; mv ${pid}.part ${pid}; exec sleep 300;; esac\n`;
        writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
        const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, TMPDIR: temporary };
        const child = spawn(process.execPath, [main, "plan"], { env, stdio: "ignore" });
        const ended = new Promise((done) => child.on("exit", (_, by) => void done(by)));
        while (!existsSync(pid)) await sleep(20);
        equal(readdirSync(temporary).length, 1);
        child.kill(signal);
        equal(await ended, signal);
        const engineId = Number(readFileSync(pid, "utf8"));
        await until("the end of the engine", () => !isAlive(engineId));
        deepEqual(readdirSync(temporary), []);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
