/** Passes the events of the world to the laws, and collects the violations. */
import { gather } from "../../provider/support/collections";
import { answered, type Question } from "./edits";
import type { Call, Watched } from "./facts";
import { couldKnow, isSource, type Fact, type Gap, type Moment } from "./knowledge";
import { laws, type LawName } from "./laws";
import type { Events } from "./laws/law";
import { editing, type Process } from "./process";
import { briefly, isWhole, loginCodes, undocumentedCode } from "./wire";
import { World } from "./world";

export interface Violation {
  readonly law: LawName;
  readonly text: string;
}

export class Observer extends World {
  readonly violations: Violation[] = [];
  readonly gapsSeen = new Set<Gap>();
  private readonly judged = new Set<string>();
  private open: readonly Question[] = [];

  constructor(watched: Watched) {
    super(watched);
    this.compare();
  }

  /** Asks all laws about an event. */
  tell<E extends keyof Events>(event: E, what: Events[E]): void {
    for (const law of laws) {
      const check = law[event] as ((world: Observer, what: Events[E]) => Iterable<string>) | undefined;
      for (const text of check?.(this, what) ?? []) {
        this.log("!!", () => `${law.name}: ${text}`);
        if (this.violations.length < 20) this.violations.push({ law: law.name, text });
      }
    }
  }

  /** Counts the gap if not. */
  knows(process: Process, fact: Fact, when: Moment): boolean {
    const answer = couldKnow(this, process, fact, when);
    return isSource(answer) || !this.excused(answer);
  }

  once(key: string): boolean {
    return !this.judged.has(key) && this.judged.add(key).size > 0;
  }

  excused(gap: Gap): true {
    this.gapsSeen.add(gap);
    this.log("!!", () => `not known: ${gap}`);
    return true;
  }

  sent(call: Call): void {
    const { process, operation, params } = call;
    this.log(process.name, () => `> ${operation} ${briefly(params)}`);
    const { calls, last } = this.run(process);
    call.seen = new Map(last);
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    if (operation === "Batch.Record.Create" || editing.has(operation)) this.writes.push(call);
    if (operation === "Batch.Record.Create") call.creates = this.zones.identitiesOf(call);
    this.tell("sent", call);
  }

  executing(call: Call): void {
    if (!this.watched.full) return;
    this.compare();
    this.open = answered(this.watched.service, this.run(call.process).questions);
  }

  executed(call: Call, fault: boolean, job: number | undefined): void {
    const { operation, params, process } = call;
    if (fault) this.log("service", () => `  ${operation} of ${process.name} kept away by a fault`);
    call.executedAt = this.now;
    if (job !== undefined) {
      this.log("service", () => `  job ${job} for ${process.name}`);
      this.jobs.set(job, call);
      call.job = job;
      this.tell("queued", call);
    }
    if (operation === "Record.List") call.listing = this.zones.listing(params["domain"] ?? "");
    const asked = this.jobs.get(Number(params["job_id"]));
    if (asked !== undefined && this.zones.hasEnded(asked)) call.showsEndOf = asked;
    if (operation === "Record.Info") this.noteInfo(call);
    if (this.watched.full || operation === "Record.List") this.compare(call);
    if (this.watched.full) this.tell("executed", { call, open: this.open });
  }

  answered(call: Call, answer: string): void {
    const { process, operation, sentAt } = call;
    this.log(process.name, () => `< ${operation} ${answer.slice(0, 160)}`);
    if (!isWhole(answer)) return;
    const run = this.run(process);
    const [, status] = /^200 \{"status":\{"code":"(\d+)"/.exec(answer) ?? [];
    if (status === "1" || (status === "10" && operation === "Record.List")) {
      call.wasAnswered = true;
      if (call.job !== undefined && answer.includes('"job_id":')) call.wasNumbered = true;
      if (call.showsEndOf !== undefined) gather(call.showsEndOf.endSeen, process, this.now);
      if (call.listing !== undefined) this.noteListing(process, call.listing);
      if (operation === "Record.Info") run.askedFor.set(Number(call.params["record_id"]), call.executedAt);
    }
    const code = undocumentedCode.exec(answer)?.[1];
    if (code !== undefined) {
      // A search proved that the first call did nothing. From then on the code is a refusal to the sender.
      const { indexDelay, jobTimeout } = process.settings;
      const first = gather(run.codes, `${operation} ${code}`, sentAt);
      call.wasMisread = call.job !== undefined && this.now - first >= (indexDelay + jobTimeout) * 1000;
    }
    if (!loginCodes.test(answer.slice(0, 200))) return;
    if (!run.loginFailed) this.machines.loginFailures.set(process.settings.stateDir, this.now);
    run.loginFailed = true;
  }

  said(process: Process, level: string, text: string): void {
    this.log(process.name, () => `${level}: ${text}`);
    const message = { process, at: this.now, level, text };
    if (level !== "progress") this.messages.push(message);
    this.tell("said", message);
  }
}
