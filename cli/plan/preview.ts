/** What the engine's own preview says, as far as zones go: `pulumi preview --json`, read and checked. */
import { z } from "zod";
import { parseJson } from "../json";
import { readable } from "../pulumi";
import { plainly } from "../resources";

const properties = z.record(z.string(), z.unknown());
const state = z.object({
  type: z.string(),
  inputs: properties.optional(),
  outputs: properties.optional(),
  initErrors: z.array(z.string()).nullish(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  parent: z.string().optional(),
  delete: z.boolean().optional(),
  dependencies: z.array(z.string()).nullish(),
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
        detailedDiff: z.record(z.string(), z.unknown()).nullish(),
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

export type Properties = Readonly<Record<string, unknown>>;

/** One step of the preview. */
export interface Step {
  /** `same`, `create`, `update`, `replace`, `delete` and so on. */
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  /** As a program calls it: `RecordBatch "web"`. */
  readonly resource: string;
  /** The URN of its provider resource. */
  readonly provider?: string;
  /** The inputs before; undefined for what is new. */
  readonly before?: Properties;
  /** The inputs after; undefined for what goes away. */
  readonly after?: Properties;
  /** URNs of what it waits for, where there is such. */
  readonly waitsFor?: readonly string[];
  /** The properties that differ, as the engine names them. */
  readonly changed: readonly string[];
  /** The last run ended half-way through it. */
  readonly halfDone: boolean;
  /** The option by which the engine forgets the resource and deletes nothing. */
  readonly retained?: "retainOnDelete" | "deletedWith";
  /** Of what goes: URNs of what it depends on, which the engine deletes after it. */
  readonly dependsOn?: readonly string[];
  /** `deleteBeforeReplace`: what is replaced goes before the new is made. */
  readonly deletedFirst?: true;
  /** What the resource answers for, as its state has it; no text where the engine hides it. */
  readonly ledger?: unknown;
  /** Of what goes: its outputs. After a run that failed they know of more than the inputs, which the engine keeps. */
  readonly done?: Properties;
}

export interface EnginePreview {
  readonly stack?: string;
  readonly steps: readonly Step[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** The engine failed before it planned any resource, as without the stack: its error is the only one. */
  readonly unplanned?: true;
}

/** A resource as a program calls it: `RecordBatch "web"`; the batch that a `Zone` makes is called by the zone's name and is `Zone "web"`. */
export function resourceName(type: string, urn: string): string {
  const kind = isOfZone(urn) ? "Zone" : type.split(":").at(-1);
  return `${kind ?? type} ${JSON.stringify(urn.split("::").at(-1))}`;
}

function isOfZone(urn: string): boolean {
  return /\blegacydns:index:Zone\$[^$]*:RecordBatch::/.test(urn);
}

/** The URN of a provider, as a step has it. @param reference with its id behind it */
export function providerOf(reference: string | undefined): Pick<Step, "provider"> {
  return reference === undefined ? {} : { provider: reference.replace(/::[^:]*$/, "") };
}

/** Reads what the engine printed; undefined for what is no preview. */
export function readPreview(text: string): EnginePreview | undefined {
  const parsed = previewSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const deleted = new Set<string | undefined>(
    (parsed.data.steps ?? []).flatMap(({ op, urn }) => (op === "delete" ? [urn] : [])),
  );
  const steps = (parsed.data.steps ?? []).map(
    ({ op, urn, provider, oldState: old, newState: now, detailedDiff }): Step => {
      const [oldState, newState] = [old, now].map((each) => (each ? plainly(each) : undefined));
      const type = newState?.type ?? oldState?.type ?? "";
      const before = op === "create" || op === "create-replacement" ? undefined : oldState?.inputs;
      const after = op === "delete" || op === "delete-replaced" ? undefined : newState?.inputs;
      return {
        op,
        urn,
        type,
        resource: resourceName(now?.type ?? old?.type ?? "", urn),
        ...providerOf(provider),
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        ...((newState?.dependencies ?? []).length === 0 ? {} : { waitsFor: newState?.dependencies ?? [] }),
        changed: Object.keys(detailedDiff ?? {}),
        halfDone: (oldState?.initErrors ?? []).length > 0,
        ...(oldState?.retainOnDelete === true
          ? { retained: "retainOnDelete" as const }
          : op === "delete" && deleted.has(oldState?.deletedWith)
            ? { retained: "deletedWith" as const }
            : {}),
        ...(op === "delete"
          ? {
              dependsOn: [
                ...(oldState?.dependencies ?? []),
                ...(oldState?.parent === undefined ? [] : [oldState.parent]),
              ],
            }
          : {}),
        // Else the engine has marked the old one for deletion.
        ...(op === "replace" && oldState?.delete !== true ? { deletedFirst: true as const } : {}),
        ledger: oldState?.outputs?.["__ledger"],
        ...((op === "delete" || op === "replace" || op === "delete-replaced") &&
        oldState?.outputs !== undefined
          ? { done: oldState.outputs }
          : {}),
      };
    },
  );
  const [, stack] = /^urn:pulumi:(.+?)::/.exec(steps[0]?.urn ?? "") ?? [];
  const said = (wanted: string): string[] =>
    (parsed.data.diagnostics ?? [])
      .filter(({ severity }) => severity === wanted)
      .map(({ message, urn = "" }) => ofResource(readable(message ?? ""), urn));
  return {
    ...(stack === undefined ? {} : { stack }),
    steps,
    warnings: [...new Set(said("warning"))],
    errors: withoutClosing([...new Set(said("error"))]),
  };
}

/** The engine's last error says no more than that there are others. */
function withoutClosing(errors: readonly string[]): string[] {
  const reasons = errors.filter((text) => text !== "preview failed");
  return reasons.length > 0 ? reasons : [...errors];
}

/**
 * The engine's own words: `pulumi-nodejs:dynamic/legacydns:Record resource 'www' has a problem: …` as `Record "www": …`; what is
 * wrong with the stack's own provider is wrong with the configuration.
 */
function ofResource(text: string, urn: string): string {
  return text
    .replace(/^pulumi:providers:legacydns resource 'default(_[^']*)?' has a problem: /, "")
    .replace(
      /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(\w+) resource '([^']*)' has a problem: /,
      (_all, kind: string, name: string) => `${isOfZone(urn) ? "Zone" : kind} "${name}": `,
    );
}
