import { deepEqual, doesNotMatch, fail, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parts, stories } from "../tools/test/all";
import { manifest, read, root } from "./support/page";

describe("npm test", () => {
  const scriptOf = (name: string) => manifest.scripts[name] ?? fail(name);

  function filesOf(script: string) {
    const patterns = [...(script.split("mocha ")[1] ?? "").matchAll(/'([^']+)'/g)].map(([, each]) => each);
    const command = `shopt -s extglob globstar\nprintf '%s\\n' ${patterns.join(" ")}`;
    return execFileSync("bash", ["-c", command], { cwd: root, encoding: "utf8" }).trim().split("\n");
  }

  it("starts no engine and no browser in `npm run test:unit`", () => {
    const starts =
      /from "[./]+\/support\/(stack|story|browser|languages)"|ensureEngine\(\{ say: \(\) => undefined \}\)/;
    for (const file of filesOf(scriptOf("test:unit"))) doesNotMatch(read(file), starts, file);
  });

  it("installs no package, so it needs no network, and starts no compiler or interpreter of another language", () => {
    const starts = /from "[./]+\/support\/languages"|\b(exec|spawn)\w*\(\s*"(python|go)\d?"/;
    for (const file of filesOf(scriptOf("test"))) doesNotMatch(read(file), starts, file);
  });

  it("runs each file of tests once, together with the stories of `npm run test:all`", () => {
    const others = parts["release workflow"] ?? fail();
    ok(Object.values(parts).includes("npm test"));
    const run = [scriptOf("test"), stories, others].flatMap(filesOf);
    const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "test/*.test.ts"], {
      cwd: root,
      encoding: "utf8",
    });
    deepEqual(
      run.sort(),
      tracked
        .trim()
        .split("\n")
        .filter((file) => existsSync(join(root, file)))
        .sort(),
    );
  });
});
