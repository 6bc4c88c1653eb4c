/** A seed decides the service, the programs and all faults. Then the faults end, the user follows the messages, and the invariants are checked. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin, Box } from "../../emulator";
import { parseSettings } from "../../provider/settings";
import type { Break } from "./breaks";
import { Dice } from "./dice";
import { Ending } from "./ending";
import { Engine, EngineDied, type Result, type Stack } from "./engine";
import type { Gap } from "./knowledge";
import { Observer, type Violation } from "./observer";
import { editing, Process } from "./process";
import { type Pool, type Program } from "./program";
import { fill, programSettings, serviceSettings } from "./scenery";
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
  /** Default: the random `steps`. */
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
const writing: ReadonlySet<string> = new Set(["Batch.Record.Create", ...editing]);
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
  private readonly ending: Ending;
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
    const settings = serviceSettings(this, this.indexDelay);
    this.box = new Box({ domains: [...domains], token, seed, now: timeline.now, settings });
    this.admin = new Admin(this.box, { offset: 0 });
    fill(this);
    const { service } = this.box;
    const [full, late, tracing] = [this.has("full"), this.has("late"), options.trace === true];
    this.observer = new Observer({ service, timeline, domains, tracing, full, late });
    this.user = new User(this.admin, domains, this.observer);
    this.ending = new Ending(this, this.user, this.workload);
    const pool = { domains, names, has: this.has };
    const common = { ...programSettings(this, this.indexDelay), LEGACYDNS_LOGIN_TOKEN: token };
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
    this.observer.compare();
    for (const { id } of this.admin.jobs().filter(({ done }) => !done)) {
      this.admin.finishJob(id);
      this.observer.compare();
    }
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

  async once(deployment: Deployment, kind: Kind, disturbed: boolean, retain = false): Promise<Run> {
    const { dice, observer } = this;
    const { program, state, settings } = deployment;
    this.loseDisk(settings.stateDir);
    const process = this.start(deployment, retain);
    observer.begin(process, program, state, kind);
    observer.log(process.name, () => `pulumi ${kind} ${JSON.stringify(program)}`);
    const editsBefore = this.edits;
    if (disturbed) this.workload.upset(this, process, kind === "preview");
    this.letPersonEdit(process);
    const aims = disturbed && kind === "up" && this.has("targets") && dice.chance(0.3);
    const targets = aims ? this.someTargets(deployment) : undefined;
    if (targets !== undefined) observer.log(process.name, () => `only ${[...targets].join(" ")}`);
    const result = await this.runEngine(deployment, process, kind, targets);
    this.calls += observer.callsOf(process);
    observer.compare();
    const isAlone = editsBefore === this.edits && this.other === undefined;
    const quiet = !disturbed || (isAlone && !noisy.some(this.has));
    const resources = quiet ? state.resources.length + program.length : undefined;
    const { changed, regated } = result;
    const covers = (name: string) => kind !== "up" || (changed.includes(name) && !regated.includes(name));
    for (const { resource, text } of result.errors) observer.said(process, "error", `${resource}: ${text}`);
    const end = result.ok ? "ok" : "failed";
    observer.log(process.name, () => `${end}; changed: ${result.changed.join(" ") || "nothing"}`);
    observer.run(process).hasSucceeded = result.ok;
    observer.tell("ended", {
      ...{ process, ok: result.ok, state: state.resources, covers, resources },
    });
    if (result.ok && kind !== "preview" && targets === undefined) observer.saved(process);
    observer.log(process.name, () => `state: ${stateText(state)}`);
    return { result, process };
  }

  private letPersonEdit(process: Process): void {
    const { person } = this.options.broken ?? {};
    const { onCall } = process;
    if (person === undefined) return;
    process.onCall = (operation, moment) => {
      onCall(operation, moment);
      if (moment !== "leaves" || !writing.has(operation)) return;
      this.byHand((user) =>
        person(user, new Map(this.domains.map((domain) => [domain, this.admin.zone(domain)]))),
      );
    };
  }

  private loseDisk(stateDir: string): void {
    if (!this.has("fresh-disk") || !this.dice.chance(0.7) || this.running.includes(stateDir)) return;
    rmSync(stateDir, { recursive: true, force: true });
    mkdirSync(stateDir, { recursive: true });
    this.observer.machines.loseDisk(stateDir);
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
      return { ok: false, errors: [], changed: [], regated: [] };
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
    if (this.has("jobs") && this.other === undefined && this.dice.chance(0.5)) {
      this.jobsStay = true;
      await this.ending.leaveStuck(main);
      this.jobsStay = false;
    }
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
      for (const deployment of this.deployments) this.rounds.push(await this.ending.bringToRest(deployment));
    if (observer.violations.length > 0) return;
    for (const deployment of this.deployments) await this.ending.atRest(deployment);
    if (this.dice.chance(0.3)) await this.once(main, "destroy", false);
  }
}

function stateText({ resources }: Stack) {
  const lines = resources.map(({ name, type, deleting, initErrors, inputs, outputs }) => {
    const records = inputs["records"] ?? inputs;
    return `\n  ${JSON.stringify({ name, type, deleting, initErrors, records, ledger: outputs["__ledger"] })}`;
  });
  return lines.join("");
}
