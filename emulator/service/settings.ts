/**
 * The settings of the emulator: behaviour that the documentation leaves open, such as identical records,
 * and delays. All can be changed while it runs.
 */
import { z } from "zod";
import { shapes } from "./shapes";

/** A record that a batch job refuses, in a creation or as the result of a change. */
const refusal = z.strictObject({
  domain: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
  /** The text put into `err_msg`. */
  message: z.string(),
});

const count = z.int().min(0);

export const settingsSchema = z.strictObject({
  /** Seconds until Record.List shows a new record (api.md, Record.List rule 2). */
  indexDelay: z.number().min(0).default(30),
  /** Seconds until Record.List shows a changed record. Null: as a new record. */
  modifyDelay: z.number().min(0).nullable().default(null),
  /** Seconds until Record.List omits a removed record. Null: as a new record. */
  removeDelay: z.number().min(0).nullable().default(null),
  /** Are the operations answered that callers use and api.md does not have (undocumented.ts)? */
  undocumented: z.boolean().default(false),
  /** Does a job refuse a record that exists already (code 104), or add a second one? */
  identical: z.enum(["refuse", "accept"]).default("refuse"),
  /** Milliseconds a job waits before its first record. */
  jobStartMs: count.default(20),
  /** Milliseconds a job takes for one record. */
  jobMs: count.default(2),
  /** New jobs stick after this many executed records; null for never. */
  stickAfter: count.nullable().default(null),
  /** Unfinished jobs an account may have (0: no limit), refused with -2. */
  maxJobs: count.default(0),
  /** Records a job may hold (0: no limit). */
  maxRecordsPerJob: count.default(0),
  /** A User-Agent that is missing or a browser's: noted in the log, or refused with -8. */
  userAgent: z.enum(["log", "refuse"]).default("log"),
  /**
   * Whether a caller may use a domain that is shared with its account. Documented: no (api.md,
   * Authentication 4).
   */
  sharedDomains: z.enum(["refuse", "allow"]).default("refuse"),
  /** The shape of the answers: as api.md has them, or as the service of a year or an English account gave them. */
  answers: z.enum(shapes).default("documented"),
  /** Do the service's own NS records carry `hold: "hold"` in Record.List? */
  hold: z.boolean().default(true),
  /** The code of every failed login in place of -1, 10001 and 10002: the international sister services have these. */
  loginCode: z.enum(["10004", "20004"]).nullable().default(null),
  /** Names of lines: as in the service's console, or as on an English account (the shape `english` brings them). */
  lineNames: z.enum(["chinese", "english"]).default("chinese"),
  /** The key of the name-server list; it differs by service and always ends in `_ns`. */
  nsKey: z
    .string()
    .regex(/^[a-z_]+_ns$/)
    .default("service_ns"),
  /** Records that jobs refuse, for tests of half a batch. */
  refuse: z.array(refusal).default([]),
  /** The line the DNS shell answers for: a line's name; null for the default line. */
  dnsLine: z.string().nullable().default(null),
});

/** Settings as the service holds them. */
export type Settings = z.output<typeof settingsSchema>;
/** Settings as given: every one has a default. */
export type SettingsInput = z.input<typeof settingsSchema>;
