/** The service with its faults and its log of calls, without I/O. */
import { Faults, plainAnswer, sentIn, spoil, type Outcome, type Verdict } from "./faults";
import { goodUserAgent, type Caller } from "./service/login";
import type { Params } from "./service/context";
import { envelope, repeating, toXml } from "./service/envelope";
import { codeOf, Service, type ServiceOptions } from "./service/service";

export interface Call {
  readonly number: number;
  readonly at: string;
  readonly operation: string;
  /** The token is redacted. */
  readonly params: Readonly<Record<string, string>>;
  readonly code: string | null;
  /** Such as `before dropped`. */
  readonly fault: string | null;
  readonly userAgent: string | null;
  readonly goodUserAgent: boolean | null;
}

export interface Pending {
  readonly verdict: Verdict;
  run(): Outcome;
}

const keptCalls = 20_000;

export class Box {
  readonly service: Service;
  readonly faults: Faults;
  private log: Call[] = [];
  private tallies = new Map<string, number>();
  private counter = 0;
  onCall: ((call: Call) => void) | null = null;

  constructor(options: ServiceOptions = {}) {
    this.service = new Service(options);
    this.faults = new Faults(options.seed ?? 1);
  }

  /** Wait `verdict.delayBefore`, `run()`, wait `verdict.delayAfter`, send. */
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
    this.tallies.set(operation, (this.tallies.get(operation) ?? 0) + 1);
    if (this.log.length > keptCalls) this.log = this.log.slice(-keptCalls / 2);
    this.onCall?.(call);
  }

  calls(): readonly Call[] {
    return this.log;
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.tallies);
  }

  clearCalls(): void {
    this.log = [];
    this.tallies.clear();
  }
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
