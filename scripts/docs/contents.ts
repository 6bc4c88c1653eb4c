/**
 * The table of contents of the documentation is docs/README.md: a section's heading is a group of the site's
 * navigation, and the links of its lists and tables are the pages, under their link texts and in their order.
 */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface Section {
  readonly title: string;
  readonly pages: readonly { readonly title: string; readonly path: string }[];
}

/** @param root the repository. @returns the sections; paths are relative to the repository */
export function contents(root: string): Section[] {
  const sections: { title: string; pages: { title: string; path: string }[] }[] = [];
  for (const line of readFileSync(join(root, "docs", "README.md"), "utf8").split("\n")) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) sections.push({ title: heading, pages: [] });
    if (!/^(- |\| )/.test(line)) continue;
    for (const [, title = "", target = ""] of line.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)) {
      sections.at(-1)?.pages.push({ title: title.replaceAll("`", ""), path: posix.normalize(`docs/${target}`) });
    }
  }
  return sections;
}
