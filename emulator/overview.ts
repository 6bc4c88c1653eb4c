/** Views of records and jobs. Each change sends a summary to the page; zones are sent by pages. */
import { z } from "zod";
import { itemStatus, progress, recordStatus } from "./service/jobs";
import type { Job, Rec } from "./service/model";

export type RecordView = ReturnType<typeof recordView>;
export type JobSummary = ReturnType<typeof jobSummary>;

export function recordView(record: Rec) {
  const { id, name, type, value, lineName, ttl, mx, enabled, hold, remark } = record;
  return { id, name, type, value, line: lineName, ttl, mx, enabled, hold, remark };
}

export function jobView(job: Job, now: number) {
  const { id, type, done, stuck } = job;
  return {
    id,
    type,
    done,
    stuck,
    ...progress(job),
    items: job.items.map((item) => ({
      domain: item.domain,
      status: itemStatus(job, item, now),
      records: item.records.map((record) => {
        const { name, type: ofRecord, value, error } = record;
        return { name, type: ofRecord, value, status: recordStatus(job, item, record, now), error };
      }),
    })),
  };
}

export function jobSummary(job: Job) {
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

export const recordFilterSchema = z.object({
  search: z.string().default(""),
  type: z.string().default(""),
  state: z.enum(["", "enabled", "disabled"]).default(""),
  /** `yes`: with the service's own NS records. */
  hold: z.string().default(""),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type RecordFilter = z.output<typeof recordFilterSchema>;

export type RecordPage = ReturnType<typeof recordPage>;

export function recordPage(domain: string, all: readonly RecordView[], filter: RecordFilter) {
  const { type, state, offset, limit } = filter;
  const words = filter.search.toLowerCase().split(/\s+/);
  const matching = all.filter(
    (record) =>
      (type === "" || record.type === type) &&
      (state === "" || record.enabled === (state === "enabled")) &&
      has(words, domain, record),
  );
  return {
    total: all.length,
    matching: matching.length,
    types: [...new Set(all.map((record) => record.type))].sort(),
    records: matching.sort(byName).slice(offset, offset + limit),
  };
}

function has(words: readonly string[], domain: string, record: RecordView): boolean {
  const { name, type, value, line, remark } = record;
  const whole = name === "@" ? `@ ${domain}.` : `${name}.${domain}.`;
  const text = [whole, type, value, line, remark].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function byName(a: RecordView, b: RecordView): number {
  if (a.name !== b.name) return a.name === "@" ? -1 : b.name === "@" ? 1 : a.name < b.name ? -1 : 1;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return a.mx - b.mx || (a.value < b.value ? -1 : a.value > b.value ? 1 : a.id - b.id);
}
