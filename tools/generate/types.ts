/** TypeScript declarations as types of a Pulumi schema. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { root } from "../support/main";
import type { EnumSpec, ObjectSpec, PropertySpec } from "./spec";

/** Input → its enum. */
const choices: ReadonlyMap<string, { readonly type: string; readonly description: string }> = new Map([
  ["removal", { type: "Removal", description: "The fate of records that are no longer declared." }],
  ["undeclared", { type: "Undeclared", description: "The reaction to live records that nobody declares." }],
  ["mode", { type: "ShareMode", description: "`r` reads, `rw` also changes." }],
  ["checks", { type: "CheckLevel", description: "The level of the zone checks." }],
]);
const fractions = new Set(["responseTime"]);
/** Outputs that a class in TypeScript computes and the plugin stores. */
const computed = new Set(["fqdn"]);
const listNames = ["Array", "ReadonlyArray"];
/** The forms of an input whose value is known later. */
const laterNames = ["Promise", "OutputInstance"];

export class Declarations {
  private readonly checker: ts.TypeChecker;
  private readonly program: ts.Program;
  readonly types: Record<string, ObjectSpec | EnumSpec> = {};

  constructor() {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) =>
      readFileSync(file, "utf8"),
    ) as { config: object };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const files = ["provider/index.ts", "provider/functions/table.ts"].map((file) => join(root, file));
    this.program = ts.createProgram(files, { ...options, noEmit: true });
    this.checker = this.program.getTypeChecker();
  }

  exportsOf(file: string): ts.Symbol[] {
    const source = this.program.getSourceFile(join(root, "provider", file));
    const module = source && this.checker.getSymbolAtLocation(source);
    return module ? this.checker.getExportsOfModule(module) : [];
  }

  symbol(file: string, name: string): ts.Symbol {
    const found = this.exportsOf(file).find((each) => each.name === name);
    if (found === undefined) throw new Error(`provider/${file} exports no ${name}`);
    return found;
  }

  description(symbol: ts.Symbol): string {
    return ts
      .displayPartsToString(symbol.getDocumentationComment(this.checker))
      .replace(/\s*\n\s*/g, " ")
      .trim();
  }

  declared(file: string, name: string, left: readonly string[] = []): ObjectSpec {
    return this.object(this.checker.getDeclaredTypeOfSymbol(this.symbol(file, name)), name, left);
  }

  outputs(file: string, name: string): ObjectSpec {
    const properties: Record<string, PropertySpec> = {};
    const required: string[] = [];
    const type = this.checker.getDeclaredTypeOfSymbol(this.symbol(file, name));
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      const declaration = symbol.valueDeclaration;
      if (declaration === undefined || !isOutput(declaration, name)) continue;
      // As it is written: the checker takes an output of a union apart.
      const node =
        declaration.type !== undefined && ts.isTypeReferenceNode(declaration.type)
          ? declaration.type.typeArguments?.[0]
          : undefined;
      if (node === undefined) throw new Error(`${name}.${symbol.name} is no output`);
      const inner = this.checker.getTypeFromTypeNode(node);
      properties[symbol.name] = this.documented(symbol, this.property(inner, symbol.name, name));
      if (!partsOf(inner).some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0))
        required.push(symbol.name);
    }
    return { properties, required };
  }

  private object(type: ts.Type, owner: string, left: readonly string[] = []): ObjectSpec {
    const symbols = inOrder(this.checker.getPropertiesOfType(type)).filter(
      ({ name }) => !left.includes(name),
    );
    const required = symbols.filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
    const properties = symbols.map((symbol) => {
      const spec = this.property(this.checker.getTypeOfSymbol(symbol), symbol.name, owner);
      return [symbol.name, this.documented(symbol, spec)] as const;
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    };
  }

  private documented(symbol: ts.Symbol, spec: PropertySpec): PropertySpec {
    return { ...spec, description: this.description(symbol) };
  }

  private property(type: ts.Type, name: string, owner: string): PropertySpec {
    // The Python SDK takes no list in a union. A list stands for its single element.
    const lists = partsOf(type).filter((part) => listNames.includes(part.getSymbol()?.name ?? ""));
    const kinds = new Map<string, PropertySpec>();
    for (const part of lists.length > 0 ? lists : partsOf(type)) {
      const spec = this.choice(part, type, name, owner) ?? this.part(part, name, owner);
      if (spec !== undefined) kinds.set(JSON.stringify(spec), spec);
    }
    const all = [...kinds.values()].flatMap((kind) => kind.oneOf ?? [kind]);
    const [first] = all;
    if (first === undefined) throw new Error(`${owner}.${name} has no kind that a schema knows`);
    return all.length === 1 ? first : { oneOf: all };
  }

  /** An SDK takes the enum or the plain word. */
  private choice(part: ts.Type, of: ts.Type, name: string, owner: string): PropertySpec | undefined {
    const choice = choices.get(name);
    if (choice === undefined || !owner.endsWith("Args") || !part.isStringLiteral()) return undefined;
    const isMap = (each: ts.Type): boolean =>
      !each.isStringLiteral() &&
      this.checker.getIndexInfosOfType(each).some(({ keyType }) => keyType.flags & ts.TypeFlags.String);
    // The Go SDK takes no map in a union with an enum.
    if (partsOf(of).some(isMap)) return undefined;
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
    // `string & {}` keeps the editor's suggestions, `RecordSpec & Partial<RecordSpec>` the compiler's.
    if (type.isIntersection()) return this.part(type.types.find(isNamedOrText) ?? type, name, owner);
    const symbol = type.getSymbol()?.name ?? "";
    if (laterNames.includes(symbol)) return undefined;
    if (listNames.includes(symbol)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      if (item === undefined) throw new Error(`${owner}.${name} is a list of nothing`);
      return { type: "array", items: this.property(item, name, owner) };
    }
    const [index] = this.checker.getIndexInfosOfType(type);
    if (index !== undefined)
      return { type: "object", additionalProperties: this.property(index.type, name, owner) };
    return this.named(type);
  }

  private named(type: ts.Type): PropertySpec {
    const symbol = type.aliasSymbol ?? type.symbol;
    this.types[`legacydns:index:${symbol.name}`] ??= {
      description: this.description(symbol),
      ...this.object(type, symbol.name),
    };
    return { $ref: `#/types/legacydns:index:${symbol.name}` };
  }
}

function isOutput(
  declaration: ts.Declaration,
  of: string,
): declaration is ts.PropertyDeclaration | ts.GetAccessorDeclaration {
  const isComputed =
    ts.isGetAccessorDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    computed.has(declaration.name.text);
  return (
    (ts.isPropertyDeclaration(declaration) || isComputed) &&
    ts.isClassLike(declaration.parent) &&
    declaration.parent.name?.text === of &&
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) === 0
  );
}

function isNamedOrText(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.String) !== 0 ||
    type.isClassOrInterface() ||
    laterNames.includes(type.getSymbol()?.name ?? "")
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
