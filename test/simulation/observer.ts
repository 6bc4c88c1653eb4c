/**
 * The observer: sees every call, every message and every edit of the console, knows who made which record, and tells
 * what must never be (docs/invariants.md). It changes nothing.
 */
import type { Admin, RecordView, Service } from "../../emulator";
import { LOGIN_STOP_MS } from "../../provider/api/login-stop";
import type { Result, Stack } from "./engine";
import type { Process, Sent, Witness } from "./process";
import { declaredIn, identity, secretMark, type Program } from "./program";
import type { Timeline } from "./time";
import type { Edits } from "./user";

/** The numbers of docs/invariants.md. */
export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;

export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

/** A live record as it must stand, and where it comes from. */
interface Standing {
  readonly domain: string;
  view: RecordView;
  /** What it is, as text. */
  identity: string;
  readonly madeBy: { readonly stack: string; readonly process: Process } | undefined;
  /** The console has made something else of it at some time. */
  reshaped: boolean;
}

/** What is counted for one process. */
interface Tally {
  readonly program: Program;
  readonly begun: number;
  readonly calls: Map<string, number>;
  readonly jobs: Set<number>;
  readonly queued: Map<string, number>;
  loginFailed: boolean;
}

const documented = new Set(["Domain.Info", "Domain.List", "Domain.Purview", "Domainshare.Modify", "Record.List", "Record.Info", "Batch.Record.Create", "Batch.Detail", "Monitor.Gethistory", "Custom.Line.List"]);
const loginCodes = /"code":"(-1|-8|10001|10002|5[0-4]|83|85)"/;

/** The longest that one operation may take in simulated seconds, whatever goes wrong. */
export const longestOperation = 3600;

export class Observer implements Witness, Edits {
  readonly violations: Violation[] = [];
  readonly trace: string[] = [];
  readonly messages: { readonly stack: string; readonly at: number; readonly level: string; readonly text: string }[] = [];
  private readonly standing = new Map<number, Standing>();
  private readonly jobs = new Map<number, Process>();
  private readonly tallies = new Map<Process, Tally>();
  private readonly loginFailures = new Map<string, number>();
  private readonly begun: number;

  constructor(
    private readonly admin: Admin,
    private readonly service: Service,
    private readonly timeline: Timeline,
    private readonly domains: readonly string[],
    private readonly tracing: boolean,
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

  /** The machine is another one: what was on its disk is unknown. */
  diskLost(stateDir: string): void {
    this.loginFailures.delete(stateDir);
  }

  // What processes do

  begin(process: Process, program: Program): void {
    this.tallies.set(process, { program, begun: this.timeline.now(), calls: new Map(), jobs: new Set(), queued: new Map(), loginFailed: false });
  }

  sent(call: Sent): void {
    const { process, operation } = call;
    this.log(process.name, () => `> ${operation} ${briefly(call.params)}`);
    const tally = this.tallies.get(process);
    if (tally === undefined) return;
    tally.calls.set(operation, (tally.calls.get(operation) ?? 0) + 1);
    if (tally.loginFailed) this.violated(7, `${process.name} calls ${operation} after its login failed`);
    const failed = this.loginFailures.get(process.settings.stateDir);
    if (!tally.loginFailed && failed !== undefined && failed < tally.begun && this.timeline.now() - failed < LOGIN_STOP_MS) {
      this.violated(7, `${process.name} calls ${operation} ${Math.round((this.timeline.now() - failed) / 1000)} s after a login failed on its machine`);
    }
    if (!documented.has(operation)) this.violated(4, `${operation} is not part of the documented interface`);
    if (operation !== "Batch.Record.Create") return;
    const declared = new Set(tally.program.flatMap(declaredIn).map((each) => each.identity));
    for (const id of this.identitiesOf(call)) if (!declared.has(id)) this.violated(3, `${process.name} sends ${id}, which its program does not declare`);
  }

  executed(call: Sent, fault: boolean, job: number | undefined): void {
    if (fault) this.log("service", () => `  ${call.operation} of ${call.process.name} kept away by a fault`);
    if (job === undefined) return;
    this.log("service", () => `  job ${job} for ${call.process.name}`);
    this.jobs.set(job, call.process);
    const tally = this.tallies.get(call.process);
    if (tally === undefined) return;
    tally.jobs.add(job);
    for (const id of this.identitiesOf(call)) {
      const times = (tally.queued.get(id) ?? 0) + 1;
      tally.queued.set(id, times);
      if (times > 1) this.violated(1, `${call.process.name} has ${id} made ${times} times`);
    }
  }

  answered(call: Sent, answer: string): void {
    this.log(call.process.name, () => `< ${call.operation} ${answer.slice(0, 160)}`);
    if (!loginCodes.test(answer.slice(0, 200))) return;
    const tally = this.tallies.get(call.process);
    if (tally !== undefined) tally.loginFailed = true;
    this.loginFailures.set(call.process.settings.stateDir, this.timeline.now());
  }

  said(process: Process, level: string, text: string): void {
    this.log(process.name, () => `${level}: ${text}`);
    if (level !== "progress") this.messages.push({ stack: process.stack, at: this.timeline.now(), level, text });
    if (text.includes(secretMark)) this.violated(10, `${level} of ${process.name}: ${text}`);
  }

  /** The end of an operation: what it printed, how long it took, and how many calls it made. */
  ended(process: Process, result: Result, quiet: boolean, resources: number, unsettled: number): void {
    const tally = this.tallies.get(process);
    if (tally === undefined) return;
    const seconds = (this.timeline.now() - tally.begun) / 1000;
    this.log(process.name, () => `${result.ok ? "ok" : "failed"} after ${seconds.toFixed(1)} s; changed: ${result.changed.join(" ") || "nothing"}${result.errors.map(({ resource, text }) => `\n${" ".repeat(21)}error ${resource}: ${text}`).join("")}`);
    for (const { resource, text } of result.errors) {
      this.messages.push({ stack: process.stack, at: this.timeline.now(), level: "error", text: `${resource}: ${text}` });
      if (text.includes(secretMark)) this.violated(10, `error of ${process.name}: ${text}`);
    }
    if (seconds > longestOperation) this.violated(9, `${process.name} took ${Math.round(seconds)} s`);
    if (!quiet) return;
    const calls = (operation: string): number => tally.calls.get(operation) ?? 0;
    const limit = (operation: string, most: number): void => {
      if (calls(operation) > most) this.violated(6, `${process.name}: ${calls(operation)} calls of ${operation} in ${Math.round(seconds)} s, where ${Math.floor(most)} suffice`);
    };
    const records = tally.program.flatMap(declaredIn).length;
    limit("Record.List", this.domains.length * (3 + 2 * resources + 12 * unsettled + seconds / 30));
    limit("Batch.Record.Create", 2 * records);
    limit("Batch.Detail", (tally.jobs.size + unsettled + records) * (resources + 1) * (14 + seconds / 4));
    limit("Domain.Purview", this.domains.length);
  }

  /** How many calls a process made, of one operation or of all. */
  callsOf(process: Process, operation?: string): number {
    const calls = this.tallies.get(process)?.calls ?? new Map<string, number>();
    return operation === undefined ? [...calls.values()].reduce((sum, n) => sum + n, 0) : (calls.get(operation) ?? 0);
  }

  // What stands in the zones

  edited(domain: string, id: number, view: RecordView | undefined, what: string): void {
    const known = this.standing.get(id);
    this.log("console", () => `${what} ${view === undefined ? (known?.identity ?? id) : `${identity(domain, view)} ${view.ttl}`} (record ${id})`);
    if (view === undefined) this.standing.delete(id);
    else if (known === undefined) this.stand(domain, view, undefined);
    else {
      const what = identity(domain, view);
      Object.assign(known, { view, identity: what, reshaped: known.reshaped || what !== known.identity });
    }
  }

  /** Compares the zones with what must stand there: nothing of ours changes or removes a record. */
  compare(): void {
    for (const domain of this.domains) {
      const live = new Map(this.admin.zone(domain, { hold: true }).map((view) => [view.id, view]));
      for (const [id, standing] of this.standing) {
        if (standing.domain !== domain) continue;
        const view = live.get(id);
        if (view === undefined) {
          this.violated(4, `${standing.identity} (record ${id}) is gone, and nobody removed it in the console`);
          this.standing.delete(id);
        } else if (!sameView(view, standing.view)) {
          this.violated(standing.madeBy === undefined ? 3 : 4, `record ${id} is ${JSON.stringify(view)}, and was ${JSON.stringify(standing.view)}`);
          standing.view = view;
        }
      }
      for (const [id, view] of live) {
        if (this.standing.has(id)) continue;
        const process = this.makerOf(id);
        if (process === undefined) this.violated(3, `record ${id} of ${domain} comes from nowhere`);
        this.stand(domain, view, process);
      }
    }
  }

  /** The records that stand in a zone, as text. */
  live(): { readonly id: number; readonly identity: string; readonly enabled: boolean; readonly ttl: number; readonly stack: string | undefined; readonly asMade: boolean }[] {
    return [...this.standing].flatMap(([id, { view, identity: what, madeBy, reshaped }]) =>
      view.hold ? [] : [{ id, identity: what, enabled: view.enabled, ttl: view.ttl, stack: madeBy?.stack, asMade: !reshaped }],
    );
  }

  /** Invariant 1. */
  duplicates(tolerated: (ids: readonly number[]) => boolean): void {
    const made = new Map<string, number[]>();
    for (const { id, identity: what, stack, asMade } of this.live()) {
      if (stack === undefined || !asMade) continue;
      const key = `${what}, made by stack ${stack},`;
      made.set(key, [...(made.get(key) ?? []), id]);
    }
    for (const [what, ids] of made) {
      if (ids.length > 1 && !tolerated(ids)) this.violated(1, `${what} is live ${ids.length} times (records ${ids.join(", ")})`);
    }
  }

  /** Invariant 2 after an operation that ended well. */
  declaredLive(program: Program, only: ReadonlySet<string> | undefined): void {
    const live = this.live();
    for (const resource of program) {
      if (only !== undefined && !only.has(resource.name)) continue;
      for (const { identity: what, spec } of declaredIn(resource)) {
        const found = live.filter((each) => each.identity === what);
        const right = found.filter((each) => each.enabled && (spec.ttl === undefined || spec.ttl === each.ttl));
        if (right.length === 0) this.violated(2, `${resource.name} declares ${what}${spec.ttl === undefined ? "" : ` ${spec.ttl}`}, which is ${found.length === 0 ? "not live" : "live otherwise"}, and no error says so`);
      }
    }
  }

  /** Invariant 8: every record a stack made is in a ledger, declared, or was named to the user when it was let go. */
  forgotten(name: string, stack: Stack, program: Program): void {
    const ledgers = stack.resources.map(({ outputs }) => String(outputs["ledger"] ?? ""));
    const owned = new Set(ledgers.flatMap((ledger) => ledger.split("\n").flatMap((line) => ownedIn(line))));
    const declared = new Set(program.flatMap(declaredIn).map((each) => each.identity));
    for (const { id, identity: what, stack: maker, asMade } of this.live()) {
      // What the console has made something else of is the console's.
      if (maker !== name || !asMade || owned.has(String(id))) continue;
      if (declared.has(what)) {
        this.violated(8, `record ${id} (${what}) is declared by stack ${name}, which made it, and no resource answers for it`);
        continue;
      }
      // A killed run's record that no later program declares: nobody asks the journal for it (docs/invariants.md, Limits).
      if (this.standing.get(id)?.madeBy?.process.wasKilled() === true) continue;
      const [at = "", type = ""] = what.split(" ");
      const named = this.messages.some(({ stack: teller, level, text }) => teller === name && level !== "progress" && (text.includes(`record ${id}`) || text.includes(`${at}. ${type}`)));
      if (!named) this.violated(8, `record ${id} (${what}) was made by stack ${name}, and neither its state nor any message knows it`);
    }
  }

  /** Invariant 10 in what is stored. */
  secrets(stack: Stack): void {
    for (const { id, outputs } of stack.resources) {
      if (`${id} ${String(outputs["ledger"])}`.includes(secretMark)) this.violated(10, `the id or ledger of ${id} holds a secret value`);
    }
  }

  private stand(domain: string, view: RecordView, process: Process | undefined): void {
    const what = identity(domain, view);
    this.standing.set(view.id, { domain, view, identity: what, madeBy: process === undefined ? undefined : { stack: process.stack, process }, reshaped: false });
    if (process !== undefined) this.log("service", () => `  made ${what} ${view.ttl} (record ${view.id}) for ${process.name}`);
  }

  private makerOf(recordId: number): Process | undefined {
    for (const [id, process] of this.jobs) {
      const items = this.service.world.jobs.get(id)?.items ?? [];
      if (items.some((item) => item.records.some((record) => record.recordId === recordId))) return process;
    }
    return undefined;
  }

  private identitiesOf({ params }: Sent): string[] {
    const names = new Map(this.admin.domains().map(({ id, name }) => [String(id), name]));
    const records = JSON.parse(params["records"] ?? "[]") as { sub_domain: string; record_type: string; value: string; MX?: number | string }[];
    return (params["domain_id"] ?? "").split(",").flatMap((id) =>
      records.flatMap(({ sub_domain, record_type, value, MX }) =>
        sub_domain.split(",").map((label) => identity(names.get(id) ?? id, { name: label, type: record_type, value, mx: MX === undefined ? undefined : Number(MX) })),
      ),
    );
  }
}

function ownedIn(line: string): string[] {
  if (line.startsWith("+ ")) return line.split(" ").slice(2).map((entry) => entry.slice(entry.indexOf(":") + 1));
  return line.startsWith("- ") ? line.split(" ").slice(2) : [];
}

function sameView(one: RecordView, other: RecordView): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function briefly(params: Readonly<Record<string, string>>): string {
  const { login_token: _token, format: _format, length: _length, offset: _offset, ...rest } = params;
  return Object.entries(rest).map(([key, value]) => `${key}=${value.slice(0, 200)}`).join(" ");
}
