/** Accounts, domains and records as a caller or a state file describes them. */
import { z } from "zod";
import { grades, purviewSchema } from "./purview";
import { settingsSchema } from "./settings";

export const accountSchema = z.strictObject({
  email: z.string().regex(/^[^\s@]+@[^\s@]+$/),
  token: z.string().min(1).optional(),
  subTokens: z.array(z.string().min(1)).default([]),
  verified: z.boolean().default(true),
});

export const recordSeedSchema = z.strictObject({
  id: z.int().positive().optional(),
  name: z.string().default("@"),
  type: z.string().min(1),
  value: z.string().min(1),
  ttl: z.int().positive().optional(),
  mx: z.int().min(0).optional(),
  line: z.string().optional(),
  enabled: z.boolean().default(true),
  remark: z.string().default(""),
  weight: z.int().nullable().default(null),
  hold: z.boolean().default(false),
  monitorStatus: z.enum(["", "Ok", "Warn", "Down"]).default(""),
});

const moment = z.iso.datetime({ offset: true });

const monitorSchema = z.strictObject({
  id: z.string().min(1),
  subDomain: z.string().default("@"),
  ip: z.string(),
  recordId: z.int().positive().default(1),
  points: z.array(
    z.strictObject({
      point: z.string(),
      events: z.array(
        z.strictObject({ status: z.string(), statusCode: z.int(), at: moment, responseTime: z.int().min(0) }),
      ),
    }),
  ),
});

export const shareSchema = z.strictObject({
  email: z.string(),
  mode: z.enum(["r", "rw"]).default("r"),
  subDomain: z.string().default(""),
});

const customLineSchema = z.strictObject({
  name: z.string().min(1).max(17),
  area: z.string(),
  useCount: z.int().min(0).default(0),
});

export const domainSeedSchema = z.strictObject({
  name: z.string().regex(/^(?=.{1,253}$)[^\s.]+(\.[^\s.]+)+$/),
  owner: z.string().optional(),
  id: z.int().positive().optional(),
  grade: z.enum([...grades.keys()]).default("DP_Plus"),
  status: z.enum(["enable", "pause", "spam", "lock"]).default("enable"),
  extStatus: z.enum(["", "notexist", "dnserror"]).default(""),
  ttl: z.int().positive().default(600),
  groupId: z.int().positive().default(1),
  mark: z.boolean().default(false),
  remark: z.string().default(""),
  vip: z
    .strictObject({
      startAt: moment,
      endAt: moment,
      autoRenew: z.enum(["yes", "no", "default"]).default("default"),
    })
    .nullable()
    .default(null),
  purview: purviewSchema.partial().default({}),
  nameServers: z.array(z.string()).default(["ns1.dns-host.example", "ns2.dns-host.example"]),
  defaultNs: z.boolean().default(true),
  records: z.array(recordSeedSchema).default([]),
  shares: z.array(shareSchema).default([]),
  customLines: z.array(customLineSchema).default([]),
  customLineMax: z.int().min(0).default(10),
  monitors: z.array(monitorSchema).default([]),
});

export const seedSchema = z.strictObject({
  accounts: z.array(accountSchema).default([]),
  domains: z.array(z.union([z.string(), domainSeedSchema])).default([]),
  settings: settingsSchema.optional(),
});

export type AccountInput = z.input<typeof accountSchema>;
export type DomainInput = z.input<typeof domainSeedSchema>;
export type RecordInput = z.input<typeof recordSeedSchema>;
export type ShareInput = z.input<typeof shareSchema>;
export type RecordSeed = z.output<typeof recordSeedSchema>;
export type DomainSeed = z.output<typeof domainSeedSchema>;
export type Monitor = z.output<typeof monitorSchema>;
export type Share = z.output<typeof shareSchema>;

export function defined<T extends object>(partial: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
