import { deepEqual, match } from "node:assert/strict";
import { spawn } from "node:child_process";
import { text as textOf } from "node:stream/consumers";
import { blocksOf, prose, root } from "../support/page";
import { settingsOf, startService } from "../support/service";

/** test/pulumi/readme.test.ts runs its commands. */
const [check] = blocksOf("docs/get-started.md");

describe("get started", () => {
  it("has a command that checks whether a service is supported", async () => {
    const service = await startService();
    try {
      const { LEGACYDNS_BASE_URL: baseUrl = "", LEGACYDNS_LOGIN_TOKEN: token = "" } = settingsOf(service);
      const text = (check?.text ?? "")
        .replace("https://dns.example.org", baseUrl)
        .replace("npx pulumi-legacydns", "node dist/cli/main.js");
      const run = spawn("bash", ["-ec", text], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
      run.stdin.end(`${token}\n`);
      match(await textOf(run.stdout), /example\.com/);
    } finally {
      await service.close();
    }
  });
});

describe("a page in Chinese", () => {
  for (const [page, chinese] of [
    ["README.md", "docs/README.zh-CN.md"],
    ["docs/get-started.md", "docs/get-started.zh-CN.md"],
  ] as const)
    it(`has the commands and programs of ${page}`, () => {
      const shapeOf = (path: string) => ({
        // Comments differ by language.
        blocks: blocksOf(path).map(({ language, text }) => [language, text.replace(/ +# .*$/gm, "")]),
        commands: [...new Set(prose(path).match(/`(?:npm|npx|pulumi) [^`]*`/g))].sort(),
      });
      deepEqual(shapeOf(chinese), shapeOf(page));
    });
});
