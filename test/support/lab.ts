/**
 * A lab is an emulated service with example.com, and the reconciler on it. Its waits are `times` shorter.
 *
 * Declarations are lines such as `www 600 A 192.0.2.1` (`of`, `full`, `declare`, `hosts`, `lab.add`). Live zones are
 * sorted lines such as `www A 192.0.2.1 600` (`lab.lines`, `lab.has`).
 *
 * Records in documented mode are `of(…)`. Those in full mode are `full([…])`, with the permissions `may`. A lab of full
 * mode is `labs(fullService, fullSettings)`.
 *
 * An update is `lab.up(declaration, before)`. Its `before` is the result of the resource's last update, or
 * `fresh` if there is none. An update with `lab.must` must not fail. The methods `preview`, `observe` (a refresh) and
 * `release` (a deletion) have the same parameters. Each call is a process of its own. Several calls in one process are
 * those of a `lab.process()`.
 *
 * Edits in the console are `lab.add`, `lab.edit` and `lab.erase`. Lost answers come from `lab.lose`, and refusals by a
 * code from `lab.answer`.
 */
import { deepEqual } from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator, RecordInput, StartOptions } from "../../emulator";
import { createClient, type Client } from "../../provider/api";
import { systemClock, type Clock } from "../../provider/support/clock";
import type { Declaration } from "../../provider/reconcile/declaration";
import { staleIn, type HeldRecord } from "../../provider/reconcile/memory/ledger";
import { Reconciler } from "../../provider/reconcile/reconciler";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { PlanReport } from "../../provider/lifecycle/plan-report";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import type { Reporter } from "../../provider/support/reporter";
import { Shares } from "../../provider/reconcile/shares";
import { defined } from "../../provider/support/defined";
import { Process, type ProcessParts, type Update } from "./provider-process";
import { collectingReporter } from "./reporter";
import { environmentName, parseSettings, type Settings } from "../../provider/settings";
import { hideZones, recordOf, settingsOf, startService, zoneLines } from "./service";

export * from "./declarations";
export * from "./provider-process";

export const create = "Batch.Record.Create";
export const modify = "Record.Modify";
export const modifyMany = "Batch.Record.Modify";
export const remove = "Record.Remove";

/** What an update's ledger holds, and its program does not declare. */
export function staleOf({ ledger, records }: Update): readonly HeldRecord[] {
  return staleIn(ledger, records);
}

/** The state of a resource that declares a part of an update's records. */
export function partOf(done: Update, { records }: Declaration): Update {
  const { ledger } = done;
  const others = new Set(staleIn(ledger, records));
  return { ...done, records, ledger: { ...ledger, held: ledger.held.filter((each) => !others.has(each)) } };
}

export class Lab {
  constructor(
    readonly service: Emulator,
    readonly client: Client,
    readonly settings: Settings,
    readonly clock: Clock,
  ) {}

  get admin(): Emulator["admin"] {
    return this.service.admin;
  }

  process(parts: Partial<ProcessParts> = {}): Process {
    return new Process(this, parts);
  }

  clockAhead(ms: () => number): Clock {
    const { clock } = this;
    return { ...clock, now: () => clock.now() + ms(), wall: () => clock.wall() + ms() };
  }

  clientWith(work: <T>(operation: string, call: () => Promise<T>) => Promise<T>, clock = this.clock): Client {
    const { client } = this;
    return {
      clock,
      close: () => client.close(),
      call: (operation, ...rest) => work(operation, () => client.call(operation, ...rest)),
    };
  }

  up(...task: Parameters<Process["up"]>) {
    return this.process().up(...task);
  }

  must(...task: Parameters<Process["must"]>) {
    return this.process().must(...task);
  }

  preview(...task: Parameters<Process["preview"]>) {
    return this.process().preview(...task);
  }

  refusals(...task: Parameters<Process["refusals"]>) {
    return this.process().refusals(...task);
  }

  observe(...task: Parameters<Process["observe"]>) {
    return this.process().observe(...task);
  }

  release(...task: Parameters<Process["release"]>) {
    return this.process().release(...task);
  }

  calls(operation: string): number {
    return this.admin.counts()[operation] ?? 0;
  }

  lose(operation: string, when: "before" | "after" = "before", calls: "next" | "each" = "next"): void {
    this.admin.addFault({ kind: "dropped", operation, when, count: calls === "next" ? 1 : undefined });
  }

  /** Loses an answer, and hides all zones from then on. `admin.clearFaults` ends it. */
  loseUnread(operation: string, when: "before" | "after" = "before"): void {
    this.lose(operation, when);
    hideZones(this.admin);
  }

  answer(
    operation: string,
    code: string,
    more: { when?: "before" | "after"; count?: number; message?: string } = {},
  ) {
    this.admin.addFault({ kind: "code", operation, code, when: "before", ...more });
  }

  finishJobs(): void {
    for (const { id } of this.admin.jobs()) this.admin.finishJob(id);
  }

  /** `www A 192.0.2.1 600`, sorted. */
  lines(domain = "example.com"): string[] {
    return zoneLines(this.service, domain);
  }

  clearCalls(): void {
    this.admin.clearCalls();
  }

  clearFaults(): void {
    this.admin.clearFaults();
  }

  /** Without system records. */
  get records() {
    return this.admin.zone("example.com", { hold: false });
  }

  /** The number of the zone's records. */
  get size(): number {
    return this.lines().length;
  }

  has(...lines: string[]): void {
    deepEqual(this.lines(), lines);
  }

  /** By hand; a listing shows it at once: `www 600 A 192.0.2.1`. */
  add(line: string, more: Partial<RecordInput> = {}): string {
    const record = { ...recordOf(line), ...more };
    return String(this.admin.addRecord("example.com", record, { indexed: true }).id);
  }

  edit(name: string, change: Parameters<Emulator["admin"]["setRecord"]>[2], type = "A"): string {
    return String(this.admin.setRecord("example.com", { name, type }, change).id);
  }

  erase(name: string): void {
    this.admin.removeRecord("example.com", { name, type: "A" });
  }

  eraseId(id = ""): void {
    this.admin.removeRecord("example.com", Number(id));
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.service.close();
    rmSync(this.settings.stateDir, { recursive: true, force: true });
  }
}

/** In memory, because each request waits until the journal is on the disk. */
const root = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** How many times shorter a wait is, except a fault's in the emulator. */
export const times = 200;

/** A setting, or a variable of the environment → the value. */
export type LabSettings = Readonly<Record<string, string | number | boolean>>;

function quickClock(): Clock {
  let ahead = 0;
  const now = () => systemClock.now() + ahead;
  return {
    now,
    wall: () => systemClock.wall() + ahead,
    sleep: async (ms, signal) => {
      const end = now() + ms;
      await systemClock.sleep(ms / times, signal);
      ahead += Math.max(0, end - now());
    },
  };
}

/** The service has the index delay and the operations of the settings, unless the options say otherwise. */
export async function startLab(options: StartOptions = {}, settings: LabSettings = {}): Promise<Lab> {
  const clock = quickClock();
  const { indexDelay = 0, undocumentedOperations = false } = settings;
  const service = await startService({
    now: () => clock.wall(),
    ...options,
    settings: {
      indexDelay: Number(indexDelay),
      undocumented: String(undocumentedOperations) === "true",
      ...options.settings,
    },
  });
  const stateDir = mkdtempSync(join(root, "legacydns-lab-"));
  const own = Object.entries({ stateDir, ...settings }).map(([name, value]) => [
    name.startsWith("LEGACYDNS_") ? name : environmentName(name),
    String(value),
  ]);
  const env = { ...settingsOf(service), ...(Object.fromEntries(own) as Record<string, string>) };
  const parsed = parseSettings({ config: {}, env, explicit: false });
  return new Lab(service, createClient({ settings: parsed, clock }), parsed, clock);
}

export function labs(service: StartOptions = {}, settings: LabSettings = {}): typeof startLab {
  const open: Lab[] = [];
  afterEach(async () => {
    for (const lab of open.splice(0)) await lab.close();
  });
  return async (more = {}, own = {}) => {
    const options = { ...service, ...more, settings: { ...service.settings, ...more.settings } };
    const lab = await startLab(options, { ...settings, ...own });
    open.push(lab);
    return lab;
  };
}

/** The tests of `it` get a lab each, and a process. Those of other options call `start`. */
export function labTests(...options: Parameters<typeof labs>) {
  const start = labs(...options);
  const test = (title: string, work: (lab: Lab, by: Process) => void | Promise<void>) =>
    it(title, async () => {
      const lab = await start();
      await work(lab, lab.process());
    });
  return { start, it: test };
}

export const fullService = { settings: { undocumented: true, jobStartMs: 0, jobMs: 0 } };
export const fullSettings = {
  undocumentedOperations: "true",
  confirmedDomains: "example.com",
};
export const fullLabs = (settings: LabSettings = {}) =>
  labTests(fullService, { ...fullSettings, ...settings });

export function hostOf(
  { client, clock, settings }: Pick<Lab, "client" | "clock" | "settings">,
  reporter: Reporter = collectingReporter(),
  /** The report file of a plan. */
  file?: string,
): Host {
  const reconciler = new Reconciler({ client, settings, clock, reporter });
  const report = file === undefined ? undefined : new PlanReport(file, reconciler, settings);
  const shares = new Shares(client, settings);
  return { client, settings, clock, reconciler, reporter, shares, ...defined({ report }) };
}

export function processOf(lab: Lab, file?: string): Lifecycle {
  const host = hostOf(lab, undefined, file);
  return recordsProvider(recordBatchForm, (work) => work(host));
}
