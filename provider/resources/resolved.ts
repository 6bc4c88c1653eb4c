/** Resolved inputs. The engine would mark a whole property as unknown or secret, not each record. */
import * as pulumi from "../support/sdk";
import { open, secretElements } from "../lifecycle/marks";
import { isOf, reason, type Problem } from "../problems";
import { isPlain } from "./arguments";

export interface ResolvedInputs {
  readonly domains: unknown;
  /** Unknown values are `unknownValue`. */
  readonly records: unknown;
  /** Indexes of elements with secrets. */
  readonly secrets: ReadonlySet<number>;
  /** Indexes of elements with a computed name. */
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

/** Nulls are kept: a spec distinguishes them from missing fields. */
function serialized(name: string, value: unknown, resources: Set<pulumi.Resource>): Promise<unknown> {
  return pulumi.runtime.serializeProperty(name, value, resources, { keepOutputValues: false });
}

/**
 * A value that is missing because an output is empty gets another problem, since the program did write a
 * value.
 */
export function withEmptyOutputs(
  problems: readonly Problem[],
  inputs: Readonly<Record<string, unknown>>,
): Problem[] {
  return problems.map((problem) => {
    const nothing = nothingIn(problem);
    return nothing === undefined || isPlain(writtenAt(problem.path, inputs))
      ? problem
      : { ...reason("output.empty", { nothing }), path: problem.path };
  });
}

/** An interpolated text contains the missing value as a word. */
function nothingIn(problem: Problem): string | undefined {
  const { code, parts } = problem;
  if (code === "field.missing") return "undefined";
  // In a list, the SDK turns undefined into null.
  if (isOf(problem, "field.kind")) return problem.parts.kind === "null" ? "undefined or null" : undefined;
  const given: unknown = parts !== undefined && "given" in parts ? parts.given : undefined;
  return typeof given === "string" && /\bundefined\b/.test(given) ? "undefined" : undefined;
}

/** The value at a path such as `records[3].value`, or the output that contains it. */
function writtenAt(path: string, inputs: unknown): unknown {
  let found = inputs;
  for (const part of path.match(/[^.,[\]\s]+/g) ?? []) {
    if (pulumi.Output.isInstance(found) || typeof found !== "object" || found === null) break;
    found = Reflect.get(found, part);
  }
  return found;
}

/** The name in a spec, or the spec itself if it is an output. */
function nameIn(spec: unknown): unknown {
  const isObject = typeof spec === "object" && spec !== null && !pulumi.Output.isInstance(spec);
  return isObject && "name" in spec ? spec.name : spec;
}
