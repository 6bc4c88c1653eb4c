/**
 * Inputs that hold outputs, as far as their values are known: what is not known yet and what is secret stays told apart
 * for each record, where the engine would know it of a whole property only.
 */
import * as pulumi from "../sdk";
import { open, type Opened } from "../lifecycle/marks";
import { isOf, reason, type Problem } from "../problems";
import { isPlain } from "./arguments";

export interface Resolved {
  readonly domains: unknown;
  /** With `unknownValue` in place of what is not known yet. */
  readonly records: unknown;
  /** The elements of `records` that are secret, or hold what is. */
  readonly secrets: ReadonlySet<number>;
  /** The elements of `records` whose names the program has not written itself. */
  readonly computed: ReadonlySet<number>;
  /** What the values come from. */
  readonly resources: readonly pulumi.Resource[];
}

/** The checks of a spec tell a null from what is left out. */
const withoutSecrets = (value: unknown): Opened => open(value, "kept");

export async function resolveInputs(domains: unknown, records: unknown): Promise<Resolved> {
  const resources = new Set<pulumi.Resource>();
  const options = { keepOutputValues: false };
  const zones: unknown = await pulumi.runtime.serializeProperty("domains", domains, resources, options);
  const given: unknown = await pulumi.runtime.serializeProperty("records", records, resources, options);
  const list = withoutSecrets(given);
  const secrets = new Set<number>();
  if (Array.isArray(given)) {
    for (const [index, each] of given.entries()) if (withoutSecrets(each).secret) secrets.add(index);
  } else if (list.secret)
    for (const index of Array.isArray(list.value) ? list.value.keys() : [0]) secrets.add(index);
  const length = Array.isArray(list.value) ? list.value.length : 0;
  const computed = new Set(
    Array.from({ length }, (_, index) => index).filter(
      (index) => !Array.isArray(records) || !isPlain(nameIn(records[index])),
    ),
  );
  return {
    domains: withoutSecrets(zones).value,
    records: list.value,
    secrets,
    computed,
    resources: [...resources],
  };
}

/** Fields that hold outputs, with `unknownValue` in place of what is not known yet, and whether one of them is secret. */
export async function resolveValues(
  fields: object,
): Promise<{ readonly values: object; readonly secret: boolean }> {
  const given: unknown = await pulumi.runtime.serializeProperty("inputs", fields, new Set(), {
    keepOutputValues: false,
  });
  const { value, secret } = withoutSecrets(given);
  return { values: typeof value === "object" && value !== null ? value : {}, secret };
}

/**
 * The problems, where an output turned out to hold nothing told as that: the program did write a value.
 * @param inputs as the program wrote them, by the first part of a problem's path.
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

/** What stands where a problem misses a value; an interpolated text has it as a word. */
function nothingIn(problem: Problem): string | undefined {
  const { code, parts } = problem;
  if (code === "value.missing" || code === "type.missing" || code === "domain.missing") return "undefined";
  // In a list the SDK makes one of the other.
  if (isOf(problem, "value.kind")) return problem.parts.kind === "null" ? "undefined or null" : undefined;
  const given: unknown = parts !== undefined && "given" in parts ? parts.given : undefined;
  return typeof given === "string" && /\bundefined\b/.test(given) ? "undefined" : undefined;
}

/** What the program wrote at `records[3].value`, or the output that this is a part of. */
function writtenAt(path: string, inputs: unknown): unknown {
  let found = inputs;
  for (const part of path.match(/[^.,[\]\s]+/g) ?? []) {
    if (pulumi.Output.isInstance(found) || typeof found !== "object" || found === null) break;
    found = Reflect.get(found, part);
  }
  return found;
}

/** The name in a spec; the spec itself where that is an output. */
function nameIn(spec: unknown): unknown {
  return isPlain(spec) ||
    pulumi.Output.isInstance(spec) ||
    typeof spec !== "object" ||
    spec === null ||
    !("name" in spec)
    ? spec
    : spec.name;
}
