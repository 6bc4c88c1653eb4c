/** docs/settings.md with its table, from the declarations in provider/settings.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName, settingRows } from "../../provider/settings";
import { root } from "../support/main";

export const settingsFile = join(root, "docs", "settings.md");
const [begin, end] = ["<!-- settings: made by `npm run docs:reference` -->\n", "<!-- end of settings -->"];
/** Settings without a default that a stack must have. */
const required = ["baseUrl", "loginToken"];

function descriptions(): Map<string, string> {
  const source = readFileSync(join(root, "provider", "settings.ts"), "utf8");
  const comments = source.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}(\w+)[:,]/gm);
  return new Map([...comments].map(([, text = "", name = ""]) => [name, text]));
}

export function settingsPage(): string {
  const texts = descriptions();
  const rows = settingRows.map(({ name, rule, fallback }) => {
    const usual = fallback === "" ? (required.includes(name) ? "none, required" : "none") : `\`${fallback}\``;
    const cells = [`\`${name}\``, `\`${environmentName(name)}\``, usual, rule];
    return `| ${[...cells, texts.get(name) ?? ""].join(" | ")} |`;
  });
  const page = readFileSync(settingsFile, "utf8");
  const [head = "", rest = ""] = page.split(begin);
  const table = [
    "| setting | environment | default | value | description |",
    "|---|---|---|---|---|",
    ...rows,
  ];
  return `${head}${begin}${table.join("\n")}\n${rest.slice(rest.indexOf(end))}`;
}
