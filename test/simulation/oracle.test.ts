import { deepStrictEqual } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin, Box } from "../../emulator";
import { parseSettings } from "../../provider/settings";
import { Dice } from "./dice";
import { Engine, type Stack } from "./engine";
import { couldKnow } from "./knowledge";
import { Observer } from "./observer";
import { isCreated } from "./ownership";
import { Process } from "./process";
import type { Program } from "./program";
import { Timeline } from "./time";

const token = "12345,0123456789abcdef0123456789abcdef";
const record = { name: "www", type: "A", value: "192.0.2.1" } as const;
const program: Program = [{ name: "web", type: "RecordBatch", domains: ["one.example"], specs: [record] }];

/** One stack on one machine, which other runs follow. */
class Scene {
  readonly timeline = new Timeline(Date.UTC(2026, 0, 15, 8));
  readonly box = new Box({ domains: ["one.example"], token, seed: 1, now: this.timeline.now });
  readonly admin = new Admin(this.box, { offset: 0 });
  readonly observer = new Observer({
    service: this.box.service,
    timeline: this.timeline,
    domains: ["one.example"],
    tracing: false,
    full: false,
    late: false,
  });
  private readonly stack: Stack = { resources: [] };
  private count = 0;

  constructor(readonly stateDir: string) {}

  start(): Process {
    const env = {
      LEGACYDNS_BASE_URL: "https://dns-host.example/api",
      LEGACYDNS_CONTACT: "tests@example.com",
      LEGACYDNS_LOGIN_TOKEN: token,
      LEGACYDNS_STATE_DIR: this.stateDir,
    };
    const process = new Process({
      name: `A${(this.count += 1)}`,
      stack: "A",
      timeline: this.timeline,
      box: this.box,
      settings: parseSettings({ config: {}, env, explicit: false }),
      dice: new Dice(1),
      witness: this.observer,
      broken: {},
      ahead: () => this.observer.machines.ahead(this.stateDir),
    });
    this.observer.begin(process, program, this.stack, "up");
    return process;
  }

  async up(): Promise<void> {
    const process = this.start();
    const { ok } = await this.timeline.drive(new Engine(this.stack, process).up(program, true));
    process.end();
    this.observer.run(process).hasSucceeded = ok;
    await this.wait(60_000);
  }

  /** @returns whether a person's equal record may count as created by the stack */
  async addEqual(): Promise<boolean> {
    const { id } = this.admin.addRecord("one.example", record, { indexed: true });
    this.observer.compare();
    await this.up();
    const added = this.observer.records.get(id);
    if (added === undefined) throw new Error("the record is unknown");
    return isCreated(this.observer, added, "A");
  }

  /** The run is killed while its creation is on the way. */
  async createAndDie(): Promise<void> {
    const process = this.start();
    process.onCall = (operation, moment) => {
      if (operation === "Batch.Record.Create" && moment === "works") process.upset("killBoth");
    };
    await this.timeline.drive(new Engine(this.stack, process).up(program, false).catch(() => undefined));
  }

  async wait(ms: number): Promise<void> {
    await this.timeline.drive(this.timeline.wait(ms));
    this.observer.compare();
  }

  /** How a new run could know the record. */
  ask() {
    const [made] = this.observer.live();
    if (made === undefined) throw new Error("no record is live");
    return couldKnow(this.observer, this.start(), made.now, { sentAt: this.timeline.now(), seen: new Map() });
  }
}

describe("what a run of the simulation could know", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "legacydns-oracle-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("a clock that is set forward before a listing shows the record hides the write", async () => {
    const scene = new Scene(folder);
    await scene.createAndDie();
    scene.observer.clockSet(folder, 3_600_000);
    await scene.wait(60_000);
    deepStrictEqual(scene.ask(), "clock forward");
  });

  it("an equal record may be the one of a job that the state has as open", async () => {
    const scene = new Scene(folder);
    scene.admin.set({ stickAfter: 0 });
    await scene.up();
    deepStrictEqual(await scene.addEqual(), true);
  });

  it("a run that failed has kept the end of a job that made nothing", async () => {
    const scene = new Scene(folder);
    scene.admin.set({ stickAfter: 0 });
    await scene.up();
    scene.admin.set({ stickAfter: null, refuse: [{ name: "www", message: "refused" }] });
    for (const { id } of scene.admin.jobs()) scene.admin.finishJob(id);
    await scene.up();
    scene.admin.set({ refuse: [] });
    deepStrictEqual(await scene.addEqual(), false);
  });

  it("a clock that is set forward later hides nothing", async () => {
    const scene = new Scene(folder);
    await scene.createAndDie();
    await scene.wait(60_000);
    scene.observer.clockSet(folder, 3_600_000);
    deepStrictEqual(scene.ask(), "journal");
  });
});
