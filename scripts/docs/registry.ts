/**
 * The two pages that the Pulumi registry shows. Each mark `<!-- example: NAME -->` is followed by one example per
 * language. They use the registry's shortcodes, so the site and the npm package do not have them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const languages = { typescript: "ts", python: "python", go: "go", yaml: "yaml" } as const;
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

/** The example of a resource, from its page. */
function exampleOf(name: string, language: Language): string {
  const page = `native/docs/${name}.md`;
  const [, text] = new RegExp(`^\`\`\`${languages[language]}\\n([^]*?)^\`\`\``, "m").exec(read(page)) ?? [];
  if (text === undefined) throw new Error(`${page} has no example in ${languages[language]}`);
  return text;
}

/** The program of a template. In YAML it is the part of Pulumi.yaml below the template's own settings. */
function templateIn(language: Language): string {
  const files = { typescript: "index.ts", python: "__main__.py", go: "main.go", yaml: "Pulumi.yaml" };
  const text = read(`templates/legacydns-${language}/${files[language]}`);
  return language === "yaml" ? `runtime: yaml\n${text.slice(text.indexOf("\nconfig:\n") + 1)}` : text;
}

function chooser(name: string): string {
  const parts = names.map((language) => {
    const text = name === "template" ? templateIn(language) : exampleOf(name, language);
    return `{{% choosable language ${language} %}}

\`\`\`${languages[language]}
${text.trimEnd()}
\`\`\`

{{% /choosable %}}
`;
  });
  return `{{< chooser language "${names.join(",")}" >}}\n${parts.join("")}{{< /chooser >}}`;
}

/** File in docs/ → the page with its examples as they are now. */
export function registryPages(): Map<string, string> {
  const examples = /(?<=<!-- example: (\w+) -->\n\n)\{\{< chooser[^]*?\{\{< \/chooser >\}\}/g;
  return new Map(
    ["_index.md", "installation-configuration.md"].map((file) => [
      file,
      read(`docs/${file}`).replace(examples, (_, name: string) => chooser(name)),
    ]),
  );
}
