/** Behaviour that the documentation leaves open (docs/emulator.md, Settings). */
import { z } from "zod";
import { shapes } from "./shapes";

const refusal = z.strictObject({
  domain: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
  message: z.string(),
});

/** `lower`: in lower case. `escaped`: with `%` escapes for all characters outside ASCII. */
const ownForm = z.strictObject({ type: z.string(), form: z.enum(["lower", "escaped"]) });

const count = z.int().min(0);

export const settingsSchema = z.strictObject({
  /** Seconds until Record.List shows a new record (api.md, Record.List rule 2). */
  indexDelay: z.number().min(0).default(30),
  modifyDelay: z.number().min(0).nullable().default(null),
  removeDelay: z.number().min(0).nullable().default(null),
  undocumented: z.boolean().default(false),
  identical: z.enum(["refuse", "accept"]).default("refuse"),
  jobStartMs: count.default(20),
  jobMs: count.default(2),
  stickAfter: count.nullable().default(null),
  maxJobs: count.default(0),
  maxRecordsPerJob: count.default(0),
  userAgent: z.enum(["log", "refuse"]).default("log"),
  answers: z.enum(shapes).default("documented"),
  hold: z.boolean().default(true),
  loginCode: z.enum(["10004", "20004"]).nullable().default(null),
  nsKey: z
    .string()
    .regex(/^[a-z_]+_ns$/)
    .default("service_ns"),
  refuse: z.array(refusal).default([]),
  /** Types whose values the service stores, and therefore answers, in a form of its own. */
  ownForms: z.array(ownForm).default([]),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
