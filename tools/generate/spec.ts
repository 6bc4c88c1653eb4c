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
interface Described {
  readonly description: string;
}
export interface InputsSpec extends Described {
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
  /** Inputs of the engine's list call. */
  readonly listInputs?: ObjectSpec;
}
export interface FunctionSpec extends Described {
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}
type ByToken<Spec> = Readonly<Record<string, Spec>>;

export interface PackageSpec {
  readonly config: { readonly variables: Properties };
  readonly provider: InputsSpec;
  readonly types: ByToken<ObjectSpec | EnumSpec>;
  readonly resources: ByToken<InputsSpec & ObjectSpec>;
  readonly functions: ByToken<FunctionSpec>;
}

export const schemaFile = join(root, "provider/frontends/native/schema.json");

export function readSchema(): PackageSpec {
  return JSON.parse(readFileSync(schemaFile, "utf8")) as PackageSpec;
}

/** The name in a token such as `legacydns:index:Record`. */
export function nameOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}
