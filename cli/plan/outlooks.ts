/** What the hosts of a preview told of what a run would do: a line of JSON for each resource that was asked about. */
import { z } from "zod";
import type { Outlook, OutlookProblem, OutlookSecret, OutlookZone } from "../../provider/lifecycle/outlook";
import { isOf, isReason, type Reason } from "../../provider/problems";
import { unseal } from "../../provider/sealing";
import { parseJson } from "../json";

const record = { domain: z.string(), text: z.string(), ttl: z.string() };
const outlook = z.object({
  of: z.string(),
  resource: z.string().optional(),
  entries: z.array(
    z.object({
      outcome: z.enum(["add", "adopt", "change", "remove", "leave", "differ", "refuse", "undecided"]),
      ...record,
      was: z.object({ text: z.string(), ttl: z.string() }).optional(),
      others: z.array(z.string()).optional(),
      id: z.string().optional(),
      digest: z.string().optional(),
      unknown: z.number().optional(),
    }),
  ),
  unchanged: z.record(z.string(), z.number()),
  given: z.array(z.string()).default([]),
  refusals: z.array(
    z.object({
      code: z.string(),
      text: z.string(),
      gate: z
        .custom<Reason<"zone.gated">>((value) => isReason(value) && isOf(value, "zone.gated"))
        .optional(),
    }),
  ),
  limits: z.array(z.custom<Reason>(isReason)),
  checks: z.array(
    z.object({
      code: z.string(),
      level: z.enum(["note", "warn", "refuse"]),
      domain: z.string(),
      record: z.string().optional(),
      message: z.string(),
    }),
  ),
});
const zone = z.object({
  zone: z.string(),
  records: z.record(z.string(), z.string()),
  places: z.record(z.string(), z.string()).default({}),
  texts: z.string().optional(),
  ttls: z.record(z.string(), z.string()).default({}),
  lists: z.number(),
});
const textsById = z.record(z.string(), z.string());
const secret = z.object({ digest: z.string(), place: z.string() });

/** A zone as a host told it. */
export interface ToldZone extends Omit<OutlookZone, "texts"> {
  /** By id, the record's whole text. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** All that the hosts of a preview told. */
export interface Told {
  readonly outlooks: readonly Outlook[];
  readonly zones: readonly ToldZone[];
  readonly secrets: readonly OutlookSecret[];
}

/** @param key with which the hosts sealed the texts of records */
export function readTold(text: string, key: string): Told {
  const zones = readAll(text, zone).map(({ texts, ...rest }) => ({
    ...rest,
    ...(texts === undefined ? {} : { texts: textsById.parse(parseJson(unseal(texts, key))) }),
  }));
  return { outlooks: readOutlooks(text), zones, secrets: readAll(text, secret) };
}

/**
 * One for each resource. Of a replacement the engine asks twice: the last word counts, but for what the first refused already,
 * which an up is told, too: it knows what the resource holds.
 */
function readOutlooks(text: string): Outlook[] {
  const found = readAll(text, outlook).map(({ entries, ...rest }) => ({
    ...rest,
    entries: entries.map(({ was, id, digest, unknown, ...entry }) => ({
      ...entry,
      ...(digest === undefined ? {} : { digest }),
      ...(was === undefined ? {} : { was }),
      ...(id === undefined ? {} : { id }),
      ...(unknown === undefined ? {} : { unknown }),
    })),
  }));
  // In the order of the last words. Two resources may name the same: what is secret has no data.
  const words = new Map<unknown, typeof found>();
  for (const each of found) {
    const key = each.of === "" ? each : JSON.stringify([each.of, each.resource]);
    const earlier = words.get(key) ?? [];
    words.delete(key);
    words.set(key, [...earlier, each]);
  }
  return [...words.values()].flatMap((said) =>
    said.slice(-1).map((last) => ({ ...last, refusals: refusalsOf(said, last) })),
  );
}

/** What is refused first, and what a safety gate said last. */
function refusalsOf(
  said: readonly Pick<Outlook, "refusals">[],
  last: Pick<Outlook, "refusals">,
): OutlookProblem[] {
  const plain =
    said
      .map(({ refusals }) => refusals.filter(({ gate }) => gate === undefined))
      .find(({ length }) => length > 0) ?? [];
  return [...plain, ...last.refusals.filter(({ gate }) => gate !== undefined)];
}

/** The lines of one shape, in their order. */
function readAll<T>(text: string, shape: z.ZodType<T>): T[] {
  return text.split("\n").flatMap((line): T[] => {
    const parsed = shape.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}
