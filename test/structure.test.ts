import { deepEqual, equal, fail, match } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import * as ts from "typescript";
import { manifest, read, root } from "./support/page";

const provider = join(root, "provider");
const sources = new Map(
  readdirSync(provider, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [
      join(provider, path),
      ts.createSourceFile(path, readFileSync(join(provider, path), "utf8"), ts.ScriptTarget.ES2022, true),
    ]),
);

function importsOf(file: string) {
  return (sources.get(file)?.statements ?? []).flatMap((statement) => {
    const specifier =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
        ? statement.moduleSpecifier
        : undefined;
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith("."))
      return [];
    const target = resolve(dirname(file), specifier.text);
    return [`${target}.ts`, join(target, "index.ts")].filter((path) => existsSync(path));
  });
}

function reachedFrom(file: string, seen = new Set<string>()) {
  for (const next of importsOf(file))
    if (!seen.has(next)) {
      seen.add(next);
      reachedFrom(next, seen);
    }
  return seen;
}

const inRoom = [...sources].filter(([file]) =>
  ["reconcile", "dns"].some((folder) => file.startsWith(join(provider, folder))),
);

describe("the shape of provider/reconcile and provider/dns", () => {
  it("no file imports itself by way of others", () => {
    const circular = inRoom.filter(([file]) => reachedFrom(file).has(file));
    deepEqual(
      circular.map(([file]) => relative(provider, file)),
      [],
    );
  });
});

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
    const all = read("scripts/test-all.ts");
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
