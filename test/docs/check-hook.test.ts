import { deepEqual, equal, match } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocksOf, root } from "../support/page";
import { inFolder } from "../cli/run";

type Files = Readonly<Record<string, string>>;

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe("check, in a hook of git", () => {
  it("refuses a commit with a faulty zone, by the hook of the page", async () => {
    const blocks = blocksOf("docs/command-line.md");
    const [hook, ...others] = blocks.filter(({ text }) => text.startsWith("#!/bin/sh\n"));
    deepEqual(others, []);
    await inFolder((folder) => {
      const [repository, shims] = [join(folder, "repository"), join(folder, "bin")];
      const [loader, main] = ["tools/support/typescript.cjs", "cli/main.ts"].map((path) => join(root, path));
      const npx = `#!/bin/sh\n[ "$1" = pulumi-legacydns ] || exit 9\nshift\nexec '${process.execPath}' -r '${loader}' '${main}' "$@"\n`;
      write(folder, { "bin/npx": npx, "repository/zones/example.com.zone": "www A 192.0.2.1\n" });
      const env = {
        ...{ PATH: `${shims}:${process.env["PATH"] ?? ""}`, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
        ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@example.com" },
        ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@example.com" },
      };
      const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, env, stdio: "pipe" });
      const [commitArgs, place] = [["commit", "-q", "-m", "x"], { cwd: repository, env }];
      const commit = () => spawnSync("git", commitArgs, { ...place, encoding: "utf8" });
      git("init", "-q");
      write(repository, { ".git/hooks/pre-commit": hook?.text ?? "" });
      const programs = ["repository/.git/hooks/pre-commit", "bin/npx"];
      for (const file of programs) chmodSync(join(folder, file), 0o755);
      git("add", ".");
      equal(commit().status, 0);
      write(repository, { "zones/example.com.zone": "www A 192.0.2\n" });
      git("add", ".");
      const { status, stdout, stderr } = commit();
      equal(status, 1);
      match(stdout + stderr, /^zones\/example\.com\.zone:1:7: error: .*\[address\.unfit\]$/m);
      git("reset", "-q");
      write(repository, { "README.md": "x" });
      git("add", "README.md");
      equal(commit().status, 0, "no zone is in this commit");
    });
  });
});
