/** A seed decides the service, the programs and all faults. Then the faults end, the user follows the messages, and the invariants are checked. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin, Box, shapes, type SettingsInput } from "../../emulator";
import { parseSettings } from "../../provider/settings";
import { split } from "../../provider/support/collections";
import type { Break } from "./breaks";
import { Dice } from "./dice";
import { ledgerIds } from "./edits";
import { Engine, EngineDied, type Result, type Stack } from "./engine";
import type { Gap } from "./knowledge";
import { Observer, type Violation } from "./observer";
import { Process } from "./process";
import { identitiesIn, isIn, relativeName, type Pool, type Program } from "./program";
import { steps } from "./steps";
import { Stuck, Timeline } from "./time";
import { chooseFeatures, type Feature } from "./troubles";
import { User } from "./user";
import type { Deployment, Kind, Run, Stage, Workload } from "./workload";

export interface RunOptions {
  readonly without?: ReadonlySet<Feature>;
  readonly always?: ReadonlySet<Feature>;
  readonly broken?: Break | undefined;
  readonly trace?: boolean;
  /** Without it, the first one (`steps`). */
  readonly workload?: () => Workload;
}

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly features: readonly Feature[];
  readonly operations: number;
  readonly calls: number;
  readonly seconds: number;
  readonly trace: readonly string[];
  /** Each gap that excused something. */
  readonly gaps: readonly Gap[];
  /** For each stack: how often the user ran a command until the goal. */
  readonly rounds: readonly number[];
  /** Sequences of the workload that occurred, by name. */
  readonly occurred: readonly string[];
}

const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "legacydns-simulation-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const epoch = Date.UTC(2026, 0, 15, 8);
const token = "12345,0123456789abcdef0123456789abcdef";
const noisy: readonly Feature[] = ["faults", "login", "kills", "stops", "echoes", "lies", "clocks"];

export async function simulate(seed: number, options: RunOptions = {}): Promise<Outcome> {
  const folder = mkdtempSync(join(root, "run-"));
  const rejected: unknown[] = [];
  const onRejected = (reason: unknown): void => void rejected.push(reason);
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", onRejected);
  try {
    const schedule = new Schedule(seed, options, folder);
    await schedule.run();
    for (const reason of rejected)
      schedule.observer.tell("broke", `a rejection that nobody handles: ${String(reason)}`);
    return schedule.outcome();
  } finally {
    process.removeListener("unhandledRejection", onRejected);
    for (const other of others) process.on("unhandledRejection", other);
    rmSync(folder, { recursive: true, force: true });
  }
}

class Schedule implements Stage {
  readonly observer: Observer;
  readonly dice: Dice;
  readonly admin: Admin;
  readonly domains: readonly string[];
  readonly lies = new Map<string, "before" | "after">();
  readonly timeline = new Timeline(epoch);
  private readonly workload: Workload;
  private readonly on: ReadonlySet<Feature>;
  private readonly box: Box;
  private readonly user: User;
  readonly main: Deployment;
  readonly other: Deployment | undefined;
  private readonly indexDelay: number;
  private operations = 0;
  private calls = 0;
  private readonly running: string[] = [];
  private readonly ahead = new Map<string, number>();
  private edits = 0;
  private jobsStay = false;
  private readonly rounds: number[] = [];
  private occurred: readonly string[] = [];

  constructor(
    private readonly seed: number,
    private readonly options: RunOptions,
    private readonly folder: string,
  ) {
    const dice = (this.dice = new Dice(seed));
    const { names, first } = (this.workload = options.workload?.() ?? steps);
    this.on = chooseFeatures(dice, options.without, options.always);
    this.domains = ["one.example", "two.example", "three.example"].slice(0, dice.between(1, 3));
    this.indexDelay = this.has("lag") ? dice.pick([5, 30]) : 0;
    const { timeline, domains } = this;
    const settings = this.service();
    this.box = new Box({ domains: [...domains], token, seed, now: timeline.now, settings });
    this.admin = new Admin(this.box, { offset: 0 });
    this.fill();
    const { service } = this.box;
    const [full, late] = [this.has("full"), this.has("late")];
    const { admin } = this;
    const tracing = options.trace === true;
    this.observer = new Observer({ admin, service, timeline, domains, tracing, full, late });
    this.user = new User(this.admin, domains, this.observer);
    const pool = { domains, names, has: this.has };
    const common = this.settings();
    const program = first(dice, pool);
    this.main = this.deployment("A", pool, program, common, "a");
    if (!this.has("second")) return;
    // Two stacks that declare the same records would delete each other's new records.
    const copies = dice.chance(0.5) && !this.has("full");
    const own = copies ? pool : { ...pool, names: ["shop", "blog"] };
    const second = copies ? program : first(dice, own);
    this.other = this.deployment("B", own, second, common, dice.pick(["a", "b", "b"]), copies);
  }

  readonly has = (feature: Feature) => this.on.has(feature);

  outcome(): Outcome {
    const { seed, operations, calls, observer } = this;
    const seconds = (this.timeline.now() - epoch) / 1000;
    const { violations } = observer;
    const trace = observer.trace.map((line) => line.replaceAll(this.folder, ""));
    const gaps = [...observer.gapsSeen];
    const { rounds, occurred, on } = this;
    return { seed, violations, features: [...on], operations, calls, seconds, trace, gaps, rounds, occurred };
  }

  async run(): Promise<void> {
    await this.timeline.drive(this.script()).catch((error: unknown) => {
      if (!(error instanceof Stuck)) throw error;
      this.observer.tell("broke", error.message);
    });
  }

  readonly finishJobs = () => {
    if (this.jobsStay) return;
    for (const job of this.admin.jobs()) if (!job.done) this.admin.finishJob(job.id);
    this.observer.compare();
  };

  readonly edit = () => this.byHand((user) => user.edit(this.dice, this.main.pool, this.main.program));

  byHand(act: (user: User) => void): void {
    this.observer.compare();
    this.edits += 1;
    act(this.user);
    this.observer.compare();
  }

  readonly setClock = (stateDir: string) => {
    const was = this.ahead.get(stateDir) ?? 0;
    const now = this.dice.pick([0, was + 86_400_000, was - 86_400_000, was + 3_600_000, was - 3_600_000]);
    this.ahead.set(stateDir, now);
    this.observer.clockSet(stateDir, now - was);
  };

  private service(): SettingsInput {
    const { dice, indexDelay } = this;
    const delay = () => dice.pick([null, null, null, 0, indexDelay / 2]);
    return {
      indexDelay,
      identical: dice.chance(0.7) ? "accept" : "refuse",
      ...(this.has("eras") && {
        answers: dice.pick(shapes.filter((shape) => shape !== "english" || !this.has("lines"))),
      }),
      ...(this.has("full") && { undocumented: true, modifyDelay: delay(), removeDelay: delay() }),
    };
  }

  private fill(): void {
    const { admin, dice } = this;
    for (let i = dice.between(0, 3); i > 0; i -= 1) {
      const value = dice.pick(["192.0.2.1", "192.0.2.77"]);
      const input = { name: dice.pick(["www", "api", "old"]), type: "A", value };
      try {
        admin.addRecord(dice.pick(this.domains), input, { indexed: true });
      } catch {}
    }
  }

  private settings(): Record<string, string> {
    const { dice } = this;
    const full = this.has("full");
    const retains = this.has("retain") && dice.chance(0.4);
    return {
      LEGACYDNS_BASE_URL: "https://dns-host.example/api",
      LEGACYDNS_LOGIN_TOKEN: token,
      LEGACYDNS_CONTACT: "tests@example.com",
      LEGACYDNS_INDEX_DELAY: String(this.indexDelay),
      LEGACYDNS_JOB_TIMEOUT: String(dice.pick([20, 60, 120])),
      LEGACYDNS_MAX_RECORDS_PER_JOB: String(dice.pick([1000, 1000, 2, 3])),
      LEGACYDNS_REMOVAL: retains ? "retain" : full ? "delete" : "verify",
      ...(full && { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" }),
      ...(full && dice.chance(0.85) && { LEGACYDNS_CONFIRMED_DOMAINS: this.domains.join(",") }),
    };
  }

  private deployment(
    name: string,
    pool: Pool,
    program: Program,
    common: Record<string, string>,
    machine: string,
    copies = false,
  ): Deployment {
    const env = { ...common, LEGACYDNS_STATE_DIR: join(this.folder, machine) };
    const settings = parseSettings({ config: {}, env, explicit: false });
    return { name, state: { resources: [] }, pool, settings, program, copies };
  }

  private get deployments(): readonly Deployment[] {
    return this.other === undefined ? [this.main] : [this.main, this.other];
  }

  private async script(): Promise<void> {
    this.occurred = await this.workload.play(this);
    await this.settleDown();
  }

  get hasOperated(): boolean {
    return this.operations > 0;
  }

  calm(): void {
    this.admin.clearFaults();
    this.admin.set({ jobStartMs: 20, jobMs: 2, stickAfter: null, refuse: [] });
  }

  async operate(deployment: Deployment, kind: Kind, disturbed: boolean, retain = false): Promise<Run> {
    if (kind === "up" && this.dice.chance(0.5)) {
      const preview = await this.once(deployment, "preview", disturbed, retain);
      if (!preview.result.ok) return preview;
    }
    return this.once(deployment, kind, disturbed, retain);
  }

  private async once(deployment: Deployment, kind: Kind, disturbed: boolean, retain = false): Promise<Run> {
    const { dice, observer } = this;
    const { program, state, settings } = deployment;
    this.loseDisk(settings.stateDir);
    const process = this.start(deployment, retain);
    observer.begin(process, program, state, kind);
    observer.log(process.name, () => `pulumi ${kind} ${JSON.stringify(program)}`);
    const editsBefore = this.edits;
    if (disturbed) this.workload.upset(this, process, kind === "preview");
    const aims = disturbed && kind === "up" && this.has("targets") && dice.chance(0.3);
    const targets = aims ? this.someTargets(deployment) : undefined;
    if (targets !== undefined) observer.log(process.name, () => `only ${[...targets].join(" ")}`);
    const result = await this.runEngine(deployment, process, kind, targets);
    this.calls += observer.callsOf(process);
    observer.compare();
    const undisturbed = editsBefore === this.edits && this.other === undefined;
    const quiet = !disturbed || (undisturbed && !noisy.some(this.has));
    const resources = quiet ? state.resources.length + program.length : undefined;
    const covers = (name: string) => kind !== "up" || result.changed.includes(name);
    for (const { resource, text } of result.errors) observer.said(process, "error", `${resource}: ${text}`);
    const end = result.ok ? "ok" : "failed";
    observer.log(process.name, () => `${end}; changed: ${result.changed.join(" ") || "nothing"}`);
    observer.tell("ended", {
      ...{ process, ok: result.ok, state: state.resources, covers, undisturbed, resources },
    });
    if (result.ok && kind !== "preview" && targets === undefined)
      observer.lastSaved.set(deployment.name, { process, at: observer.now });
    observer.log(process.name, () => `state: ${stateText(state)}`);
    return { result, process };
  }

  private loseDisk(stateDir: string): void {
    if (!this.has("fresh-disk") || !this.dice.chance(0.7) || this.running.includes(stateDir)) return;
    rmSync(stateDir, { recursive: true, force: true });
    mkdirSync(stateDir, { recursive: true });
    this.observer.diskLost(stateDir);
  }

  private start({ name, settings }: Deployment, retain: boolean): Process {
    this.operations += 1;
    return new Process({
      name: `${name}${this.operations}`,
      stack: name,
      timeline: this.timeline,
      box: this.box,
      settings: retain ? { ...settings, removal: "retain" } : settings,
      dice: this.dice.fork(),
      witness: this.observer,
      broken: this.options.broken ?? {},
      ahead: () => this.ahead.get(settings.stateDir) ?? 0,
    });
  }

  private async runEngine(
    { state, program }: Deployment,
    process: Process,
    kind: Kind,
    targets: ReadonlySet<string> | undefined,
  ): Promise<Result> {
    const { stateDir } = process.settings;
    const pause = () => this.timeline.wait(this.dice.chance(0.5) ? 0 : this.dice.between(0, 20_000));
    const engine = new Engine(state, process, this.has("late") ? pause : undefined);
    this.running.push(stateDir);
    try {
      const result =
        kind === "preview"
          ? await engine.preview(program)
          : kind === "refresh"
            ? await engine.refresh()
            : kind === "destroy"
              ? await engine.destroy()
              : await engine.up(program, kind === "up --refresh", targets);
      process.end();
      return result;
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      this.observer.log(process.name, () => "the engine is gone");
      return { ok: false, errors: [], changed: [] };
    } finally {
      this.running.splice(this.running.indexOf(stateDir), 1);
    }
  }

  private someTargets({ program, state }: Deployment): ReadonlySet<string> {
    const names = new Set([...program, ...state.resources].map((each) => each.name));
    return new Set([...names].filter(() => this.dice.chance(0.6)));
  }

  private async settleDown(): Promise<void> {
    const { main, observer } = this;
    if (this.has("jobs") && this.other === undefined && this.dice.chance(0.5)) await this.leaveStuck();
    for (const wait of [400_000, 0]) {
      this.calm();
      for (const domain of this.domains) this.admin.setDomain(domain, { status: "enable" });
      this.finishJobs();
      await this.timeline.wait(wait);
    }
    observer.log("calm", () => "everything works again");
    for (const deployment of this.deployments) {
      if (this.has("full"))
        deployment.settings = { ...deployment.settings, confirmedDomains: [...this.domains] };
      if (deployment.copies) deployment.program = main.program;
    }
    for (let round = 0; round < this.deployments.length; round += 1)
      for (const deployment of this.deployments) await this.bringToRest(deployment);
    if (observer.violations.length > 0) return;
    for (const deployment of this.deployments) await this.atRest(deployment);
    if (this.dice.chance(0.3)) await this.once(main, "destroy", false);
  }

  /** Everything works again but the open jobs, which stay as they are. */
  private async leaveStuck(): Promise<void> {
    const { admin, domains, main, observer } = this;
    this.jobsStay = true;
    for (const job of admin.jobs()) if (!job.done) admin.pauseJob(job.id);
    this.calm();
    for (const domain of domains) admin.setDomain(domain, { status: "enable" });
    await this.timeline.wait(400_000);
    if (this.has("full")) main.settings = { ...main.settings, confirmedDomains: [...domains] };
    observer.log("calm", () => "everything works again, and the open jobs never end");
    main.program = this.workload.next(this.dice, main.pool, main.program);
    let done = 0;
    for (let attempt = 0; attempt < 3 || (done > 0 && attempt < 12); attempt += 1) {
      const [{ result }, told] = await this.listen(this.operate(main, "up --refresh", false));
      done = this.user.follow(told, this.keeps(main)) + this.reorder(main, result);
      observer.compare();
      await this.timeline.wait(310_000);
    }
    const open = admin.jobs().flatMap(({ done, items }) => (done ? [] : items));
    const places = open.flatMap(({ domain, records }) =>
      records.map(({ name }) => `${name || "@"} ${domain}`),
    );
    observer.tell("stuck", { program: main.program, open: new Set(places) });
    this.jobsStay = false;
  }

  private async bringToRest(deployment: Deployment): Promise<void> {
    const { observer, dice } = this;
    let last: readonly string[] = [];
    // A quiet up does not see edits in the console.
    let isToRead = true;
    let round = 0;
    for (let attempt = 0; attempt < 80; attempt += 1) {
      // An error stops the engine. A preview names what the other resources need.
      if (round > 0 && !isToRead) last = [...last, ...(await this.preview(deployment))];
      // A retained record may be undeclared for another resource.
      const isToldToRefresh = last.some((text) =>
        /^ {2}help: .*\bpulumi up --refresh\b|\[live\.retained\]/m.test(text),
      );
      const kind: Kind = isToRead ? "refresh" : isToldToRefresh ? "up --refresh" : "up";
      // A run with "retain" does not follow the advice to delete by a refresh.
      const retain = attempt === 3 && this.has("retain") && dice.chance(0.3) && !isToldToRefresh;
      const [{ result }, told] = await this.listen(this.operate(deployment, kind, false, retain));
      // A run that finds nothing to do confirms the goal.
      if (kind !== "refresh" && (!result.ok || result.changed.length > 0)) round += 1;
      last = [...result.errors.map(({ text }) => text), ...(kind === "refresh" ? [] : told)];
      const followed = this.user.follow(told, this.keeps(deployment));
      this.keepOne(deployment, told);
      this.reorder(deployment, result);
      observer.compare();
      isToRead = result.ok ? followed > 0 : kind === "refresh";
      // A run that changed nothing left none of these records.
      const isToRefresh =
        result.changed.length > 0 && last.some((text) => /\[live\.(?:undeclared-goes|retained)\]/.test(text));
      if (kind !== "refresh" && result.ok && followed === 0 && !isToRefresh) break;
      if (round > 8) break;
      // A failed login stops all calls for five minutes, as its message says.
      await this.timeline.wait(last.some((text) => text.includes("for five minutes")) ? 310_000 : 60_000);
    }
    this.rounds.push(round);
    observer.tell("settled", { stack: deployment.name, rounds: round, last });
  }

  private async preview(deployment: Deployment): Promise<string[]> {
    const [, told] = await this.listen(this.once(deployment, "preview", false));
    this.user.follow(told, this.keeps(deployment));
    this.observer.compare();
    return told;
  }

  /** @returns also the warnings and errors that a user reads */
  private async listen(work: Promise<Run>): Promise<[Run, string[]]> {
    const { messages } = this.observer;
    const heard = messages.length;
    const run = await work;
    this.observer.compare();
    return [run, messages.slice(heard).flatMap(({ level, text }) => (level === "info" ? [] : [text]))];
  }

  /** The user may want to keep a record that the message would delete. */
  private keepOne(deployment: Deployment, told: readonly string[]): void {
    const going = told.filter((text) => text.includes("[live.undeclared-goes]"));
    const hosts = going.flatMap((text) => [...text.matchAll(/^ {2}(\S+)\. /gm)].map(([, host = ""]) => host));
    if (hosts.length === 0 || this.dice.chance(0.5)) return;
    const host = this.dice.pick(hosts);
    deployment.program = deployment.program.map((each) => {
      const { domains, ignore = [], undeclared } = each;
      const names = domains.flatMap((domain) => (isIn(host, domain) ? relativeName(host, domain) : []));
      return undeclared === "remove" && names.length > 0 ? { ...each, ignore: [...ignore, ...names] } : each;
    });
  }

  /** The user knows the program, and the records that the stack's state calls created. */
  private keeps({ program, state }: Deployment): (id: number, code: string) => boolean {
    const [created, declared] = [ledgerIds(state.resources, "+-"), identitiesIn(program)];
    return (id, code) => {
      if (code === "live.exists") return created.has(id);
      return code === "live.left-over" && declared.has(this.observer.records.get(id)?.now.identity ?? "");
    };
  }

  /** Lets a resource depend on those that declare what it does not, as the message says. */
  private reorder(deployment: Deployment, { errors }: Result): number {
    const keeps = this.keeps(deployment);
    const isOf = ([, id]: RegExpMatchArray) => keeps(Number(id), "live.left-over");
    const early = errors.filter(
      ({ text }) =>
        text.includes("(dependsOn)") &&
        (text.includes("[line.first]") || [...text.matchAll(/\brecord (\d+)/g)].some(isOf)),
    );
    const last = new Set(early.map(({ resource }) => resource));
    const [after, before] = split(deployment.program, ({ name }) => last.has(name));
    deployment.program = [...before, ...after];
    return after.length;
  }

  private async atRest(deployment: Deployment): Promise<void> {
    const { observer } = this;
    const { name, program, state } = deployment;
    observer.log(name, () => "must be at rest");
    observer.tell("rest", { stack: name, state: state.resources, program });
    const again = await this.once(deployment, "up", false);
    await this.timeline.wait(120_000);
    const refreshed = await this.once(deployment, "up --refresh", false);
    for (const { process, result } of [again, refreshed]) {
      const { ok, changed } = result;
      const errors = result.errors.map(({ text }) => text);
      observer.tell("again", { process, ok, changed, errors, mayCall: process === refreshed.process });
    }
  }
}

function stateText({ resources }: Stack) {
  const lines = resources.map(({ name, type, deleting, initErrors, inputs, outputs }) => {
    const records = inputs["records"] ?? inputs;
    return `\n  ${JSON.stringify({ name, type, deleting, initErrors, records, ledger: outputs["__ledger"] })}`;
  });
  return lines.join("");
}
