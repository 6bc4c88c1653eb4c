import { join } from "node:path";
import { writeSite } from "../pages";

const here = join(import.meta.dirname, "..");
const logo = "docs/logo.svg";
const folder = join(here, ".work/pages");
const { english, chinese } = writeSite(join(here, "../.."), folder, [logo]);
const nav = english.map(({ text, items: [first] }) => ({ text, link: first?.link ?? "/" }));
const groups = (of: typeof english) =>
  of.map((group) => ({ ...group, items: [...group.items], collapsed: false }));

/** As GitHub makes anchors, so that a page's links hold in both places. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Each Chinese character is a word: the search knows no other boundary between them. */
function tokenize(text: string): string[] {
  return text.split(/[\s\p{P}\p{S}]+|(?=\p{Script=Han})|(?<=\p{Script=Han})/u).filter((word) => word !== "");
}

export default {
  title: "pulumi-legacydns",
  description: "A Pulumi provider for DNS domains hosted on a legacy HTTP API",
  srcDir: folder,
  outDir: join(here, ".work/dist"),
  cacheDir: join(here, ".work/cache"),
  head: [["link", { rel: "icon", href: `/${logo}` }]],
  markdown: { anchor: { slugify } },
  locales: {
    root: { label: "English", lang: "en" },
    zh: {
      label: "简体中文",
      lang: "zh-CN",
      themeConfig: {
        sidebar: groups([...chinese, ...english]),
        outline: { label: "本页目录", level: "deep" },
        docFooter: { prev: "上一页", next: "下一页" },
        darkModeSwitchLabel: "深色模式",
        sidebarMenuLabel: "菜单",
        returnToTopLabel: "回到顶部",
      },
    },
  },
  themeConfig: {
    nav,
    sidebar: groups(english),
    outline: "deep",
    i18nRouting: false,
    search: {
      provider: "local",
      options: {
        miniSearch: { options: { tokenize } },
        locales: { zh: { translations: { button: { buttonText: "搜索", buttonAriaLabel: "搜索" } } } },
      },
    },
  },
};
