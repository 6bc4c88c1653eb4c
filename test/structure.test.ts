import { deepEqual, equal, fail, match } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
      const steps = { types: "echo types >> steps && exit 1", lint: "echo lint >> steps" };
      writeFileSync(
        join(folder, "package.json"),
        JSON.stringify({ scripts: { ...steps, test: scriptOf("test") } }),
      );
      const { status } = spawnSync("npm", ["test", "--silent"], { cwd: folder });
      equal(status, 1);
      equal(readFileSync(join(folder, "steps"), "utf8"), "types\n");
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

  it("runs each file of tests once, together with `npm run test:stories`; `npm run test:all` runs both", () => {
    const all = read("tools/test/all.ts");
    match(all, /"npm run --silent test:stories --"[^]*: "npm test"/);
    const run = ["test", "test:stories"].map(scriptOf).flatMap(filesOf);
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
