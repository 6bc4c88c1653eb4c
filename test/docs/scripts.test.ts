/** The command lines of the repository's scripts. */
import { equal, match, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { root } from "../../tools/support/main";
import { manifest } from "../support/page";

const scripts = new Map(
  Object.entries(manifest.scripts).flatMap(([name, command]) => {
    const [, file] = /typescript\.cjs (tools\/\S+\.ts)$/.exec(command) ?? [];
    return file === undefined ? [] : [[name, file] as const];
  }),
);

const run = (file: string, ...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((done) =>
    execFile(
      process.execPath,
      ["-r", "./tools/support/typescript.cjs", file, ...args],
      { cwd: root },
      (error, out, err) => done({ code: error?.code ?? 0, out, err }),
    ),
  );

describe("a script", () => {
  it("has a help", async () => {
    ok(scripts.size > 8, [...scripts.keys()].join());
    const helps = [...scripts].map(async ([name, file]) => {
      const { code, out, err } = await run(file, "--help");
      equal(code, 0, `${name}: ${err}`);
      match(out, new RegExp(`^Usage: npm run ${name} -- \\[options\\]\n\n[A-Z][^]*\\.`), name);
    });
    await Promise.all(helps);
  });

  it("that runs schedules refuses an unknown option or feature in one line", async () => {
    const refused = [["--no-such"], ["--always", "nothing"]];
    for (const args of refused) {
      const { code, err } = await run(scripts.get("simulate") ?? "", ...args);
      equal(code, 1, args.join(" "));
      match(err, /^(?:npm run simulate -- |error: )[^\n]+\n$/);
    }
  });
});
