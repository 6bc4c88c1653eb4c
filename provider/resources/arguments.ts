/** The arguments of a constructor. Wrong ones are problems in the preview, not exceptions. */
import * as pulumi from "../support/sdk";
import { kindOf, type Expansion } from "../dns";
import { reason, type Problem } from "../problems";
import type { SourceNotes } from "../lifecycle/inputs";
import { optionProblems, unknownInputs } from "../lifecycle/options";
import { isNative, type TypeName } from "./front-end";

/** Outputs are checked later. */
export function optionErrors(options: Readonly<Record<string, unknown>>): Problem[] {
  return optionProblems(Object.fromEntries(Object.entries(options).filter(([, value]) => isPlain(value))));
}

/** Whether a value contains no output and no promise. It is then known and not secret. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
  if (Array.isArray(value)) return value.every(isPlain);
  // No Object.values: a large batch has 100,000 specs, and each call would allocate a list.
  for (const name in value) if (!isPlain(value[name as keyof typeof value])) return false;
  return true;
}

/** The compiler checks that the list is complete. */
export type InputNames<Args> = { readonly [Name in keyof Required<Args>]: true };

export function readArguments<Args extends object>(
  given: unknown,
  inputs: InputNames<Args>,
): { args: Partial<Args>; errors: Problem[] } {
  if (given === undefined || given === null) return { args: {}, errors: [] };
  const names = Object.keys(inputs);
  const isOutput = pulumi.Output.isInstance(given);
  const kind = isOutput ? "an Output" : given instanceof Promise ? "a Promise" : kindOf(given);
  if (kind === "an object") return { args: given, errors: unknownInputs(given, names) };
  return { args: {}, errors: [{ ...reason("object.needed", { kind, names: names.join(", ") }), path: "" }] };
}

/** Facts that a `Zone` passes to its children. */
export interface Origin {
  readonly label: string;
  /** Problems of the zone's source. */
  readonly errors: readonly Problem[];
  readonly notes?: SourceNotes | undefined;
  /** In place of specs. */
  readonly records?: Expansion | undefined;
}

/** Inputs → their origin. */
const origins = new WeakMap<object, Origin>();

export function withOrigin<Args extends object>(args: Args, origin: Origin): Args {
  origins.set(args, origin);
  return args;
}

/** A dynamic provider does not support the option `import`. */
export function readResource<Args extends object>(
  type: TypeName,
  name: string,
  given: Args,
  inputs: InputNames<Args>,
  options: pulumi.CustomResourceOptions | undefined,
) {
  const { args, errors } = readArguments<Args>(given, inputs);
  const origin = origins.get(args);
  const resource = origin?.label ?? `${type} ${JSON.stringify(name)}`;
  const all = [...(origin?.errors ?? []), ...errors];
  if (options?.import === undefined || isNative())
    return { args, errors: all, resource, origin, opts: options };
  const { import: _id, ...opts } = options;
  const what = type === "DomainShare" ? "a share" : "a record";
  all.push({ ...reason("import.option", { what }), path: "import" });
  return { args, errors: all, resource, origin, opts };
}
