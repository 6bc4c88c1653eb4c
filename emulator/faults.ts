/**
 * Faults between a caller and the service, as decisions without I/O: the call, before or after its effect,
 * and the bytes of the answer. The HTTP shell or a simulation executes them.
 */
import { z } from "zod";
import { kindOf } from "./service/kinds";
import { Random } from "./service/random";
import { texts } from "./service/texts";

const natural = z.int().min(0);
const serviceCode = z.union([z.int().transform(String), z.string().min(1)]);
const common = {
  /** An operation's name, `reads`, `writes`, or `*` for all. */
  operation: z.string().default("*"),
  /** Before the service saw the call, or after it took effect. */
  when: z.enum(["before", "after"]).default("before"),
  /** How many calls it hits; all when left out. */
  count: z.int().positive().optional(),
  /** How many matching calls it lets pass first. */
  skip: natural.default(0),
  /** Chance of each matching call to be hit, from the seeded dice. */
  probability: z.number().min(0).max(1).default(1),
};

export const faultSchema = z.discriminatedUnion("kind", [
  /** The connection is closed without a byte; with `forMs` the port is closed for that time. */
  z.strictObject({ kind: z.literal("refused"), ...common, forMs: natural.default(0) }),
  /** The connection breaks in the middle of the answer. */
  z.strictObject({ kind: z.literal("dropped"), ...common }),
  /** Another HTTP status, without an envelope. */
  z.strictObject({
    kind: z.literal("http"),
    ...common,
    status: z.int().min(400).max(599).default(500),
    retryAfter: z.union([natural, z.string()]).optional(),
  }),
  /** A service envelope with this code. */
  z.strictObject({
    kind: z.literal("code"),
    ...common,
    code: serviceCode,
    message: z.string().default("Injected fault"),
    status: z.int().min(200).max(599).default(200),
  }),
  /**
   * A lie: the call is carried out, and the answer is a refusal that is none. With `when: "before"` it is not carried
   * out. The code may be one that no table knows.
   */
  z.strictObject({
    kind: z.literal("lie"),
    ...common,
    operation: z.string().default("writes"),
    when: common.when.unwrap().default("after"),
    code: serviceCode.default("3"),
    message: z.string().default(texts.unknown),
  }),
  /** HTTP 200 with something that is not the answer. */
  z.strictObject({
    kind: z.literal("garbage"),
    ...common,
    form: z.enum(["truncated", "html", "empty"]).default("truncated"),
  }),
  /** The answer behind megabytes of white space, which JSON allows. */
  z.strictObject({ kind: z.literal("huge"), ...common, bytes: natural.default(16 * 1024 * 1024) }),
  /** The call waits before it is executed, or its answer after it. */
  z.strictObject({ kind: z.literal("slow"), ...common, ms: natural.default(1000) }),
]);

/** A fault as it is asked for. */
export type FaultSpec = z.input<typeof faultSchema>;
/** A fault with its defaults. */
export type Fault = z.output<typeof faultSchema>;

/** A fault in the list, with how often it was met. */
export interface ActiveFault {
  readonly id: number;
  readonly spec: Fault;
  /** Matching calls so far, and those of them that it hit. */
  seen: number;
  hits: number;
}

/** The decision about one call. */
export interface Verdict {
  /** Milliseconds to wait before the service sees the call. */
  readonly delayBefore: number;
  /** Milliseconds to wait before its answer leaves. */
  readonly delayAfter: number;
  readonly before: Fault | null;
  readonly after: Fault | null;
}

/** The bytes of an answer, or none. */
export type Outcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** White space to send before the body. */
      readonly padding: number;
    }
  | { readonly kind: "refused"; readonly forMs: number }
  | { readonly kind: "dropped"; readonly body: string };

/** The faults in force, with their dice. */
export class Faults {
  private active: ActiveFault[] = [];
  private nextId = 1;
  private readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed ^ 0x5eed);
  }

  /** Adds a fault and returns its id. @throws ZodError for an invalid spec */
  add(spec: FaultSpec): number {
    const fault: ActiveFault = { id: this.nextId, spec: faultSchema.parse(spec), seen: 0, hits: 0 };
    this.nextId += 1;
    this.active.push(fault);
    return fault.id;
  }

  list(): readonly ActiveFault[] {
    return this.active;
  }

  /** Removes one fault, or all. */
  clear(id?: number): void {
    this.active = id === undefined ? [] : this.active.filter((fault) => fault.id !== id);
  }

  /** Decides one call. The first fault that hits wins; delays add up beside it. */
  decide(operation: string): Verdict {
    let delayBefore = 0;
    let delayAfter = 0;
    let breaking: Fault | null = null;
    for (const fault of this.active) {
      const { spec } = fault;
      if (spec.kind !== "slow" && breaking !== null) continue;
      if (!this.hits(fault, operation)) continue;
      if (spec.kind !== "slow") breaking = spec;
      else if (spec.when === "before") delayBefore += spec.ms;
      else delayAfter += spec.ms;
    }
    const before = breaking?.when === "before" ? breaking : null;
    return { delayBefore, delayAfter, before, after: before === null ? breaking : null };
  }

  /** Would the next call of this operation be refused before its body is read? Decides nothing, rolls no dice. */
  peekRefused(operation: string): boolean {
    const next = this.active.find(
      ({ spec, seen, hits }) =>
        spec.kind !== "slow" &&
        means(spec.operation, operation) &&
        (spec.count === undefined || hits < spec.count) &&
        seen >= spec.skip,
    );
    return next?.spec.kind === "refused" && next.spec.when === "before" && next.spec.probability === 1;
  }

  private hits(fault: ActiveFault, operation: string): boolean {
    const { spec } = fault;
    if (!means(spec.operation, operation)) return false;
    if (spec.count !== undefined && fault.hits >= spec.count) return false;
    fault.seen += 1;
    if (fault.seen <= spec.skip) return false;
    if (spec.probability < 1 && this.random.next() >= spec.probability) return false;
    fault.hits += 1;
    return true;
  }
}

/** Does a fault's `operation` mean this one? */
function means(wanted: string, operation: string): boolean {
  if (wanted === "reads") return kindOf(operation) === "read";
  if (wanted === "writes") return kindOf(operation) === "write";
  return wanted === "*" || wanted === operation;
}

/** A whole answer: HTTP 200, as the service sends every one (service-notes.md, Transport). */
export function plainAnswer(body: string): Extract<Outcome, { kind: "answer" }> {
  return { kind: "answer", status: 200, headers: {}, body, padding: 0 };
}

/**
 * Applies a fault to an answer.
 * @param body the service's true answer, or a stand-in if the call was not executed
 * @param stamp the envelope of a `code` or `lie` fault, built by the service's clock
 */
export function spoil(fault: Fault, body: string, stamp: (code: string, message: string) => string): Outcome {
  switch (fault.kind) {
    case "refused":
      return { kind: "refused", forMs: fault.forMs };
    case "dropped":
      return { kind: "dropped", body };
    case "http":
      return {
        ...plainAnswer(
          `<html><head><title>${fault.status}</title></head><body>${fault.status}</body></html>`,
        ),
        status: fault.status,
        headers: fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) },
      };
    case "code":
      return { ...plainAnswer(stamp(fault.code, fault.message)), status: fault.status };
    case "lie":
      return plainAnswer(stamp(fault.code, fault.message));
    case "garbage":
      return plainAnswer(garbage(fault.form, body));
    case "huge":
      return { ...plainAnswer(body), padding: fault.bytes };
    case "slow":
      return plainAnswer(body);
  }
}

function garbage(form: "truncated" | "html" | "empty", body: string): string {
  if (form === "empty") return "";
  if (form === "html") return "<html><body><h1>Service maintenance</h1></body></html>";
  return body.slice(0, Math.max(1, Math.floor(body.length / 2)));
}
