import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { codesIn, fakePulumi, inFolder, withService } from "../cli/run";
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
    it(`leaves neither a temporary folder nor an engine when ${signal} ends a plan`, () =>
      inFolder(async (folder) => {
        const [temporary, pid] = [join(folder, "tmp"), join(folder, "pid")];
        mkdirSync(temporary);
        const engine = `case "$*" in *preview*) echo $$ > ${pid}.part; mv ${pid}.part ${pid}; exec sleep 300;; esac`;
        const env = { ...fakePulumi(folder, engine), HOME: folder, TMPDIR: temporary };
        const child = spawn(process.execPath, [main, "plan"], { env, stdio: "ignore" });
        const ended = once(child, "exit");
        await until("the engine", () => existsSync(pid));
        equal(readdirSync(temporary).length, 1);
        child.kill(signal);
        deepEqual(await ended, [null, signal]);
        const engineId = Number(readFileSync(pid, "utf8"));
        await until("the end of the engine", () => !isAlive(engineId));
        deepEqual(readdirSync(temporary), []);
      }));
});
