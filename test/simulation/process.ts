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
import type { Observer } from "./observer";
import type { Timeline } from "./time";

export const editing: ReadonlySet<string> = new Set([
  "Record.Modify",
  "Record.Remove",
  "Batch.Record.Modify",
]);

export interface Call {
  readonly process: Process;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly sentAt: number;
  readAt: ReadonlyMap<string, number>;
  executedAt: number;
  isLate: boolean;
  job?: number;
  numbered: boolean;
  seemsRefused: boolean;
  unended: boolean;
}

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

// Milliseconds (lifecycle/ending): until a host notices that its engine is gone, unless it writes; for calls on their
// way; for an answer to reach the engine.
const [lookEvery, lastCalls, answerTime] = [1_000, 4_000, 500];
const never = new Promise<never>(() => undefined);

export class Process {
  readonly name: string;
  readonly stack: string;
  readonly settings: Settings;
  readonly providers: Readonly<Record<Resource["type"], Lifecycle>>;
  readonly death: Promise<never>;
  private die: (error: Error) => void = () => undefined;
  private alive = true;
  private orphanedAt = Infinity;
  isStopping = false;
  private ending = false;
  wasKilled = false;
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
    const reconciler = new Reconciler({ client, settings, clock, reporter });
    return { settings, client, reconciler, shares: new Shares(client, settings), reporter };
  }

  get isOrphan(): boolean {
    return this.orphanedAt < Infinity;
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
    this.wasKilled = true;
    this.die(new Error("error reading from server: EOF"));
  }

  /** Nothing is saved any more. The orphaned host writes no more, and soon calls no more. */
  private killEngine(): void {
    this.orphanedAt = this.parts.timeline.now();
    this.wasKilled = true;
    this.die(new EngineDied("the engine was killed"));
  }

  private killBoth(): void {
    this.alive = false;
    this.killEngine();
  }

  end(): void {
    if (this.alive && this.working === 0 && !this.ending) this.host.reconciler.close();
    this.alive = this.alive && this.working > 0;
  }

  private clock(): Clock {
    const { timeline, broken, ahead } = this.parts;
    const wall = () => timeline.now() + ahead();
    const began = ahead();
    return {
      now: broken.byWall === true ? wall : () => timeline.now() + began,
      wall,
      resumed: () => 0,
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
      if (this.alive && broken.hides?.test(text) !== true) witness.said(this, level, text);
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
    const call: Call = {
      ...{ process: this, operation, params },
      ...{ sentAt: timeline.now(), readAt: new Map(), executedAt: 0, isLate: false },
      ...{ numbered: false, seemsRefused: false, unended: true },
    };
    witness.sent(call);
    const pending = box.begin(operation, params);
    const { verdict } = pending;
    const [there, back] = [dice.between(2, 40), dice.between(2, 40)];
    return new Promise((resolve, reject) => {
      let settled = false;
      const settle = (end: () => void): void => {
        if (settled) return;
        settled = true;
        timeout.cancelled = true;
        if (this.alive) end();
      };
      const answered = (text: string, end: () => void) =>
        settle(() => {
          witness.answered(call, text);
          end();
        });
      const failed = (code: string, outcome: "not-sent" | "uncertain") =>
        answered(code, () =>
          reject(explainFailure(request, Object.assign(new Error(code), { code }), outcome)),
        );
      const timeout = timeline.in(timeoutMs, () =>
        answered("no answer in time", () => reject(timedOut(request, timeoutMs, "uncertain"))),
      );
      if (verdict.before?.kind === "refused") {
        timeline.in(there, () => {
          pending.run();
          witness.executed(call, true, undefined);
          failed("ECONNREFUSED", "not-sent");
        });
        return;
      }
      timeline.in(there + verdict.delayBefore, () => {
        const outcome = this.execute(call, pending);
        if (operation === broken.repeats) this.execute(call, box.begin(operation, params));
        timeline.in(back + verdict.delayAfter, () => {
          if (outcome.kind !== "answer") return failed("ECONNRESET", "uncertain");
          const { status, headers } = outcome;
          const body =
            (operation === "Record.List" ? broken.listing?.(outcome.body) : undefined) ?? outcome.body;
          answered(`${status} ${outcome.body}`, () => resolve({ status, headers, body }));
        });
        if (operation === "Record.List") for (let i = broken.chatter ?? 0; i > 0; i -= 1) witness.sent(call);
      });
    });
  }

  private execute(call: Call, pending: Pending): ReturnType<Pending["run"]> {
    const { box, witness, broken } = this.parts;
    const { jobs } = box.service.world;
    const before = jobs.size;
    witness.executing(call);
    const outcome = pending.run();
    const job = jobs.size > before ? [...jobs.keys()].at(-1) : undefined;
    witness.executed(call, pending.verdict.before !== null, job);
    if (call.operation === "Batch.Record.Create") broken.harm?.(box);
    return outcome;
  }
}

function stopped(operation: string) {
  return new TransportError({
    operation,
    outcome: "not-sent",
    passing: false,
    meaning: "not sent, because the deployment was stopped",
    hint: "",
  });
}
