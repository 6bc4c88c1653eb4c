/**
 * One schedule. A seed decides the service, the programs and all faults. Then the faults end, the user
 * follows the messages, and the invariants are checked (docs/invariants.md).
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin, Box, shapes, type FaultSpec } from "../../emulator";
import { gather } from "../../provider/support/collections";
import { parseSettings, type Settings } from "../../provider/settings";
import type { Break } from "./breaks";
import { Dice } from "./dice";
import { editing } from "./edits";
import { Engine, EngineDied, type Result, type Stack } from "./engine";
import { Observer, type Violation } from "./observer";
import { Process } from "./process";
import { firstProgram, nextProgram, type Pool, type Program } from "./program";
import { Stuck, Timeline } from "./time";
import { leaveOut, User } from "./user";

/** The marks of secret values hang on a random key of the state: a schedule repeats without them. */
const randomMarks = /\(secret [\w-]+\)/g;

/** The features of schedules. */
export const features = [
  "faults",
  "jobs",
  "refusals",
  "console",
  "kills",
  "fresh-disk",
  "second",
  "login",
  "lag",
  "secrets",
  "retain",
  "lines",
  "strict",
  "report",
  "moves",
  "targets",
  "stops",
  "echoes",
  "lies",
  "clocks",
  "eras",
  "full",
  "late",
] as const;
/** These features have dice of their own, so that older seeds decide the same. */
const later: ReadonlySet<string> = new Set(["lines", "strict", "report", "moves", "targets"]);
/** The same, later still. */
const latest: ReadonlySet<string> = new Set(["stops", "echoes"]);
/** And the last. */
const last: ReadonlySet<string> = new Set(["lies", "clocks"]);
/** And after them. */
const eras: ReadonlySet<string> = new Set(["eras"]);
/** These features are used on request only, so that older seeds decide the same. */
const asked: ReadonlySet<string> = new Set(["full", "late"]);
export type Feature = (typeof features)[number];

export interface RunOptions {
  readonly without?: ReadonlySet<Feature>;
  /** These are part of every schedule; the dice decide about the others. */
  readonly always?: ReadonlySet<Feature>;
  readonly broken?: Break | undefined;
  readonly trace?: boolean;
}

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly features: readonly Feature[];
  readonly operations: number;
  readonly calls: number;
  readonly seconds: number;
  readonly trace: readonly string[];
}

type Kind = "up" | "up --refresh" | "refresh" | "destroy";

/** A stack with its program and its machine. */
interface Deployment {
  readonly name: string;
  readonly state: Stack;
  readonly pool: Pool;
  settings: Settings;
  program: Program;
  /** Another copy of the first stack's program. */
  readonly copies: boolean;
}

// In memory if possible: a schedule loses its state folder many times.
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "legacydns-simulation-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const epoch = Date.UTC(2026, 0, 15, 8);
const token = "12345,0123456789abcdef0123456789abcdef";

/** Runs the schedule of a seed. An exception of the product is a violation, not an exception. */
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
      schedule.observer.violated(9, `a rejection that nobody handles: ${String(reason)}`);
    return schedule.outcome();
  } finally {
    process.removeListener("unhandledRejection", onRejected);
    for (const other of others) process.on("unhandledRejection", other);
    rmSync(folder, { recursive: true, force: true });
  }
}

class Schedule {
  readonly observer: Observer;
  private readonly dice: Dice;
  private readonly laterDice: Dice;
  private readonly latestDice: Dice;
  private readonly lastDice: Dice;
  /** Operation and senseless code → whether calls with this answer are carried out. */
  private readonly lies = new Map<string, "before" | "after">();
  private readonly fullDice: Dice;
  private readonly lateDice: Dice;
  private readonly timeline = new Timeline(epoch);
  private readonly on: ReadonlySet<Feature>;
  private readonly box: Box;
  private readonly admin: Admin;
  private readonly user: User;
  private readonly domains: readonly string[];
  private readonly deployments: Deployment[];
  private readonly indexDelay: number;
  private operations = 0;
  private calls = 0;
  /** The state folders of processes that run. */
  private readonly running: string[] = [];
  /** By how much each machine's clock is ahead, in milliseconds. */
  private readonly ahead = new Map<string, number>();
  /** Console edits so far, to know whether an operation ran undisturbed. */
  private edits = 0;

  constructor(
    private readonly seed: number,
    private readonly options: RunOptions,
    private readonly folder: string,
  ) {
    const dice = (this.dice = new Dice(seed));
    const laterDice = (this.laterDice = new Dice(seed ^ 0x2545f491));
    const latestDice = (this.latestDice = new Dice(seed ^ 0x6c078965));
    const lastDice = (this.lastDice = new Dice(seed ^ 0x3c6ef372));
    const eraDice = new Dice(seed ^ 0x5be0cd19);
    this.fullDice = new Dice(seed ^ 0x1b873593);
    this.lateDice = new Dice(seed ^ 0x7f4a7c15);
    this.on = new Set(
      features.filter((feature) => {
        if (asked.has(feature))
          return options.always?.has(feature) === true && options.without?.has(feature) !== true;
        const thrown = eras.has(feature)
          ? eraDice.chance(0.5)
          : last.has(feature)
            ? lastDice.chance(0.3)
            : latest.has(feature)
              ? latestDice.chance(0.3)
              : later.has(feature)
                ? laterDice.chance(0.3)
                : dice.chance(feature === "fresh-disk" || feature === "login" ? 0.2 : 0.45);
        return options.without?.has(feature) !== true && (thrown || options.always?.has(feature) === true);
      }),
    );
    this.domains = ["one.example", "two.example", "three.example"].slice(0, dice.between(1, 3));
    this.indexDelay = this.on.has("lag") ? dice.pick([5, 30]) : 0;
    this.box = new Box({
      domains: [...this.domains],
      token,
      seed,
      now: this.timeline.now,
      settings: {
        indexDelay: this.indexDelay,
        identical: dice.chance(0.7) ? "accept" : "refuse",
        ...(this.on.has("eras")
          ? { answers: eraDice.pick(shapes.filter((shape) => shape !== "english" || !this.on.has("lines"))) }
          : {}),
        ...(this.on.has("full") ? this.fullService() : {}),
      },
    });
    this.admin = new Admin(this.box, { offset: 0 });
    const may = (feature: Feature): boolean => this.on.has(feature);
    const same = {
      domains: this.domains,
      secrets: may("secrets"),
      retain: may("retain"),
      // The service wants the record on the default line first, which a late program may declare last.
      lines: may("lines") && !may("late"),
      strict: may("strict"),
      report: may("report"),
      moves: may("moves"),
      full: may("full"),
      removes: may("full") && !may("second"),
    };
    // Two stacks that declare the same and adopt nothing of each other never come to rest.
    const pool: Pool = { ...same, strict: same.strict && !may("second"), names: ["@", "www", "api"] };
    for (let i = dice.between(0, 3); i > 0; i -= 1) {
      const input = {
        name: dice.pick(["www", "api", "old"]),
        type: "A",
        value: dice.pick(["192.0.2.1", "192.0.2.77"]),
      };
      try {
        this.admin.addRecord(dice.pick(this.domains), input, { indexed: true });
      } catch {
        // It is there already.
      }
    }
    this.observer = new Observer(
      this.admin,
      this.box.service,
      this.timeline,
      this.domains,
      options.trace === true,
      may("full"),
      may("late"),
    );
    this.user = new User(this.admin, this.domains, this.observer);
    const common = {
      LEGACYDNS_INDEX_DELAY: String(this.indexDelay),
      LEGACYDNS_JOB_TIMEOUT: String(dice.pick([20, 60, 120])),
      LEGACYDNS_MAX_RECORDS_PER_JOB: String(dice.pick([1000, 1000, 2, 3])),
      LEGACYDNS_REMOVAL:
        this.on.has("retain") && dice.chance(0.4) ? "retain" : may("full") ? "delete" : "verify",
      ...(may("full") ? { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" } : {}),
      ...(may("full") && this.fullDice.chance(0.85)
        ? { LEGACYDNS_CONFIRMED_DOMAINS: this.domains.join(",") }
        : {}),
    };
    const first = firstProgram(dice, pool);
    this.deployments = [
      {
        name: "A",
        state: { resources: [] },
        pool,
        settings: this.settings(common, "a"),
        program: first,
        copies: false,
      },
    ];
    if (this.on.has("second")) {
      // Two stacks that declare the same records would delete each other's new records.
      const copies = dice.chance(0.5) && !may("full");
      const own: Pool = copies ? pool : { ...same, names: ["shop", "blog"] };
      const program = copies ? first : firstProgram(dice, own);
      const settings = this.settings(common, dice.chance(0.3) ? "a" : "b");
      this.deployments.push({ name: "B", state: { resources: [] }, pool: own, settings, program, copies });
    }
  }

  outcome(): Outcome {
    const { operations, calls, observer } = this;
    const seconds = (this.timeline.now() - epoch) / 1000;
    return {
      seed: this.seed,
      violations: observer.violations,
      features: [...this.on],
      operations,
      calls,
      seconds,
      trace: observer.trace,
    };
  }

  async run(): Promise<void> {
    try {
      await this.timeline.drive(this.script());
    } catch (error) {
      if (!(error instanceof Stuck)) throw error;
      this.observer.violated(9, error.message);
    }
  }

  private settings(env: Record<string, string>, machine: string): Settings {
    const stateDir = join(this.folder, machine);
    const all = {
      LEGACYDNS_BASE_URL: "https://dns-host.example/api",
      LEGACYDNS_LOGIN_TOKEN: token,
      LEGACYDNS_CONTACT: "tests@example.com",
      LEGACYDNS_STATE_DIR: stateDir,
      ...env,
    };
    return parseSettings({ config: {}, env: all, explicit: false });
  }

  /** How the service answers changes and removals: its index may be quicker with them, never slower than promised. */
  private fullService(): { undocumented: true; modifyDelay: number | null; removeDelay: number | null } {
    const lag = (): number | null =>
      this.fullDice.chance(0.6) ? null : this.fullDice.chance(0.5) ? 0 : this.indexDelay / 2;
    return { undocumented: true, modifyDelay: lag(), removeDelay: lag() };
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.timeline.in(ms, resolve));
  }

  /** A machine's clock is set: a day or an hour back or forward, or right. */
  private setClock(stateDir: string): void {
    const was = this.ahead.get(stateDir) ?? 0;
    const now = this.lastDice.pick([0, was + 86_400_000, was - 86_400_000, was + 3_600_000, was - 3_600_000]);
    this.ahead.set(stateDir, now);
    this.observer.clockSet(stateDir, now - was);
  }

  private edit(): void {
    this.observer.compare();
    this.edits += 1;
    const [first] = this.deployments;
    if (first !== undefined) this.user.edit(this.dice, first.pool);
    this.observer.compare();
  }

  private async script(): Promise<void> {
    const { dice } = this;
    for (let step = dice.between(1, 5); step > 0; step -= 1) {
      const [main, other] = this.deployments;
      if (main === undefined) return;
      if (this.operations > 0 && dice.chance(0.6)) main.program = nextProgram(dice, main.pool, main.program);
      if (other?.copies === true) other.program = main.program;
      else if (other !== undefined && dice.chance(0.3))
        other.program = nextProgram(dice, other.pool, other.program);
      if (this.on.has("console") && dice.chance(0.4)) this.edit();
      this.disturb();
      const both = other !== undefined && dice.chance(0.6);
      const runs = [this.operate(main, this.someKind(), true)];
      if (both)
        runs.push(this.wait(dice.between(0, 3000)).then(() => this.operate(other, this.someKind(), true)));
      await Promise.all(runs);
      if (dice.chance(0.7)) this.calm(false);
      await this.wait(dice.chance(0.5) ? dice.between(500, 20_000) : dice.between(20_000, 600_000));
    }
    await this.settleDown();
  }

  private someKind(): Kind {
    const thrown = this.dice.next();
    return thrown < 0.68 ? "up" : thrown < 0.82 ? "refresh" : thrown < 0.94 ? "up --refresh" : "destroy";
  }

  /** The faults of the next operations. */
  private disturb(): void {
    const { dice, admin } = this;
    if (this.on.has("faults"))
      for (let i = dice.between(0, 2); i > 0; i -= 1) admin.addFault(someFault(dice));
    if (this.on.has("faults") && this.on.has("full"))
      for (let i = this.fullDice.between(0, 2); i > 0; i -= 1)
        admin.addFault({
          ...someFault(this.fullDice),
          operation: this.fullDice.pick([
            "Record.Modify",
            "Record.Modify",
            "Record.Remove",
            "Batch.Record.Modify",
            "Record.Info",
          ]),
        });
    if (this.on.has("refusals") && this.on.has("full") && this.fullDice.chance(0.4)) {
      admin.addFault({
        kind: "code",
        code: this.fullDice.pick(["34", "31"]),
        operation: this.fullDice.pick(["Record.Modify", "Record.Remove"]),
        when: "before",
        count: this.fullDice.between(1, 3),
      });
    }
    if (this.on.has("jobs")) {
      const slow = dice.chance(0.5);
      admin.set({
        jobStartMs: slow ? dice.between(20, 40_000) : 20,
        jobMs: slow ? dice.between(2, 15_000) : 2,
        stickAfter: dice.chance(0.3) ? dice.between(0, 2) : null,
      });
      this.timeline.in(dice.between(1_000, 400_000), () => this.finishJobs());
    }
    if (this.on.has("refusals")) {
      admin.set({
        refuse: dice.chance(0.5)
          ? [
              {
                name: dice.pick(["www", "api", "@"]),
                message: this.on.has("echoes") ? "Refused for the test: {sent}" : "Refused for the test",
              },
            ]
          : [],
      });
      if (dice.chance(0.25)) {
        const domain = dice.pick(this.domains);
        this.timeline.in(dice.between(0, 2_000), () => admin.setDomain(domain, { status: "lock" }));
        this.timeline.in(dice.between(3_000, 60_000), () => admin.setDomain(domain, { status: "enable" }));
      }
    }
    if (this.on.has("echoes") && this.latestDice.chance(0.4)) {
      const code = this.latestDice.pick(["-99", "34", "21"]);
      admin.addFault({
        kind: "code",
        code,
        message: "wrong: {sent}",
        operation: "Batch.Record.Create",
        when: code === "-99" ? this.latestDice.pick(["before", "after"]) : "before",
        count: 1,
      });
    }
    if (this.on.has("lies"))
      for (let i = this.lastDice.between(0, 3); i > 0; i -= 1)
        admin.addFault(someLie(this.lastDice, this.on.has("full"), this.lies));
    if (this.on.has("login") && dice.chance(0.3)) {
      admin.addFault({
        kind: "code",
        code: dice.pick(["-1", "10001", "83"]),
        skip: dice.between(0, 6),
        count: dice.between(1, 2),
      });
    }
  }

  /** The service works again. @param really everything that was ever set is taken back, too */
  private calm(really: boolean): void {
    const { admin } = this;
    admin.clearFaults();
    admin.set({ jobStartMs: 20, jobMs: 2, stickAfter: null, refuse: [] });
    if (!really) return;
    for (const domain of this.domains) admin.setDomain(domain, { status: "enable" });
    this.finishJobs();
  }

  private finishJobs(): void {
    for (const job of this.admin.jobs()) if (!job.done) this.admin.finishJob(job.id);
    this.observer.compare();
  }

  private async operate(
    deployment: Deployment,
    kind: Kind,
    disturbed: boolean,
    retain = false,
  ): Promise<{ result: Result; process: Process }> {
    const previewed = kind === "up" && this.dice.chance(0.5);
    if (previewed) {
      const preview = await this.once(deployment, "preview", disturbed, retain);
      if (!preview.result.ok) return preview;
    }
    return this.once(deployment, kind, disturbed, retain);
  }

  private async once(
    deployment: Deployment,
    kind: Kind | "preview",
    disturbed: boolean,
    retain: boolean,
  ): Promise<{ result: Result; process: Process }> {
    const { dice, observer, timeline } = this;
    const { stateDir } = deployment.settings;
    // No machine is replaced while a process runs on it.
    if (this.on.has("fresh-disk") && dice.chance(0.7) && !this.running.includes(stateDir)) {
      rmSync(stateDir, { recursive: true, force: true });
      mkdirSync(stateDir, { recursive: true });
      observer.diskLost(stateDir);
    }
    this.operations += 1;
    const settings: Settings = retain ? { ...deployment.settings, removal: "retain" } : deployment.settings;
    const name = `${deployment.name}${this.operations}`;
    const process = new Process({
      name,
      stack: deployment.name,
      timeline,
      box: this.box,
      settings,
      dice: dice.fork(),
      witness: observer,
      broken: this.options.broken,
      ahead: () => this.ahead.get(stateDir) ?? 0,
    });
    const { program, state } = deployment;
    observer.begin(process, program, state, kind);
    observer.log(
      name,
      () =>
        `pulumi ${kind} ${JSON.stringify(program.map(({ name: n, type, domains, specs, removal }) => ({ n, type, domains, removal, specs: specs.map((s) => `${s.name} ${s.ttl ?? ""} ${s.type} ${s.value}${s.line === undefined ? "" : ` [${s.line}]`}`) })))}`,
    );
    const unsettled = state.resources.filter(({ outputs }) =>
      /^[@?] /m.test(String(outputs["__ledger"])),
    ).length;
    const editsBefore = this.edits;
    if (disturbed) this.scheduleTrouble(process, kind);
    // A program in another language: it waits between its resources, and its provider knows only those that it has checked.
    const pause = (): Promise<void> =>
      this.wait(this.lateDice.chance(0.5) ? 0 : this.lateDice.between(0, 20_000));
    const engine = new Engine(state, process, this.on.has("late") ? pause : undefined);
    const targets =
      disturbed && kind === "up" && this.on.has("targets") && this.laterDice.chance(0.3)
        ? this.someTargets(deployment)
        : undefined;
    if (targets !== undefined) observer.targeted.add(process);
    if (targets !== undefined) observer.log(name, () => `only ${[...targets].join(" ")}`);
    let result: Result;
    this.running.push(stateDir);
    try {
      if (kind === "preview") result = await engine.preview(program);
      else if (kind === "refresh") result = await engine.refresh();
      else if (kind === "destroy") result = await engine.destroy();
      else result = await engine.up(program, { refresh: kind === "up --refresh", targets });
      process.end();
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      result = { ok: false, errors: [], changed: [] };
      observer.log(name, () => "the engine is gone");
    } finally {
      this.running.splice(this.running.indexOf(stateDir), 1);
    }
    this.calls += observer.callsOf(process);
    observer.compare();
    const undisturbed = editsBefore === this.edits && this.deployments.length === 1;
    const quiet =
      !disturbed ||
      (undisturbed &&
        !["faults", "login", "kills", "stops", "echoes", "lies", "clocks"].some((feature) =>
          this.on.has(feature as Feature),
        ));
    observer.ended(process, result, quiet, state.resources.length + program.length, unsettled);
    observer.log(
      name,
      () =>
        `state: ${state.resources
          .map(
            ({ name: n, type, deleting, initErrors, inputs, outputs }) =>
              `\n${" ".repeat(21)}${type} ${n}${deleting ? " (to be deleted)" : ""}${initErrors ? " (half done)" : ""} ${JSON.stringify(inputs["records"] ?? [inputs["name"], inputs["domain"], inputs["ttl"], inputs["type"], inputs["value"]])} ${JSON.stringify(outputs["__ledger"])}`,
          )
          .join("")
          .replace(randomMarks, "(secret)")}`,
    );
    observer.duplicates();
    observer.secrets(state);
    if (result.ok && undisturbed && (kind === "up" || kind === "up --refresh")) {
      observer.declaredLive(program, kind === "up" ? new Set(result.changed) : undefined, process);
      if (kind === "up --refresh") observer.duplicatesNamed(process);
    }
    return { result, process };
  }

  private someTargets({ program, state }: Deployment): ReadonlySet<string> {
    const names = new Set([...program, ...state.resources].map((each) => each.name));
    return new Set([...names].filter(() => this.laterDice.chance(0.6)));
  }

  private scheduleTrouble(process: Process, kind: Kind | "preview"): void {
    const { dice, latestDice, timeline } = this;
    if (this.on.has("stops") && kind !== "preview" && latestDice.chance(0.3)) {
      timeline.in(latestDice.between(0, latestDice.pick([300, 1_000, 10_000, 100_000])), () => {
        if (!process.isAlive()) return;
        this.observer.log(process.name, () => "told to end");
        process.terminate();
      });
    }
    if (this.on.has("clocks") && this.lastDice.chance(0.5))
      timeline.in(this.lastDice.between(0, this.lastDice.pick([300, 5_000, 100_000])), () =>
        this.setClock(process.settings.stateDir),
      );
    if (this.on.has("console") && dice.chance(0.3))
      timeline.in(dice.between(0, dice.pick([500, 5_000, 60_000])), () => this.edit());
    if (!this.on.has("kills") || kind === "preview" || !dice.chance(0.4)) return;
    const how = dice.pick(["killHost", "killEngine", "killBoth", "interrupt"] as const);
    timeline.in(dice.between(0, dice.pick([300, 1_000, 10_000, 100_000])), () => {
      if (!process.isAlive()) return;
      this.observer.log(process.name, () => how);
      process[how]();
    });
  }

  /** All is calm: the user follows the messages until nothing is left to do; then nothing may be left to do. */
  private async settleDown(): Promise<void> {
    const { observer } = this;
    this.calm(true);
    await this.wait(400_000);
    this.calm(true);
    // The marker of a failed login holds for five minutes from its reading, even if its time lies in the
    // future.
    if (this.on.has("clocks")) for (const { settings } of this.deployments) forgetLogin(settings.stateDir);
    observer.log("calm", () => "everything works again");
    const [main] = this.deployments;
    if (this.on.has("full"))
      for (const deployment of this.deployments)
        deployment.settings = { ...deployment.settings, confirmedDomains: [...this.domains] };
    for (const deployment of this.deployments)
      if (deployment.copies && main !== undefined) deployment.program = main.program;
    for (let round = 0; round < 2; round += 1)
      for (const deployment of this.deployments) await this.bringToRest(deployment);
    if (observer.violations.length > 0) return;
    for (const deployment of this.deployments) await this.atRest(deployment);
  }

  private async bringToRest(deployment: Deployment): Promise<void> {
    const { observer, dice } = this;
    let last: readonly string[] = [];
    for (let attempt = 0, left = 8; left > 0 && attempt < 80; attempt += 1) {
      const heard = observer.messages.length;
      const isToldToRefresh = last.some((text) => /^ {2}help: .*: pulumi up --refresh$/m.test(text));
      const kind = attempt === 0 ? "refresh" : isToldToRefresh ? "up --refresh" : "up";
      const retain = attempt === 3 && this.on.has("retain") && dice.chance(0.3);
      const { result } = await this.operate(deployment, kind, false, retain);
      observer.compare();
      const told = observer.messages
        .slice(heard)
        .filter(({ level }) => level !== "info")
        .map(({ text }) => text);
      last = [...result.errors.map(({ text }) => text), ...(kind === "up" ? told : [])];
      const followed = this.user.follow(told);
      observer.compare();
      const isToRefresh = last.some((text) => text.includes("[live.undeclared-goes]"));
      if (kind !== "refresh" && result.ok && followed === 0 && !isToRefresh) return;
      // A message that leaves records out names the next ones in the next run.
      if (followed === 0 || !leaveOut(told)) left -= 1;
      await this.wait(60_000);
    }
    observer.violated(
      2,
      `stack ${deployment.name} does not come to rest, although the user does what the messages say: ${last.join(" | ")}`,
    );
  }

  private async atRest(deployment: Deployment): Promise<void> {
    const { observer } = this;
    const { name, program, state } = deployment;
    observer.log(name, () => "must be at rest");
    observer.declaredLive(program, undefined);
    observer.duplicates(program);
    observer.declaredOnce(program);
    observer.forgotten(name, state, program);
    observer.ledgersLive(name, state);
    const again = await this.once(deployment, "up", false, false);
    if (!again.result.ok || again.result.changed.length > 0)
      observer.violated(5, `a further up of ${name} changes ${again.result.changed.join(" ")}`);
    if (observer.callsOf(again.process) > 0)
      observer.violated(5, `a further up of ${name} makes ${observer.callsOf(again.process)} calls`);
    await this.wait(120_000);
    const refreshed = await this.once(deployment, "up --refresh", false, false);
    if (!refreshed.result.ok || refreshed.result.changed.length > 0) {
      observer.violated(
        5,
        `a refresh at rest makes the next up change ${refreshed.result.changed.join(" ")}: ${refreshed.result.errors.map(({ text }) => text).join(" | ")}`,
      );
    }
    if (
      ["Batch.Record.Create", ...editing].some(
        (operation) => observer.callsOf(refreshed.process, operation) > 0,
      )
    )
      observer.violated(5, `a further up of ${name} writes`);
  }
}

function forgetLogin(stateDir: string): void {
  if (!existsSync(stateDir)) return;
  for (const name of readdirSync(stateDir))
    if (name.startsWith("login-stopped-")) rmSync(join(stateDir, name));
}

/** Codes that no source lists as refusals of these operations. */
const senseless = ["2", "3", "8", "10", "9", "-3", "-4", "0", "99", "4711", "one"];

/**
 * An answer in a senseless code, whether the call was carried out or not. A service means the same by a code each time.
 * @param lies operation and code → whether the call is carried out
 */
function someLie(dice: Dice, full: boolean, lies: Map<string, "before" | "after">): FaultSpec {
  const writes = full
    ? ["Record.Modify", "Record.Remove", "Record.Remove", "Batch.Record.Modify", "Record.Info"]
    : [];
  const operation = dice.pick(["Batch.Record.Create", "Batch.Record.Create", "Batch.Detail", ...writes]);
  const picked = dice.pick(["before", "after", "after"] as const);
  const code = dice.pick(senseless.filter((each) => each !== "9" || operation.startsWith("Batch")));
  return {
    kind: "code",
    operation,
    code,
    when: gather(lies, `${operation} ${code}`, picked),
    count: dice.between(1, 2),
    skip: dice.between(0, 2),
  };
}

function someFault(dice: Dice): FaultSpec {
  const operation = dice.pick(["*", "*", "Batch.Record.Create", "Record.List", "Batch.Detail"]);
  const when = dice.pick(["before", "after"] as const);
  const common = {
    operation,
    when,
    count: dice.between(1, 6),
    skip: dice.between(0, 3),
    probability: dice.pick([1, 0.5, 0.2]),
  };
  switch (dice.between(0, 7)) {
    case 0:
      return { kind: "refused", ...common, when: "before" };
    case 1:
    case 2:
      return { kind: "dropped", ...common };
    case 3:
      return { kind: "http", ...common, status: dice.pick([500, 502, 503, 504]) };
    case 4:
      return {
        kind: "http",
        ...common,
        when: "before",
        status: 429,
        ...(dice.chance(0.5) ? { retryAfter: dice.between(1, 40) } : {}),
      };
    case 5:
      // The code for the limit of calls is a refusal. The other codes prove nothing.
      return dice.chance(0.5)
        ? { kind: "code", ...common, when: "before", code: "-2" }
        : { kind: "code", ...common, code: dice.pick(["-99", "3"]) };
    case 6:
      return { kind: "garbage", ...common, form: dice.pick(["truncated", "html", "empty"]) };
    default:
      return { kind: "slow", ...common, ms: dice.pick([200, 3_000, 29_000, 45_000]) };
  }
}
