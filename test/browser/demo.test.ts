/** The output equals docs/get-started.md, which `UPDATE_SNAPSHOTS=1` writes. */
import { deepEqual, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureEngine } from "../../tools/engine/index";
import { read, root } from "../support/page";

const page = "docs/get-started.md";
const block = /(?<=^```text\n)== [^]*?(?=^```$)/m;

const steady = (text: string) =>
  text
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>")
    .replace(/\d+ (Batch\.[\w.]+)/g, "<n> $1")
    .split("\n")
    .filter((line) => line !== "" && !/^ {2}[a-z]+: /.test(line))
    .sort();

describe("npm run demo", () => {
  it("prints what docs/get-started.md shows, in fewer than 60 lines", async () => {
    await ensureEngine({ say: () => undefined });
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "demo"], {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1" },
    });
    if (process.env["UPDATE_SNAPSHOTS"] === "1")
      writeFileSync(
        join(root, page),
        read(page).replace(block, () => stdout.replace(/(?<=Pulumi [\d.]+) in .*/, "")),
      );
    deepEqual(steady(stdout), steady(block.exec(read(page))?.[0] ?? ""));
    ok(stdout.trimEnd().split("\n").length < 60, stdout);
  }).timeout(900_000);
});
