/** What the stack's state tells and a preview does not: what earlier runs have replaced and not deleted yet, and the settings of the last one. */
import { z } from "zod";
import { parseJson } from "../json";
import { plainly } from "../resources";
import { providerOf, resourceName, type EnginePreview, type Properties, type Step } from "./preview";
import { isOurs } from "./records";

const exported = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          type: z.string(),
          provider: z.string().optional(),
          delete: z.boolean().optional(),
          retainOnDelete: z.boolean().optional(),
          initErrors: z.array(z.string()).nullish(),
          inputs: z.record(z.string(), z.unknown()).optional(),
          outputs: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .nullish(),
  }),
});

/** Whether the last run ended half-way through some resource: the next goes on with it though nothing has changed. */
export function hasHalfDone(text: string): boolean {
  const parsed = exported.safeParse(parseJson(text));
  return (
    parsed.success &&
    (parsed.data.deployment.resources ?? [])
      .map(plainly)
      .some(({ type, initErrors }) => isOurs({ type }) && (initErrors ?? []).length > 0)
  );
}

/** The settings of the last up: what the state has of a provider that the stack configures. */
export function lastSettings(text: string, provider: string): Properties {
  const parsed = exported.safeParse(parseJson(text));
  const held = parsed.success
    ? (parsed.data.deployment.resources ?? []).find(({ urn }) => urn === provider)
    : undefined;
  return Object.fromEntries(
    Object.entries(held?.inputs ?? {}).map(([name, value]) => [name.replace(/^legacydns:/, ""), value]),
  );
}

/**
 * Each such resource, as the step that deletes it.
 * @param text what `pulumi stack export` printed; none for what is no state
 */
export function pendingDeletions(text: string): Step[] {
  const parsed = exported.safeParse(parseJson(text));
  if (!parsed.success) return [];
  return (parsed.data.deployment.resources ?? []).flatMap((held): Step[] => {
    const { urn, type, provider, delete: leaving, retainOnDelete, inputs, outputs } = plainly(held);
    if (leaving !== true || inputs === undefined || !isOurs({ type })) return [];
    // A secret stands in a state as an object of its own.
    const shown = (props: Properties): Properties =>
      Object.fromEntries(
        Object.entries(props).map(([name, value]) => [
          name,
          name === "value" && typeof value === "object" ? hidden : value,
        ]),
      );
    // A secret value is another than the one that is declared now.
    return [
      {
        op: "delete",
        urn,
        type,
        resource: resourceName(held.type, urn),
        ...providerOf(provider),
        before: shown(inputs),
        ...(outputs === undefined ? {} : { done: shown(outputs), ledger: ledgerIn(outputs) }),
        changed: ["value"],
        halfDone: false,
        ...(retainOnDelete === true ? { retained: "retainOnDelete" as const } : {}),
      },
    ];
  });
}

/** What a preview and a plan go by. */
interface Known {
  readonly preview: EnginePreview;
  /** {@link pendingDeletions} */
  readonly leaving: readonly Step[];
}

/**
 * Both with the ledgers of what goes. The engine hides the ledger of a resource with secrets: its digests tell which records it
 * answers for, and whether another resource declares one of them by now.
 * @param shown prints the state with its secrets; asked for only where a ledger is hidden
 */
export async function withLedgers(known: Known, shown: () => Promise<string>): Promise<Known> {
  if (![...known.preview.steps, ...known.leaving].some((step) => isOurs(step) && hidesLedger(step)))
    return known;
  const text = await shown();
  const parsed = exported.safeParse(parseJson(text));
  // Where nobody may read the secrets, the plan goes by what it sees.
  if (!parsed.success) return known;
  const held = new Map(
    (parsed.data.deployment.resources ?? [])
      .filter((each) => each.delete !== true)
      .map((each) => [each.urn, each.outputs]),
  );
  const steps = known.preview.steps.map((step) =>
    hidesLedger(step) ? { ...step, ledger: ledgerIn(held.get(step.urn) ?? {}) } : step,
  );
  return { preview: { ...known.preview, steps }, leaving: pendingDeletions(text) };
}

const hidden = "[secret]";

function hidesLedger({ done, ledger }: Step): boolean {
  return done !== undefined && (ledger === hidden || (typeof ledger === "object" && ledger !== null));
}

/** @param outputs as a state has them; a secret's text is in it where it was printed with its secrets */
function ledgerIn({ __ledger: ledger }: Properties): unknown {
  const { plaintext } = plaintextOf.safeParse(ledger).data ?? {};
  return plaintext === undefined ? ledger : parseJson(plaintext);
}

const plaintextOf = z.object({ plaintext: z.string() });
