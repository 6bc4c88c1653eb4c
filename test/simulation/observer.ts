/** Records what happens in the world, and asks the laws. Times: ms since the epoch. */
import type { Admin, RecordView, Service } from "../../emulator";
import { indexed } from "../../emulator/service/zone";
import { gather } from "../../provider/support/collections";
import { answered, ledgerIds, questionsOf, type Question } from "./edits";
import type { Resource, Stack } from "./engine";
import {
  isShown,
  listed,
  shownOf,
  ZoneRecord,
  type Call,
  type Listing,
  type Message,
  type Version,
} from "./facts";
import { couldKnow, isSource, type Fact, type Gap, type Moment } from "./knowledge";
import { laws, type LawName } from "./laws";
import type { Events } from "./laws/law";
import { editing, type Process } from "./process";
import { declaredIn, identitiesIn, identity, secretMark, type Declared, type Program } from "./program";
import type { Timeline } from "./time";
import type { Edits } from "./user";

export interface Violation {
  readonly law: LawName;
  readonly text: string;
}

/** The facts of one process, and what reached it. */
export class Run {
  readonly declared: ReadonlySet<string>;
  readonly calls = new Map<string, number>();
  readonly first = new Map<string, Listing>();
  readonly last = new Map<string, Listing>();
  /** Resources that the engine has checked in this run. */
  readonly checked = new Set<string>();
  /** Records that a listing showed while the program or the state declared them with `adopt`. */
  readonly adopted = new Set<number>();
  /** Operation and undocumented code → when it was first answered so. */
  readonly codes = new Map<string, number>();
  loginFailed = false;

  constructor(
    readonly program: Program,
    readonly kind: string,
    readonly begun: number,
    readonly disk: string,
    /** The resources in the state. */
    readonly resources: ReadonlySet<string>,
    readonly owned: ReadonlySet<number>,
    readonly adoptable: ReadonlySet<string>,
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
const keyOf = ({ type, name }: Pick<Resource, "type" | "name">) => `${type} ${name}`;

export class Observer implements Edits {
  readonly violations: Violation[] = [];
  readonly trace: string[] = [];
  readonly messages: Message[] = [];
  readonly records = new Map<number, ZoneRecord>();
  readonly writes: Call[] = [];
  /** State folder → when a login failed. */
  readonly loginFailures = new Map<string, number>();
  readonly clocksSet = new Set<string>();
  readonly gapsSeen = new Map<Gap, number>();
  private readonly judged = new Set<string>();
  private readonly runs = new Map<Process, Run>();
  private readonly jobs = new Map<number, Call>();
  private readonly disks = new Map<string, number>();
  private readonly leaps = new Map<string, number[]>();
  /** Stack and resource → all its declarations. */
  private readonly history = new Map<string, Declared[]>();
  private readonly adopted = new Map<string, Set<number>>();
  private readonly others: {
    readonly call: Call;
    readonly what: string;
    readonly by: Process;
    readonly at: number;
  }[] = [];
  private open: readonly Question[] = [];
  private readonly begun: number;

  constructor(readonly watched: Watched) {
    this.begun = this.now;
    this.compare();
  }

  get now(): number {
    return this.watched.timeline.now();
  }

  log(who: string, text: () => string): void {
    if (!this.watched.tracing) return;
    const seconds = ((this.now - this.begun) / 1000).toFixed(3).padStart(10);
    this.trace.push(`${seconds}  ${who.padEnd(8)} ${text()}`);
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
    this.gapsSeen.set(gap, (this.gapsSeen.get(gap) ?? 0) + 1);
    this.log("!!", () => `not known: ${gap}`);
    return true;
  }

  clockSet(stateDir: string, by: number): void {
    this.log("machine", () => `the clock is set by ${by / 3_600_000} h`);
    this.clocksSet.add(stateDir);
    if (by > 0) gather(this.leaps, stateDir, []).push(this.now);
  }

  diskLost(stateDir: string): void {
    this.loginFailures.delete(stateDir);
    this.disks.set(stateDir, (this.disks.get(stateDir) ?? 0) + 1);
  }

  hasLeapt({ settings }: Process, since: number, until = Infinity): boolean {
    return (this.leaps.get(settings.stateDir) ?? []).some((at) => at >= since && at <= until);
  }

  sharesJournal(one: Process, other: Process): boolean {
    return this.run(one).disk === this.run(other).disk;
  }

  begin(process: Process, program: Program, { resources }: Stack, kind: string): void {
    const { full, service } = this.watched;
    const { stack, settings } = process;
    const disk = `${settings.stateDir} ${this.disks.get(settings.stateDir) ?? 0}`;
    const writes = kind.startsWith("up");
    if (writes) for (const each of program) gather(this.history, `${stack} ${keyOf(each)}`, []).push(each);
    const known = resources.map(keyOf);
    const wanted = known.flatMap((key) => this.history.get(`${stack} ${key}`) ?? []);
    const adopting = [...(writes ? program : []), ...wanted].filter(({ adopt }) => adopt !== false);
    const questions = full && writes ? questionsOf(program, resources, service) : [];
    const owned = ledgerIds(resources, "+=-_");
    const facts = [new Set(known), owned, identitiesIn(adopting), questions] as const;
    this.runs.set(process, new Run(program, kind, this.now, disk, ...facts));
  }

  run(process: Process): Run {
    const found = this.runs.get(process);
    if (found === undefined) throw new Error(`${process.name} has not begun`);
    return found;
  }

  hadResource(stack: string, key: string): boolean {
    return this.history.has(`${stack} ${key}`);
  }

  checked(process: Process, resource: Pick<Resource, "type" | "name">): void {
    this.run(process).checked.add(keyOf(resource));
  }

  /** Whether the process knows that the program declares the record: a manifest has the whole program. */
  sawDeclaration(process: Process, what: string): boolean {
    const { checked, program } = this.run(process);
    const known = this.watched.late ? program.filter((each) => checked.has(keyOf(each))) : program;
    return known.flatMap(declaredIn).some((each) => each.identity === what);
  }

  sent(call: Call): void {
    const { process, operation, params } = call;
    this.log(process.name, () => `> ${operation} ${briefly(params)}`);
    const { calls, last } = this.run(process);
    call.seen = new Map(last);
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    if (operation === "Batch.Record.Create" || editing.has(operation)) this.writes.push(call);
    if (operation === "Batch.Record.Create") call.creates = this.identitiesOf(call);
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
    if (operation === "Record.List") call.listing = this.listing(params["domain"] ?? "");
    const asked = this.jobs.get(Number(params["job_id"]));
    if (asked !== undefined && this.hasEnded(asked)) call.showsEndOf = asked;
    if (operation === "Record.Info") this.adopt(process, this.records.get(Number(params["record_id"])));
    if (this.watched.full || operation === "Record.List") this.compare(call);
    if (this.watched.full) this.tell("executed", { call, open: this.open });
  }

  private listing(domain: string): Listing {
    const zone = this.zoneOf(domain);
    const records = zone === undefined ? [] : indexed(zone, this.now);
    return {
      at: this.now,
      shown: new Map(records.map((each) => [each.id, shownOf(domain, { ...each, line: each.lineName })])),
    };
  }

  answered(call: Call, answer: string): void {
    const { process, operation, params, sentAt } = call;
    this.log(process.name, () => `< ${operation} ${answer.slice(0, 160)}`);
    if (!isWhole(answer)) return;
    const run = this.run(process);
    if (/^200 \{"status":\{"code":"(?:1|10)"/.test(answer)) {
      call.wasAnswered = true;
      if (call.job !== undefined && answer.includes('"job_id":')) call.wasNumbered = true;
      if (call.showsEndOf !== undefined)
        call.showsEndOf.endSeenAt = Math.min(call.showsEndOf.endSeenAt, this.now);
      if (call.listing !== undefined) this.noteListing(process, params["domain"] ?? "", call.listing);
    }
    const code = undocumentedCode.exec(answer)?.[1];
    if (code !== undefined) {
      // A search proved that the first call did nothing. From then on the code is a refusal to the sender.
      const { indexDelay, jobTimeout } = process.settings;
      const first = gather(run.codes, `${operation} ${code}`, sentAt);
      call.wasMisread = call.job !== undefined && this.now - first >= (indexDelay + jobTimeout) * 1000;
    }
    if (!loginCodes.test(answer.slice(0, 200))) return;
    run.loginFailed = true;
    this.loginFailures.set(process.settings.stateDir, this.now);
  }

  hasEnded({ job }: Call): boolean {
    return job !== undefined && this.watched.service.world.jobs.get(job)?.done === true;
  }

  private noteListing(process: Process, domain: string, listing: Listing): void {
    const { first, kind, last } = this.run(process);
    gather(first, domain, listing);
    last.set(domain, listing);
    if (kind === "preview") return;
    for (const id of listing.shown.keys()) this.adopt(process, this.records.get(id), listing);
    for (const call of this.jobs.values())
      if (call.process.stack === process.stack && !this.hasEnded(call))
        for (const [id, { identity: what }] of listing.shown)
          if (call.creates.includes(what) && this.records.get(id)?.origin.by !== call)
            this.others.push({ call, what, by: process, at: this.now });
  }

  /** It may own the record from now on. */
  private adopt(process: Process, record: ZoneRecord | undefined, listing?: Listing): void {
    const { adoptable, adopted } = this.run(process);
    const what = listing?.shown.get(record?.id ?? 0)?.identity ?? record?.now.identity;
    if (record === undefined || what === undefined || !adoptable.has(what)) return;
    adopted.add(record.id);
    gather(this.adopted, process.stack, new Set()).add(record.id);
  }

  /** A listing showed an equal record of another program while the job was open. */
  sawOther(call: Call, what: string, until: number): boolean {
    return this.others.some(
      (each) => each.call === call && each.what === what && each.at < until && !each.by.wasKilled,
    );
  }

  /** The stack created it, or owned it by its id after an adoption that its program allowed. */
  isOwn(record: ZoneRecord, process: Process): boolean {
    const { adopted, owned } = this.run(process);
    if (record.creator === process.stack || adopted.has(record.id)) return true;
    return owned.has(record.id) && this.mayOwn(record, process.stack);
  }

  mayOwn(record: ZoneRecord, stack: string): boolean {
    return this.adopted.get(stack)?.has(record.id) === true || this.isCreated(record, stack);
  }

  isCreated({ creator, versions }: ZoneRecord, stack: string): boolean {
    if (creator === stack) return true;
    const was = new Set(versions.map(({ identity: what }) => what));
    const since = versions[0]?.at ?? 0;
    const isOpen = ({ creates, endSeenAt, process }: Call) =>
      process.stack === stack &&
      (process.wasKilled || endSeenAt > since) &&
      creates.some((what) => was.has(what));
    if (this.writes.some(isOpen)) return this.excused("equal to a lost write");
    const maker = versions[0]?.by?.process;
    const waited = [...this.runs.keys()].some(
      (each) => each.stack === stack && maker !== undefined && this.sharesJournal(each, maker),
    );
    return waited && this.excused("job of another run");
  }

  /** Calls whose job creates the record. */
  creationsOf(what: string): Call[] {
    return this.writes.filter(({ creates, job }) => job !== undefined && creates.includes(what));
  }

  writesOf(process: Process): Call[] {
    return this.writes.filter((call) => call.process === process);
  }

  laterOf({ name, stack }: Process): Process[] {
    const all = [...this.runs.keys()].filter((each) => each.stack === stack);
    return all.slice(all.findIndex((each) => each.name === name) + 1);
  }

  /** The last time that a call took this identity from a record. */
  removalOf(what: string): Version | undefined {
    const all = [...this.records.values()].flatMap(({ versions }) =>
      versions.filter((each, i) => each.by && each.identity !== what && versions[i - 1]?.identity === what),
    );
    return all.sort((a, b) => a.at - b.at).at(-1);
  }

  /** A run on another disk created a secret record, and was killed. */
  hasLostSecret(process: Process): boolean {
    return this.live().some(({ origin: { by, identity: what } }) => {
      return (
        by?.process.wasKilled === true &&
        what?.includes(secretMark) &&
        !this.sharesJournal(process, by.process)
      );
    });
  }

  textsOf(stack: string, since: number): string {
    const heard = this.messages.filter(({ process, at }) => process.stack === stack && at >= since);
    return heard.map(({ text }) => text).join("\n");
  }

  said(process: Process, level: string, text: string): void {
    this.log(process.name, () => `${level}: ${text}`);
    const message = { process, at: this.now, level, text };
    if (level !== "progress") this.messages.push(message);
    this.tell("said", message);
  }

  callsOf(process: Process, operation?: string): number {
    const { calls } = this.run(process);
    if (operation !== undefined) return calls.get(operation) ?? 0;
    return [...calls.values()].reduce((sum, n) => sum + n, 0);
  }

  edited(domain: string, id: number, view: RecordView | undefined, what: string): void {
    const record = gather(this.records, id, new ZoneRecord(id, domain));
    this.log("console", () => {
      const { identity: was } = record.versions.at(-1) ?? {};
      return `${what} ${view === undefined ? (was ?? id) : `${identity(domain, view)} ${view.ttl}`} (record ${id})`;
    });
    this.enter(record, view, undefined);
  }

  compare(call?: Call): void {
    for (const domain of this.watched.domains) {
      const views = this.watched.admin.zone(domain, { hold: true });
      const ids = new Set(views.map(({ id }) => id));
      for (const view of views) this.meet(domain, view, call);
      for (const record of this.records.values())
        if (record.domain === domain && record.now.view !== undefined && !ids.has(record.id))
          this.changed(record, undefined, call);
    }
  }

  private meet(domain: string, view: RecordView, call: Call | undefined): void {
    const known = this.records.get(view.id);
    if (known === undefined) return this.appears(new ZoneRecord(view.id, domain), view);
    const idle = this.zoneOf(domain)?.records.get(view.id)?.idleUpdates.length ?? 0;
    const by = this.editorOf(view.id, call);
    if (idle > known.idle && by !== undefined)
      this.tell("idle", { record: known, before: known.now, after: known.now, call: by });
    known.idle = idle;
    if (!sameView(view, known.now.view)) this.changed(known, view, call);
  }

  private appears(record: ZoneRecord, view: RecordView): void {
    this.records.set(record.id, record);
    const job = this.makerOf(record.id);
    if (job === undefined && this.now > this.begun)
      this.tell("unexplained", `record ${record.id} of ${record.domain} comes from nowhere`);
    this.enter(record, view, job);
    if (job === undefined) return;
    const { identity: what = "" } = record.now;
    this.log("service", () => `  made ${what} ${view.ttl} (record ${record.id}) for ${job.process.name}`);
  }

  private changed(record: ZoneRecord, view: RecordView | undefined, call: Call | undefined): void {
    const before = record.now;
    const by = this.editorOf(record.id, call);
    this.enter(record, view, by);
    const { identity: what = "nothing" } = record.now;
    if (by === undefined || (view === undefined && by.operation !== "Record.Remove"))
      return this.tell("unexplained", `record ${record.id} (${before.identity ?? ""}) becomes ${what}`);
    this.log("service", () => {
      const [was, is] = [before, record.now].map(
        (each) => `${each.identity ?? "nothing"} ${each.view?.ttl ?? ""}`,
      );
      return `  ${was ?? ""} becomes ${is ?? ""} (record ${record.id}) for ${by.process.name}, ${by.operation}`;
    });
    this.tell("changed", { record, before, after: record.now, call: by });
  }

  private enter(record: ZoneRecord, view: RecordView | undefined, by: Call | undefined): void {
    const { id, domain } = record;
    const zone = this.zoneOf(domain);
    const visibleAt = zone?.records.get(id)?.visibleAt ?? zone?.index.get(id)?.goneAt ?? this.now;
    const what = view && identity(domain, view);
    record.versions.push({ record, view, identity: what, at: this.now, visibleAt, by });
  }

  /** The call that edits the record now, or else the last job that names it. */
  private editorOf(id: number, call: Call | undefined): Call | undefined {
    if (!this.watched.full) return undefined;
    if (call !== undefined && editing.has(call.operation) && call.params["record_id"] === String(id))
      return call;
    return this.editorsOf(id).findLast(({ job }) => job !== undefined);
  }

  editorsOf(id: number): Call[] {
    return this.writes.filter(
      ({ params, executedAt }) => executedAt > 0 && listed(params["record_id"]).includes(String(id)),
    );
  }

  live(what?: string): ZoneRecord[] {
    return [...this.records.values()].filter(
      ({ isLive, now }) => isLive && (what === undefined || now.identity === what),
    );
  }

  /** A person changed a record of this name, and the process's last listing does not show the result. */
  hasUnseenEdit(process: Process, { domain, name }: Question): boolean {
    const host = name === "@" ? domain : `${name}.${domain}`;
    const isAt = ({ identity: what = "" }: Version) => what.startsWith(`${host} `);
    return [...this.records.values()].some(({ versions }) =>
      versions.some(
        (each, i) =>
          each.by === undefined &&
          each.at > this.run(process).begun - process.settings.indexDelay * 1000 &&
          (isAt(each) || versions.slice(0, i).some(isAt)) &&
          !isShown(each, this.run(process).last.get(domain)),
      ),
    );
  }

  isRefused({ job = 0 }: Call, what: string): boolean {
    const items = this.watched.service.world.jobs.get(job)?.items ?? [];
    return items.some(({ domain, records }) =>
      records.some(({ name, type, value, area: line, mx, status }) => {
        const record = { name, type, value, line, mx: mx === null ? undefined : Number(mx) };
        return status === "error" && identity(domain, record) === what;
      }),
    );
  }

  hasRefused({ job = 0 }: Call): boolean {
    const items = this.watched.service.world.jobs.get(job)?.items ?? [];
    return items.some(({ records }) => records.some(({ status }) => status === "error"));
  }

  private makerOf(recordId: number): Call | undefined {
    for (const [id, job] of this.jobs) {
      const items = this.watched.service.world.jobs.get(id)?.items ?? [];
      if (items.some((item) => item.records.some((record) => record.recordId === recordId))) return job;
    }
    return undefined;
  }

  zoneOf(domain: string) {
    return [...this.watched.service.world.domains.values()].find(({ name }) => name === domain);
  }

  identitiesOf({ params }: Call): string[] {
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

function isWhole(answer: string): boolean {
  try {
    JSON.parse(answer.slice(answer.indexOf(" ")));
    return true;
  } catch {
    return false;
  }
}

function sameView(one: RecordView, other: RecordView | undefined) {
  const keys = Object.keys(one) as (keyof RecordView)[];
  return other !== undefined && keys.every((key) => one[key] === other[key]);
}

function briefly(params: Readonly<Record<string, string>>) {
  const { login_token: _token, format: _format, length: _length, offset: _offset, ...rest } = params;
  return Object.entries(rest)
    .map(([key, value]) => `${key}=${value.slice(0, 200)}`)
    .join(" ");
}
