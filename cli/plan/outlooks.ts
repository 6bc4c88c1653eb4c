/** What the hosts of a preview told of what a run would do: a line of JSON for each resource that was asked about. */
import { z } from "zod";
import type { Outlook, OutlookZone } from "../../provider/lifecycle/outlook";
import { isReason, type Reason } from "../../provider/problems";
import { parseJson } from "../json";

const record = { domain: z.string(), text: z.string(), ttl: z.string() };
const outlook = z.object({
  of: z.string(),
  entries: z.array(z.object({ outcome: z.enum(["add", "adopt", "change", "remove", "leave", "differ", "refuse", "undecided"]), ...record, was: z.object({ text: z.string(), ttl: z.string() }).optional(), id: z.string().optional(), unknown: z.number().optional() })),
  unchanged: z.record(z.string(), z.number()),
  live: z.record(z.string(), z.number()).default({}),
  refusals: z.array(z.object({ code: z.string(), text: z.string() })),
  limits: z.array(z.custom<Reason>(isReason)),
  checks: z.array(z.object({ code: z.string(), level: z.enum(["warn", "refuse"]), domain: z.string(), record: z.string().optional(), message: z.string() })),
});
const zone = z.object({ zone: z.string(), records: z.record(z.string(), z.string()), lists: z.number() });

/** One for each resource: of a replacement the engine asks twice, and the last word counts. */
export function readOutlooks(text: string): Outlook[] {
  const found = text.split("\n").flatMap((line): Outlook[] => {
    const parsed = outlook.safeParse(parseJson(line));
    if (!parsed.success) return [];
    const { entries, ...rest } = parsed.data;
    return [{ ...rest, entries: entries.map(({ was, id, unknown, ...entry }) => ({ ...entry, ...(was === undefined ? {} : { was }), ...(id === undefined ? {} : { id }), ...(unknown === undefined ? {} : { unknown }) })) }];
  });
  return found.filter(({ of }, i) => of === "" || found.findLastIndex((each) => each.of === of) === i);
}

/** The zones that hosts have read, the latest reading last. */
export function readOutlookZones(text: string): OutlookZone[] {
  return text.split("\n").flatMap((line): OutlookZone[] => {
    const parsed = zone.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}
