/** Behaviour that the documentation leaves open. All settings can be changed at any time. */
import { z } from "zod";
import { shapes } from "./shapes";

/** A record that jobs refuse. */
const refusal = z.strictObject({
  domain: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
  message: z.string(),
});

const count = z.int().min(0);

export const settingsSchema = z.strictObject({
  /** Seconds until Record.List shows a new record (api.md, Record.List rule 2). */
  indexDelay: z.number().min(0).default(30),
  /** For a changed record. Null: as a new one. */
  modifyDelay: z.number().min(0).nullable().default(null),
  /** For a removed record. Null: as a new one. */
  removeDelay: z.number().min(0).nullable().default(null),
  /** Answers operations that api.md does not have. */
  undocumented: z.boolean().default(false),
  /** An existing record in a job: code 104, or a second one. */
  identical: z.enum(["refuse", "accept"]).default("refuse"),
  /** Before the first record. */
  jobStartMs: count.default(20),
  /** For one record. */
  jobMs: count.default(2),
  /** New jobs stick after this many records; null for never. */
  stickAfter: count.nullable().default(null),
  /** Unfinished jobs of an account (0: no limit); refused with -2. */
  maxJobs: count.default(0),
  /** 0: no limit. */
  maxRecordsPerJob: count.default(0),
  /** A missing or a browser's User-Agent: logged, or refused with -8. */
  userAgent: z.enum(["log", "refuse"]).default("log"),
  /** For callers. Documented: refused (api.md, Authentication 4). */
  sharedDomains: z.enum(["refuse", "allow"]).default("refuse"),
  /** As api.md has them, or as a year or an English account gave them. */
  answers: z.enum(shapes).default("documented"),
  /** The service's own NS records have `hold: "hold"` in Record.List. */
  hold: z.boolean().default(true),
  /** In place of -1, 10001 and 10002, as on the international services. */
  loginCode: z.enum(["10004", "20004"]).nullable().default(null),
  /** The shape `english` brings the English names. */
  lineNames: z.enum(["chinese", "english"]).default("chinese"),
  /** The key of the name servers, which differs by service. */
  nsKey: z
    .string()
    .regex(/^[a-z_]+_ns$/)
    .default("service_ns"),
  /** For tests of half a batch. */
  refuse: z.array(refusal).default([]),
  /** The line that DNS answers for; null for the default line. */
  dnsLine: z.string().nullable().default(null),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
