import { deepEqual, equal, match } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, root } from "../support/page";
import { inFolder } from "../cli/run";

describe("check, in a hook of git", () => {
  it("refuses a commit with a faulty zone, by the hook of the page", async () => {
    const blocks = blocksOf("docs/command-line.md");
    const [hook, ...others] = blocks.filter(({ text }) => text.startsWith("#!/bin/sh\n"));
    deepEqual(others, []);
    await inFolder((folder) => {
      const repository = join(folder, "repository");
      const write = (name: string, text: string, mode = 0o644) =>
        writeFileSync(join(folder, name), text, { mode });
      const [loader, main] = ["tools/support/typescript.cjs", "cli/main.ts"].map((path) => join(root, path));
      const npx = `#!/bin/sh\n[ "$1" = pulumi-legacydns ] || exit 9\nshift\nexec '${process.execPath}' -r '${loader}' '${main}' "$@"\n`;
      write("npx", npx, 0o755);
      for (const each of ["zones", ".git/hooks"]) mkdirSync(join(repository, each), { recursive: true });
      write("repository/zones/example.com.zone", "www A 192.0.2.1\n");
      const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
      const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, env, stdio: "pipe" });
      const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
      const commit = () =>
        spawnSync("git", [...author, "commit", "-q", "-m", "x"], { cwd: repository, env, encoding: "utf8" });
      git("init", "-q");
      write("repository/.git/hooks/pre-commit", hook?.text ?? "", 0o755);
      git("add", ".");
      equal(commit().status, 0);
      write("repository/zones/example.com.zone", "www A 192.0.2\n");
      git("add", ".");
      const { status, stdout, stderr } = commit();
      equal(status, 1);
      match(stdout + stderr, /^zones\/example\.com\.zone:1:7: error: .*\[address\.unfit\]$/m);
      git("reset", "-q");
      write("repository/README.md", "x");
      git("add", "README.md");
      equal(commit().status, 0, "no zone is in this commit");
    });
  });
});
