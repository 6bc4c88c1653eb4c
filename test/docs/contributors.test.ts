import { ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { read, root } from "../support/page";

/** The names that a file declares: functions, classes, types, variables, methods and properties. */
function namesIn(path: string): Set<string> {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as Partial<ts.NamedDeclaration>;
    if (name !== undefined && ts.isIdentifier(name)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

describe("the pages for contributors", () => {
  it("name functions, classes and files that are there", () => {
    const pages = ["docs/structure.md", "provider/reconcile/lost-answers.md"].map(read).join("\n");
    const forms = [
      /`(?<file>[\w/-]+\.ts):(?<name>\w+)`/g,
      /`(?<name>\w+)`\s+\(`(?<file>[\w/-]+\.ts)`\)/g,
      /`(?<name>\w+)`\s+in\s+`(?<file>[\w/-]+\.ts)`/g,
    ];
    const cited = forms
      .flatMap((form) => [...pages.matchAll(form)])
      .map(({ groups: { file = "", name = "" } = {} }) => ({ file, name }));
    ok(cited.length > 30, `only ${cited.length} names`);
    for (const { file, name } of cited) {
      const paths = ["", "provider/", "provider/reconcile/"].map((folder) => `${folder}${file}`);
      const path = paths.find((each) => existsSync(join(root, each)));
      ok(path !== undefined && namesIn(path).has(name), `${file}: ${name}`);
    }
  });
});
