import { deepEqual, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { read, root } from "../support/page";

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
