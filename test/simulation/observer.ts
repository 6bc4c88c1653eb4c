/**
 * The observer sees every call, message and console edit, and knows the creator of each record. It reports
 * violations of docs/invariants.md and changes nothing.
 */
import type { Admin, RecordView, Service } from "../../emulator";
import { LOGIN_STOP_MS } from "../../provider/api/login-stop";
import { answered, editing, idsIn, questionsOf, type Question } from "./edits";
import type { Result, Stack } from "./engine";
import type { Process, Sent, Witness } from "./process";
import { declaredIn, identity, secretMark, type Program } from "./program";
import type { Timeline } from "./time";
import type { Edits } from "./user";

/** The numbers of docs/invariants.md. */
export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

/** A live record as it must stand, and its origin. */
interface Standing {
  readonly domain: string;
  view: RecordView;
  /** Its text. */
  identity: string;
  madeBy: { readonly stack: string; readonly process: Process; readonly job: Job } | undefined;
  /** Its text before the last console edit. */
  before?: string;
  /** The console has made something else of it at some time. */
  reshaped: boolean;
  /** When it was first seen, in milliseconds since the epoch. */
  readonly made: number;
  /** Time of its last change, in milliseconds since the epoch. */
  since: number;
  /** The process that changed it last, unless the console did. */
  changedBy?: { readonly process: Process; readonly disk: number; readonly late: boolean } | undefined;
  /** Updates that changed nothing, as far as they were looked at. */
  idle: number;
}

/** A job as it was sent. */
interface Job {
  readonly process: Process;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Which of the machine's disks held its journal. */
  readonly disk: number;
  /** When the sender had last begun to read each zone. */
  readonly readAt: ReadonlyMap<string, number>;
  /** Its number reached the sender. */
  numbered: boolean;
  /** The sender did not live to see its end. */
  unended: boolean;
}

/** Counters of one process. */
interface Tally {
  readonly program: Program;
  /** Which of the machine's disks it found. */
  readonly disk: number;
  /** The resources of its stack's state. */
  readonly known: ReadonlySet<string>;
  /** When the service listed each zone for it, the last time that the answer came. */
  readonly readAt: Map<string, number>;
  readonly begun: number;
  readonly calls: Map<string, number>;
  readonly jobs: Set<number>;
  /** The jobs that a record was sent in. */
  readonly queued: Map<string, readonly number[]>;
  /** The records that its stack's ledgers named when it began. */
  readonly ledgers: ReadonlySet<number>;
  /** The domains with `undeclared: remove`. */
  readonly cleans: ReadonlySet<string>;
  /** Nothing is declared any more: all may go. */
  readonly destroys: boolean;
  /** The names whose addresses are declared before and after. */
  readonly questions: readonly Question[];
  loginFailed: boolean;
}

const documented = new Set([
  "Domain.Info",
  "Domain.List",
  "Domain.Purview",
  "Domainshare.Modify",
  "Record.List",
  "Record.Info",
  "Batch.Record.Create",
  "Batch.Detail",
  "Monitor.Gethistory",
  "Custom.Line.List",
]);
const loginCodes = /"code":"(-1|-8|10001|10002|5[0-4]|83|85)"/;

/** The limit of one operation in simulated seconds. */
export const longestOperation = 3600;

export class Observer implements Witness, Edits {
  readonly violations: Violation[] = [];
  readonly trace: string[] = [];
  readonly messages: {
    readonly process: Process;
    readonly stack: string;
    readonly at: number;
    readonly level: string;
    readonly text: string;
  }[] = [];
  /** Processes that were asked to deploy some resources only. */
  readonly targeted = new Set<Process>();
  private readonly standing = new Map<number, Standing>();
  private readonly jobs = new Map<number, Job>();
  private readonly calls = new WeakMap<
    Sent,
    { readonly sentAt: number; readonly readAt: ReadonlyMap<string, number>; executedAt?: number; job?: Job }
  >();
  private readonly disks = new Map<string, number>();
  private readonly tallies = new Map<Process, Tally>();
  private readonly loginFailures = new Map<string, number>();
  /** Machines whose clock was set. Times stored there may lie in the future, and count as now. */
  private readonly set = new Set<string>();
  /** When each machine's clock was set forward. */
  private readonly forward = new Map<string, readonly number[]>();
  /** Everything that a stack has ever declared. */
  private readonly everDeclared = new Map<string, Set<string>>();
  /** Every resource that was ever in a stack's state. */
  private readonly everKnown = new Map<string, Set<string>>();
  /** When the console last edited each zone. */
  private readonly editedAt = new Map<string, number>();
  /** Who had jobs change each record, the last one last: a job of an earlier one may still be on its way. */
  private readonly changers = new Map<number, Sent[]>();
  /** The write of a process that last took each identity out of its zone. */
  private readonly taken = new Map<
    string,
    { readonly process: Process; readonly domain: string; readonly at: number }
  >();
  private readonly lately = new WeakSet<Sent>();
  private answers: readonly Question[] = [];
  private readonly begun: number;

  constructor(
    private readonly admin: Admin,
    private readonly service: Service,
    private readonly timeline: Timeline,
    private readonly domains: readonly string[],
    private readonly tracing: boolean,
    /** Records may be changed and removed. */
    private readonly full: boolean = false,
    /** Programs declare late: a record that goes may be declared again by a resource that the engine checks later. */
    private readonly late: boolean = false,
  ) {
    this.begun = timeline.now();
    for (const domain of domains) {
      for (const view of admin.zone(domain, { hold: true })) this.stand(domain, view, undefined);
    }
  }

  log(who: string, text: () => string): void {
    if (!this.tracing) return;
    const seconds = ((this.timeline.now() - this.begun) / 1000).toFixed(3).padStart(10);
    this.trace.push(`${seconds}  ${who.padEnd(8)} ${text()}`);
  }

  violated(invariant: Invariant, text: string): void {
    this.log("!!", () => `invariant ${invariant}: ${text}`);
    if (this.violations.length < 20) this.violations.push({ invariant, text });
  }

  /** Sets a machine's clock. If it goes forward, stored times look older than they are. */
  clockSet(stateDir: string, by: number): void {
    this.log(
      "machine",
      () => `the clock is set ${Math.abs(by) / 3_600_000} h ${by < 0 ? "back" : "forward"}`,
    );
    this.set.add(stateDir);
    if (by > 0) this.forward.set(stateDir, [...(this.forward.get(stateDir) ?? []), this.timeline.now()]);
  }

  /** Replaces the machine. The content of its old disk is unknown. */
  diskLost(stateDir: string): void {
    this.loginFailures.delete(stateDir);
    this.disks.set(stateDir, this.diskOf(stateDir) + 1);
  }

  /** Whether the clock was set forward, so that a process cannot know the age of another one's entries. */
  private hasLeapt(process: Process, since: number, until = Infinity): boolean {
    return (this.forward.get(process.settings.stateDir) ?? []).some((at) => at >= since && at <= until);
  }

  private diskOf(stateDir: string): number {
    return this.disks.get(stateDir) ?? 0;
  }

  // What processes do

  begin(process: Process, program: Program, stack: Stack, kind = "up"): void {
    const { resources } = stack;
    const ever = this.everDeclared.get(process.stack) ?? new Set();
    this.everDeclared.set(process.stack, ever);
    for (const each of program.flatMap(declaredIn)) ever.add(each.identity);
    const known = new Set(resources.map(({ type, name }) => `${type} ${name}`));
    const everKnown = this.everKnown.get(process.stack) ?? new Set();
    this.everKnown.set(process.stack, everKnown);
    for (const each of known) everKnown.add(each);
    this.tallies.set(process, {
      program,
      known,
      disk: this.diskOf(process.settings.stateDir),
      readAt: new Map(),
      begun: this.timeline.now(),
      calls: new Map(),
      jobs: new Set(),
      queued: new Map(),
      loginFailed: false,
      ledgers: this.full ? idsIn(stack) : new Set(),
      cleans: new Set(
        kind === "up --refresh"
          ? program.flatMap(({ undeclared, domains }) => (undeclared === "remove" ? domains : []))
          : [],
      ),
      destroys: kind === "destroy",
      questions:
        this.full && !this.late && kind.startsWith("up")
          ? questionsOf(program, stack, process, this.service)
          : [],
    });
  }

  sent(call: Sent): void {
    const { process, operation } = call;
    this.log(process.name, () => `> ${operation} ${briefly(call.params)}`);
    const tally = this.tallies.get(process);
    const writes = operation !== "Record.List" && operation !== "Batch.Detail";
    this.calls.set(call, {
      sentAt: this.timeline.now(),
      readAt: writes ? new Map(tally?.readAt) : new Map(),
    });
    if (tally === undefined) return;
    tally.calls.set(operation, (tally.calls.get(operation) ?? 0) + 1);
    if (tally.loginFailed) this.violated(7, `${process.name} calls ${operation} after its login failed`);
    const failed = this.loginFailures.get(process.settings.stateDir);
    if (
      !tally.loginFailed &&
      failed !== undefined &&
      failed < tally.begun &&
      !this.hasLeapt(process, failed) &&
      this.timeline.now() - failed < LOGIN_STOP_MS
    ) {
      this.violated(
        7,
        `${process.name} calls ${operation} ${Math.round((this.timeline.now() - failed) / 1000)} s after a login failed on its machine`,
      );
    }
    if (!documented.has(operation) && !(this.full && editing.has(operation)))
      this.violated(4, `${operation} is not part of the documented interface`);
    if (operation !== "Batch.Record.Create") return;
    const declared = new Set(tally.program.flatMap(declaredIn).map((each) => each.identity));
    for (const id of this.identitiesOf(call)) {
      if (!declared.has(id))
        this.violated(3, `${process.name} sends ${id}, which its program does not declare`);
      const listed = [...this.standing].find(
        ([number, each]) =>
          each.identity === id && this.wasListed(number, each.domain, tally.readAt.get(each.domain)),
      );
      if (listed !== undefined)
        this.violated(1, `${process.name} sends ${id}, which its listing showed (record ${listed[0]})`);
    }
  }

  executing(call: Sent): void {
    if (!this.full) return;
    this.compare();
    this.answers = answered(this.service, this.tallies.get(call.process)?.questions ?? []);
  }

  /** Compares a call with its permissions in full mode, and checks that no name has lost its answer. */
  private afterCall(call: Sent): void {
    const { process, operation, params } = call;
    const sentAt = this.calls.get(call)?.sentAt ?? 0;
    if (this.timeline.now() - sentAt >= process.settings.requestTimeout * 1000) this.lately.add(call);
    if (operation === "Batch.Record.Modify")
      for (const id of (params["record_id"] ?? "").split(","))
        this.changers.set(Number(id), [...(this.changers.get(Number(id)) ?? []), call]);
    this.compare(editing.has(operation) ? call : undefined);
    const after = answered(this.service, this.answers);
    for (const question of this.answers) {
      if (after.includes(question)) continue;
      const { domain, name } = question;
      // Console edits after the listing are unknown to the process.
      const blind =
        (this.editedAt.get(domain) ?? -Infinity) + process.settings.indexDelay * 1000 >=
        (this.tallies.get(process)?.readAt.get(domain) ?? 0);
      const served =
        [...this.service.world.domains.values()].find((each) => each.name === domain)?.status === "enable";
      if (served && !blind)
        this.violated(
          12,
          `${operation} of ${process.name} takes the last answer of ${name}.${domain}, which is declared before and after`,
        );
    }
  }

  executed(call: Sent, fault: boolean, job: number | undefined): void {
    this.tell(call, fault, job);
    if (this.full) this.afterCall(call);
  }

  private tell(call: Sent, fault: boolean, job: number | undefined): void {
    if (fault) this.log("service", () => `  ${call.operation} of ${call.process.name} kept away by a fault`);
    const known = this.calls.get(call);
    if (known !== undefined) known.executedAt = this.timeline.now();
    if (job === undefined) return;
    this.log("service", () => `  job ${job} for ${call.process.name}`);
    const tally = this.tallies.get(call.process);
    if (tally === undefined) return;
    // As it was when the request left: it may have been on its way for long, and the disk another since.
    const seen: Job = {
      process: call.process,
      sentAt: known?.sentAt ?? 0,
      disk: tally.disk,
      readAt: known?.readAt ?? new Map(),
      numbered: false,
      unended: true,
    };
    this.jobs.set(job, seen);
    if (known !== undefined) known.job = seen;
    tally.jobs.add(job);
    for (const id of this.identitiesOf(call)) {
      // A refused record may be sent once more after its precondition is met.
      const before = (tally.queued.get(id) ?? []).filter(
        (earlier) => !this.isRefused(earlier, id) && !this.isGivenUp(earlier, seen.sentAt),
      );
      if (before.length > 0)
        this.violated(1, `${call.process.name} has ${id} made ${before.length + 1} times`);
      tally.queued.set(id, [...before, job]);
    }
  }

  /** Whether a job whose number was lost was waited for until it must have ended. */
  private isGivenUp(job: number, sentAt: number): boolean {
    const earlier = this.jobs.get(job);
    if (earlier === undefined || earlier.numbered) return false;
    const { indexDelay, jobTimeout } = earlier.process.settings;
    return sentAt - earlier.sentAt >= (indexDelay + jobTimeout) * 1000;
  }

  private isRefused(job: number, what: string): boolean {
    const items = this.service.world.jobs.get(job)?.items ?? [];
    const made = items.flatMap(({ domain, records }) => records.map((record) => ({ domain, record })));
    const found = made.find(
      ({ domain, record: { name, type, value, area, mx } }) =>
        identity(domain, { name, type, value, line: area, mx: mx === null ? undefined : Number(mx) }) ===
        what,
    );
    return found?.record.status === "error";
  }

  answered(call: Sent, answer: string): void {
    this.log(call.process.name, () => `< ${call.operation} ${answer.slice(0, 160)}`);
    const known = this.calls.get(call);
    const tally = this.tallies.get(call.process);
    if (
      known !== undefined &&
      (known.job !== undefined || call.operation === "Record.List") &&
      succeeded(answer)
    ) {
      if (known.job !== undefined && /"job_id":/.test(answer)) known.job.numbered = true;
      if (call.operation === "Record.List")
        tally?.readAt.set(call.params["domain"] ?? "", known.executedAt ?? 0);
    }
    if (!loginCodes.test(answer.slice(0, 200))) return;
    if (tally !== undefined) tally.loginFailed = true;
    this.loginFailures.set(call.process.settings.stateDir, this.timeline.now());
  }

  said(process: Process, level: string, text: string): void {
    this.log(process.name, () => `${level}: ${text}`);
    if (level !== "progress")
      this.messages.push({
        process,
        stack: process.stack,
        at: this.timeline.now(),
        level,
        text,
      });
    if (text.includes(secretMark)) this.violated(10, `${level} of ${process.name}: ${text}`);
  }

  /** The end of an operation: its output, duration and number of calls. */
  ended(process: Process, result: Result, quiet: boolean, resources: number, unsettled: number): void {
    const tally = this.tallies.get(process);
    if (tally === undefined) return;
    const seconds = (this.timeline.now() - tally.begun) / 1000;
    for (const [id, job] of this.jobs)
      if (job.process === process) job.unended = this.service.world.jobs.get(id)?.done !== true;
    this.log(
      process.name,
      () =>
        `${result.ok ? "ok" : "failed"} after ${seconds.toFixed(1)} s; changed: ${result.changed.join(" ") || "nothing"}${result.errors.map(({ resource, text }) => `\n${" ".repeat(21)}error ${resource}: ${text}`).join("")}`,
    );
    for (const { resource, text } of result.errors) {
      this.messages.push({
        process,
        stack: process.stack,
        at: this.timeline.now(),
        level: "error",
        text: `${resource}: ${text}`,
      });
      if (text.includes(secretMark)) this.violated(10, `error of ${process.name}: ${text}`);
    }
    if (seconds > longestOperation) this.violated(9, `${process.name} took ${Math.round(seconds)} s`);
    if (!quiet) return;
    const calls = (operation: string): number => tally.calls.get(operation) ?? 0;
    const limit = (operation: string, most: number): void => {
      if (calls(operation) > most)
        this.violated(
          6,
          `${process.name}: ${calls(operation)} calls of ${operation} in ${Math.round(seconds)} s, where ${Math.floor(most)} suffice`,
        );
    };
    const records = tally.program.flatMap(declaredIn).length;
    const wasSet = this.set.has(process.settings.stateDir);
    // A change or removal that was answered with a code that is no refusal of one is looked for.
    const edits = this.messages.filter(
      (message) =>
        message.process === process &&
        /^\S+( and .*)?: what became of (a change|the removal) of /.test(message.text),
    ).length;
    const doubts = unsettled + this.doubtsOf(process, tally.begun) + (wasSet ? 1 : 0) + edits;
    limit("Record.List", this.domains.length * (3 + 2 * resources + 12 * doubts + seconds / 30));
    limit("Batch.Record.Create", 2 * records);
    limit("Batch.Detail", (tally.jobs.size + doubts + records) * (resources + 1) * (14 + seconds / 4));
    // After a refusal the package is asked about anew: the local copy may be why.
    const isRefused = result.errors.some(({ text }) => text.includes("[write.refused]"));
    limit("Domain.Purview", this.domains.length * (isRefused ? 2 : 1));
    const { indexDelay } = process.settings;
    if (doubts > 0 || indexDelay > 0) return;
    // Each zone is listed once, again each minute and again after a refusal. Jobs and their polls are extra.
    limit("Record.List", this.domains.length * (1 + seconds / 60 + resources));
    limit("Batch.Detail", tally.jobs.size * (12 + seconds / 5));
    limit("Record.Info", 0);
  }

  /** Jobs of other processes whose journal a process finds on its machine: killed ones', open ones, and those not long ago. */
  private doubtsOf(process: Process, begun: number): number {
    const { indexDelay, jobTimeout, stateDir } = process.settings;
    return [...this.jobs.values()].filter(
      ({ process: other, sentAt, unended }) =>
        other !== process &&
        other.settings.stateDir === stateDir &&
        (this.set.has(stateDir) ||
          other.wasKilled() ||
          unended ||
          sentAt > begun - (2 * indexDelay + jobTimeout) * 1000),
    ).length;
  }

  /** How many calls a process made, of one operation or of all. */
  callsOf(process: Process, operation?: string): number {
    const calls = this.tallies.get(process)?.calls ?? new Map<string, number>();
    return operation === undefined
      ? [...calls.values()].reduce((sum, n) => sum + n, 0)
      : (calls.get(operation) ?? 0);
  }

  // The content of the zones

  edited(domain: string, id: number, view: RecordView | undefined, what: string): void {
    const known = this.standing.get(id);
    this.editedAt.set(domain, this.timeline.now());
    this.log(
      "console",
      () =>
        `${what} ${view === undefined ? (known?.identity ?? id) : `${identity(domain, view)} ${view.ttl}`} (record ${id})`,
    );
    if (view === undefined) this.standing.delete(id);
    else if (known === undefined) this.stand(domain, view, undefined);
    else {
      const what = identity(domain, view);
      Object.assign(known, {
        view,
        before: known.identity,
        identity: what,
        reshaped: known.reshaped || what !== known.identity,
        since: this.timeline.now(),
        changedBy: undefined,
      });
    }
  }

  /** Compares the zones with the expected records: no process changes or removes a foreign record. */
  compare(call?: Sent): void {
    for (const domain of this.domains) {
      const live = new Map(this.admin.zone(domain, { hold: true }).map((view) => [view.id, view]));
      for (const [id, standing] of this.standing) {
        if (standing.domain !== domain) continue;
        const view = live.get(id);
        if (this.full && this.accounted(id, standing, view, call)) continue;
        if (view === undefined) {
          this.violated(
            4,
            `${standing.identity} (record ${id}) is gone, and nobody removed it in the console`,
          );
          this.standing.delete(id);
        } else if (!sameView(view, standing.view)) {
          this.violated(
            standing.madeBy === undefined ? 3 : 4,
            `record ${id} is ${JSON.stringify(view)}, and was ${JSON.stringify(standing.view)}`,
          );
          standing.view = view;
        }
      }
      for (const [id, view] of live) {
        if (this.standing.has(id)) continue;
        const job = this.makerOf(id);
        if (job === undefined) this.violated(3, `record ${id} of ${domain} comes from nowhere`);
        this.stand(domain, view, job);
      }
    }
  }

  /** Whether a process did this to a record; it is then judged. */
  private accounted(
    id: number,
    standing: Standing,
    view: RecordView | undefined,
    call: Sent | undefined,
  ): boolean {
    const own = call?.params["record_id"] === String(id) ? call : undefined;
    const record = [...this.service.world.domains.values()]
      .find(({ name }) => name === standing.domain)
      ?.records.get(id);
    const idle = record?.idleUpdates.length ?? 0;
    const by = own ?? this.changers.get(id)?.at(-1);
    if (idle > standing.idle && by !== undefined) this.changedNothing(id, standing, by);
    standing.idle = idle;
    if (view !== undefined && sameView(view, standing.view)) return false;
    if (by === undefined || (view === undefined && own?.operation !== "Record.Remove")) return false;
    const { process } = by;
    const tally = this.tallies.get(process);
    const { domain, identity: was } = standing;
    const mine =
      standing.madeBy?.stack === process.stack ||
      tally?.ledgers.has(id) === true ||
      this.everDeclared.get(process.stack)?.has(was) === true ||
      tally?.cleans.has(domain) === true;
    const what = view === undefined ? "nothing" : identity(domain, view);
    const meanwhile =
      standing.changedBy === undefined && standing.reshaped && this.isHidden(process, standing);
    if (!mine && !meanwhile)
      this.violated(
        3,
        `${by.operation} of ${process.name} makes ${what} of record ${id} (${was}), which its stack never declared`,
      );
    const seen =
      standing.changedBy?.process === process ||
      standing.since + process.settings.indexDelay * 1000 < (tally?.readAt.get(domain) ?? 0);
    const stays =
      tally?.destroys !== true &&
      tally?.program.flatMap(declaredIn).some((each) => each.identity === was) === true;
    const twin = [...this.standing].some(
      ([other, each]) =>
        other !== id &&
        (each.identity === was ||
          (each.before === was && each.changedBy === undefined && this.isHidden(process, each))),
    );
    if (what !== was && stays && seen && !twin && !this.late)
      this.violated(
        4,
        `${by.operation} of ${process.name} makes ${what} of record ${id}, though ${was} is still declared`,
      );
    this.log(
      "service",
      () =>
        `  ${was} ${standing.view.ttl} becomes ${what} ${view?.ttl ?? ""} (record ${id}) for ${process.name}`,
    );
    if (what !== was) this.taken.set(was, { process, domain, at: this.timeline.now() });
    if (view === undefined) {
      this.standing.delete(id);
      return true;
    }
    const disk = tally?.disk ?? 0;
    const job: Job = {
      process,
      sentAt: this.calls.get(by)?.sentAt ?? 0,
      disk,
      readAt: this.calls.get(by)?.readAt ?? new Map(),
      numbered: true,
      unended: false,
    };
    // Only a record that becomes another one counts as the changer's.
    const madeBy = what === was ? standing.madeBy : { stack: process.stack, process, job };
    Object.assign(standing, {
      view,
      identity: what,
      since: this.timeline.now(),
      madeBy,
      reshaped: what === was && standing.reshaped,
      changedBy: { process, disk, late: this.lately.has(by) },
    });
    return true;
  }

  /** Whether no listing that a process has read must show the record's last change. */
  private isHidden(process: Process, { domain, since }: Pick<Standing, "domain" | "since">): boolean {
    return since + process.settings.indexDelay * 1000 >= (this.tallies.get(process)?.readAt.get(domain) ?? 0);
  }

  /** Invariant 11, except for unknowable facts: console edits, a late request, a lost journal. */
  private changedNothing(id: number, { domain, identity: what, since, changedBy }: Standing, by: Sent): void {
    const { process, operation } = by;
    const tally = this.tallies.get(process);
    const { stateDir } = process.settings;
    const hidden = this.isHidden(process, { domain, since }) && changedBy?.process !== process;
    const console = changedBy === undefined;
    const lost =
      changedBy !== undefined &&
      (changedBy.process.settings.stateDir !== stateDir ||
        changedBy.disk !== tally?.disk ||
        this.hasLeapt(process, since));
    const late = [by, ...(this.changers.get(id) ?? [])].some((each) => this.lately.has(each));
    if (late || changedBy?.late === true || (hidden && (console || lost))) return;
    this.violated(11, `${operation} of ${process.name} changes nothing of record ${id} (${what})`);
  }

  /** Everything declared is live exactly once. */
  declaredOnce(program: Program): void {
    const live = this.live();
    for (const { identity: what } of program.flatMap(declaredIn)) {
      const ids = live.filter((each) => each.identity === what).map(({ id }) => id);
      if (ids.length > 1)
        this.violated(1, `${what} is live ${ids.length} times at rest (records ${ids.join(", ")})`);
    }
  }

  /** The records that stand in a zone, as text. */
  live(): {
    readonly id: number;
    readonly identity: string;
    readonly enabled: boolean;
    readonly ttl: number;
    readonly stack: string | undefined;
    readonly asMade: boolean;
  }[] {
    return [...this.standing].flatMap(([id, { view, identity: what, madeBy, reshaped }]) =>
      view.hold
        ? []
        : [
            {
              id,
              identity: what,
              enabled: view.enabled,
              ttl: view.ttl,
              stack: madeBy?.stack,
              asMade: !reshaped,
            },
          ],
    );
  }

  /**
   * Invariant 1. Duplicates that their maker could not know of are left out until all is calm: then the messages have
   * named those of `declared` records.
   */
  duplicates(declared?: Program): void {
    const all = new Set(declared?.flatMap(declaredIn).map((each) => each.identity));
    const made = new Map<string, { id: number; domain: string; job: Job }[]>();
    for (const [id, { domain, identity: what, madeBy, reshaped }] of this.standing) {
      if (madeBy === undefined || reshaped) continue;
      const key = `${what}, made by stack ${madeBy.stack},`;
      made.set(key, [...(made.get(key) ?? []), { id, domain, job: madeBy.job }]);
    }
    for (const [what, twins] of made) {
      if (twins.length < 2 || (declared !== undefined && !all.has(what.slice(0, what.lastIndexOf(", made")))))
        continue;
      const unknown = (one: (typeof twins)[number], later: (typeof twins)[number]): boolean =>
        this.unknowable(what, one, later);
      const sorted = twins.sort((a, b) => a.job.sentAt - b.job.sentAt);
      if (
        declared === undefined &&
        sorted.every((later, i) => sorted.slice(0, i).every((one) => unknown(one, later)))
      )
        continue;
      this.violated(
        1,
        `${what} is live ${twins.length} times (records ${twins.map(({ id }) => id).join(", ")})`,
      );
    }
  }

  /**
   * Whether the sender of the later job could not know the earlier one's record (docs/invariants.md): the
   * zone did not list it, and neither the journal nor the state contained its job.
   */
  private unknowable(
    what: string,
    one: { id: number; domain: string; job: Job },
    later: { job: Job },
  ): boolean {
    const readAt = later.job.readAt.get(one.domain) ?? 0;
    if (this.wasListed(one.id, one.domain, readAt)) return false;
    const { process, sentAt, numbered, disk } = one.job;
    const { indexDelay, jobTimeout } = process.settings;
    if (!numbered && later.job.sentAt - sentAt >= (indexDelay + jobTimeout) * 1000) return true;
    if (later.job.process !== process && this.hasLeapt(later.job.process, sentAt)) return true;
    const tally = this.tallies.get(later.job.process);
    const journal = process.settings.stateDir === later.job.process.settings.stateDir && disk === tally?.disk;
    if (journal) return false;
    const owner = (of: Process): string =>
      this.tallies
        .get(of)
        ?.program.filter((each) => declaredIn(each).some(({ identity: id }) => what.startsWith(`${id}, `)))
        .map(({ name, type }) => `${type} ${name}`)[0] ?? "";
    const now = owner(later.job.process);
    const hasLeft =
      tally?.known.has(now) !== true && this.everKnown.get(later.job.process.stack)?.has(now) === true;
    return process.wasKilled() || owner(process) !== now || hasLeft;
  }

  /** Whether a listing at that time held the record, in its present form. */
  private wasListed(id: number, domain: string, readAt: number | undefined): boolean {
    const zone = [...this.service.world.domains.values()].find(({ name }) => name === domain);
    const record = zone?.records.get(id);
    const since = this.standing.get(id)?.since ?? Infinity;
    return record !== undefined && readAt !== undefined && record.visibleAt <= readAt && since <= readAt;
  }

  /** Invariant 1 after an `up --refresh` that ended well: duplicates that were listed when it began have been named. */
  duplicatesNamed(process: Process): void {
    const tally = this.tallies.get(process);
    const said = this.messages
      .filter(({ stack, at }) => stack === process.stack && at >= (tally?.begun ?? 0))
      .map(({ text }) => text)
      .join("\n");
    const declared = new Set(tally?.program.flatMap(declaredIn).map((each) => each.identity));
    const live = new Map<string, number[]>();
    for (const [id, { domain, identity: what }] of this.standing) {
      if (declared.has(what) && this.wasListed(id, domain, tally?.begun))
        live.set(what, [...(live.get(what) ?? []), id]);
    }
    for (const [what, ids] of live) {
      if (ids.length > 1 && !ids.every((id) => said.includes(String(id))))
        this.violated(
          1,
          `${what} is live ${ids.length} times (records ${ids.join(", ")}), and ${process.name} does not say so`,
        );
    }
  }

  /** Invariant 5: every record in a ledger is live. */
  ledgersLive(name: string, stack: Stack): void {
    for (const { name: resource, outputs } of stack.resources) {
      for (const id of String(outputs["__ledger"] ?? "")
        .split("\n")
        .flatMap((line) => ownedIn(line))) {
        if (!this.standing.has(Number(id)))
          this.violated(5, `${resource} of ${name} answers for record ${id}, which does not live`);
      }
    }
  }

  /** Invariant 2 after an operation that ended well. */
  declaredLive(program: Program, only: ReadonlySet<string> | undefined, process?: Process): void {
    const live = this.live();
    for (const resource of program) {
      if (only !== undefined && !only.has(resource.name)) continue;
      for (const { identity: what, spec } of declaredIn(resource)) {
        const found = live.filter((each) => each.identity === what);
        const right = found.filter(
          (each) => each.enabled && (spec.ttl === undefined || spec.ttl === each.ttl),
        );
        if (found.length === 0 && process !== undefined && this.mustSeemLive(what, process)) continue;
        if (right.length === 0)
          this.violated(
            2,
            `${resource.name} declares ${what}${spec.ttl === undefined ? "" : ` ${spec.ttl}`}, which is ${found.length === 0 ? "not live" : "live otherwise"}, and no error says so`,
          );
      }
    }
  }

  /**
   * Whether a process could not know that the record is gone: the listing still showed it, and the remover's
   * journal is lost.
   */
  private mustSeemLive(what: string, process: Process): boolean {
    const taken = this.taken.get(what);
    const tally = this.tallies.get(process);
    if (taken === undefined || tally === undefined) return false;
    const { stateDir, indexDelay } = taken.process.settings;
    const lost =
      stateDir !== process.settings.stateDir ||
      this.tallies.get(taken.process)?.disk !== tally.disk ||
      this.hasLeapt(process, taken.at);
    return lost && taken.at + indexDelay * 1000 >= (tally.readAt.get(taken.domain) ?? 0);
  }

  /** Invariant 8: every record a stack made is in a ledger, declared, or was named to the user when it was let go. */
  forgotten(name: string, stack: Stack, program: Program): void {
    const ledgers = stack.resources.map(({ outputs }) => String(outputs["__ledger"] ?? ""));
    const owned = new Set(ledgers.flatMap((ledger) => ledger.split("\n").flatMap((line) => ownedIn(line))));
    const declared = new Set(program.flatMap(declaredIn).map((each) => each.identity));
    for (const { id, identity: what, stack: maker, asMade } of this.live()) {
      // A record that the console changed into another one is the console's.
      if (maker !== name || !asMade || owned.has(String(id))) continue;
      if (declared.has(what)) {
        this.violated(
          8,
          `record ${id} (${what}) is declared by stack ${name}, which made it, and no resource answers for it`,
        );
        continue;
      }
      // A killed run's record that no later program declares is never looked up (docs/invariants.md).
      if (
        this.standing.get(id)?.madeBy?.process.wasKilled() === true ||
        this.outlasted(id) ||
        this.agedAtOnce(id)
      )
        continue;
      const named = this.messages.some(
        ({ process, stack: teller, level, text }) =>
          teller === name &&
          level !== "progress" &&
          (names(text, id, what) || (this.targeted.has(process) && /taken over by/.test(text))),
      );
      if (!named)
        this.violated(
          8,
          `record ${id} (${what}) was made by stack ${name}, and neither its state nor any message knows it`,
        );
    }
  }

  /** Whether the clock was set forward before every listing showed a record: it then seems old, and gone. */
  private agedAtOnce(id: number): boolean {
    const standing = this.standing.get(id);
    if (standing?.madeBy === undefined) return false;
    const { process } = standing.madeBy;
    return this.hasLeapt(process, standing.made, standing.made + process.settings.indexDelay * 1000);
  }

  /** Whether a record came from a job with a lost number, after the longest wait. */
  private outlasted(id: number): boolean {
    const job = this.standing.get(id)?.madeBy?.job;
    const record = [...this.service.world.domains.values()].flatMap(
      ({ records }) => records.get(id) ?? [],
    )[0];
    if (job === undefined || record === undefined || job.numbered) return false;
    const { indexDelay, jobTimeout } = job.process.settings;
    const made = record.visibleAt - indexDelay * 1000;
    return made - job.sentAt >= (indexDelay + jobTimeout) * 1000;
  }

  /** Invariant 10 for stored files. */
  secrets(stack: Stack): void {
    for (const { id, type, inputs, outputs } of stack.resources) {
      if (`${id} ${String(outputs["__ledger"])}`.includes(secretMark))
        this.violated(10, `the id or ledger of ${id} holds a secret value`);
      if (type !== "RecordBatch") continue;
      const lines = `${String(inputs["records"])}\n${String(outputs["records"])}`
        .split("\n")
        .filter((line) => line.includes(secretMark));
      // The secret flag was never saved, so a killed run's record is listed like any other
      // (docs/invariants.md).
      const isUnknown = (line: string): boolean =>
        line.endsWith("; not declared") &&
        [...this.standing.values()].some(
          (each) => each.identity.includes(secretMark) && each.madeBy?.process.wasKilled() === true,
        );
      if (!lines.every(isUnknown)) this.violated(10, `the text of ${id} holds a secret value`);
    }
  }

  private stand(domain: string, view: RecordView, job: Job | undefined): void {
    const what = identity(domain, view);
    const process = job?.process;
    this.standing.set(view.id, {
      domain,
      view,
      identity: what,
      madeBy: job === undefined ? undefined : { stack: job.process.stack, process: job.process, job },
      reshaped: false,
      made: this.timeline.now(),
      since: this.timeline.now(),
      idle: 0,
    });
    if (process !== undefined)
      this.log("service", () => `  made ${what} ${view.ttl} (record ${view.id}) for ${process.name}`);
  }

  private makerOf(recordId: number): Job | undefined {
    for (const [id, job] of this.jobs) {
      const items = this.service.world.jobs.get(id)?.items ?? [];
      if (items.some((item) => item.records.some((record) => record.recordId === recordId))) return job;
    }
    return undefined;
  }

  private identitiesOf({ params }: Sent): string[] {
    const names = new Map(this.admin.domains().map(({ id, name }) => [String(id), name]));
    const records = JSON.parse(params["records"] ?? "[]") as {
      sub_domain: string;
      record_type: string;
      record_line: string;
      value: string;
      MX?: number | string;
    }[];
    return (params["domain_id"] ?? "").split(",").flatMap((id) =>
      records.flatMap(({ sub_domain, record_type, record_line, value, MX }) =>
        sub_domain.split(",").map((label) =>
          identity(names.get(id) ?? id, {
            name: label,
            type: record_type,
            value,
            line: record_line,
            mx: MX === undefined ? undefined : Number(MX),
          }),
        ),
      ),
    );
  }
}

function succeeded(answer: string): boolean {
  if (!answer.startsWith("200 ")) return false;
  try {
    const { status } = JSON.parse(answer.slice(4)) as { status?: { code?: string } };
    return status?.code === "1" || status?.code === "10";
  } catch {
    return false;
  }
}

/** Whether a message names a released record, by number or as text. A message names ten records and counts the rest. */
function names(text: string, id: number, what: string): boolean {
  const isOfReleased = /\[(?:live\.(?:retained|adopted|unknown)|job\.pending)\]/.test(text);
  if (text.includes(String(id)) || (isOfReleased && /… and [\d,]+ more/.test(text))) return true;
  if (!isOfReleased) return false;
  const [, at = "", type = "", data = "", line = ""] = /^(\S+) (\S+) (.*?)( \[.*\])?$/.exec(what) ?? [];
  return [`${data}${line}`, `${JSON.stringify(data)}${line}`, "#"].some((form) =>
    text.includes(`${at}. ${type} ${form}`),
  );
}

function ownedIn(line: string): string[] {
  if (/^[+=] /.test(line))
    return line
      .split(" ")
      .slice(2)
      .map((entry) => entry.slice(entry.indexOf(":") + 1));
  return /^[-_] /.test(line)
    ? line
        .split(" ")
        .slice(2)
        .map((entry) => entry.replace(/:.*/, ""))
    : [];
}

function sameView(one: RecordView, other: RecordView): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function briefly(params: Readonly<Record<string, string>>): string {
  const { login_token: _token, format: _format, length: _length, offset: _offset, ...rest } = params;
  return Object.entries(rest)
    .map(([key, value]) => `${key}=${value.slice(0, 200)}`)
    .join(" ");
}
