/** The arguments of a constructor. Wrong ones are problems in the preview, not exceptions. */
import * as pulumi from "../support/sdk";
import { kindOf, type Expansion } from "../dns";
import { reason, type Problem } from "../problems";
import type { ManifestProblems } from "../lifecycle/manifest";
import { open, secretElements } from "../support/secret-marks";
import { optionProblems, unknownInputs } from "../lifecycle/options";
import { isNative, type TypeName } from "./front-end";

export function optionErrors(options: Readonly<Record<string, unknown>>): Problem[] {
  return optionProblems(Object.fromEntries(Object.entries(options).filter(([, value]) => isPlain(value))));
}

export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
  if (Array.isArray(value)) return value.every(isPlain);
  // No Object.values: a large batch has 100,000 specs, and each call would allocate a list.
  for (const name in value) if (!isPlain(value[name as keyof typeof value])) return false;
  return true;
}

export type InputNames<Args> = { readonly [Name in keyof Required<Args>]: unknown };

/** The known arguments only: a class may pass them on to another. */
export function readArguments<Args extends object>(
  given: unknown,
  inputs: InputNames<Args>,
): { args: Partial<Args>; errors: Problem[] } {
  if (given === undefined || given === null) return { args: {}, errors: [] };
  const names = Object.keys(inputs);
  const isOutput = pulumi.Output.isInstance(given);
  const kind = isOutput ? "an Output" : given instanceof Promise ? "a Promise" : kindOf(given);
  if (kind === "an object") {
    const known = Object.entries(given).filter(([name]) => Object.hasOwn(inputs, name));
    return { args: Object.fromEntries(known) as Partial<Args>, errors: unknownInputs(given, names) };
  }
  const example = `{ ${names.join(", ")} }`;
  return { args: {}, errors: [{ ...reason("field.kind", { kind, what: "an object", example }), path: "" }] };
}

export interface Origin {
  readonly label: string;
  readonly errors: readonly Problem[];
  readonly notes?: ManifestProblems | undefined;
  readonly records?: Expansion | undefined;
}

const origins = new WeakMap<object, Origin>();

export function withOrigin<Args extends object>(args: Args, origin: Origin): Args {
  origins.set(args, origin);
  return args;
}

export function readResource<Args extends object>(
  type: TypeName,
  name: string,
  given: Args,
  inputs: InputNames<Args>,
  options: pulumi.CustomResourceOptions | undefined,
) {
  const { args, errors } = readArguments<Args>(given, inputs);
  const origin = origins.get(given);
  const resource = origin?.label ?? `${type} ${JSON.stringify(name)}`;
  const all = [...(origin?.errors ?? []), ...errors];
  if (options?.import === undefined || isNative())
    return { args, errors: all, resource, origin, opts: options };
  const { import: _id, ...opts } = options;
  const what = type === "DomainShare" ? "a share" : "a record";
  all.push({ ...reason("import.option", { what }), path: "import" });
  return { args, errors: all, resource, origin, opts };
}

export interface ResolvedInputs {
  readonly domains: unknown;
  readonly records: unknown;
  readonly secrets: ReadonlySet<number>;
  readonly computed: ReadonlySet<number>;
  readonly resources: readonly pulumi.Resource[];
}

export async function resolveInputs(domains: unknown, records: unknown): Promise<ResolvedInputs> {
  const resources = new Set<pulumi.Resource>();
  const zones = await serialized("domains", domains, resources);
  const given = await serialized("records", records, resources);
  const list = open(given, "kept").value;
  const indexes = Array.isArray(list) ? [...list.keys()] : [];
  return {
    domains: open(zones, "kept").value,
    records: list,
    secrets: secretElements(given),
    computed: new Set(indexes.filter((i) => !Array.isArray(records) || !isPlain(nameIn(records[i])))),
    resources: [...resources],
  };
}

export async function resolveValues(
  fields: object,
): Promise<{ readonly values: object; readonly secret: boolean }> {
  const { value, secret } = open(await serialized("inputs", fields, new Set()), "kept");
  return { values: typeof value === "object" && value !== null ? value : {}, secret };
}

/** A spec distinguishes nulls from missing fields. */
function serialized(name: string, value: unknown, resources: Set<pulumi.Resource>): Promise<unknown> {
  return pulumi.runtime.serializeProperty(name, value, resources, { keepOutputValues: false });
}

function nameIn(spec: unknown): unknown {
  const isObject = typeof spec === "object" && spec !== null && !pulumi.Output.isInstance(spec);
  return isObject && "name" in spec ? spec.name : spec;
}
