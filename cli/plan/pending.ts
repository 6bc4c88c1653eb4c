/** What earlier runs have replaced and not deleted yet, from the stack's state: a preview says nothing of it. */
import { z } from "zod";
import { parseJson } from "../json";
import { resourceName, type Step } from "./preview";
import { isOurs, recordsOf } from "./records";

const exported = z.object({
  deployment: z.object({
    resources: z.array(z.object({ urn: z.string(), type: z.string(), delete: z.boolean().optional(), initErrors: z.array(z.string()).nullish(), inputs: z.record(z.string(), z.unknown()).optional() })).nullish(),
  }),
});

/** Whether the last run ended half-way through some resource: the next goes on with it though nothing has changed. */
export function hasHalfDone(text: string): boolean {
  const parsed = exported.safeParse(parseJson(text));
  return parsed.success && (parsed.data.deployment.resources ?? []).some(({ type, initErrors }) => isOurs({ type }) && (initErrors ?? []).length > 0);
}

/**
 * A sentence for each such resource of which something goes: what a resource declares stays, whichever was replaced.
 * @param text what `pulumi stack export` printed; none for what is no state
 * @param steps of the preview
 */
export function pendingDeletions(text: string, defaultLine: string, steps: readonly Step[]): string[] {
  const declared = new Set(steps.flatMap((step) => (isOurs(step) ? recordsOf(step, "after", defaultLine).map(({ key }) => key) : [])));
  const parsed = exported.safeParse(parseJson(text));
  if (!parsed.success) return [];
  return (parsed.data.deployment.resources ?? []).flatMap(({ urn, type, delete: leaving, inputs }) => {
    if (leaving !== true || inputs === undefined || !isOurs({ type })) return [];
    const resource = resourceName(type, urn);
    // A secret stands in a state as an object of its own.
    const before = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, name === "value" && typeof value === "object" ? "[secret]" : value]));
    const all = recordsOf({ op: "delete", urn, type, resource, before, changed: [], halfDone: false, retained: false }, "before", defaultLine);
    const records = all.filter(({ key }) => !declared.has(key));
    const [first] = records;
    if (first === undefined && all.length > 0) return [];
    const what = first === undefined ? "what it was" : records.length === 1 ? first.text : `${first.text} and ${records.length - 1} more`;
    return [`${resource}: ${what} was replaced, and is still to be deleted: each up tries at its end, and fails as long as it is live and cannot be removed`];
  });
}
