/**
 * The arguments of a constructor. A program in plain JavaScript may pass anything, so wrong arguments are
 * problems in the preview, not exceptions. Unknown inputs are problems, too: a misspelt input would silently
 * have its default.
 */
import * as pulumi from "../support/sdk";
import { kindOf } from "../dns";
import { reason, type Problem } from "../problems";
import { optionProblems } from "../lifecycle/options";
import { unknownInputs } from "../lifecycle/unknown-inputs";
import { isNative } from "./front-end";

/** Problems of a resource's options. Outputs are not checked, because their values are not known yet. */
export function optionErrors(options: Readonly<Record<string, unknown>>): Problem[] {
  const plain = Object.fromEntries(Object.entries(options).filter(([, value]) => isPlain(value)));
  return optionProblems(plain);
}

/** Whether a value contains no output and no promise, at any depth. It is then known and not secret. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
  if (Array.isArray(value)) return value.every(isPlain);
  // No Object.values: a large batch has 100,000 specs, and each call would allocate a list.
  for (const name in value) if (!isPlain(value[name as keyof typeof value])) return false;
  return true;
}

/**
 * The defined options. The SDK creates four promises with a stack trace for each property, even for an
 * undefined one.
 */
export function present<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Options>;
}

/** All inputs of a resource. The compiler checks that the list is complete. */
export type InputNames<Args> = { readonly [Name in keyof Required<Args>]: true };

/** The known inputs among the arguments, and problems for the others. */
export function readArguments<Args extends object>(
  given: unknown,
  inputs: InputNames<Args>,
): { args: Partial<Args>; errors: Problem[] } {
  if (given === undefined || given === null) return { args: {}, errors: [] };
  const names = Object.keys(inputs);
  const kind = pulumi.Output.isInstance(given)
    ? "an Output"
    : given instanceof Promise
      ? "a Promise"
      : kindOf(given);
  if (kind !== "an object") {
    return { args: {}, errors: [{ ...reason("inputs.kind", { kind, names: names.join(", ") }), path: "" }] };
  }
  return { args: given, errors: unknownInputs(given, names) };
}

/**
 * A resource's options without `import`, which a dynamic provider does not support.
 * @param what the object of the resource, such as `a record`
 */
export function withoutImport(
  opts: pulumi.CustomResourceOptions | undefined,
  what: string,
): { opts: pulumi.CustomResourceOptions | undefined; errors: Problem[] } {
  if (opts?.import === undefined || isNative()) return { opts, errors: [] };
  const { import: _id, ...rest } = opts;
  return { opts: rest, errors: [{ ...reason("import.option", { what }), path: "import" }] };
}
