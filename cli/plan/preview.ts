/** The engine's own preview, `pulumi preview --json`: the steps and the diagnostics, read and checked. */
import { z } from "zod";
import { digest } from "../../provider/dns";
import { shareLine } from "../../provider/reconcile/shares";
import { readable } from "../pulumi";
import { kindOf, parseJson } from "../resources";

const text = z.string();
const state = z
  .object({
    type: text,
    inputs: z.record(text, z.unknown()).optional(),
    outputs: z.record(text, z.unknown()).optional(),
    initErrors: z.array(text).nullish(),
    retainOnDelete: z.boolean().optional(),
    deletedWith: text.optional(),
  })
  .nullish();
const step = z.object({
  op: text,
  urn: text,
  provider: text.default(""),
  oldState: state,
  newState: state,
});
const diagnostic = z.object({ urn: text.default(""), message: text.default(""), severity: text.optional() });
const previewSchema = z.object({
  steps: z.array(step).nullish(),
  diagnostics: z.array(diagnostic).nullish(),
});

export interface Step {
  readonly op: string;
  /** The digest of its URN. A deletion has that of the last update, which the provider reports. */
  readonly key: string;
  /** A resource of this package. */
  readonly isOwn: boolean;
  readonly resource: string;
  readonly provider: string;
  readonly isHalfDone: boolean;
  /** By an option, the engine forgets the resource without a deletion. */
  readonly retained: boolean;
}

export interface EnginePreview {
  readonly stack?: string | undefined;
  readonly steps: readonly Step[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

export function readPreview(output: string): EnginePreview | undefined {
  const { data } = previewSchema.safeParse(parseJson(output));
  if (data === undefined) return undefined;
  const steps = data.steps ?? [];
  const deleted = new Set<string | undefined>(steps.flatMap(({ op, urn }) => (op === "delete" ? [urn] : [])));
  const [, stack] = /^urn:pulumi:(.+?)::/.exec(steps[0]?.urn ?? "") ?? [];
  const texts = (wanted: string): string[] => {
    const found = (data.diagnostics ?? [])
      .filter(({ severity }) => severity === wanted)
      .map(({ message, urn }) => withoutType(readable(message), urn));
    return [...new Set(found)];
  };
  return {
    stack,
    steps: steps.filter(({ op }) => op !== "refresh").map((each) => readStep(each, deleted)),
    warnings: texts("warning"),
    // The engine's last error only states that there are others.
    errors: texts("error").filter((error, _, all) => error !== "preview failed" || all.length === 1),
  };
}

function readStep(
  { op, urn, provider, oldState, newState }: z.infer<typeof step>,
  deleted: ReadonlySet<string | undefined>,
): Step {
  const { type, inputs } = newState ?? oldState ?? { type: "" };
  return {
    op,
    key: kindOf(type) === "DomainShare" ? shareKey(inputs ?? {}) : keyOf(op, urn, oldState?.outputs),
    isOwn: kindOf(type) !== undefined,
    resource: resourceName(type, urn),
    provider: provider.replace(/::[^:]*$/, ""),
    isHalfDone: (oldState?.initErrors ?? []).length > 0,
    retained:
      op.startsWith("delete") && (oldState?.retainOnDelete === true || deleted.has(oldState?.deletedWith)),
  };
}

/** A new name of the resource, its front end or the stack changes its URN without an update. */
function keyOf(op: string, urn: string, outputs: Readonly<Record<string, unknown>> = {}): string {
  const [, last] = /^u (\S+)$/m.exec(String(outputs["__ledger"])) ?? [];
  return (op === "delete" ? last : undefined) ?? digest(urn);
}

/** A dynamic provider does not know the URN of a share: its domain and person name it. */
function shareKey({ domain, email }: Readonly<Record<string, unknown>>): string {
  return digest(`${String(domain)} ${shareLine({ email: String(email), mode: "r", scope: undefined }).text}`);
}

function resourceName(type: string, urn: string): string {
  const kind = isOfZone(urn) ? "Zone" : type.split(":").at(-1);
  return `${kind ?? type} ${JSON.stringify(urn.split("::").at(-1))}`;
}

function isOfZone(urn: string): boolean {
  return /\blegacydns:index:Zone\$[^$]*:RecordBatch::/.test(urn);
}

/**
 * The engine's `pulumi-nodejs:dynamic/legacydns:Record resource 'www' has a problem: …` as `Record "www": …`. A problem
 * that the program found names its resource itself.
 */
function withoutType(message: string, urn: string): string {
  return message
    .replace(/^pulumi:providers:legacydns resource 'default(_[^']*)?' has a problem: /, "")
    .replace(
      /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(\w+) resource '([^']*)' has a problem: (?=((?:Zone|Record|RecordBatch|DomainShare) ")?)/,
      (_all, kind: string, name: string, named?: string) =>
        named === undefined ? `${isOfZone(urn) ? "Zone" : kind} "${name}": ` : "",
    );
}
