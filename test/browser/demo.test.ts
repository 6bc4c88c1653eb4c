/** The output equals the recording that the pages show, which tools/demo/record.ts writes. */
import { deepEqual, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ensureEngine } from "../../tools/engine/index";
import { recordedText } from "../../tools/demo/recording";
import { root } from "../support/page";

const steady = (text: string) =>
  text
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>")
    .replace(/\d+ (Batch\.[\w.]+)/g, "<n> $1")
    .split("\n")
    .filter((line) => line !== "" && !/^ {2}[a-z]+: /.test(line))
    .sort();

describe("npm run demo", () => {
  it("prints what the pages show, in fewer than 60 lines", async () => {
    await ensureEngine({ say: () => undefined });
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "demo"], {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1" },
    });
    deepEqual(steady(stdout), steady(recordedText()));
    ok(stdout.trimEnd().split("\n").length < 60, stdout);
  }).timeout(900_000);
});
