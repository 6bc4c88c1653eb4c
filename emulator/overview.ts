/** A small summary for the page: each change sends it. Zones are sent by pages. */
import { z } from "zod";
import type { RecordView } from "./console";
import type { Job } from "./service/model";

export type JobSummary = ReturnType<typeof jobSummary>;

export function jobSummary(job: Job) {
  // A job that adds domains has no records.
  const records = job.items.flatMap((item): readonly { readonly status: string }[] =>
    item.records.length === 0 ? [item] : item.records,
  );
  const count = (status: string): number => records.filter((record) => record.status === status).length;
  return {
    id: job.id,
    type: job.type,
    state: job.done ? "done" : job.stuck ? "held" : job.executed > 0 ? "running" : "waiting",
    createdAt: new Date(job.createdAt).toISOString(),
    domains: job.items.length,
    domain: job.items[0]?.domain ?? "",
    records: records.length,
    success: count("ok"),
    fail: count("error"),
  } as const;
}

/** Values may be texts of a query. */
export const recordFilterSchema = z.object({
  /** Words of name, type, value, line or remark. */
  search: z.string().default(""),
  type: z.string().default(""),
  state: z.enum(["", "enabled", "disabled"]).default(""),
  /** `yes`: with the service's own NS records. */
  hold: z.string().default(""),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type RecordFilter = z.input<typeof recordFilterSchema>;

export type RecordPage = ReturnType<typeof recordPage>;

/** A page of a zone, by name (the apex first), type and value. */
export function recordPage(domain: string, zone: readonly RecordView[], filter: RecordFilter) {
  const { search, type, state, hold, offset, limit } = recordFilterSchema.parse(filter);
  const all = zone.filter((record) => hold === "yes" || !record.hold);
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const matching = all.filter(
    (record) =>
      (type === "" || record.type === type) &&
      (state === "" || record.enabled === (state === "enabled")) &&
      (words.length === 0 || has(words, domain, record)),
  );
  return {
    total: all.length,
    matching: matching.length,
    types: [...new Set(all.map((record) => record.type))].sort(),
    records: matching.sort(byName).slice(offset, offset + limit),
  };
}

function has(
  words: readonly string[],
  domain: string,
  { name, type, value, line, remark }: RecordView,
): boolean {
  const whole = name === "@" ? `@ ${domain}.` : `${name}.${domain}.`;
  const text = [whole, type, value, line, remark].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function byName(a: RecordView, b: RecordView): number {
  if (a.name !== b.name) return a.name === "@" ? -1 : b.name === "@" ? 1 : a.name < b.name ? -1 : 1;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.mx - b.mx || (a.value < b.value ? -1 : a.value > b.value ? 1 : a.id - b.id);
}
