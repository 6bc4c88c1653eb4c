/** The plugin's schema, from the declarations of the TypeScript classes and functions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "../release/project";
import { settingRows } from "../../provider/settings";
import { root } from "../support/main";
import {
  type FunctionSpec,
  type InputsSpec,
  type ObjectSpec,
  type PackageSpec,
  type Properties,
  type PropertySpec,
} from "./spec";
import { Declarations } from "./types";

interface ResourceRow {
  readonly name: string;
  readonly file: string;
  /** Default: `file`. */
  readonly argsFile?: string;
  /** Inputs of the class that are resources of their own in other languages. */
  readonly left?: readonly string[];
  /** Outputs that the class in TypeScript does not show. */
  readonly more?: Readonly<Record<string, PropertySpec>>;
  /** Inputs of the engine's list call. Set if the engine can list live resources of the type. */
  readonly listInputs?: ObjectSpec;
}

const secrets: PropertySpec = {
  type: "string",
  secret: true,
  description:
    "The data behind the marks of secret records, which `entries` reads. Absent without secret records.",
};
const domain: PropertySpec = { type: "string", description: "The zone, as A-labels." };

const resources: readonly ResourceRow[] = [
  {
    name: "Record",
    file: "record",
    argsFile: "inputs",
    listInputs: {
      type: "object",
      properties: { domain: { type: "string", description: "The zone, for example `example.com`." } },
      required: ["domain"],
    },
  },
  { name: "RecordBatch", file: "record-batch", argsFile: "inputs", more: { secrets } },
  {
    name: "Zone",
    file: "zone",
    left: ["shares"],
    more: { domain, secrets },
    listInputs: { type: "object", properties: {} },
  },
  { name: "DomainShare", file: "domain-share" },
];
const functionFiles = ["domains", "records", "entries", "jobs"];

function pageOf(name: string, description: string): string {
  // The generators' name of the language.
  const examples = readFileSync(join(root, "provider/frontends/native/docs", `${name}.md`), "utf8")
    .trim()
    .replace(/^```ts$/gm, "```typescript");
  return `${description}\n\n${examples}\n`;
}

function providerProperties(declarations: Declarations): Properties {
  const declared = declarations.declared("resources/provider.ts", "ProviderArgs");
  const properties: Record<string, PropertySpec> = {};
  for (const { name, type, rule, fallback, ofProgram } of settingRows) {
    if (ofProgram === true) continue;
    const { description = "" } = declared.properties[name] ?? {};
    const usual = fallback === "" ? "" : ` Default: \`${fallback}\`.`;
    properties[name] = {
      type,
      description: `${description} It must be ${rule}.${usual}`,
      ...(name === "loginToken" && { secret: true }),
    };
  }
  return properties;
}

function resource(declarations: Declarations, row: ResourceRow): InputsSpec & ObjectSpec {
  const { name, argsFile = row.file, left = [], more = {}, listInputs } = row;
  const file = `resources/${row.file}.ts`;
  const inputs = declarations.declared(`resources/${argsFile}.ts`, `${name}Args`, left);
  const outputs = declarations.outputs(file, name);
  // The class Zone is a component.
  const aliases = name === "Zone" ? {} : { aliases: [{ type: `pulumi-nodejs:dynamic/legacydns:${name}` }] };
  return {
    description: pageOf(name, declarations.description(declarations.symbol(file, name))),
    properties: { ...outputs.properties, ...more },
    required: [...(outputs.required ?? []), ...Object.keys(more).filter((each) => each !== "secrets")],
    inputProperties: inputs.properties,
    requiredInputs: inputs.required ?? [],
    ...(listInputs && { listInputs }),
    ...aliases,
  };
}

function functionsOf(declarations: Declarations, file: string): (readonly [string, FunctionSpec])[] {
  const names = declarations.exportsOf(file).map(({ name }) => name);
  return names
    .filter((name) => /^get[A-Z]\w*(?<!Output)$/.test(name))
    .map((name) => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return [
        `legacydns:index:${name}`,
        {
          description: declarations.description(declarations.symbol(file, name)),
          inputs: declarations.declared(file, `${type}Args`),
          outputs: declarations.declared(file, `${type}Result`),
        },
      ];
    });
}

export function makeSchema(): PackageSpec & Readonly<Record<string, unknown>> {
  const { version, description, license, owner, repository, logoUrl, pluginDownloadURL } = project;
  const declarations = new Declarations();
  const provider = providerProperties(declarations);
  const made = resources.map((row) => [`legacydns:index:${row.name}`, resource(declarations, row)] as const);
  const functions = functionFiles.flatMap((file) => functionsOf(declarations, `functions/${file}.ts`));
  return {
    name: "legacydns",
    version,
    displayName: "Legacy DNS",
    description,
    license,
    publisher: owner,
    homepage: repository,
    repository,
    logoUrl,
    pluginDownloadURL,
    keywords: ["pulumi", "dns", "kind/native", "category/network"],
    // The configuration has the settings of a provider.
    config: { variables: provider },
    provider: {
      description: "Another account.",
      inputProperties: provider,
      // The environment is enough for `pulumi do`. The plugin itself reports missing inputs of an explicit provider.
      requiredInputs: [],
    },
    types: declarations.types,
    resources: Object.fromEntries(made),
    functions: Object.fromEntries(functions),
    language: {
      python: {
        packageName: "pulumi_legacydns",
        respectSchemaVersion: true,
        pyproject: { enabled: true },
      },
      go: {
        importBasePath: project.goModule,
        respectSchemaVersion: true,
        generateResourceContainerTypes: true,
      },
    },
  };
}
