/** Finished jobs of any type, for Batch.Detail (api.md, Other enumerations). */
import { z } from "zod";
import { accountNamed, findByName } from "./context";
import { queueJob } from "./jobs";
import { defaultLine } from "./lines";
import type { Job, JobItem, World } from "./model";

export const jobSchema = z.strictObject({
  type: z.enum(["domain", "record_add", "record_modify"]),
  /** E-mail. Default: the first account. */
  owner: z.string().optional(),
  items: z
    .array(
      z.strictObject({
        domain: z.string(),
        /** The error of the domain itself. */
        error: z.string().nullable().default(null),
        records: z
          .array(
            z.strictObject({
              name: z.string().default("@"),
              type: z.string(),
              value: z.string(),
              ttl: z.int().positive().default(600),
              mx: z.int().nullable().default(null),
              recordId: z.int().positive().nullable().default(null),
              error: z.string().nullable().default(null),
            }),
          )
          .default([]),
      }),
    )
    .min(1),
});
export type JobInput = z.input<typeof jobSchema>;

export function seedJob(world: World, input: JobInput): Job {
  const seed = jobSchema.parse(input);
  const account = accountNamed(world, seed.owner);
  const area = defaultLine(world.settings);
  const items = seed.items.map((item, index): JobItem => {
    const domain = findByName(world, item.domain);
    return {
      id: index,
      domainId: domain?.id ?? 0,
      domain: item.domain,
      grade: domain?.grade ?? "DP_Free",
      status: item.error === null ? "ok" : "error",
      error: item.error,
      records: item.records.map(({ mx, error, ...record }, position) => ({
        ...record,
        id: position,
        area,
        mx: mx === null ? null : String(mx),
        sent: {},
        status: error === null ? "ok" : "error",
        error,
      })),
    };
  });
  const job = queueJob(world, account, seed.type, items);
  Object.assign(job, { item: items.length, done: true, stuck: false });
  world.openJobs.delete(job);
  return job;
}
