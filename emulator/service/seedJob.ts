/** Finished jobs of any type, for Batch.Detail (api.md, Other enumerations). */
import { z } from "zod";
import { findByName } from "./context";
import { Refusal } from "./envelope";
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
        /** Of the domain itself. */
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
  const account =
    seed.owner === undefined ? world.accounts[0] : world.accounts.find(({ email }) => email === seed.owner);
  if (account === undefined) throw new Refusal("3", `No account ${seed.owner ?? ""}`);
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
      records: item.records.map((record, position) => ({
        id: position,
        name: record.name,
        type: record.type,
        area,
        value: record.value,
        mx: record.mx === null ? null : String(record.mx),
        ttl: record.ttl,
        sent: {},
        status: record.error === null ? "ok" : "error",
        error: record.error,
        recordId: record.recordId,
      })),
    };
  });
  world.nextId.job += world.random.between(1, 9);
  const now = world.now();
  const job: Job = {
    id: world.nextId.job,
    account,
    type: seed.type,
    createdAt: now,
    items,
    item: items.length,
    record: 0,
    executed: 0,
    nextAt: now,
    recordMs: 0,
    stuck: false,
    stickAfter: null,
    done: true,
  };
  world.jobs.set(job.id, job);
  return job;
}
