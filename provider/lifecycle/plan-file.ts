/**
 * The report file of `pulumi-legacydns plan`: the CLI's request, then an object per resource and line. The
 * variable has its path. While it is set, no process writes to the service.
 */
import { z } from "zod";
import { diagnosticOf, isOf, type Reason } from "../problems";

export const planVariable = "PULUMI_LEGACYDNS_PLAN";

const text = z.string();
const texts = z.array(text).readonly().default([]);

/**
 * `+` is created, `=` adopted, `~` updated, `-` deleted, `!` blocked, `.` retained. `?`: decided at the
 * update. A space: unchanged, only if the CLI asks for all lines.
 */
const line = z.object({
  sign: z.enum(["+", "=", "~", "-", "!", ".", "?", " "]),
  domain: text,
  /** Ready to show: secret data is already hidden. */
  text,
  ttl: text,
  /** Before the update. */
  was: z.object({ text, ttl: text }).optional(),
  /** Account and digest of the record's identity, which name equal records of two resources. */
  id: text.optional(),
  /** Account, domain and number of its live records. */
  refs: z.array(text).optional(),
  later: z.boolean().optional(),
  /** Of a created or updated record: the name, type and line, and the data that they answer from then on. */
  answer: z.object({ name: text, data: text }).optional(),
  duplicate: z.boolean().optional(),
});

const heldLine = line.omit({ sign: true }).extend({
  /** A safety gate that the record's deletion may concern. */
  gate: text.optional(),
  changed: z.boolean().optional(),
});

/** A live record at a name, type and line that the up changes. `hidden`: it may be a secret of the program. */
const answer = z.object({
  domain: text,
  name: text,
  data: text,
  ttl: z.number(),
  ref: text,
  hidden: z.boolean().optional(),
});
const answers = z.array(answer).readonly().default([]);

const recordLine = z.object({ text, note: text.optional() });

/** Data, so that the CLI can merge equal problems of several resources. */
const problem = z.object({
  code: text,
  title: text,
  records: z.array(recordLine).readonly().default([]),
  why: text.optional(),
  help: texts,
  /** A later problem with the same key replaces this one: a safety gate counts over all resources so far. */
  key: text.optional(),
});

const check = z.object({
  code: text,
  level: z.enum(["note", "warn", "refuse"]),
  domain: text,
  record: recordLine.optional(),
  message: text,
  help: z.array(text).readonly(),
});

const settings = z.object({
  removal: z.enum(["verify", "retain", "delete"]),
  full: z.boolean(),
  maxChangeShare: z.number(),
  confirmedDomains: z.array(text).readonly(),
  explicit: z.boolean().default(false),
});

/** `urn` is the digest of its URN; empty if its process does not know it. */
const resource = { urn: text.default(""), resource: text.default(""), settings };

const entry = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("declared"),
    ...resource,
    lines: z.array(line).readonly().default([]),
    answers,
    unchanged: z.record(text, z.number()).default({}),
    /** Digests of records that the resource no longer declares. */
    given: texts,
    /** Digests of the declared records of the domains that the CLI named. */
    declares: texts,
    errors: z.array(problem).readonly().default([]),
    blocked: z.array(problem).readonly().default([]),
    checks: z.array(check).readonly().default([]),
  }),
  z.object({
    kind: z.literal("held"),
    ...resource,
    domains: texts,
    removal: settings.shape.removal.optional(),
    lines: z.array(heldLine).readonly().default([]),
    answers,
    live: z.record(text, z.number()).default({}),
    /** The reason if the zones could not be read. The records are then those of the state. */
    unread: text.optional(),
  }),
]);

export type PlanLine = z.infer<typeof line>;
export type PlanAnswer = z.infer<typeof answer>;
export type Sign = PlanLine["sign"];
export type PlanProblem = z.infer<typeof problem>;
export type PlanCheck = z.infer<typeof check>;
export type PlanSettings = z.infer<typeof settings>;
export type PlanEntry = z.infer<typeof entry>;
type Unsettled<T> = T extends unknown ? Omit<T, "settings"> : never;
export type WrittenEntry = Unsettled<z.input<typeof entry>>;
export type DeclaredEntry = Extract<PlanEntry, { kind: "declared" }>;
export type HeldEntry = Extract<PlanEntry, { kind: "held" }>;

const request = z.object({
  /** Digests of the resources whose zones `read` lists. */
  urns: texts,
  domains: texts,
  drift: z.boolean(),
  /** Also report the lines of unchanged records. */
  all: z.boolean().default(false),
});
export type PlanRequest = z.infer<typeof request>;
export type Asked = Pick<PlanRequest, "urns" | "domains">;

export function planProblem(why: Reason): PlanProblem {
  const key = isOf(why, "zone.gated") ? `${why.code} ${why.parts.domain}` : undefined;
  const { level: _level, ...diagnostic } = diagnosticOf(why);
  return { ...diagnostic, key };
}

export function readRequest(file: string): PlanRequest {
  const [first = ""] = file.split("\n", 1);
  return request.parse(JSON.parse(first));
}

export function requestText(asked: z.input<typeof request>): string {
  return `${JSON.stringify(asked)}\n`;
}

export function readEntries(file: string): PlanEntry[] {
  const [, ...lines] = file.split("\n").filter((each) => each !== "");
  return lines.map((each) => entry.parse(JSON.parse(each)));
}
