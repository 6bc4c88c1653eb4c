/** The form of the plugin's schema, and its file in the repository. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";

export interface PropertySpec {
  readonly type?: string;
  readonly description?: string;
  readonly secret?: boolean;
  readonly items?: PropertySpec;
  readonly additionalProperties?: PropertySpec;
  readonly oneOf?: readonly PropertySpec[];
  readonly $ref?: string;
}
export type Properties = Readonly<Record<string, PropertySpec>>;
export interface ObjectSpec {
  readonly description?: string;
  readonly type?: "object";
  readonly properties: Properties;
  readonly required?: readonly string[];
}
export interface EnumSpec {
  readonly description: string;
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
  readonly properties?: undefined;
}
export interface InputsSpec {
  readonly description: string;
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
}
export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

/** Types, resources and functions are maps token → content. */
export interface PackageSpec {
  readonly config: { readonly variables: Properties };
  readonly provider: InputsSpec;
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly resources: Readonly<Record<string, InputsSpec & ObjectSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
  readonly language: { readonly go: { readonly importBasePath: string } };
}

export const schemaFile = join(root, "native", "schema.json");

export function readSchema(): PackageSpec {
  return JSON.parse(readFileSync(schemaFile, "utf8")) as PackageSpec;
}

/** The name in a token such as `legacydns:index:Record`. */
export function nameOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}
