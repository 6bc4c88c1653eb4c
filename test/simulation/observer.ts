/** Sees every call, message and console edit, and reports violations of docs/invariants.md. Times: ms since the epoch. */
import type { Admin, RecordView, Service } from "../../emulator";
import { LOGIN_STOP_MS } from "../../provider/api/login-stop";
import { gather, groupBy } from "../../provider/support/collections";
import { answered, ledgerIds, questionsOf, type Question } from "./edits";
import type { Result, Stack } from "./engine";
import { editing, type Process, type Call } from "./process";
import { declaredIn, identitiesIn, identity, secretMark, type Program } from "./program";
import type { Timeline } from "./time";
import type { Edits } from "./user";
import { documented } from "../support/service";

export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

interface Message {
  readonly process: Process;
  readonly at: number;
  readonly level: string;
  readonly text: string;
}

interface Standing {
  readonly id: number;
  readonly domain: string;
  view: RecordView;
  identity: string;
  before?: string;
  job: Call | undefined;
  reshaped: boolean;
  readonly made: number;
  since: number;
  changedBy?: { readonly process: Process; readonly late: boolean } | undefined;
  idle: number;
}

class Tally {
  readonly declared: ReadonlySet<string>;
  readonly readAt = new Map<string, number>();
  readonly firstReadAt = new Map<string, number>();
  readonly calls = new Map<string, number>();
  readonly jobs = new Set<number>();
  readonly queued = new Map<string, readonly number[]>();
  readonly codes = new Map<string, number>();
  loginFailed = false;
  isTargeted = false;

  constructor(
    readonly program: Program,
    readonly kind: string,
    readonly begun: number,
    readonly disk: number,
    readonly known: ReadonlySet<string>,
    readonly ledgers: ReadonlySet<number>,
    readonly questions: readonly Question[],
  ) {
    this.declared = identitiesIn(program);
  }
}

export interface Watched {
  readonly admin: Admin;
  readonly service: Service;
  readonly timeline: Timeline;
  readonly domains: readonly string[];
  readonly tracing: boolean;
  readonly full: boolean;
  readonly late: boolean;
}

const loginCodes = /"code":"(-1|-8|10001|10002|5[0-4]|83|85)"/;
const undocumentedCode = /^200 \{"status":\{"code":"(?!(?:1|-99|-4|-3|2|3|8)")([^"]*)"/;

const longestOperation = 3600;

export class Observer implements Edits {
  readonly violations: Violation[] = [];
  readonly trace: string[] = [];
  readonly messages: Message[] = [];
  private readonly standing = new Map<number, Standing>();
  private readonly erased: Standing[] = [];
  private readonly jobs = new Map<number, Call>();
  private readonly disks = new Map<string, number>();
  private readonly tallies = new Map<Process, Tally>();
  private readonly loginFailures = new Map<string, number>();
  private readonly forward = new Map<string, number[]>();
  private readonly set = new Set<string>();
  private readonly everDeclared = new Map<string, Set<string>>();
  private readonly everKnown = new Map<string, Set<string>>();
  private readonly editedAt = new Map<string, number>();
  private readonly changers = new Map<number, Call[]>();
  private readonly settled: {
    readonly job: Call;
    readonly what: string;
    readonly by: Process;
    readonly at: number;
  }[] = [];
  private readonly taken = new Map<string, { process: Process; domain: string; at: number }>();
  private answers: readonly Question[] = [];
  private readonly begun: number;

  constructor(private readonly watched: Watched) {
    this.begun = watched.timeline.now();
    for (const domain of watched.domains)
      for (const view of watched.admin.zone(domain, { hold: true })) this.stand(domain, view, undefined);
  }

  log(who: string, text: () => string): void {
    if (!this.watched.tracing) return;
    const seconds = ((this.now - this.begun) / 1000).toFixed(3).padStart(10);
    this.trace.push(`${seconds}  ${who.padEnd(8)} ${text()}`);
  }

  violated(invariant: Invariant, text: string): void {
    this.log("!!", () => `invariant ${invariant}: ${text}`);
    if (this.violations.length < 20) this.violations.push({ invariant, text });
  }

  private get now(): number {
    return this.watched.timeline.now();
  }

  private must(holds: boolean, invariant: Invariant, text: () => string): void {
    if (!holds) this.violated(invariant, text());
  }

  clockSet(stateDir: string, by: number): void {
    this.log("machine", () => `the clock is set by ${by / 3_600_000} h`);
    this.set.add(stateDir);
    if (by > 0) gather(this.forward, stateDir, []).push(this.now);
  }

  diskLost(stateDir: string): void {
    this.loginFailures.delete(stateDir);
    this.disks.set(stateDir, (this.disks.get(stateDir) ?? 0) + 1);
  }

  private hasLeapt({ settings }: Process, since: number, until = Infinity): boolean {
    return (this.forward.get(settings.stateDir) ?? []).some((at) => at >= since && at <= until);
  }

  private sharesJournal(...processes: readonly [Process, Process]): boolean {
    const [one, other] = processes.map((each) => `${each.settings.stateDir} ${this.tally(each).disk}`);
    return one === other;
  }

  begin(process: Process, program: Program, stack: Stack, kind: string): void {
    const { full, late, service } = this.watched;
    const known = new Set(stack.resources.map(({ type, name }) => `${type} ${name}`));
    const disk = this.disks.get(process.settings.stateDir) ?? 0;
    const ledgers = full ? ledgerIds(stack.resources, "+=-_!") : new Set<number>();
    const asks = full && !late && kind.startsWith("up");
    const questions = asks ? questionsOf(program, stack, process, service) : [];
    const tally = new Tally(program, kind, this.now, disk, known, ledgers, questions);
    this.tallies.set(process, tally);
    for (const each of tally.declared) gather(this.everDeclared, process.stack, new Set()).add(each);
    for (const each of known) gather(this.everKnown, process.stack, new Set()).add(each);
  }

  aims(process: Process, targets: ReadonlySet<string>): void {
    this.tally(process).isTargeted = true;
    this.log(process.name, () => `only ${[...targets].join(" ")}`);
  }

  private tally(process: Process): Tally {
    const found = this.tallies.get(process);
    if (found === undefined) throw new Error(`${process.name} has not begun`);
    return found;
  }

  sent(call: Call): void {
    const { process, operation } = call;
    this.log(process.name, () => `> ${operation} ${briefly(call.params)}`);
    const { begun, calls, declared, loginFailed, readAt } = this.tally(process);
    if (operation !== "Record.List" && operation !== "Batch.Detail") call.readAt = new Map(readAt);
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    const failed = this.loginFailures.get(process.settings.stateDir) ?? Infinity;
    const stopped = failed < begun && !this.hasLeapt(process, failed) && this.now - failed < LOGIN_STOP_MS;
    this.must(!loginFailed && !stopped, 7, () => `${process.name} calls ${operation} after a failed login`);
    const known = documented.has(operation) || (this.watched.full && editing.has(operation));
    this.must(known, 4, () => `${operation} is not part of the documented interface`);
    if (operation !== "Batch.Record.Create") return;
    for (const what of this.identitiesOf(call)) {
      this.must(declared.has(what), 3, () => `${process.name} sends ${what}, which it does not declare`);
      for (const each of this.standing.values())
        if (each.identity === what && this.wasListed(each, readAt.get(each.domain)))
          this.violated(1, `${process.name} sends ${what}, which its listing showed (record ${each.id})`);
    }
  }

  executing(call: Call): void {
    if (!this.watched.full) return;
    this.compare();
    this.answers = answered(this.watched.service, this.tally(call.process).questions);
  }

  executed(call: Call, fault: boolean, job: number | undefined): void {
    const { operation, process } = call;
    if (fault) this.log("service", () => `  ${operation} of ${process.name} kept away by a fault`);
    call.executedAt = this.now;
    if (job !== undefined) this.queue(call, job);
    if (this.watched.full) this.afterCall(call);
    // The listing may show records that jobs have made since the last comparison.
    else if (operation === "Record.List") this.compare();
  }

  private queue(call: Call, number: number): void {
    const { process } = call;
    this.log("service", () => `  job ${number} for ${process.name}`);
    this.jobs.set(number, call);
    call.job = number;
    const { jobs, queued } = this.tally(process);
    jobs.add(number);
    for (const what of this.identitiesOf(call)) {
      // A refused record may be sent again after its precondition is met.
      const before = (queued.get(what) ?? []).filter(
        (earlier) => !this.isRefused(earlier, what) && !isGivenUp(this.jobs.get(earlier), call.sentAt),
      );
      this.must(before.length === 0, 1, () => `${process.name} has ${what} made ${before.length + 1} times`);
      queued.set(what, [...before, number]);
    }
  }

  private afterCall(call: Call): void {
    const { process, operation, params } = call;
    const { requestTimeout, indexDelay } = process.settings;
    if (this.now - call.sentAt >= requestTimeout * 1000) call.isLate = true;
    if (operation === "Batch.Record.Modify")
      for (const id of listed(params["record_id"])) gather(this.changers, Number(id), []).push(call);
    this.compare(editing.has(operation) ? call : undefined);
    const after = new Set(answered(this.watched.service, this.answers));
    for (const question of this.answers) {
      const { domain, name } = question;
      // Console edits after the listing are unknown to the process.
      const edited = (this.editedAt.get(domain) ?? -Infinity) + indexDelay * 1000;
      const blind = edited >= (this.tally(process).readAt.get(domain) ?? 0);
      const excused = blind || this.zoneOf(domain)?.status !== "enable";
      this.must(after.has(question) || excused, 12, () => {
        return `${operation} of ${process.name} takes the last answer of ${name}.${domain}, which is declared before and after`;
      });
    }
  }

  private noteListing(process: Process, domain: string, at: number): void {
    const { kind, firstReadAt, readAt } = this.tally(process);
    readAt.set(domain, at);
    gather(firstReadAt, domain, at);
    if (kind === "preview") return;
    const pending = [...this.jobs].filter(
      ([id, job]) =>
        job.process.stack === process.stack && this.watched.service.world.jobs.get(id)?.done !== true,
    );
    for (const [, job] of pending)
      for (const each of this.standing.values())
        if (each.domain === domain && each.job !== job && this.wasListed(each, at))
          this.settled.push({ job, what: each.identity, by: process, at: this.now });
  }

  private isRefused(job: number, what: string): boolean {
    const items = this.watched.service.world.jobs.get(job)?.items ?? [];
    return items.some(({ domain, records }) =>
      records.some(({ name, type, value, area: line, mx, status }) => {
        const record = { name, type, value, line, mx: mx === null ? undefined : Number(mx) };
        return status === "error" && identity(domain, record) === what;
      }),
    );
  }

  answered(call: Call, answer: string): void {
    const { process, operation, params } = call;
    this.log(process.name, () => `< ${operation} ${answer.slice(0, 160)}`);
    if (!isWhole(answer)) return;
    const { executedAt, job, sentAt } = call;
    const tally = this.tally(process);
    if (/^200 \{"status":\{"code":"(?:1|10)"/.test(answer)) {
      if (job !== undefined && answer.includes('"job_id":')) call.numbered = true;
      if (operation === "Record.List") this.noteListing(process, params["domain"] ?? "", executedAt);
    }
    const code = undocumentedCode.exec(answer)?.[1];
    if (code !== undefined) {
      // A search proved that the first call did nothing. From then on the code is a refusal to the sender.
      const first = gather(tally.codes, `${operation} ${code}`, sentAt);
      if (job !== undefined) call.seemsRefused = this.now - first >= longestWait(process);
    }
    if (!loginCodes.test(answer.slice(0, 200))) return;
    tally.loginFailed = true;
    this.loginFailures.set(process.settings.stateDir, this.now);
  }

  said(process: Process, level: string, text: string): void {
    this.log(process.name, () => `${level}: ${text}`);
    if (level !== "progress") this.messages.push({ process, at: this.now, level, text });
    this.must(!text.includes(secretMark), 10, () => `${level} of ${process.name}: ${text}`);
  }

  ended(process: Process, result: Result, unsettled: number, resources?: number): void {
    const tally = this.tally(process);
    const seconds = (this.now - tally.begun) / 1000;
    for (const [id, job] of this.jobs)
      if (job.process === process)
        job.unended =
          this.watched.service.world.jobs.get(id)?.done !== true ||
          result.errors.some(({ text }) => text.includes(`job ${id} has not ended`));
    const changed = result.changed.join(" ") || "nothing";
    const end = result.ok ? "ok" : "failed";
    this.log(process.name, () => `${end} after ${seconds.toFixed(1)} s; changed: ${changed}`);
    for (const { resource, text } of result.errors) this.said(process, "error", `${resource}: ${text}`);
    this.must(seconds <= longestOperation, 9, () => `${process.name} took ${Math.round(seconds)} s`);
    if (resources === undefined) return;
    for (const [operation, most] of this.limits(process, result, seconds, resources, unsettled)) {
      const calls = this.callsOf(process, operation);
      this.must(calls <= most, 6, () => {
        return `${process.name}: ${calls} calls of ${operation} in ${Math.round(seconds)} s, where ${Math.floor(most)} suffice`;
      });
    }
  }

  private limits(
    process: Process,
    result: Result,
    seconds: number,
    resources: number,
    unsettled: number,
  ): [operation: string, most: number][] {
    const { begun, jobs, program } = this.tally(process);
    const { length: zones } = this.watched.domains;
    const records = program.flatMap(declaredIn).length;
    const edits = this.messages.filter(
      (message) =>
        message.process === process &&
        /: waiting up to \d+ s for the outcome of (a change|the removal) of /.test(message.text),
    ).length;
    const wasSet = this.set.has(process.settings.stateDir) ? 1 : 0;
    const doubts = unsettled + this.doubtsOf(process, begun) + wasSet + edits;
    const isRefused = result.errors.some(({ text }) => /\[(?:write\.refused|line\.first)\]/.test(text));
    const always: [string, number][] = [
      ["Record.List", zones * (3 + 2 * resources + 12 * doubts + seconds / 30)],
      ["Batch.Record.Create", 2 * records],
      ["Batch.Detail", (jobs.size + doubts + records) * (resources + 1) * (14 + seconds / 4)],
      ["Domain.Purview", zones * (isRefused ? 2 : 1)],
    ];
    if (doubts > 0 || process.settings.indexDelay > 0) return always;
    return [
      ...always,
      // Each zone is listed once, again each minute and again after a refusal.
      ["Record.List", zones * (1 + seconds / 60 + resources)],
      ["Batch.Detail", jobs.size * (12 + seconds / 5)],
      ["Record.Info", 0],
    ];
  }

  private doubtsOf(process: Process, begun: number): number {
    const { indexDelay, stateDir } = process.settings;
    return [...this.jobs.values()].filter(
      ({ process: other, sentAt, unended }) =>
        other !== process &&
        other.settings.stateDir === stateDir &&
        (this.set.has(stateDir) ||
          other.wasKilled ||
          unended ||
          sentAt > begun - longestWait(process) - indexDelay * 1000),
    ).length;
  }

  callsOf(process: Process, operation?: string): number {
    const { calls } = this.tally(process);
    if (operation !== undefined) return calls.get(operation) ?? 0;
    return [...calls.values()].reduce((sum, n) => sum + n, 0);
  }

  edited(domain: string, id: number, view: RecordView | undefined, what: string): void {
    const known = this.standing.get(id);
    const becomes = view === undefined ? undefined : identity(domain, view);
    this.editedAt.set(domain, this.now);
    this.log("console", () => {
      return `${what} ${view === undefined ? (known?.identity ?? id) : `${becomes ?? ""} ${view.ttl}`} (record ${id})`;
    });
    if (view === undefined) {
      const gone = { identity: "", since: this.now, changedBy: undefined };
      if (known) this.erased.push({ ...known, ...gone, before: known.identity });
      this.standing.delete(id);
    } else if (known === undefined) this.stand(domain, view, undefined);
    else
      Object.assign(known, {
        view,
        before: known.identity,
        identity: becomes,
        reshaped: known.reshaped || becomes !== known.identity,
        since: this.now,
        changedBy: undefined,
      });
  }

  compare(call?: Call): void {
    for (const domain of this.watched.domains) {
      const views = this.watched.admin.zone(domain, { hold: true });
      const live = new Map(views.map((view) => [view.id, view]));
      for (const standing of this.standing.values()) {
        if (standing.domain !== domain) continue;
        const { id, job } = standing;
        const view = live.get(id);
        if (this.watched.full && this.accounted(standing, view, call)) continue;
        if (view === undefined) {
          this.violated(4, `${standing.identity} (record ${id}) is gone, and nobody removed it`);
          this.standing.delete(id);
        } else if (!sameView(view, standing.view)) {
          const [is, was] = [view, standing.view].map((each) => JSON.stringify(each));
          this.violated(job === undefined ? 3 : 4, `record ${id} is ${is ?? ""}, and was ${was ?? ""}`);
          standing.view = view;
        }
      }
      for (const [id, view] of live) {
        if (this.standing.has(id)) continue;
        const job = this.makerOf(id);
        this.must(job !== undefined, 3, () => `record ${id} of ${domain} comes from nowhere`);
        this.stand(domain, view, job);
      }
    }
  }

  private accounted(standing: Standing, view: RecordView | undefined, call: Call | undefined): boolean {
    const { domain, id, identity: was } = standing;
    const own = call?.params["record_id"] === String(id) ? call : undefined;
    const by = own ?? this.changers.get(id)?.at(-1);
    const idle = this.zoneOf(domain)?.records.get(id)?.idleUpdates.length ?? 0;
    if (idle > standing.idle && by !== undefined) this.changedNothing(standing, by);
    standing.idle = idle;
    if (view !== undefined && sameView(view, standing.view)) return false;
    if (by === undefined || (view === undefined && own?.operation !== "Record.Remove")) return false;
    const { process, operation } = by;
    const what = view === undefined ? "nothing" : identity(domain, view);
    this.judge(standing, what, by);
    this.log("service", () => {
      return `  ${was} ${standing.view.ttl} becomes ${what} ${view?.ttl ?? ""} (record ${id}) for ${process.name}, ${operation}`;
    });
    if (what !== was) this.taken.set(was, { process, domain, at: this.now });
    if (view === undefined) {
      this.standing.delete(id);
      return true;
    }
    Object.assign(standing, {
      view,
      identity: what,
      since: this.now,
      job: what === was ? standing.job : { ...by, numbered: true },
      reshaped: what === was && standing.reshaped,
      changedBy: { process, late: by.isLate },
    });
    return true;
  }

  private judge(standing: Standing, what: string, { process, operation }: Call): void {
    const { domain, id, identity: was, job, changedBy } = standing;
    const { begun, declared, kind, ledgers, program, readAt } = this.tally(process);
    const cleans =
      kind === "up --refresh" &&
      program.some(({ undeclared, domains }) => undeclared === "remove" && domains.includes(domain));
    const mine =
      job?.process.stack === process.stack ||
      ledgers.has(id) ||
      this.everDeclared.get(process.stack)?.has(was) === true ||
      cleans;
    const meanwhile = changedBy === undefined && standing.reshaped && this.isHidden(process, standing);
    // The process had adopted it as declared before the console changed it.
    const adopted =
      changedBy === undefined &&
      standing.since >= begun &&
      this.everDeclared.get(process.stack)?.has(standing.before ?? "") === true;
    const does = `${operation} of ${process.name} makes ${what} of record ${id}`;
    this.must(mine || meanwhile || adopted, 3, () => `${does} (${was}), which its stack never declared`);
    const seen =
      changedBy?.process === process ||
      standing.since + process.settings.indexDelay * 1000 < (readAt.get(domain) ?? 0);
    const stays = kind !== "destroy" && declared.has(was);
    const hasTwin = () =>
      [...this.standing.values(), ...this.erased].some(
        (each) =>
          each.id !== id &&
          (each.identity === was ||
            (each.before === was && each.changedBy === undefined && this.isHidden(process, each))),
      );
    const keeps = what === was || !stays || !seen || this.watched.late || hasTwin();
    this.must(keeps, 4, () => `${does}, though ${was} is still declared`);
  }

  private isHidden(process: Process, { domain, since }: Standing): boolean {
    return since + process.settings.indexDelay * 1000 >= (this.tally(process).readAt.get(domain) ?? 0);
  }

  private changedNothing(standing: Standing, by: Call): void {
    const { id, since, changedBy, identity: what } = standing;
    const { process, operation } = by;
    const late = [by, ...(this.changers.get(id) ?? [])].some(({ isLate }) => isLate);
    const lost =
      changedBy === undefined ||
      !this.sharesJournal(changedBy.process, process) ||
      this.hasLeapt(process, since);
    const hidden = this.isHidden(process, standing) && changedBy?.process !== process;
    const outlived = mustHaveEnded(by, since);
    const excused = late || outlived || changedBy?.late === true || (hidden && lost);
    this.must(excused, 11, () => {
      return `${operation} of ${process.name} changes nothing of record ${id} (${what})`;
    });
  }

  declaredOnce(program: Program): void {
    for (const what of identitiesIn(program)) {
      const ids = this.live(what).map(({ id }) => id);
      this.must(ids.length < 2, 1, () => {
        return `${what} is live ${ids.length} times at rest (records ${ids.join(", ")})`;
      });
    }
  }

  private live(what?: string): Standing[] {
    return [...this.standing.values()].filter(
      ({ view, identity: text }) => !view.hold && (what === undefined || text === what),
    );
  }

  duplicates(declared?: Program): void {
    const all = declared === undefined ? undefined : identitiesIn(declared);
    const made = [...this.standing.values()].filter(({ job, reshaped }) => job !== undefined && !reshaped);
    const groups = groupBy(made, ({ identity: what, job }) => `${job?.process.stack ?? ""} ${what}`);
    for (const twins of groups.values()) {
      const what = twins[0]?.identity ?? "";
      if (twins.length < 2 || all?.has(what) === false) continue;
      const sorted = twins.sort((a, b) => (a.job?.sentAt ?? 0) - (b.job?.sentAt ?? 0));
      const excused =
        all === undefined &&
        sorted.every((later, i) => sorted.slice(0, i).every((one) => this.unknowable(one, later)));
      this.must(excused, 1, () => {
        return `${what} is live ${twins.length} times (records ${twins.map(({ id }) => id).join(", ")})`;
      });
    }
  }

  /** The sender of the later job could not know the earlier one's record (docs/invariants.md). */
  private unknowable(one: Standing, later: Standing): boolean {
    if (one.job === undefined || later.job === undefined) return false;
    if (this.wasListed(one, later.job.readAt.get(one.domain) ?? 0)) return false;
    if (isGivenUp(one.job, later.job.sentAt)) return true;
    // A listing had shown another program's record, so the job no longer counted.
    const isSettled = this.settled.some(
      ({ job, what, by, at }) =>
        job === one.job && what === one.identity && at < (later.job?.sentAt ?? 0) && !by.wasKilled,
    );
    if (isSettled) return true;
    const [first, second] = [one.job.process, later.job.process];
    if (second !== first && this.hasLeapt(second, one.job.sentAt)) return true;
    if (this.sharesJournal(first, second)) return false;
    const owner = (process: Process) => {
      const declares = (resource: Program[number]) =>
        declaredIn(resource).some((each) => each.identity === one.identity);
      const found = this.tally(process).program.find(declares);
      return found === undefined ? "" : `${found.type} ${found.name}`;
    };
    const now = owner(second);
    const hasLeft = !this.tally(second).known.has(now) && this.everKnown.get(second.stack)?.has(now) === true;
    return first.wasKilled || owner(first) !== now || hasLeft;
  }

  private wasListed({ id, domain, since }: Standing, readAt: number | undefined): boolean {
    const record = this.zoneOf(domain)?.records.get(id);
    return record !== undefined && readAt !== undefined && record.visibleAt <= readAt && since <= readAt;
  }

  duplicatesNamed(process: Process): void {
    const { begun, declared } = this.tally(process);
    const said = this.messages
      .filter((each) => each.process.stack === process.stack && each.at >= begun)
      .map(({ text }) => text)
      .join("\n");
    for (const what of declared) {
      const twins = this.live(what).filter((each) => this.wasListed(each, begun));
      const named = twins.length < 2 || twins.every(({ id }) => said.includes(String(id)));
      this.must(named, 1, () => {
        return `${what} is live ${twins.length} times, and ${process.name} does not say so`;
      });
    }
  }

  ledgersLive(name: string, { resources }: Stack): void {
    for (const resource of resources)
      for (const id of ledgerIds([resource], "+=-_"))
        this.must(this.standing.has(id), 5, () => {
          return `${resource.name} of ${name} answers for record ${id}, which does not live`;
        });
  }

  declaredLive(program: Program, only: ReadonlySet<string> | undefined, process?: Process): void {
    for (const resource of program) {
      if (only?.has(resource.name) === false) continue;
      for (const { identity: what, spec } of declaredIn(resource)) {
        const found = this.live(what);
        const isRight = found.some(
          ({ view }) => view.enabled && (spec.ttl === undefined || spec.ttl === view.ttl),
        );
        if (found.length === 0 && process !== undefined && this.mustSeemLive(what, process)) continue;
        this.must(isRight, 2, () => {
          return `${resource.name} declares ${what} ${spec.ttl ?? ""}, which is ${found.length === 0 ? "not live" : "live otherwise"}, and no error says so`;
        });
      }
    }
  }

  private mustSeemLive(what: string, process: Process): boolean {
    const taken = this.taken.get(what);
    if (taken === undefined) return false;
    const lost = !this.sharesJournal(taken.process, process) || this.hasLeapt(process, taken.at);
    // A resource may have adopted the record before another one had the zone listed again.
    const readAt = this.tally(process).firstReadAt.get(taken.domain) ?? 0;
    return lost && taken.at + taken.process.settings.indexDelay * 1000 >= readAt;
  }

  forgotten(name: string, { resources }: Stack, program: Program): void {
    const owned = ledgerIds(resources, "+=-_");
    const declared = identitiesIn(program);
    for (const standing of this.live()) {
      const { id, identity: what, job, reshaped } = standing;
      if (job?.process.stack !== name || reshaped || owned.has(id)) continue;
      const text = `record ${id} (${what}) of stack ${name}`;
      if (declared.has(what)) this.violated(8, `${text} is declared, and no resource answers for it`);
      // Nobody looks for a killed run's record that no later program declares (docs/invariants.md).
      else if (!job.process.wasKilled && !this.outlasted(standing, job) && !this.agedAtOnce(standing, job))
        this.must(this.isNamed(standing, name), 8, () => `neither state nor any message knows ${text}`);
    }
  }

  private isNamed({ id, identity: what }: Standing, stack: string): boolean {
    return this.messages.some(
      ({ process, level, text }) =>
        process.stack === stack &&
        level !== "progress" &&
        (names(text, id, what) || (this.tally(process).isTargeted && /taken over by/.test(text))),
    );
  }

  private agedAtOnce({ made }: Standing, { process, numbered, sentAt }: Call): boolean {
    const listedAt = made + process.settings.indexDelay * 1000;
    return this.hasLeapt(process, numbered === true ? made : sentAt, listedAt);
  }

  private outlasted({ id, domain }: Standing, job: Call): boolean {
    const record = this.zoneOf(domain)?.records.get(id);
    return record !== undefined && mustHaveEnded(job, record.visibleAt);
  }

  secrets({ resources }: Stack): void {
    for (const { id, type, inputs, outputs } of resources) {
      const ledger = `${id} ${String(outputs["__ledger"])}`;
      this.must(!ledger.includes(secretMark), 10, () => `the id or ledger of ${id} holds a secret value`);
      if (type !== "RecordBatch") continue;
      const text = `${String(inputs["records"])}\n${String(outputs["records"])}`;
      const lines = text.split("\n").filter((line) => line.includes(secretMark));
      // A killed run never saved the secret flag (docs/invariants.md).
      const isUnknown = (line: string) =>
        line.endsWith("; not declared") &&
        [...this.standing.values()].some(
          (each) => each.identity.includes(secretMark) && each.job?.process.wasKilled === true,
        );
      this.must(lines.every(isUnknown), 10, () => `the text of ${id} holds a secret value`);
    }
  }

  private stand(domain: string, view: RecordView, job: Call | undefined): void {
    const [{ id }, what, now] = [view, identity(domain, view), this.now];
    const times = { made: now, since: now };
    this.standing.set(id, { id, domain, view, identity: what, job, reshaped: false, ...times, idle: 0 });
    if (job !== undefined)
      this.log("service", () => `  made ${what} ${view.ttl} (record ${id}) for ${job.process.name}`);
  }

  private makerOf(recordId: number): Call | undefined {
    for (const [id, job] of this.jobs) {
      const items = this.watched.service.world.jobs.get(id)?.items ?? [];
      if (items.some((item) => item.records.some((record) => record.recordId === recordId))) return job;
    }
    return undefined;
  }

  private zoneOf(domain: string) {
    return [...this.watched.service.world.domains.values()].find(({ name }) => name === domain);
  }

  private identitiesOf({ params }: Call): string[] {
    const { domains } = this.watched.service.world;
    const records = JSON.parse(params["records"] ?? "[]") as ({ MX?: number } & Record<
      "sub_domain" | "record_type" | "record_line" | "value",
      string
    >)[];
    return listed(params["domain_id"]).flatMap((id) =>
      records.flatMap(({ sub_domain, record_type: type, record_line: line, value, MX: mx }) =>
        listed(sub_domain).map((name) =>
          identity(domains.get(Number(id))?.name ?? id, { name, type, value, line, mx }),
        ),
      ),
    );
  }
}

const listed = (text = "") => text.split(",");

function longestWait({ settings }: Process) {
  return (settings.indexDelay + settings.jobTimeout) * 1000;
}

function mustHaveEnded({ numbered, process, sentAt }: Call, until: number) {
  return !numbered && until - sentAt >= longestWait(process);
}

function isGivenUp(job: Call | undefined, until: number) {
  return job !== undefined && ((!job.numbered && job.seemsRefused === true) || mustHaveEnded(job, until));
}

function isWhole(answer: string): boolean {
  try {
    JSON.parse(answer.slice(answer.indexOf(" ")));
    return true;
  } catch {
    return false;
  }
}

function names(text: string, id: number, what: string): boolean {
  const isOfReleased = /\[(?:live\.(?:retained|adopted|unknown)|job\.pending)\]/.test(text);
  if (text.includes(String(id)) || (isOfReleased && /… and [\d,]+ more/.test(text))) return true;
  if (!isOfReleased) return false;
  const [, at = "", type = "", data = "", line = ""] = /^(\S+) (\S+) (.*?)( \[.*\])?$/.exec(what) ?? [];
  return [`${data}${line}`, `${JSON.stringify(data)}${line}`, "#"].some((form) =>
    text.includes(`${at}. ${type} ${form}`),
  );
}

function sameView(one: RecordView, other: RecordView) {
  const keys = Object.keys(one) as (keyof RecordView)[];
  return keys.every((key) => one[key] === other[key]);
}

function briefly(params: Readonly<Record<string, string>>) {
  const { login_token: _token, format: _format, length: _length, offset: _offset, ...rest } = params;
  return Object.entries(rest)
    .map(([key, value]) => `${key}=${value.slice(0, 200)}`)
    .join(" ");
}
