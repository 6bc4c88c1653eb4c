/** The pages of the site, as docs/README.md lists them, in a folder of their own and with links that hold there. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** Its headings are the groups of the navigation, its links the pages. */
const contents = "docs/README.md";

interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

export interface Site {
  /** File of the repository → file of the site. */
  readonly pages: ReadonlyMap<string, string>;
  readonly english: readonly Group[];
  readonly chinese: readonly Group[];
}

export function siteOf(root: string): Site {
  const pages = new Map([
    ["README.md", "index.md"],
    [contents, "contents.md"],
  ]);
  const [english, chinese]: [Group[], Group[]] = [[], []];
  const [, ...sections] = readFileSync(join(root, contents), "utf8").split(/^## /m);
  for (const section of sections) {
    const [text = ""] = section.split("\n", 1);
    const links = [...section.matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)$/gm)];
    const items = links.map(([, title = "", target = ""]) => {
      const source = posix.join(posix.dirname(contents), target);
      pages.set(source, addressOf(source));
      return { text: title, link: `/${addressOf(source)}` };
    });
    (items.some(({ link }) => link.startsWith("/zh/")) ? chinese : english).push({ text, items });
  }
  return { pages, english, chinese };
}

function addressOf(source: string): string {
  return source
    .replace(/^docs\/(.*)\.zh-CN\.md$/, "zh/$1.md")
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$/, "$1index.md")
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}

/**
 * Writes the pages and their pictures to the folder. A link to any other file leads to the repository.
 * @param pictures that no page shows
 */
export function writeSite(root: string, folder: string, pictures: readonly string[]): Site {
  const site = siteOf(root);
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const [, repository = ""] = /"url": "git\+(https:[^"]*)\.git"/.exec(manifest) ?? [];
  const published = (picture: string): string => {
    cpSync(join(root, picture), join(folder, "public", picture));
    return `/${picture}`;
  };
  rmSync(folder, { recursive: true, force: true });
  for (const picture of pictures) published(picture);
  for (const [source, address] of site.pages) {
    const linked = (target: string): string => {
      const path = posix.join(posix.dirname(source), target);
      const page = site.pages.get(path);
      if (page !== undefined) return `/${page}`;
      if (!existsSync(join(root, path))) throw new Error(`${source}: no file is at ${target}`);
      return path.endsWith(".svg") ? published(path) : `${repository}/blob/main/${path}`;
    };
    mkdirSync(dirname(join(folder, address)), { recursive: true });
    writeFileSync(join(folder, address), relinked(readFileSync(join(root, source), "utf8"), linked));
  }
  return site;
}

/** Text in fences stays as it is. */
export function relinked(page: string, linked: (target: string) => string): string {
  return page
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(/\]\((?![a-z]+:|#)([^)\s#]+)/g, (_, target: string) => `](${linked(target)}`),
    )
    .join("");
}
