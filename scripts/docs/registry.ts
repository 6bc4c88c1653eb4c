/**
 * The two pages that the Pulumi registry shows, from the templates, native/docs/ and the settings. They
 * use the registry's shortcodes, so the site and the npm package do not have them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName } from "../../provider/settings";
import { project } from "../release/project";
import { fileOf } from "./reference";
import { root } from "../support/main";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

const languages = { typescript: "ts", python: "python", go: "go", yaml: "yaml" } as const;
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

const resources: Readonly<Record<string, string>> = {
  Record: "One record. An equal record that is live already is adopted.",
  RecordBatch: "Many records in one or many domains, in one or two calls.",
  Zone: "A whole domain, from a zone file, YAML or a list of records.",
  DomainShare: "The mode and scope of an existing share of a domain.",
};

function chooser(of: (language: Language) => string): string {
  const parts = names.map(
    (language) => `{{% choosable language ${language} %}}\n\n${of(language)}\n\n{{% /choosable %}}`,
  );
  return `{{< chooser language "${names.join(",")}" >}}\n${parts.join("\n")}\n{{< /chooser >}}`;
}

const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

function exampleOf(resource: string): string {
  const page = read(`native/docs/${resource}.md`);
  return chooser((language) => {
    const [, text] = new RegExp(`^\`\`\`${languages[language]}\\n([^]*?)^\`\`\``, "m").exec(page) ?? [];
    if (text === undefined) throw new Error(`native/docs/${resource}.md has no example in ${language}`);
    return block(languages[language], text);
  });
}

/** The program of a template. In YAML it is the part of Pulumi.yaml below the template's own settings. */
function templateIn(language: Language): string {
  const folder = `templates/legacydns-${language}`;
  if (language !== "yaml") {
    const file = { typescript: "index.ts", python: "__main__.py", go: "main.go" }[language];
    return block(languages[language], read(`${folder}/${file}`));
  }
  const text = read(`${folder}/Pulumi.yaml`);
  return block("yaml", `runtime: yaml\n${text.slice(text.indexOf("\nconfig:\n") + 1)}`);
}

const note = "<!-- Made by `npm run docs:reference`. -->";
const page = (title: string, description: string, ...parts: readonly string[]): string =>
  `---\ntitle: ${title}\nmeta_desc: ${description}\nlayout: package\n---\n\n${[note, ...parts].join("\n\n")}\n`;

const link = (path: string): string => `${project.repository}/blob/main/docs/${path}`;

function overview(displayName: string): string {
  const sections = Object.entries(resources).map(
    ([name, text]) =>
      `### ${name}\n\n${text} [Inputs and outputs](${link(`reference/${fileOf(name)}`)}).\n\n${exampleOf(name)}`,
  );
  return page(
    displayName,
    `Use the ${displayName} provider for Pulumi to manage DNS domains that are hosted on a legacy HTTP API.`,
    `The ${displayName} provider manages DNS domains that are hosted on a legacy HTTP API. A whole zone is one resource and costs one or two calls. A crash or a lost answer never creates a duplicate. The preview reports package limits, conflicts and impossible changes before anything is written.`,
    `## Example\n\nThis program declares a zone. \`pulumi config set domain example.com\` names its domain. \`pulumi new ${project.repository}/templates/legacydns-typescript\` makes the project, likewise for \`python\`, \`go\` and \`yaml\`.`,
    chooser(templateIn),
    `## Resources\n\nFragments in Go are part of the function that \`pulumi.Run\` takes.\n\n${sections.join("\n\n")}`,
  );
}

const commands: Readonly<Record<Language, string>> = {
  typescript: `npm install ${project.name} @pulumi/pulumi`,
  python: `pip install ${project.name}`,
  go: `go get ${project.goModule}`,
  yaml: `pulumi plugin install resource legacydns --server ${project.pluginDownloadURL}`,
};

function installation(displayName: string): string {
  const token = environmentName("loginToken");
  return page(
    `${displayName} Installation & Configuration`,
    `How to install and configure the ${displayName} provider for Pulumi.`,
    `## Installation\n\nThe provider has a package for each language:\n
- JavaScript and TypeScript: [\`${project.name}\`](${project.repository})
- Python: [\`${project.name}\`](${project.repository}/tree/main/sdk/python)
- Go: [\`${project.goModule}\`](${project.repository}/tree/main/sdk/go/legacydns)
- YAML: only the plugin`,
    chooser((language) => block("sh needs-release", commands[language])),
    `TypeScript programs need no plugin. The SDKs for Python and Go install it with the first \`pulumi up\`. It needs Node.js ${project.engines.node.replace(">=", "")} or newer on the PATH. To install it by hand:`,
    block("sh needs-release", commands.yaml),
    `## Configuration\n\nSet the address and the token of the account in the environment. The state then does not contain the token.`,
    block(
      "sh",
      `export ${environmentName("baseUrl")}=https://dns.example.org ${token}=TOKEN\npulumi config set legacydns:contact you@example.org`,
    ),
    `All settings work as configuration, too. The environment wins.`,
    block(
      "sh",
      "pulumi config set legacydns:baseUrl https://dns.example.org\npulumi config set --secret legacydns:loginToken TOKEN",
    ),
    `| setting | environment | description |\n|---|---|---|\n${settingsTable()}`,
    `[All settings](${link("settings.md")}) have their rules and defaults there.\n\n## Another account\n\nAn explicit provider does not use the environment.`,
    exampleOf("Provider"),
  );
}

function settingsTable(): string {
  const { config } = JSON.parse(read("native/schema.json")) as {
    config: { variables: Record<string, { description: string }> };
  };
  const rows = ["baseUrl", "loginToken", "contact", "undocumentedOperations"].map((name) => {
    const { description = "" } = config.variables[name] ?? {};
    return `| \`legacydns:${name}\` | \`${environmentName(name)}\` | ${description.replaceAll("|", "\\|")} |`;
  });
  return rows.join("\n");
}

export function registryPages(): Map<string, string> {
  const { displayName } = JSON.parse(read("native/schema.json")) as { displayName: string };
  return new Map([
    ["_index.md", overview(displayName)],
    ["installation-configuration.md", installation(displayName)],
  ]);
}
