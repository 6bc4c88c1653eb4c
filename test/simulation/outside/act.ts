/** The acts of a sequence: it declares, deploys, edits by hand, holds up jobs, and looks at the world. */
import { dirname, join } from "node:path";
import { Refusal } from "../../../emulator/service/envelope";
import type { Dice } from "../dice";
import type { Process } from "../process";
import { identity, isSound, type Declared, type Spec } from "../program";
import type { Feature } from "../troubles";
import type { Kind, Stage } from "../workload";
import type { Cue } from "./cues";
import { hosts, otherLine } from "./cast";
import { trouble } from "./troubles";

export interface Sequence {
  readonly name: string;
  readonly sentence: string;
  readonly needs?: readonly Feature[];
  /** @returns whether its decisive moment was seen in the world */
  readonly play: (act: Act) => Promise<boolean>;
}

/** The sequence does not fit this schedule. */
export class Unplayable extends Error {
  override readonly name = "Unplayable";
}

const aWhile: readonly number[] = [0, 400, 3_000, 20_000, 45_000, 400_000];

export class Act {
  readonly domain: string;
  private heard: readonly string[] = [];
  private last: Process | undefined;

  /** @param prefix of the names of this sequence's resources */
  constructor(
    readonly stage: Stage,
    private readonly cues: Cue[],
    private readonly prefix: string,
  ) {
    this.domain = stage.dice.pick(stage.domains);
  }

  get dice(): Dice {
    return this.stage.dice;
  }

  has(feature: Feature): boolean {
    return this.stage.has(feature);
  }

  need(condition: boolean): void {
    if (!condition) throw new Unplayable();
  }

  /** Names that the program does not declare. Other people's records may have them. */
  hosts(count: number): string[] {
    const used = new Set(this.stage.main.program.flatMap(({ specs }) => specs.map(({ name }) => name)));
    const free = hosts.filter((host) => !used.has(host));
    const from = this.dice.between(0, free.length);
    const chosen = [...free.slice(from), ...free.slice(0, from)].slice(0, count);
    this.need(chosen.length === count);
    return chosen;
  }

  batch(name: string, specs: readonly Spec[], more: Partial<Declared> = {}): Declared {
    return { name: this.prefix + name, type: "RecordBatch", domains: [this.domain], specs, ...more };
  }

  single(name: string, spec: Spec, more: Partial<Declared> = {}): Declared {
    return { name: this.prefix + name, type: "Record", domains: [this.domain], specs: [spec], ...more };
  }

  /** The same records as one batch, or each as a resource. */
  some(name: string, specs: readonly Spec[], asBatch: boolean, more: Partial<Declared> = {}): Declared[] {
    if (asBatch) return [this.batch(name, specs, more)];
    return specs.map((spec, i) => this.single(`${name}${i}`, spec, more));
  }

  /** These are all resources of the sequence from now on. */
  declare(resources: readonly Declared[]): void {
    const { main, other } = this.stage;
    const program = [...main.program.filter(({ name }) => !name.startsWith(this.prefix)), ...resources];
    this.need(isSound(program));
    main.program = program;
    if (other?.copies === true) other.program = program;
  }

  up(...resources: readonly Declared[]): Promise<boolean> {
    this.declare(resources);
    return this.run("up");
  }

  async run(kind: Kind): Promise<boolean> {
    const { dice, main, observer, other, timeline } = this.stage;
    const since = observer.messages.length;
    if (dice.chance(0.3)) trouble(this.stage, this.cues);
    const runs = [this.stage.operate(main, kind, true)];
    if (other !== undefined && dice.chance(0.3))
      runs.push(timeline.wait(dice.between(0, 5_000)).then(() => this.stage.operate(other, "up", true)));
    const [done] = await Promise.all(runs);
    this.last = done?.process;
    this.heard = observer.messages.slice(since).flatMap(({ process, level, text }) => {
      return process.stack === main.name && level !== "info" ? [text] : [];
    });
    if (dice.chance(0.6)) this.stage.calm();
    return done?.result.ok === true;
  }

  /** The user follows the messages of the last run. */
  obey(): void {
    // Others may have made what answers beside.
    this.stage.byHand((user) => void user.follow(this.heard, (_id, code) => code === "live.beside"));
  }

  wasKilled(): boolean {
    return this.last?.wasKilled === true;
  }

  /** At the nth write of the next run. */
  atWrite(nth: number, then: (process: Process) => void): void {
    this.cues.push({ operation: "write", moment: this.dice.pick(["leaves", "works"]), nth, then });
  }

  killAtWrite(nth: number): void {
    const how = this.dice.pick(["killHost", "killEngine", "killBoth"] as const);
    this.atWrite(nth, (process) => process.upset(how));
  }

  pause(ms = this.dice.pick(aWhile)): Promise<void> {
    return this.stage.timeline.wait(ms);
  }

  /** The next jobs stop after some records. */
  stick(after: number): void {
    this.stage.admin.set({ stickAfter: after });
  }

  isStuck(): boolean {
    return this.stage.admin.jobs().some(({ done }) => !done);
  }

  endJobs(): void {
    this.stage.calm();
    this.stage.finishJobs();
  }

  idOf(spec: Spec, domain = this.domain): number | undefined {
    const what = identity(domain, { ...spec, mx: spec.priority });
    return this.stage.admin.zone(domain).find((view) => identity(domain, view) === what)?.id;
  }

  areLive(...specs: readonly Spec[]): boolean {
    return specs.every((spec) => this.idOf(spec) !== undefined);
  }

  isPartly(specs: readonly Spec[]): boolean {
    const live = specs.filter((spec) => this.areLive(spec));
    return live.length > 0 && live.length < specs.length;
  }

  change(spec: Spec, change: { value?: string; ttl?: number; enabled?: boolean }): void {
    const id = this.idOf(spec);
    this.need(id !== undefined);
    if (id !== undefined) this.stage.byHand((user) => user.change(this.domain, id, change));
  }

  remove(spec: Spec): void {
    const id = this.idOf(spec);
    this.need(id !== undefined);
    if (id !== undefined) this.stage.byHand((user) => user.remove(this.domain, id));
  }

  /** The console may refuse it, such as an equal one. */
  add(spec: Spec): void {
    try {
      this.stage.byHand((user) => user.add(this.domain, spec, this.dice.chance(0.5)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** Deploys from another machine, which has a state folder of its own. */
  moveTo(machine: string): void {
    const { main } = this.stage;
    main.settings = { ...main.settings, stateDir: join(dirname(main.settings.stateDir), machine) };
  }

  onLine(spec: Spec): Spec {
    this.need(this.has("lines"));
    return { ...spec, line: otherLine };
  }
}
