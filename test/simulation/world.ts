/** What happened in the world: runs, writes, and each version of each record. Judges nothing. Times: ms since the epoch. */
import type { RecordView } from "../../emulator";
import { gather, split } from "../../provider/support/collections";
import { isAddress, ledgerIds, openWritesOf, questionsOf, type Question } from "./edits";
import type { Resource, Stack } from "./engine";
import {
  listed,
  Run,
  sameView,
  shownVersion,
  ZoneRecord,
  type Call,
  type Listing,
  type Message,
  type OtherRecord,
  type Version,
  type Watched,
} from "./facts";
import { Machines } from "./machines";
import { ServiceFacts } from "./service-facts";
import type { Events } from "./laws/law";
import { editing, type Process } from "./process";
import {
  declaredIn,
  identitiesIn,
  identity,
  isAsDeclared,
  keyOf,
  type Declared,
  type Program,
  type Spec,
} from "./program";
import type { Edits } from "./user";

export abstract class World implements Edits {
  readonly trace: string[] = [];
  readonly messages: Message[] = [];
  readonly machines = new Machines();
  readonly records = new Map<number, ZoneRecord>();
  readonly writes: Call[] = [];
  /** Stack → its last successful run of all resources, and its end. */
  readonly lastSaved = new Map<string, { readonly process: Process; readonly at: number }>();
  private readonly runs = new Map<Process, Run>();
  protected readonly jobs = new Map<number, Call>();
  /** Stack → the programs since its last successful up. Its state has declarations of these. */
  private readonly programs = new Map<string, Program[]>();
  /** Stack → the records that listings showed while its program, or in a refresh its state, declared them with `adopt`. */
  readonly adopted = new Map<string, Set<number>>();
  private readonly others: OtherRecord[] = [];
  /** Job and process: the process asked about the job without a whole answer. */
  private readonly unanswered = new Set<string>();
  /** Job and record: the job's changes that a look has met. */
  private readonly done = new Set<string>();
  private readonly begun: number;
  readonly zones: ServiceFacts;

  constructor(readonly watched: Watched) {
    this.zones = new ServiceFacts(watched.service, watched.timeline.now);
    this.begun = this.now;
  }

  abstract tell<E extends keyof Events>(event: E, what: Events[E]): void;

  get now(): number {
    return this.watched.timeline.now();
  }

  log(who: string, text: () => string): void {
    if (!this.watched.tracing) return;
    const seconds = ((this.now - this.begun) / 1000).toFixed(3).padStart(10);
    this.trace.push(`${seconds}  ${who.padEnd(8)} ${text()}`);
  }

  begin(process: Process, program: Program, { resources }: Stack, kind: string): void {
    const { full, service } = this.watched;
    const { stack, settings } = process;
    const disk = this.machines.diskOf(settings.stateDir);
    const writes = kind.startsWith("up");
    const programs = gather(this.programs, stack, []);
    if (writes) programs.push(program);
    const known = resources.map(keyOf);
    const saved = programs.flat().filter((each) => known.includes(keyOf(each)));
    const adopting = [...(writes ? program : []), ...(kind.endsWith("refresh") ? saved : [])];
    const questions = full && writes ? questionsOf(program, resources, service) : [];
    const owned = new Map<number, string[]>();
    for (const each of resources)
      for (const id of ledgerIds([each], "+=")) gather(owned, id, []).push(keyOf(each));
    const adoptable = identitiesIn(adopting.filter(({ adopt }) => adopt !== false));
    const leaves = ({ outputs }: Resource) => (outputs["removal"] ?? settings.removal) !== "retain";
    const [leaving, staying] = split(resources, leaves);
    const deletable = ledgerIds(leaving, "+=");
    const retaining = new Set(staying.map(keyOf));
    const open = openWritesOf(resources);
    const facts = [new Set(known), retaining, owned, deletable, adoptable, questions, open] as const;
    this.runs.set(process, new Run(program, saved, kind, this.now, disk, ...facts));
  }

  /** A run of all resources has succeeded. */
  saved(process: Process): void {
    const { kind, program } = this.run(process);
    this.lastSaved.set(process.stack, { process, at: this.now });
    if (kind.startsWith("up")) this.programs.set(process.stack, [program]);
  }

  run(process: Process): Run {
    const found = this.runs.get(process);
    if (found === undefined) throw new Error(`${process.name} has not begun`);
    return found;
  }

  checked(process: Process, resource: Pick<Resource, "type" | "name">): void {
    this.run(process).checked.set(keyOf(resource), this.now);
  }

  /** Whether the process knows that the program declares the record. */
  sawDeclaration({ process, sentAt }: Call, what: string): boolean {
    return identitiesIn(this.knownProgram(process, sentAt)).has(what);
  }

  /** Whether the process knows that the program declares an address there. */
  sawAddress({ process, sentAt }: Call, { domain, name }: Question): boolean {
    const known = this.knownProgram(process, sentAt).flatMap(declaredIn);
    return known.some((each) => each.domain === domain && each.spec.name === name && isAddress(each.spec));
  }

  /** Each checked resource has a manifest of the whole program. With targets, the engine possibly checks none. */
  knownProgram(process: Process, until = Infinity): Program {
    const { checked, program } = this.run(process);
    if (!this.watched.late) return checked.size > 0 ? program : [];
    const isChecked = (each: Declared): boolean => (checked.get(keyOf(each)) ?? Infinity) < until;
    return program.filter(isChecked);
  }

  clockSet(stateDir: string, by: number): void {
    this.log("machine", () => `the clock is set by ${by / 3_600_000} h`);
    this.machines.setClock(stateDir, by, this.now);
  }

  sharesJournal(one: Process, other: Process): boolean {
    return this.run(one).disk === this.run(other).disk;
  }

  unread({ params, process }: Call): void {
    this.unanswered.add(`${params["job_id"]} ${process.name}`);
  }

  /** One of its resources may have saved the job as open, although another one saw its end. */
  hasMissed({ job }: Call, process: Process | undefined): boolean {
    return this.unanswered.has(`${job} ${process?.name}`);
  }

  /** Calls whose job creates the record. */
  creationsOf(what: string): Call[] {
    return this.writes.filter(({ creates, job }) => job !== undefined && creates.includes(what));
  }

  /** Two calls may leave in the same millisecond. */
  isBefore(one: Call, other: Call): boolean {
    return this.writes.indexOf(one) < this.writes.indexOf(other);
  }

  writesOf(process: Process): Call[] {
    return this.writes.filter((call) => call.process === process);
  }

  processesOf(stack: string): Process[] {
    return [...this.runs.keys()].filter((each) => each.stack === stack);
  }

  laterOf({ name, stack }: Process): Process[] {
    const all = this.processesOf(stack);
    return all.slice(all.findIndex((each) => each.name === name) + 1);
  }

  callsOf(process: Process, operation?: string): number {
    const { calls } = this.run(process);
    const all = [...calls.values()].reduce((sum, n) => sum + n, 0);
    return operation === undefined ? all : (calls.get(operation) ?? 0);
  }

  edited(domain: string, id: number, view: RecordView | undefined, what: string): void {
    const record = gather(this.records, id, new ZoneRecord(id, domain));
    this.log("console", () => {
      const { identity: was } = record.versions.at(-1) ?? {};
      return `${what} ${view === undefined ? (was ?? id) : `${identity(domain, view)} ${view.ttl}`} (record ${id})`;
    });
    this.zones.enter(record, view, undefined);
  }

  /** Looks after each step of a job, because two jobs that end at once may change one record. */
  compare(call?: Call): void {
    while (this.zones.settleNext()) this.look();
    this.look(call);
  }

  private look(call?: Call): void {
    for (const domain of this.watched.domains) {
      const views = this.zones.viewsOf(domain);
      const ids = new Set(views.map(({ id }) => id));
      for (const view of views) this.meet(domain, view, call);
      for (const record of this.records.values())
        if (record.domain === domain && record.now.view !== undefined && !ids.has(record.id))
          this.changed(record, undefined, this.editorAt(record.id, call));
    }
  }

  private meet(domain: string, view: RecordView, call: Call | undefined): void {
    const known = this.records.get(view.id);
    if (known === undefined) return this.appears(new ZoneRecord(view.id, domain), view);
    const idle = this.zones.zoneOf(domain)?.records.get(view.id)?.idleUpdates.length ?? 0;
    const by = this.editorAt(view.id, call);
    if (!sameView(view, known.now.view)) this.changed(known, view, by);
    else if (idle > known.idle && by)
      this.tell("idle", { record: known, before: known.now, after: known.now, call: by });
    known.idle = idle;
  }

  private appears(record: ZoneRecord, view: RecordView): void {
    this.records.set(record.id, record);
    const job = this.zones.makerOf(record.id, this.jobs);
    if (job === undefined && this.now > this.begun)
      this.tell("unexplained", `record ${record.id} of ${record.domain} comes from nowhere`);
    this.zones.enter(record, view, job);
    if (job === undefined) return;
    const made = `${shownVersion(record.now)} (record ${record.id})`;
    this.log("service", () => `  made ${made} for ${job.process.name}`);
  }

  private changed(record: ZoneRecord, view: RecordView | undefined, by: Call | undefined): void {
    const before = record.now;
    this.zones.enter(record, view, by);
    const { identity: what = "nothing" } = record.now;
    if (by === undefined || (view === undefined && by.operation !== "Record.Remove"))
      return this.tell("unexplained", `record ${record.id} (${before.identity ?? ""}) becomes ${what}`);
    this.log("service", () => {
      const [was, is] = [before, record.now].map(shownVersion);
      return `  ${was ?? ""} becomes ${is ?? ""} (record ${record.id}) for ${by.process.name}, ${by.operation}`;
    });
    this.tell("changed", { record, before, after: record.now, call: by });
  }

  /** The call that edits the record now, or else the job that has changed it since the last look. */
  private editorAt(id: number, call: Call | undefined): Call | undefined {
    if (!this.watched.full) return undefined;
    if (call !== undefined && editing.has(call.operation) && call.params["record_id"] === String(id))
      return call;
    const [editor, ...others] = this.editorsOf(id).filter((each) => {
      const what = `${each.job} ${id}`;
      const isNew = !this.done.has(what) && this.zones.hasChanged(each, id);
      if (isNew) this.done.add(what);
      return isNew;
    });
    if (others.length > 0) this.tell("unexplained", `several jobs change record ${id} between two looks`);
    return editor;
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

  /**
   * Of records that were live as declared once, that the state owns, or to which the stack gave this identity: later
   * versions, or the last.
   */
  versionsOf(process: Process, what: string, spec: Spec, since: number): Version[] {
    const { owned } = this.run(process);
    const isSo = ({ by, identity: is, record, view }: Version) =>
      is === what &&
      (by?.process.stack === process.stack || owned.has(record.id) || isAsDeclared(spec, view));
    const records = [...this.records.values()].filter(({ versions }) => versions.some(isSo));
    return records.flatMap(({ now, versions }) => versions.filter((each) => each === now || each.at > since));
  }

  protected noteListing(process: Process, listing: Listing): void {
    const { kind, last, listings } = this.run(process);
    listings.push(listing);
    last.set(listing.domain, listing);
    if (kind === "preview") return;
    for (const id of listing.shown.keys()) this.adopt(process, this.records.get(id), listing);
    for (const call of this.jobs.values())
      if (call.process.stack === process.stack && this.isOpen(call, listing))
        for (const [id, { identity: what }] of listing.shown)
          if (call.creates.includes(what) && this.records.get(id)?.origin.by !== call)
            this.others.push({ call, what, by: process, at: this.now });
  }

  protected noteInfo({ params, process }: Call): void {
    this.adopt(process, this.records.get(Number(params["record_id"])));
  }

  /** The job has not ended, or its number was lost and the listing shows none of its records yet. */
  private isOpen(call: Call, { shown }: Listing): boolean {
    const isMade = () => [...shown.keys()].some((id) => this.records.get(id)?.origin.by === call);
    return !this.zones.hasEnded(call) || (!call.wasNumbered && !isMade());
  }

  /** It may own the record from now on. */
  protected adopt(process: Process, record: ZoneRecord | undefined, listing?: Listing): void {
    const { adoptable, adopted } = this.run(process);
    const what = listing?.shown.get(record?.id ?? 0)?.identity ?? record?.now.identity;
    if (record === undefined || what === undefined || !adoptable.has(what)) return;
    adopted.add(record.id);
    gather(this.adopted, process.stack, new Set()).add(record.id);
  }

  /** A listing showed an equal record of another program while the job was open, or in place of its own. */
  sawOther(call: Call, what: string, until: number): boolean {
    return this.others.some(
      (each) => each.call === call && each.what === what && each.at <= until && !each.by.wasKilled,
    );
  }
}
