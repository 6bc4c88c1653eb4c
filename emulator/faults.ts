/** Faults between a caller and the service, as decisions without I/O. */
import { z } from "zod";
import { operations } from "./service/operations";
import { Random } from "./service/random";

const natural = z.int().min(0);
const serviceCode = z.union([z.int().transform(String), z.string().min(1)]);
const common = {
  /** A name, `reads`, `writes`, or `*`. */
  operation: z.string().default("*"),
  /** Before the service saw the call, or after its effect. */
  when: z.enum(["before", "after"]).default("before"),
  count: z.int().positive().optional(),
  skip: natural.default(0),
  probability: z.number().min(0).max(1).default(1),
};

export const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("refused"), ...common }),
  z.strictObject({ kind: z.literal("dropped"), ...common }),
  z.strictObject({
    kind: z.literal("http"),
    ...common,
    status: z.int().min(400).max(599).default(500),
    retryAfter: natural.optional(),
  }),
  z.strictObject({
    kind: z.literal("code"),
    ...common,
    code: serviceCode,
    message: z.string().default("Injected fault"),
  }),
  z.strictObject({
    kind: z.literal("garbage"),
    ...common,
    form: z.enum(["truncated", "html", "empty"]).default("truncated"),
  }),
  /** A longer timer would end at once. */
  z.strictObject({ kind: z.literal("slow"), ...common, ms: natural.max(2 ** 31 - 1).default(1000) }),
]);

export type FaultSpec = z.input<typeof faultSchema>;
export type Fault = z.output<typeof faultSchema>;

export interface ActiveFault {
  readonly id: number;
  readonly spec: Fault;
  seen: number;
  hits: number;
}

export interface Verdict {
  readonly delayBefore: number;
  readonly delayAfter: number;
  readonly before: Fault | null;
  readonly after: Fault | null;
}

export type Outcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: "refused" }
  | { readonly kind: "dropped"; readonly body: string };

export class Faults {
  private active: ActiveFault[] = [];
  private nextId = 1;
  private readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed ^ 0x5eed);
  }

  add(spec: FaultSpec): number {
    const fault: ActiveFault = { id: this.nextId, spec: faultSchema.parse(spec), seen: 0, hits: 0 };
    this.nextId += 1;
    this.active.push(fault);
    return fault.id;
  }

  list(): readonly ActiveFault[] {
    return this.active;
  }

  clear(id?: number): void {
    this.active = id === undefined ? [] : this.active.filter((fault) => fault.id !== id);
  }

  /** The first fault that hits wins; delays add up. */
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

function means(wanted: string, operation: string): boolean {
  return wanted === "*" || wanted === operation || wanted === `${operations.get(operation)?.kind}s`;
}

export function plainAnswer(body: string): Extract<Outcome, { kind: "answer" }> {
  return { kind: "answer", status: 200, headers: {}, body };
}

export function spoil(fault: Fault, body: string, stamp: (code: string, message: string) => string): Outcome {
  switch (fault.kind) {
    case "refused":
      return { kind: "refused" };
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
      return plainAnswer(stamp(fault.code, fault.message));
    case "garbage": {
      const half = body.slice(0, Math.max(1, Math.floor(body.length / 2)));
      const html = "<html><body><h1>Service maintenance</h1></body></html>";
      return plainAnswer({ truncated: half, html, empty: "" }[fault.form]);
    }
    case "slow":
      return plainAnswer(body);
  }
}

const valued = z.array(z.object({ value: z.string() }).nullable().catch(null));

export function sentIn(params: Readonly<Record<string, string | undefined>>): string[] {
  const single = [params["value"], params["change_to"]].flatMap((value) => value ?? []);
  try {
    const records = valued.safeParse(JSON.parse(params["records"] ?? "[]"));
    return [...single, ...(records.data ?? []).flatMap((record) => record?.value ?? [])];
  } catch {
    return single;
  }
}
