import { deepEqual, equal, fail, ok } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parts, stories } from "../tools/test/all";
import { manifest, read, root } from "./support/page";

describe("tsconfig.json", () => {
  it("includes files and folders that there are", () => {
    const { include } = JSON.parse(read("tsconfig.json")) as { include: string[] };
    deepEqual(
      include.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });
});

describe("npm test", () => {
  const scriptOf = (name: string) => manifest.scripts[name] ?? fail(name);

  function filesOf(script: string) {
    const patterns = [...(script.split("mocha ")[1] ?? "").matchAll(/'([^']+)'/g)].map(([, each]) => each);
    const command = `shopt -s extglob globstar\nprintf '%s\\n' ${patterns.join(" ")}`;
    return execFileSync("bash", ["-c", command], { cwd: root, encoding: "utf8" }).trim().split("\n");
  }

  it("ends at the first step that fails, and leaves no other step running", () => {
    const folder = mkdtempSync(join(tmpdir(), "legacydns-npm-test-"));
    try {
      const steps = {
        build: "echo build >> steps",
        types: "echo types >> steps && exit 1",
        lint: "echo lint >> steps",
      };
      writeFileSync(
        join(folder, "package.json"),
        JSON.stringify({ scripts: { ...steps, test: scriptOf("test") } }),
      );
      const { status } = spawnSync("npm", ["test", "--silent"], { cwd: folder });
      equal(status, 1);
      equal(readFileSync(join(folder, "steps"), "utf8"), "build\ntypes\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("starts no engine and no browser in `npm run test:unit`", () => {
    const starts =
      /from "[./]+\/support\/(stack|story|browser|languages)"|ensureEngine\(\{ say: \(\) => undefined \}\)/;
    const found = filesOf(scriptOf("test:unit")).filter((file) => starts.test(read(file)));
    deepEqual(found, []);
  });

  it("installs no package and starts no compiler of another language, so it needs no network", () => {
    const found = filesOf(scriptOf("test")).filter((file) =>
      /from "[./]+\/support\/languages"/.test(read(file)),
    );
    deepEqual(found, []);
  });

  it("runs each file of tests once, together with the stories of `npm run test:all`", () => {
    ok(Object.values(parts).includes("npm test"));
    const run = [scriptOf("test"), stories].flatMap(filesOf);
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
