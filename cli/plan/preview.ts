/** The engine's own preview, `pulumi preview --json`: the steps and the diagnostics, read and checked. */
import { z } from "zod";
import { digest } from "../../provider/dns";
import { shareLine } from "../../provider/reconcile/shares";
import { readable } from "../pulumi";
import { kindOf, parseJson } from "../resources";

const properties = z.record(z.string(), z.unknown());
const state = z.object({
  type: z.string(),
  inputs: properties.optional(),
  initErrors: z.array(z.string()).nullish(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
});
const previewSchema = z.object({
  steps: z
    .array(
      z.object({
        op: z.string(),
        urn: z.string(),
        provider: z.string().optional(),
        oldState: state.nullish(),
        newState: state.nullish(),
      }),
    )
    .nullish(),
  diagnostics: z
    .array(
      z.object({
        urn: z.string().optional(),
        message: z.string().optional(),
        severity: z.string().optional(),
      }),
    )
    .nullish(),
});

export interface Step {
  readonly op: string;
  readonly key: string;
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

export function readPreview(text: string): EnginePreview | undefined {
  const parsed = previewSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const steps = parsed.data.steps ?? [];
  const deleted = new Set<string | undefined>(steps.flatMap(({ op, urn }) => (op === "delete" ? [urn] : [])));
  const [, stack] = /^urn:pulumi:(.+?)::/.exec(steps[0]?.urn ?? "") ?? [];
  const texts = (wanted: string): string[] => {
    const found = (parsed.data.diagnostics ?? [])
      .filter(({ severity }) => severity === wanted)
      .map(({ message, urn = "" }) => withoutType(readable(message ?? ""), urn));
    return [...new Set(found)];
  };
  return {
    stack,
    steps: steps.filter(({ op }) => op !== "refresh").map((step) => readStep(step, deleted)),
    warnings: texts("warning"),
    // The engine's last error only states that there are others.
    errors: texts("error").filter((text, _, all) => text !== "preview failed" || all.length === 1),
  };
}

type RawStep = NonNullable<z.infer<typeof previewSchema>["steps"]>[number];

function readStep(
  { op, urn, provider = "", oldState, newState }: RawStep,
  deleted: ReadonlySet<string | undefined>,
): Step {
  const { type, inputs } = newState ?? oldState ?? { type: "" };
  return {
    op,
    key: kindOf(type) === "DomainShare" ? shareKey(inputs ?? {}) : digest(urn),
    resource: resourceName(type, urn),
    provider: provider.replace(/::[^:]*$/, ""),
    isHalfDone: (oldState?.initErrors ?? []).length > 0,
    retained:
      op.startsWith("delete") && (oldState?.retainOnDelete === true || deleted.has(oldState?.deletedWith)),
  };
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
function withoutType(text: string, urn: string): string {
  return text
    .replace(/^pulumi:providers:legacydns resource 'default(_[^']*)?' has a problem: /, "")
    .replace(
      /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(\w+) resource '([^']*)' has a problem: (?=((?:Zone|Record|RecordBatch|DomainShare) ")?)/,
      (_all, kind: string, name: string, named?: string) =>
        named === undefined ? `${isOfZone(urn) ? "Zone" : kind} "${name}": ` : "",
    );
}
