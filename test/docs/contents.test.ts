import { deepEqual, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { anchorsOf, linkedFrom, pages, prose, read, registryPages, root } from "../support/page";

describe("the pages", () => {
  it("stand in one table of contents, each once", () => {
    const contents = ["docs/README.md", "CONTRIBUTING.md"];
    deepEqual(
      [...contents, "README.md", ...contents.flatMap(linkedFrom), ...registryPages].sort(),
      pages()
        .filter((page) => !page.startsWith("provider/frontends/"))
        .sort(),
    );
  });

  it("link to pages and headings that are there", () => {
    const link = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
    for (const page of pages())
      for (const [text, target = "", anchor] of prose(page).matchAll(link)) {
        const path = target === "" ? page : posix.join(posix.dirname(page), target);
        ok(existsSync(join(root, path)), `${page}: ${text}`);
        ok(anchor === undefined || (path.endsWith(".md") && anchorsOf(path).has(anchor)), `${page}: ${text}`);
      }
  });

  it("of the Pulumi registry have its front matter", () => {
    for (const page of registryPages)
      match(read(page), /^---\ntitle: .+\nmeta_desc: .{20,160}\nlayout: package\n---\n/, page);
  });
});
