/** What the stack's state tells and a preview does not: what earlier runs have replaced and not deleted yet, and the settings of the last one. */
import { z } from "zod";
import { parseJson } from "../json";
import { plainly } from "../resources";
import { providerOf, resourceName, type Properties, type Step } from "./preview";
import { isOurs } from "./records";

const exported = z.object({
  deployment: z.object({
    resources: z.array(z.object({ urn: z.string(), type: z.string(), provider: z.string().optional(), delete: z.boolean().optional(), initErrors: z.array(z.string()).nullish(), inputs: z.record(z.string(), z.unknown()).optional(), outputs: z.record(z.string(), z.unknown()).optional() })).nullish(),
  }),
});

/** Whether the last run ended half-way through some resource: the next goes on with it though nothing has changed. */
export function hasHalfDone(text: string): boolean {
  const parsed = exported.safeParse(parseJson(text));
  return parsed.success && (parsed.data.deployment.resources ?? []).map(plainly).some(({ type, initErrors }) => isOurs({ type }) && (initErrors ?? []).length > 0);
}

/** The settings of the last up: what the state has of a provider that the stack configures. */
export function lastSettings(text: string, provider: string): Properties {
  const parsed = exported.safeParse(parseJson(text));
  const held = parsed.success ? (parsed.data.deployment.resources ?? []).find(({ urn }) => urn === provider) : undefined;
  return Object.fromEntries(Object.entries(held?.inputs ?? {}).map(([name, value]) => [name.replace(/^legacydns:/, ""), value]));
}

/**
 * Each such resource, as the step that deletes it.
 * @param text what `pulumi stack export` printed; none for what is no state
 */
export function pendingDeletions(text: string): Step[] {
  const parsed = exported.safeParse(parseJson(text));
  if (!parsed.success) return [];
  return (parsed.data.deployment.resources ?? []).flatMap((held): Step[] => {
    const { urn, type, provider, delete: leaving, inputs, outputs } = plainly(held);
    if (leaving !== true || inputs === undefined || !isOurs({ type })) return [];
    // A secret stands in a state as an object of its own.
    const shown = (props: Properties): Properties => Object.fromEntries(Object.entries(props).map(([name, value]) => [name, name === "value" && typeof value === "object" ? "[secret]" : value]));
    // A secret value is another than the one that is declared now.
    return [{ op: "delete", urn, type, resource: resourceName(held.type, urn), ...providerOf(provider), before: shown(inputs), ...(outputs === undefined ? {} : { done: shown(outputs) }), changed: ["value"], halfDone: false, retained: false }];
  });
}
