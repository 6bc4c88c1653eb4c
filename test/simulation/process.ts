/** The real lifecycle, reconciler and client over the emulator's box and a simulated clock. After a kill its waits never end, and a request that has left takes effect. */
import type { Box, Pending } from "../../emulator";
import { createClient, type Transport, TransportError } from "../../provider/api";
import { explainFailure, timedOut } from "../../provider/api/failures";
import type { Clock } from "../../provider/support/clock";
import type { Host, Operate } from "../../provider/lifecycle/host";
import type { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { Shares } from "../../provider/reconcile/shares";
import type { Reporter } from "../../provider/support/reporter";
import type { Settings } from "../../provider/settings";
import type { Break } from "./breaks";
import type { Dice } from "./dice";
import { EngineDied, type Resource } from "./engine";
import type { Call } from "./facts";
import type { Observer } from "./observer";
import type { Due, Timeline } from "./time";

export const editing: ReadonlySet<string> = new Set([
  "Record.Modify",
  "Record.Remove",
  "Batch.Record.Modify",
]);

export interface ProcessParts {
  readonly name: string;
  readonly stack: string;
  readonly timeline: Timeline;
  readonly box: Box;
  readonly settings: Settings;
  readonly dice: Dice;
  readonly witness: Observer;
  readonly broken: Partial<Break>;
  readonly ahead: () => number;
}

// Milliseconds, as in lifecycle/ending. A host that does not write notices after `lookEvery` that its engine is gone.
// Calls in flight have `lastCalls` to end, and an answer has `answerTime` to reach the engine.
const [lookEvery, lastCalls, answerTime] = [1_000, 4_000, 500];
const never = new Promise<never>(() => undefined);

export class Process {
  readonly name: string;
  readonly stack: string;
  readonly settings: Settings;
  /** As a call leaves, and as it takes effect. */
  onCall: (operation: string, moment: "leaves" | "works") => void = () => undefined;
  readonly providers: Readonly<Record<Resource["type"], Lifecycle>>;
  readonly death: Promise<never>;
  private die: (error: Error) => void = () => undefined;
  private alive = true;
  private orphanedAt = Infinity;
  isStopping = false;
  private ending = false;
  killedAt: number | undefined;
  /** The journal says that the process has ended, so that its state has its writes. */
  hasClosed = false;
  private working = 0;
  private readonly host: Host;

  constructor(private readonly parts: ProcessParts) {
    this.name = parts.name;
    this.stack = parts.stack;
    this.settings = parts.settings;
    this.death = new Promise((_, reject) => (this.die = reject));
    // It is never an unhandled rejection.
    this.death.catch(() => undefined);
    const { broken } = parts;
    this.host = this.freshHost();
    broken.reconciler?.(this.host.reconciler);
    const operate: Operate = async (work) => {
      this.working += 1;
      try {
        return await work(broken.host?.(this.host, () => this.freshHost()) ?? this.host);
      } finally {
        this.working -= 1;
        this.exitIfIdle();
      }
    };
    const { lifecycle = (provider: Lifecycle) => provider } = broken;
    this.providers = {
      Record: lifecycle(recordsProvider(recordForm, operate)),
      RecordBatch: lifecycle(recordsProvider(recordBatchForm, operate)),
    };
  }

  private freshHost(): Host {
    const { broken, dice, settings } = this.parts;
    const [clock, reporter, transport] = [this.clock(), this.reporter(), this.transport()];
    const whole = createClient({ settings, transport, clock, reporter, random: () => dice.next() });
    const client = broken.client?.(whole) ?? whole;
    const reconciler = new Reconciler({ client, settings, clock, reporter, project: this.stack });
    return { settings, client, clock, reconciler, shares: new Shares(client, settings), reporter };
  }

  get wasKilled(): boolean {
    return this.killedAt !== undefined;
  }

  get isOrphan(): boolean {
    return this.orphanedAt < Infinity;
  }

  checked(resource: Pick<Resource, "type" | "name">): void {
    this.parts.witness.checked(this, resource);
  }

  upset(how: "terminate" | "killHost" | "killEngine" | "killBoth" | "interrupt"): void {
    if (!this.alive) return;
    this.parts.witness.log(this.name, () => how);
    this[how]();
  }

  private interrupt(): void {
    this.isStopping = true;
  }

  /** SIGTERM: no call begins, and those in flight are waited for (lifecycle/ending). */
  private terminate(): void {
    if (this.ending) return;
    this.ending = true;
    this.parts.timeline.in(lastCalls, () => this.exit());
    this.exitIfIdle();
  }

  private exitIfIdle(): void {
    if (this.ending && this.working === 0) this.parts.timeline.in(answerTime, () => this.exit());
  }

  private exit(): void {
    if (!this.alive) return;
    if (this.working > 0) return this.killHost();
    this.alive = false;
    this.die(new Error("error reading from server: EOF"));
  }

  private killHost(): void {
    this.alive = false;
    this.killedAt ??= this.parts.timeline.now();
    this.die(new Error("error reading from server: EOF"));
  }

  /** Nothing is saved any more. The orphaned host writes no more, and soon calls no more. */
  private killEngine(): void {
    this.orphanedAt = this.parts.timeline.now();
    this.killedAt ??= this.parts.timeline.now();
    this.die(new EngineDied("the engine was killed"));
  }

  private killBoth(): void {
    this.alive = false;
    this.killEngine();
  }

  end(): void {
    this.hasClosed = this.alive && this.working === 0 && !this.ending;
    if (this.hasClosed) this.host.reconciler.close();
    this.alive = this.alive && this.working > 0;
  }

  private clock(): Clock {
    const { timeline, broken, ahead } = this.parts;
    const wall = () => timeline.now() + ahead();
    const began = ahead();
    return {
      now: broken.byWall === true ? wall : () => timeline.now() + began,
      wall,
      sleep: (ms, signal) => {
        if (!this.alive) return never;
        if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
        return new Promise((resolve, reject) => {
          const onAbort = () => {
            due.cancelled = true;
            if (this.alive) reject(signal?.reason as Error);
          };
          const due = timeline.in(ms * (broken.slower ?? 1), () => {
            signal?.removeEventListener("abort", onAbort);
            if (this.alive) resolve();
          });
          signal?.addEventListener("abort", onAbort, { once: true });
        });
      },
    };
  }

  private reporter(): Reporter {
    const { witness, broken } = this.parts;
    const say = (level: string) => (text: string) => {
      if (this.alive && broken.hides?.test(text) !== true)
        witness.said(this, level, broken.says?.(text) ?? text);
    };
    return { info: say("info"), warn: say("warn"), progress: say("progress"), error: say("error") };
  }

  private transport(): Transport {
    const send: Transport["send"] = (request) => {
      if (!this.alive) return never;
      const { operation } = request;
      const writes = operation === "Batch.Record.Create" || editing.has(operation);
      const sees = this.isOrphan && (writes || this.parts.timeline.now() - this.orphanedAt >= lookEvery);
      return this.ending || sees ? Promise.reject(stopped(operation)) : this.exchange(request);
    };
    return { send, close: () => Promise.resolve() };
  }

  private exchange(request: Parameters<Transport["send"]>[0]): ReturnType<Transport["send"]> {
    const { box, dice, timeline, witness, broken } = this.parts;
    const { operation, timeoutMs } = request;
    const params = Object.fromEntries(new URLSearchParams(request.body));
    const call = newCall(this, operation, params, timeline.now());
    witness.sent(call);
    this.onCall(operation, "leaves");
    if (broken.strays !== undefined) witness.sent(newCall(this, broken.strays, {}, timeline.now()));
    const pending = box.begin(operation, params);
    const { verdict } = pending;
    const [there, back] = [dice.between(2, 40), dice.between(2, 40)];
    const { answer, ended } = this.answerTo(call);
    const failed = (code: string, outcome: "not-sent" | "uncertain") =>
      answer.fails(code, explainFailure(request, Object.assign(new Error(code), { code }), outcome));
    answer.limit(timeoutMs, () =>
      answer.fails("no answer in time", timedOut(request, timeoutMs, "uncertain")),
    );
    if (verdict.before?.kind === "refused") {
      timeline.in(there, () => {
        witness.executing(call);
        pending.run();
        witness.executed(call, true, undefined);
        failed("ECONNREFUSED", "not-sent");
      });
      return ended;
    }
    timeline.in(there + verdict.delayBefore, () => {
      const outcome = this.execute(call, pending);
      if (operation === broken.repeats) this.repeat(call);
      timeline.in(back + verdict.delayAfter, () => {
        if (outcome.kind !== "answer") return failed("ECONNRESET", "uncertain");
        answer.comes(outcome);
      });
      if (operation === "Record.List") for (let i = broken.chatter ?? 0; i > 0; i -= 1) witness.sent(call);
    });
    return ended;
  }

  /** The first of an answer, a failure and the time limit counts, and none after the process's end. */
  private answerTo(call: Call) {
    const { timeline, witness, broken } = this.parts;
    const { promise: ended, resolve, reject } = withResolvers<Answer>();
    let settled = false;
    let timeout: Due | undefined;
    const settle = (text: string, end: () => void): void => {
      if (settled) return;
      settled = true;
      if (timeout) timeout.cancelled = true;
      if (!this.alive) return;
      call.settledAt = timeline.now();
      witness.answered(call, text);
      if (call.operation === "Batch.Detail" && !call.wasAnswered) witness.unread(call);
      end();
    };
    const answer = {
      fails: (text: string, error: Error) => settle(text, () => reject(error)),
      comes: ({ status, headers, body: whole }: Answer) =>
        settle(`${status} ${whole}`, () => {
          const shown = call.operation === "Record.List" ? broken.listing?.(whole) : undefined;
          resolve({ status, headers, body: shown ?? whole });
        }),
      limit: (ms: number, fire: () => void) => void (timeout = timeline.in(ms, fire)),
    };
    return { answer, ended };
  }

  private repeat({ operation, params }: Call): void {
    for (const otherwise of this.parts.broken.repeatsWith ?? [{}]) {
      const again = newCall(this, operation, { ...params, ...otherwise }, this.parts.timeline.now());
      this.parts.witness.sent(again);
      this.execute(again, this.parts.box.begin(operation, again.params));
    }
  }

  private execute(call: Call, pending: Pending): ReturnType<Pending["run"]> {
    const { box, witness, broken } = this.parts;
    const { jobs } = box.service.world;
    const before = jobs.size;
    witness.executing(call);
    const outcome = pending.run();
    const job = jobs.size > before ? [...jobs.keys()].at(-1) : undefined;
    witness.executed(call, pending.verdict.before !== null, job);
    this.onCall(call.operation, "works");
    if (call.operation === "Batch.Record.Create") broken.harm?.(box);
    return outcome;
  }
}

type Answer = Awaited<ReturnType<Transport["send"]>>;

function withResolvers<T>() {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onValue, onError) => ([resolve, reject] = [onValue, onError]));
  return { promise, resolve, reject };
}

function newCall(process: Process, operation: string, params: Call["params"], sentAt: number): Call {
  const nothing = { wasAnswered: false, wasNumbered: false, wasMisread: false };
  return {
    process,
    operation,
    params,
    sentAt,
    seen: new Map(),
    creates: [],
    executedAt: 0,
    ...nothing,
    endSeen: new Map<Process, number>(),
  };
}

function stopped(operation: string) {
  return new TransportError({
    operation,
    outcome: "not-sent",
    passing: false,
    meaning: "not sent, because the deployment was stopped",
    help: [],
  });
}
