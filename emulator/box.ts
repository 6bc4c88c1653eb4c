/**
 * The service with its faults and its log of calls, without I/O: a call goes in, and the bytes of an answer
 * come out. The HTTP shell and a simulation are two ways of carrying that out.
 */
import { repeating, sentIn } from "./echo";
import { Faults, plainAnswer, spoil, type Outcome, type Verdict } from "./faults";
import { goodUserAgent, type Caller } from "./service/login";
import type { Params } from "./service/context";
import { envelope } from "./service/envelope";
import { codeOf, Service, type ServiceOptions } from "./service/service";
import { toXml } from "./service/envelope";

/** One line of the log of calls. */
export interface Call {
  readonly number: number;
  /** When it came (ISO 8601, UTC). */
  readonly at: string;
  readonly operation: string;
  /** The form parameters, the token redacted. */
  readonly params: Readonly<Record<string, string>>;
  /** The answer's `status.code`; null for a call that was not executed. */
  readonly code: string | null;
  /** The fault that hit it, such as `before dropped`; null for none. */
  readonly fault: string | null;
  readonly userAgent: string | null;
  /** Does the User-Agent have the form that the service asks for? Null if there is none. */
  readonly goodUserAgent: boolean | null;
}

/** A call that has come in and whose fate is decided. */
export interface Pending {
  readonly verdict: Verdict;
  /** Executes it unless a fault prevents that, logs it, and returns its outcome. */
  run(): Outcome;
}

const keptCalls = 20_000;
const keptBytes = 64 * 1024 * 1024;

export class Box {
  readonly service: Service;
  readonly faults: Faults;
  private log: Call[] = [];
  private bytes = 0;
  private tallies = new Map<string, number>();
  private counter = 0;
  /** Told of every call as it is logged. */
  onCall: ((call: Call) => void) | null = null;

  constructor(options: ServiceOptions = {}) {
    this.service = new Service(options);
    this.faults = new Faults(options.seed ?? 1);
  }

  /**
   * Takes a call in. Wait `verdict.delayBefore`, `run()`, wait `verdict.delayAfter`, send.
   * @example const { body } = box.begin("Domain.List", { login_token, format: "json" }).run();
   */
  begin(operation: string, params: Params, caller: Caller = {}): Pending {
    const verdict = this.faults.decide(operation);
    return { verdict, run: () => this.carryOut(operation, params, caller, verdict) };
  }

  private carryOut(operation: string, params: Params, caller: Caller, verdict: Verdict): Outcome {
    const render = params["format"] === "json" ? JSON.stringify : toXml;
    const stamp = (code: string, message: string): string =>
      render(envelope(code, repeating(message, sentIn(params)), this.service.world.now()));
    if (verdict.before !== null) {
      const outcome = spoil(verdict.before, stamp("3", "Not executed"), stamp);
      this.note(operation, params, caller, null, verdict);
      return outcome;
    }
    const answer = this.service.answer(operation, params, caller);
    this.note(operation, params, caller, codeOf(answer), verdict);
    const body = render(answer);
    return verdict.after === null ? plainAnswer(body) : spoil(verdict.after, body, stamp);
  }

  private note(
    operation: string,
    params: Params,
    caller: Caller,
    code: string | null,
    verdict: Verdict,
  ): void {
    const userAgent = caller.userAgent ?? null;
    const call: Call = {
      number: (this.counter += 1),
      at: new Date(this.service.world.now()).toISOString(),
      operation,
      params: redacted(params),
      code,
      fault: faultLabel(verdict),
      userAgent,
      goodUserAgent: caller.userAgent === undefined ? null : goodUserAgent(userAgent),
    };
    this.log.push(call);
    this.bytes += bytesOf(call);
    this.tallies.set(operation, (this.tallies.get(operation) ?? 0) + 1);
    if (this.log.length > keptCalls || this.bytes > keptBytes) this.forgetOldest();
    this.onCall?.(call);
  }

  /** Drops the oldest calls until half of the room is free. The newest stays, however long it is. */
  private forgetOldest(): void {
    let from = 0;
    for (const call of this.log.slice(0, -1)) {
      if (this.log.length - from <= keptCalls / 2 && this.bytes <= keptBytes / 2) break;
      this.bytes -= bytesOf(call);
      from += 1;
    }
    this.log = this.log.slice(from);
  }

  /** The latest calls, oldest first. */
  calls(): readonly Call[] {
    return this.log;
  }

  /** How many calls each operation had since the log was cleared, those that it no longer holds included. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.tallies);
  }

  clearCalls(): void {
    this.log = [];
    this.bytes = 0;
    this.tallies.clear();
  }
}

/** About the memory that a call takes: two bytes a character, and an object's own for each parameter. */
function bytesOf({ operation, params, userAgent }: Call): number {
  const texts = [operation, userAgent ?? "", ...Object.entries(params).flat()];
  return texts.reduce((sum, text) => sum + 2 * text.length + 32, 0);
}

function redacted(params: Params): Record<string, string> {
  return "login_token" in params ? { ...params, login_token: "(redacted)" } : { ...params };
}

function faultLabel({ before, after, delayBefore, delayAfter }: Verdict): string | null {
  const parts = [
    ...(delayBefore > 0 ? ["before slow"] : []),
    ...(before === null ? [] : [`before ${before.kind}`]),
    ...(after === null ? [] : [`after ${after.kind}`]),
    ...(delayAfter > 0 ? ["after slow"] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}
