/** The pages of docs/reference/, from native/schema.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";

const prefix = "legacydns:index:";

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly oneOf?: readonly Property[];
  readonly $ref?: string;
  readonly deprecationMessage?: string;
}
interface Fields {
  readonly description?: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}
interface Resource extends Fields {
  readonly inputProperties: Readonly<Record<string, Property>>;
  readonly requiredInputs: readonly string[];
}
interface LookUp {
  readonly description: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
}
interface Schema {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, LookUp>>;
  readonly types: Readonly<
    Record<string, Partial<Fields> & { readonly enum?: readonly { readonly value: string }[] }>
  >;
  readonly provider: Pick<Resource, "inputProperties" | "requiredInputs">;
}

export function fileOf(name: string): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;
}

const nameOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);

function typeOf(property: Property): string {
  if (property.oneOf !== undefined) return property.oneOf.map(typeOf).join(" or ");
  if (property.$ref !== undefined)
    return `[${nameOf(property.$ref)}](#${nameOf(property.$ref).toLowerCase()})`;
  if (property.items !== undefined) return `list of ${typeOf(property.items)}`;
  if (property.additionalProperties !== undefined) return `map of ${typeOf(property.additionalProperties)}`;
  return property.type ?? "any";
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

function table(
  kind: "input" | "argument" | "output" | "field",
  properties: Readonly<Record<string, Property>>,
  required: readonly string[],
): string {
  const asked = kind === "input" || kind === "argument";
  const rows = Object.entries(properties).map(([name, property]) => {
    const there = required.includes(name);
    const text = [property.description, property.deprecationMessage]
      .filter((part) => part !== undefined)
      .join(" ");
    return `| \`${name}${asked || there ? "" : "?"}\` | ${cell(typeOf(property))} |${asked ? ` ${there ? "yes" : "no"} |` : ""} ${cell(text)} |`;
  });
  const lines = [
    asked ? `| ${kind} | type | required | |` : `| ${kind} | type | |`,
    asked ? "|---|---|---|---|" : "|---|---|---|",
    ...rows,
  ];
  const absent = !asked && Object.keys(properties).some((name) => !required.includes(name));
  return lines.join("\n") + (absent ? "\n\nFields with a question mark may be absent." : "");
}

function namedTypes(
  schema: Schema,
  properties: Readonly<Record<string, Property>>,
  found = new Set<string>(),
): Set<string> {
  for (const token of JSON.stringify(properties).matchAll(/#\/types\/([\w:]+)/g)) {
    const [, name = ""] = token;
    if (found.has(name)) continue;
    found.add(name);
    namedTypes(schema, schema.types[name]?.properties ?? {}, found);
  }
  return found;
}

function typeSections(schema: Schema, fields: readonly Fields[]): string[] {
  const names = new Set(fields.flatMap(({ properties }) => [...namedTypes(schema, properties)]));
  return [...names].map((token) => {
    const { description = "", properties = {}, required = [], enum: words } = schema.types[token] ?? {};
    const values = words?.map(({ value }) => `\`${value}\``).join(", ");
    const content = values === undefined ? table("field", properties, required) : `Values: ${values}.`;
    return [`## ${nameOf(token)}`, description, content].filter((part) => part !== "").join("\n\n");
  });
}

const note = "<!-- Made by `npm run docs:reference` from the schema. -->";
const page = (title: string, ...parts: readonly string[]): string =>
  `# ${title}\n${note}\n\n${parts.filter((part) => part !== "").join("\n\n")}\n`;

const languages: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  yaml: "YAML",
};

const packages =
  "TypeScript programs use the classes of the package. Other languages use the SDKs of the [native plugin](../native.md).";

const imports =
  "This needs the [native plugin](../native.md). With the dynamic provider, declare a live record to adopt it ([existing zones](../moving.md)):";

function divided(description: string): [string, string] {
  const at = description.indexOf("\n## ");
  if (at < 0) return [description.trim(), ""];
  const [heading = "", ...examples] = description.slice(at).trim().split("\n");
  const sections = [heading, "", packages, ...examples]
    .join("\n")
    .replace(
      /^```(typescript|python|go|yaml)$/gm,
      (_, language: string) =>
        `${languages[language] ?? ""}:\n\n\`\`\`${language === "typescript" ? "ts" : language}`,
    )
    .replace("\n## Import\n", `\n## Import\n\n${imports}\n`);
  return [description.slice(0, at).trim(), sections];
}

function resourcePage(schema: Schema, name: string, resource: Resource): string {
  const [description, examples] = divided(resource.description ?? "");
  const guide = `Behaviour: [resources](../resources.md#${name.toLowerCase()}).`;
  return page(
    name,
    `${description} ${guide}`,
    `## Inputs\n${table("input", resource.inputProperties, resource.requiredInputs)}`,
    `## Outputs\n${table("output", resource.properties, resource.required ?? [])}`,
    ...typeSections(schema, [{ properties: resource.inputProperties }, resource]),
    examples,
  );
}

function lookUpPage(schema: Schema, name: string, { description, inputs, outputs }: LookUp): string {
  const python = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const guide = `Codes and an example: [functions](../functions.md#${name.toLowerCase()}). In Python it is \`${python}\`.`;
  return page(
    name,
    `${description} ${guide}`,
    `## Arguments\n${table("argument", inputs.properties, inputs.required ?? [])}`,
    `## Result\n${table("field", outputs.properties, outputs.required ?? [])}`,
    ...typeSections(schema, [inputs, outputs]),
  );
}

export function referencePages(): Map<string, string> {
  const schema = JSON.parse(readFileSync(join(root, "native", "schema.json"), "utf8")) as Schema;
  const pages = new Map<string, string>();
  for (const [token, resource] of Object.entries(schema.resources))
    pages.set(fileOf(token.slice(prefix.length)), resourcePage(schema, nameOf(token), resource));
  const { inputProperties, requiredInputs } = schema.provider;
  const settings =
    "Another account. Its inputs are the [settings](../settings.md) of the same names. It does not use the environment. Guide: [several accounts](../several-accounts.md).";
  pages.set(
    "provider.md",
    page("Provider", settings, `## Inputs\n${table("input", inputProperties, requiredInputs)}`),
  );
  for (const [token, lookUp] of Object.entries(schema.functions))
    pages.set(fileOf(token.slice(prefix.length)), lookUpPage(schema, nameOf(token), lookUp));
  return pages;
}
