/**
 * The table of contents of the documentation: docs/README.md, which a user has as well, and the lists at the end of CONTRIBUTING.md.
 * A section's heading is a group of the site's navigation, and the links of its list are the pages, under their link texts and in
 * their order.
 */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface Section {
  readonly title: string;
  readonly pages: readonly { readonly title: string; readonly path: string }[];
}

/** @param root the repository. @param page one with lists. @returns its sections that have one; paths are relative to the repository */
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

/** The sections of pages that are for people who work on the provider: the package has none of them. @param root the repository */
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

/** Every section, the contributors' last. @param root the repository */
export function contents(root: string): Section[] {
  return [...sectionsOf(root, "docs/README.md"), ...contributorContents(root)];
}
