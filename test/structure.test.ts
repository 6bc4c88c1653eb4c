import { deepEqual, fail, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
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

const known = new Map<string, Set<string>>();

/** The names that a file declares: functions, classes, types, variables, methods and properties. */
function namesIn(path: string): Set<string> {
  const before = known.get(path);
  if (before !== undefined) return before;
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as Partial<ts.NamedDeclaration>;
    if (name !== undefined && ts.isIdentifier(name)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  known.set(path, names);
  return names;
}

describe("the pages for contributors", () => {
  it("name functions, classes and files that are there", () => {
    const pages = ["docs/structure.md", "provider/reconcile/README.md"].map(read).join("\n");
    const cited = [
      ...[...pages.matchAll(/`([\w/-]+\.ts):(\w+)`/g)].map(([, file = "", name = ""]) => ({ file, name })),
      ...[...pages.matchAll(/`(\w+)`\s+\(`([\w/-]+\.ts)`\)/g)].map(([, name = "", file = ""]) => ({
        file,
        name,
      })),
      ...[...pages.matchAll(/`(\w+)`\s+in\s+`([\w/-]+\.ts)`/g)].map(([, name = "", file = ""]) => ({
        file,
        name,
      })),
    ];
    ok(cited.length > 30, `only ${cited.length} names`);
    const wrong = cited.filter(({ file, name }) => {
      const path = ["", "provider/", "provider/reconcile/"]
        .map((folder) => `${folder}${file}`)
        .find((each) => existsSync(join(root, each)));
      return path === undefined || !namesIn(path).has(name);
    });
    deepEqual(wrong, []);
  });
});
