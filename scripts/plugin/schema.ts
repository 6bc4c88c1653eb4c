/**
 * The package's schema, made from the declarations of the TypeScript classes and functions. One description
 * of each input, output, setting and look-up serves all languages. test/package/schema.test.ts compares
 * native/schema.json.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as ts from "typescript";
import { project } from "../release/project";
import { settingRows } from "../../provider/settings";

const root = resolve(__dirname, "../..");

interface PropertySpec {
  readonly type?: string;
  readonly description?: string;
  readonly secret?: boolean;
  readonly items?: PropertySpec;
  readonly additionalProperties?: PropertySpec;
  readonly oneOf?: readonly PropertySpec[];
  readonly $ref?: string;
  readonly deprecationMessage?: string;
}
type Properties = Record<string, PropertySpec>;
interface EnumSpec {
  readonly description: string;
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}
interface ObjectSpec {
  readonly description?: string;
  readonly type?: "object";
  readonly properties: Properties;
  readonly required?: readonly string[];
}

/** Where each resource's class and inputs are; inputs that a class makes other resources of are not the plugin's. */
const resources = [
  {
    name: "Record",
    file: "resources/record.ts",
    args: "RecordArgs",
    argsFile: "lifecycle/inputs.ts",
    left: [],
  },
  {
    name: "RecordBatch",
    file: "resources/record-batch.ts",
    args: "RecordBatchArgs",
    argsFile: "lifecycle/inputs.ts",
    left: [],
  },
  {
    name: "Zone",
    file: "resources/zone.ts",
    args: "ZoneArgs",
    argsFile: "resources/zone.ts",
    left: ["shares"],
  },
  {
    name: "DomainShare",
    file: "resources/domain-share.ts",
    args: "DomainShareArgs",
    argsFile: "resources/domain-share.ts",
    left: [],
  },
] as const;
const functionFiles = ["domain", "domains", "purview", "record", "records", "monitor", "lines", "job"];
/** Facts that the types of most languages cannot express. */
const anyRecords =
  "A spec is an object with `type` and `value`, and `name`, `ttl`, `priority`, `line` where they are needed; `name` and `value` may be lists, which make every combination. A line is a text such as `www 600 A 192.0.2.1`.";
/** Input → its type, whose words the declaration lists. */
const choices: ReadonlyMap<string, { readonly type: string; readonly description: string }> = new Map([
  ["removal", { type: "Removal", description: "The fate of records that are no longer declared." }],
  ["undeclared", { type: "Undeclared", description: "The reaction to live records that nobody declares." }],
  ["mode", { type: "ShareMode", description: "`r` reads, `rw` also changes." }],
  ["checks", { type: "CheckLevel", description: "The level of the zone checks." }],
]);
/** Numbers that are no whole ones. */
const fractions = new Set(["responseTime"]);

class Schema {
  private readonly checker: ts.TypeChecker;
  private readonly program: ts.Program;
  readonly types: Record<string, ObjectSpec | EnumSpec> = {};

  constructor() {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) =>
      readFileSync(file, "utf8"),
    ) as { config: object };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.program = ts.createProgram([join(root, "provider/index.ts")], { ...options, noEmit: true });
    this.checker = this.program.getTypeChecker();
  }

  /** The export of a file by its name. */
  symbol(file: string, name: string): ts.Symbol {
    const source = this.program.getSourceFile(join(root, "provider", file));
    const module = source === undefined ? undefined : this.checker.getSymbolAtLocation(source);
    const found =
      module === undefined
        ? undefined
        : this.checker.getExportsOfModule(module).find((each) => each.name === name);
    if (found === undefined) throw new Error(`provider/${file} exports no ${name}`);
    return found;
  }

  exportsOf(file: string): string[] {
    const source = this.program.getSourceFile(join(root, "provider", file));
    const module = source === undefined ? undefined : this.checker.getSymbolAtLocation(source);
    return module === undefined ? [] : this.checker.getExportsOfModule(module).map(({ name }) => name);
  }

  description(symbol: ts.Symbol): string {
    return ts
      .displayPartsToString(symbol.getDocumentationComment(this.checker))
      .replace(/\s*\n\s*/g, " ")
      .trim();
  }

  private deprecation(symbol: ts.Symbol): { deprecationMessage?: string } {
    const tag = symbol.getJsDocTags(this.checker).find(({ name }) => name === "deprecated");
    return tag === undefined ? {} : { deprecationMessage: ts.displayPartsToString(tag.text) };
  }

  /** The properties of an interface. */
  object(type: ts.Type, owner: string, left: readonly string[] = []): ObjectSpec {
    const properties: Properties = {};
    const required: string[] = [];
    for (const symbol of inOrder(this.checker.getPropertiesOfType(type))) {
      const { name } = symbol;
      if (left.includes(name)) continue;
      const spec = this.property(this.checker.getTypeOfSymbol(symbol), name, owner);
      const description = [
        this.description(symbol),
        ...(spec.$ref === "pulumi.json#/Any" ? [anyRecords] : []),
      ].join(" ");
      properties[name] = {
        ...spec,
        ...(description === "" ? {} : { description }),
        ...this.deprecation(symbol),
      };
      if ((symbol.flags & ts.SymbolFlags.Optional) === 0) required.push(name);
    }
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
  }

  declared(file: string, name: string, left: readonly string[] = []): ObjectSpec {
    return this.object(this.checker.getDeclaredTypeOfSymbol(this.symbol(file, name)), name, left);
  }

  /** The outputs of a class: its public fields and getters. */
  outputs(file: string, name: string): ObjectSpec {
    const properties: Properties = {};
    const required: string[] = [];
    for (const symbol of this.checker.getPropertiesOfType(
      this.checker.getDeclaredTypeOfSymbol(this.symbol(file, name)),
    )) {
      const declaration = symbol.valueDeclaration;
      if (
        declaration === undefined ||
        !(ts.isPropertyDeclaration(declaration) || isComputed(declaration)) ||
        declaration.parent.name?.text !== name
      )
        continue;
      if ((ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) !== 0) continue;
      // As it is written: the checker takes an output of a union apart.
      const node =
        declaration.type !== undefined && ts.isTypeReferenceNode(declaration.type)
          ? declaration.type.typeArguments?.[0]
          : undefined;
      if (node === undefined) throw new Error(`${name}.${symbol.name} is no output`);
      const inner = this.checker.getTypeFromTypeNode(node);
      const description = this.description(symbol);
      properties[symbol.name] = {
        ...this.property(inner, symbol.name, name),
        ...(description === "" ? {} : { description }),
        ...this.deprecation(symbol),
      };
      if (!partsOf(inner).some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0))
        required.push(symbol.name);
    }
    return { properties, required };
  }

  private property(type: ts.Type, name: string, owner: string): PropertySpec {
    const kinds = new Map<string, PropertySpec>();
    const lists = partsOf(type).filter((part) =>
      ["Array", "ReadonlyArray"].includes(part.getSymbol()?.name ?? ""),
    );
    // Python's SDK takes no list in a union. A list stands for its single element. Its other types are
    // described in `check`.
    if (name === "records" && lists.length > 0 && owner.endsWith("Args")) return { $ref: "pulumi.json#/Any" };
    for (const part of lists.length > 0 ? lists : partsOf(type)) {
      const spec = this.choice(part, type, name, owner) ?? this.part(part, name, owner);
      if (spec !== undefined) kinds.set(JSON.stringify(spec), spec);
    }
    const all = [...kinds.values()].flatMap((kind) => kind.oneOf ?? [kind]);
    const [first] = all;
    if (first === undefined) throw new Error(`${owner}.${name} has no kind that a schema knows`);
    return all.length === 1 ? first : { oneOf: all };
  }

  /** A word of an input with few words. An SDK takes the enum or the plain word. */
  private choice(part: ts.Type, of: ts.Type, name: string, owner: string): PropertySpec | undefined {
    const choice = choices.get(name);
    if (choice === undefined || !owner.endsWith("Args") || !part.isStringLiteral()) return undefined;
    // The Go SDK takes no map in a union with an enum.
    if (
      partsOf(of).some(
        (each) =>
          this.checker.getIndexInfosOfType(each).some(({ keyType }) => keyType.flags & ts.TypeFlags.String) &&
          !each.isStringLiteral(),
      )
    )
      return undefined;
    const words = partsOf(of).flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
    this.types[`legacydns:index:${choice.type}`] = {
      description: choice.description,
      type: "string",
      enum: words.sort().map((value) => ({ value })),
    };
    return { oneOf: [{ type: "string" }, { $ref: `#/types/legacydns:index:${choice.type}` }] };
  }

  private part(type: ts.Type, name: string, owner: string): PropertySpec | undefined {
    const { flags } = type;
    if ((flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0) return undefined;
    if ((flags & ts.TypeFlags.StringLike) !== 0) return { type: "string" };
    if ((flags & ts.TypeFlags.NumberLike) !== 0) return { type: fractions.has(name) ? "number" : "integer" };
    if ((flags & ts.TypeFlags.BooleanLike) !== 0) return { type: "boolean" };
    // What keeps the editor's suggestions: `string & {}`.
    if (type.isIntersection() && type.types.some((each) => (each.flags & ts.TypeFlags.String) !== 0))
      return { type: "string" };
    const symbol = type.getSymbol()?.name ?? "";
    // An input's other forms.
    if (symbol === "Promise" || symbol === "OutputInstance") return undefined;
    if (symbol === "Array" || symbol === "ReadonlyArray") {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      if (item === undefined) throw new Error(`${owner}.${name} is a list of nothing`);
      return { type: "array", items: this.property(item, name, owner) };
    }
    const [index] = this.checker.getIndexInfosOfType(type);
    if (index !== undefined)
      return { type: "object", additionalProperties: this.property(index.type, name, owner) };
    const alias = type.aliasSymbol?.name ?? symbol;
    const of =
      alias === "__type"
        ? `${owner.replace(/(Result|Args)$/, "")}${name.charAt(0).toUpperCase()}${name.slice(1)}`
        : alias;
    this.types[`legacydns:index:${of}`] ??= { ...this.described(type), ...this.object(type, of) };
    return { $ref: `#/types/legacydns:index:${of}` };
  }

  private described(type: ts.Type): { description?: string } {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const description = symbol === undefined ? "" : this.description(symbol);
    return description === "" ? {} : { description };
  }
}

/** Outputs that a class in TypeScript computes, and the plugin stores. */
const computed = new Set(["fqdn"]);

function isComputed(
  declaration: ts.Declaration,
): declaration is ts.GetAccessorDeclaration & { readonly parent: ts.ClassDeclaration } {
  return (
    ts.isGetAccessorDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    computed.has(declaration.name.text)
  );
}

/** In the order of the tables that the functions' types follow from. Other properties keep the checker's order. */
function inOrder(symbols: readonly ts.Symbol[]): ts.Symbol[] {
  const placeOf = ({ declarations: [first] = [] }: ts.Symbol): string => {
    const file = first?.getSourceFile().fileName ?? "";
    return /provider\/(api|functions)\//.test(file) ? `${file} ${String(first?.getStart()).padStart(9)}` : "";
  };
  return [...symbols].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0));
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/**
 * A resource's page: its description, and a program in each language (native/docs). An SDK keeps the one of
 * its language.
 */
function pageOf(name: string, description: string): string {
  // By this name the generators know the language.
  const examples = readFileSync(join(root, "native", "docs", `${name}.md`), "utf8")
    .trim()
    .replace(/^```ts$/gm, "```typescript");
  return `${description}\n\n${examples}\n`;
}

/** The inputs of a provider, from the declarations of the settings. */
function providerProperties(schema: Schema): ObjectSpec {
  const declared = schema.declared("resources/provider.ts", "ProviderArgs");
  const entries = settingRows.flatMap(({ name, type, rule, fallback, ofProgram }) => {
    if (ofProgram === true) return [];
    const { description = "" } = declared.properties[name] ?? {};
    const usual = fallback === "" ? "" : ` Default: \`${fallback}\`.`;
    return [
      [
        name,
        {
          type,
          description: `${description} It ${rule}.${usual}`,
          ...(name === "loginToken" ? { secret: true } : {}),
        },
      ] as const,
    ];
  });
  return { properties: Object.fromEntries(entries), required: declared.required ?? [] };
}

/** The schema of this version of the package. */
export function makeSchema(): Record<string, unknown> {
  const schema = new Schema();
  const provider = providerProperties(schema);
  const made: Record<string, unknown> = {};
  for (const { name, file, args, argsFile, left } of resources) {
    const inputs = schema.declared(argsFile, args, left);
    const outputs = schema.outputs(file, name);
    const own = name === "Zone" ? { domain: { type: "string", description: "The zone, as A-labels." } } : {};
    made[`legacydns:index:${name}`] = {
      description: pageOf(name, schema.description(schema.symbol(file, name))),
      properties: { ...own, ...outputs.properties },
      required: [...Object.keys(own), ...(outputs.required ?? [])],
      inputProperties: inputs.properties,
      requiredInputs: inputs.required ?? [],
      ...(name === "Zone" ? {} : { aliases: [{ type: `pulumi-nodejs:dynamic/legacydns:${name}` }] }),
    };
  }
  const functions: Record<string, unknown> = {};
  for (const each of functionFiles) {
    const file = `functions/${each}.ts`;
    for (const name of schema
      .exportsOf(file)
      .filter((exported) => /^get[A-Z]\w*$/.test(exported) && !exported.endsWith("Output"))) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      functions[`legacydns:index:${name}`] = {
        description: schema.description(schema.symbol(file, name)),
        inputs: schema.declared(file, `${type}Args`),
        outputs: schema.declared(file, `${type}Result`),
      };
    }
  }
  return {
    name: "legacydns",
    version: project.version,
    displayName: "Legacy DNS",
    description: project.description,
    license: project.license,
    publisher: project.owner,
    homepage: project.repository,
    repository: project.repository,
    logoUrl: project.logoUrl,
    pluginDownloadURL: project.pluginDownloadURL,
    keywords: ["pulumi", "dns", "kind/native", "category/network"],
    // The configuration has the settings of a provider, and none is required.
    config: { variables: provider.properties },
    provider: {
      description: "Another account.",
      inputProperties: provider.properties,
      requiredInputs: provider.required,
    },
    types: schema.types,
    resources: made,
    functions,
    language: {
      python: { packageName: "pulumi_legacydns", respectSchemaVersion: true, pyproject: { enabled: true } },
      go: {
        importBasePath: project.goModule,
        respectSchemaVersion: true,
        generateResourceContainerTypes: true,
      },
    },
  };
}

/** The schema as its file holds it. */
export function schemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
