/**
 * A provider process in the simulation: the real lifecycle, reconciler and client, with a transport over the
 * emulator's box and a simulated clock. It can be killed at any moment. Its waits then never end, and a
 * request that has left still takes effect.
 */
import type { Box, Pending } from "../../emulator";
import {
  createClient,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from "../../provider/api";
import { explainFailure, timedOut } from "../../provider/api/failures";
import type { Clock } from "../../provider/support/clock";
import type { Host, Operate } from "../../provider/lifecycle/host";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { Shares } from "../../provider/reconcile/shares";
import type { Reporter } from "../../provider/support/reporter";
import type { Settings } from "../../provider/settings";
import { breakClient, breakHost, breakLifecycle, type Break } from "./breaks";
import type { Dice } from "./dice";
import { editing } from "./edits";
import { EngineDied, type ProviderProcess } from "./engine";
import type { Timeline } from "./time";

/** One request as a witness sees it. */
export interface Sent {
  readonly process: Process;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Observers. They change nothing. */
export interface Witness {
  /** A request leaves the process. */
  sent(call: Sent): void;
  /** The request has reached the service, which is about to carry it out. */
  executing(call: Sent): void;
  /** The service has carried it out, or a fault has kept it from the service. `job` is the job that it queued. */
  executed(call: Sent, fault: boolean, job: number | undefined): void;
  /** The answers of calls. */
  answered(call: Sent, answer: string): void;
  /** The texts for users. */
  said(process: Process, level: string, text: string): void;
}

/** The parts of a process. */
export interface ProcessParts {
  readonly name: string;
  /** Whose deployment it is. */
  readonly stack: string;
  readonly timeline: Timeline;
  readonly box: Box;
  readonly settings: Settings;
  readonly dice: Dice;
  readonly witness: Witness;
  readonly broken: Break | undefined;
  /** By how many milliseconds the machine's clock is ahead of the simulated time at this moment. */
  readonly ahead: () => number;
}

/** Milliseconds after which a host notices that its engine is gone; before a write it always looks (lifecycle/ending). */
const lookEvery = 1_000;
/** Milliseconds that calls on their way are given, and for an answer to reach the engine (lifecycle/ending). */
const [lastCalls, answerTime] = [4_000, 500];
const never = new Promise<never>(() => undefined);

export class Process implements ProviderProcess {
  readonly name: string;
  readonly stack: string;
  readonly settings: Settings;
  readonly providers: ProviderProcess["providers"];
  readonly death: Promise<never>;
  private die: (error: Error) => void = () => undefined;
  private alive = true;
  private engine = true;
  private orphanedAt = Infinity;
  private stop = false;
  /** It received SIGTERM: no call begins any more. */
  private ending = false;
  private killed = false;
  private working = 0;
  private readonly host: Host;

  constructor(private readonly parts: ProcessParts) {
    this.name = parts.name;
    this.stack = parts.stack;
    this.settings = parts.settings;
    this.death = new Promise((_, reject) => (this.die = reject));
    // Each call races against it. It is never an unhandled rejection.
    this.death.catch(() => undefined);
    const { settings, dice } = parts;
    const reporter = this.reporter();
    const clock = this.clock();
    const client = breakClient(
      parts.broken,
      createClient({ settings, transport: this.transport(), clock, reporter, random: () => dice.next() }),
    );
    const reconciler = new Reconciler({ client, settings, clock, reporter });
    this.host = {
      settings,
      client,
      reconciler,
      shares: new Shares(client, settings),
      reporter,
    };
    if (parts.broken === "remove before making") removeBeforeMaking(reconciler);
    const renew = (): Host => {
      const again = createClient({
        settings,
        transport: this.transport(),
        clock,
        reporter,
        random: () => dice.next(),
      });
      return {
        ...this.host,
        client: again,
        reconciler: new Reconciler({ client: again, settings, clock, reporter }),
      };
    };
    const hostNow = breakHost(parts.broken, this.host, renew);
    const operate: Operate = async (work) => {
      this.working += 1;
      try {
        return await work(hostNow());
      } finally {
        this.working -= 1;
        this.exitIfIdle();
      }
    };
    this.providers = {
      Record: breakLifecycle(parts.broken, recordsProvider(recordForm, operate)),
      RecordBatch: breakLifecycle(parts.broken, recordsProvider(recordBatchForm, operate)),
    };
  }

  engineAlive(): boolean {
    return this.engine;
  }

  isAlive(): boolean {
    return this.alive;
  }

  /** Whether it ended before its time. */
  wasKilled(): boolean {
    return this.killed;
  }

  stopping(): boolean {
    return this.stop;
  }

  /** Ctrl-C once: what runs ends and is saved, nothing else begins. */
  interrupt(): void {
    this.stop = true;
  }

  /**
   * The provider process receives SIGTERM: no call begins, and calls in flight have four seconds
   * (lifecycle/ending).
   */
  terminate(): void {
    if (this.ending) return;
    this.ending = true;
    this.parts.timeline.in(lastCalls, () => this.exit());
    this.exitIfIdle();
  }

  private exitIfIdle(): void {
    if (this.ending && this.working === 0) this.parts.timeline.in(answerTime, () => this.exit());
  }

  /** The result of its current work is lost. */
  private exit(): void {
    if (!this.alive) return;
    if (this.working > 0) return this.killHost();
    this.alive = false;
    this.die(new Error("error reading from server: EOF"));
  }

  /** The host dies: the engine sees its calls fail. */
  killHost(): void {
    this.alive = false;
    this.killed = true;
    this.die(new Error("error reading from server: EOF"));
  }

  /** The engine dies: nothing is saved any more. The orphaned host writes no more, and soon calls no more. */
  killEngine(): void {
    this.engine = false;
    this.orphanedAt = this.parts.timeline.now();
    this.killed = true;
    this.die(new EngineDied("the engine was killed"));
  }

  /** The machine dies. */
  killBoth(): void {
    this.alive = false;
    this.killEngine();
  }

  /** The engine has ended and ends the host. */
  end(): void {
    if (this.alive && this.working === 0 && !this.ending) this.host.reconciler.close();
    this.alive = this.alive && this.working > 0;
  }

  private clock(): Clock {
    const { timeline, broken, ahead } = this.parts;
    const wall = (): number => timeline.now() + ahead();
    const began = ahead();
    return {
      now: broken === "wait by the machine's clock" ? wall : () => timeline.now() + began,
      wall,
      resumed: () => 0,
      sleep: (ms, signal) => {
        if (!this.alive) return never;
        if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
        return new Promise((resolve, reject) => {
          const onAbort = (): void => {
            due.cancelled = true;
            if (this.alive) reject(signal?.reason as Error);
          };
          const due = timeline.in(broken === "sleep too long" ? ms * 100_000 : ms, () => {
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
    const say =
      (level: string) =>
      (text: string): void => {
        const hidden =
          broken === "hide duplicates"
            ? /\[live\.twice\]/
            : broken === "let go in silence"
              ? /\[live\.(?:retained|adopted)\]/
              : undefined;
        if (this.alive && hidden?.test(text) !== true) witness.said(this, level, text);
      };
    return { info: say("info"), warn: say("warn"), progress: say("progress"), error: say("error") };
  }

  private transport(): Transport {
    const send: Transport["send"] = (request) => {
      if (!this.alive) return never;
      const { operation } = request;
      if (this.ending) return Promise.reject(stopped(operation));
      if (
        !this.engine &&
        (operation === "Batch.Record.Create" ||
          editing.has(operation) ||
          this.parts.timeline.now() - this.orphanedAt >= lookEvery)
      ) {
        return Promise.reject(stopped(operation));
      }
      return this.exchange(request);
    };
    return { send, close: () => Promise.resolve() };
  }

  private exchange(request: TransportRequest): Promise<TransportResponse> {
    const { box, dice, timeline, witness, broken } = this.parts;
    const { operation, timeoutMs, signal } = request;
    const params = Object.fromEntries(new URLSearchParams(request.body));
    const call: Sent = { process: this, operation, params };
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
        signal?.removeEventListener("abort", onAbort);
        if (this.alive) end();
      };
      const answered = (text: string, end: () => void): void =>
        settle(() => {
          witness.answered(call, text);
          end();
        });
      const onAbort = (): void =>
        settle(() => reject(explainFailure(operation, signal?.reason, "uncertain", "aborted")));
      const timeout = timeline.in(timeoutMs, () =>
        answered("no answer in time", () => reject(timedOut(operation, timeoutMs, "uncertain"))),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
      if (verdict.before?.kind === "refused") {
        timeline.in(there, () => {
          pending.run();
          witness.executed(call, true, undefined);
          answered("connection refused", () =>
            reject(explainFailure(operation, systemError("ECONNREFUSED"), "not-sent")),
          );
        });
        return;
      }
      timeline.in(there + verdict.delayBefore, () => {
        const outcome = this.execute(call, pending);
        const again =
          broken === "resend a write"
            ? "Batch.Record.Create"
            : broken === "change nothing"
              ? "Record.Modify"
              : undefined;
        if (operation === again) this.execute(call, box.begin(operation, params));
        timeline.in(back + verdict.delayAfter, () => {
          if (outcome.kind !== "answer")
            answered("connection cut", () =>
              reject(explainFailure(operation, systemError("ECONNRESET"), "uncertain")),
            );
          else
            answered(`${outcome.status} ${outcome.body}`, () =>
              resolve({
                status: outcome.status,
                headers: outcome.headers,
                body: operation === "Record.List" ? misread(broken, outcome.body) : outcome.body,
              }),
            );
        });
        if (broken === "chatter" && operation === "Record.List")
          for (let i = 0; i < 40; i += 1) witness.sent(call);
      });
    });
  }

  private execute(call: Sent, pending: Pending): ReturnType<Pending["run"]> {
    const { box, witness, broken } = this.parts;
    const { jobs } = box.service.world;
    const before = jobs.size;
    witness.executing(call);
    const outcome = pending.run();
    const job = jobs.size > before ? [...jobs.keys()].at(-1) : undefined;
    witness.executed(call, pending.verdict.before !== null, job);
    if (
      call.operation === "Batch.Record.Create" &&
      (broken === "touch a record" || broken === "remove a record")
    ) {
      for (const domain of box.service.world.domains.values()) {
        const found = [...domain.records.values()].find((record) => !record.hold);
        if (found !== undefined && broken === "touch a record") found.ttl += 1;
        else if (found !== undefined) domain.records.delete(found.id);
      }
    }
    return outcome;
  }
}

/** Nothing becomes another record: it goes, and then the other is made. */
function removeBeforeMaking({ writer }: Reconciler): void {
  writer.change = async (changes, zones, isTaken) => {
    await writer.remove(
      changes.map(({ live }) => live),
      zones,
      isTaken,
    );
    return writer.creator.create(changes.map(({ record }) => record));
  };
}

function stopped(operation: string): TransportError {
  return new TransportError({
    operation,
    outcome: "not-sent",
    passing: false,
    meaning: "not sent, because the deployment was stopped",
    hint: "",
  });
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A listing that contains system records only. */
function misread(broken: Break | undefined, body: string): string {
  if (broken === "overlook a record") return withoutRecords(body);
  if (broken === "want what later answers have" && !body.includes("records_num")) return "{}";
  return body;
}

/** A listing as somebody reads it who sees nothing but the service's own records. */
function withoutRecords(body: string): string {
  if (!body.includes('"records":[')) return body;
  const listing = JSON.parse(body) as { info: object; records: { hold?: string }[] };
  const records = listing.records.filter(({ hold }) => hold === "hold");
  const total = String(records.length);
  return JSON.stringify({
    ...listing,
    info: { ...listing.info, sub_domains: total, record_total: total, records_num: total },
    records,
  });
}
