/** The command line of a repository's script. All have theirs from tools/support/main.ts. */
import { equal, match, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { root } from "../../tools/support/main";
import { manifest } from "../support/page";

const [, simulate = ""] = /typescript\.cjs (tools\/\S+\.ts)$/.exec(manifest.scripts["simulate"] ?? "") ?? [];

const run = (...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((done) =>
    execFile(
      process.execPath,
      ["-r", "./tools/support/typescript.cjs", simulate, ...args],
      { cwd: root },
      (error, out, err) => done({ code: error?.code ?? 0, out, err }),
    ),
  );

describe("a script", () => {
  it("has a help, and refuses an unknown option or feature in one line", async () => {
    ok(simulate);
    const { code, out, err } = await run("--help");
    equal(code, 0, err);
    match(out, /^Usage: npm run simulate -- \[options\]\n\n[A-Z][^]*\./);
    for (const args of [["--no-such"], ["--always", "nothing"]]) {
      const refused = await run(...args);
      equal(refused.code, 1, args.join(" "));
      match(refused.err, /^(?:npm run simulate -- |error: )[^\n]+\n$/);
    }
  });
});
