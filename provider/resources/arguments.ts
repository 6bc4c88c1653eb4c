/**
 * The arguments of a constructor. A program in plain JavaScript may pass anything: that is a problem to show, not to
 * throw; and an input that nobody reads is one, since what it was meant for would be left at its default.
 */
import * as pulumi from "../sdk";
import { kindOf } from "../dns";
import { reason, type Problem } from "../problems";
import { optionProblems } from "../lifecycle/options";
import { unknownInputs } from "../lifecycle/unknown-inputs";
import { isNative } from "./front-end";

/** What is wrong with the options of a resource, as far as the program has their values. */
export function optionErrors(options: Readonly<Record<string, unknown>>): Problem[] {
  const plain = Object.fromEntries(Object.entries(options).filter(([, value]) => isPlain(value)));
  return optionProblems(plain);
}

/** Whether a value holds no output and no promise, at any depth: then it is known, and not secret. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
  if (Array.isArray(value)) return value.every(isPlain);
  // Without a list of the fields: a large batch has a hundred thousand specs.
  for (const name in value) if (!isPlain(value[name as keyof typeof value])) return false;
  return true;
}

/** Options that the program gives: for each property, even one without a value, the SDK makes four promises with a stack. */
export function present<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Options>;
}

/** All inputs of a resource, which the compiler holds to be complete. */
export type InputNames<Args> = { readonly [Name in keyof Required<Args>]: true };

/** The arguments as far as they are inputs of the resource, and what is wrong with the rest. */
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
 * A resource's options without `import`, which a dynamic provider cannot carry out: the engine would read an object
 * that it knows nothing of.
 * @param what what the resource declares, such as `a record`.
 */
export function withoutImport(
  opts: pulumi.CustomResourceOptions | undefined,
  what: string,
): { opts: pulumi.CustomResourceOptions | undefined; errors: Problem[] } {
  if (opts?.import === undefined || isNative()) return { opts, errors: [] };
  const { import: _id, ...rest } = opts;
  return { opts: rest, errors: [{ ...reason("import.option", { what }), path: "import" }] };
}
