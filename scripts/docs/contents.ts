/**
 * The table of contents: the lists of docs/README.md and, for contributors, of CONTRIBUTING.md. Each
 * heading is a group of the site's navigation.
 */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface Section {
  readonly title: string;
  readonly pages: readonly { readonly title: string; readonly path: string }[];
}

function sectionsOf(root: string, page: string): Section[] {
  const sections: { title: string; pages: { title: string; path: string }[] }[] = [];
  for (const line of readFileSync(join(root, page), "utf8").split("\n")) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) sections.push({ title: heading, pages: [] });
    const [, title, target = ""] = /^- \[([^\]]+)\]\(([^)#]+\.md)\)$/.exec(line) ?? [];
    if (title !== undefined)
      sections
        .at(-1)
        ?.pages.push({ title: title.replaceAll("`", ""), path: posix.join(posix.dirname(page), target) });
  }
  return sections.filter(({ pages }) => pages.length > 0);
}

export function contributorContents(root: string): Section[] {
  const [first, ...others] = sectionsOf(root, "CONTRIBUTING.md");
  return [
    {
      title: "For contributors",
      pages: [{ title: "Contributing", path: "CONTRIBUTING.md" }, ...(first?.pages ?? [])],
    },
    ...others,
  ];
}

export function contents(root: string): Section[] {
  const groups = sectionsOf(root, "docs/README.md");
  const background = groups.pop();
  if (background === undefined) return groups;
  const others = contributorContents(root).flatMap(({ pages }) => pages);
  return [...groups, { ...background, pages: [...background.pages, ...others] }];
}
