/** The pages of docs/reference/ from the schema, and the table of docs/settings.md. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName, settingRows } from "../../provider/settings";
import {
  nameOf,
  type FunctionSpec,
  type InputsSpec,
  type ObjectSpec,
  type PackageSpec,
  type Properties,
  type PropertySpec,
} from "./spec";
import { root } from "../support/main";
import { madePart } from "../support/page";

const docs = join(root, "docs");
export const referenceFolder = join(docs, "reference");

function typeOf({ oneOf, $ref, items, additionalProperties, type = "any" }: PropertySpec): string {
  if (oneOf !== undefined) return oneOf.map(typeOf).join(" or ");
  if ($ref !== undefined) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (additionalProperties !== undefined) return `map of ${typeOf(additionalProperties)}`;
  return type;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

function inputTable(kind: "input" | "argument", properties: Properties, required: readonly string[]): string {
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| \`${name}\` | ${cell(typeOf(property))} | ${required.includes(name) ? "yes" : "no"} | ${cell(property.description ?? "")} |`,
  );
  return [`| ${kind} | type | required | |`, "|---|---|---|---|", ...rows].join("\n");
}

function outputTable(kind: "output" | "field", { properties, required = [] }: ObjectSpec): string {
  const names = Object.keys(properties);
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| \`${name}${required.includes(name) ? "" : "?"}\` | ${cell(typeOf(property))} | ${cell(property.description ?? "")} |`,
  );
  const table = [`| ${kind} | type | |`, "|---|---|---|", ...rows].join("\n");
  return names.length === required.length ? table : `${table}\n\nFields with a question mark may be absent.`;
}

function typeSections({ types }: PackageSpec, ...fields: readonly Properties[]): string[] {
  const tokens = new Set<string>();
  const visit = (properties: Properties): void => {
    for (const [, token = ""] of JSON.stringify(properties).matchAll(/#\/types\/([\w:]+)/g)) {
      if (tokens.has(token)) continue;
      tokens.add(token);
      visit(types[token]?.properties ?? {});
    }
  };
  fields.forEach(visit);
  return [...tokens].map((token) => {
    const type = types[token];
    if (type === undefined) throw new Error(`the schema has no type ${token}`);
    const content =
      type.properties === undefined
        ? `Values: ${type.enum.map(({ value }) => `\`${value}\``).join(", ")}.`
        : outputTable("field", type);
    return [
      `## ${nameOf(token)}`,
      ...(type.description === undefined ? [] : [type.description]),
      content,
    ].join("\n\n");
  });
}

function page(title: string, ...parts: readonly string[]): string {
  const note = "<!-- Made by `npm run generate` from the schema. -->";
  return `# ${title}\n${note}\n\n${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const languages: Readonly<Record<string, string>> = {
  typescript: "TypeScript:\n\n```ts",
  python: "Python:\n\n```python",
  go: "Go:\n\n```go",
  yaml: "YAML:\n\n```yaml",
};

function resourcePage(schema: PackageSpec, name: string, resource: InputsSpec & ObjectSpec): string {
  const { inputProperties, requiredInputs, properties } = resource;
  const [, description = "", sections = ""] = /^([^]*?)\n(## [^]*)$/.exec(resource.description) ?? [];
  const examples = sections
    .trim()
    .replace(
      /\n/,
      "\n\nTypeScript programs use the classes of the package. Other languages use the SDKs of the [native plugin](../native.md).\n",
    )
    .replace(/^```(\w+)$/gm, (fence, language: string) => languages[language] ?? fence)
    .replace(
      "\n## Import\n",
      "$&\nThis needs the [native plugin](../native.md). With the dynamic provider, declare a live record to adopt it ([existing zones](../existing-zones.md)):\n",
    );
  return page(
    name,
    description.trim(),
    `## Inputs\n${inputTable("input", inputProperties, requiredInputs)}`,
    `## Outputs\n${outputTable("output", resource)}`,
    ...typeSections(schema, inputProperties, properties),
    examples,
  );
}

function lookUpPage(schema: PackageSpec, name: string, look: FunctionSpec): string {
  const { description, inputs, outputs } = look;
  const python = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return page(
    name,
    `${description} In Python it is \`${python}\`. Accounts, calls and errors: [functions](../functions.md).`,
    `## Arguments\n${inputTable("argument", inputs.properties, inputs.required ?? [])}`,
    `## Result\n${outputTable("field", outputs)}`,
    ...typeSections(schema, inputs.properties, outputs.properties),
  );
}

/** File → its text. */
export function referencePages(schema: PackageSpec): Map<string, string> {
  const { inputProperties } = schema.provider;
  const pages = new Map([
    [
      "Provider",
      page(
        "Provider",
        "Another account. Its inputs are the [settings](../settings.md) of the same names. It does not use the environment. Guide: [several accounts](../several-accounts.md).",
        `## Inputs\n${inputTable("input", inputProperties, ["baseUrl"])}`,
      ),
    ],
  ]);
  for (const [token, each] of Object.entries(schema.resources))
    pages.set(nameOf(token), resourcePage(schema, nameOf(token), each));
  for (const [token, each] of Object.entries(schema.functions))
    pages.set(nameOf(token), lookUpPage(schema, nameOf(token), each));
  const fileOf = (name: string): string => `${name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;
  return new Map([...pages].map(([name, text]) => [join(referenceFolder, fileOf(name)), text]));
}

export const settingsFile = join(docs, "settings.md");
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
  const table = [
    "| setting | environment | default | value | description |",
    "|---|---|---|---|---|",
    ...rows,
  ];
  return madePart(settingsFile, "settings").with(`${table.join("\n")}\n`);
}
