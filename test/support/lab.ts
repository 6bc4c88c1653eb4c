/**
 * A lab is an emulated service with example.com, and the reconciler on it. Its waits are `times` shorter.
 *
 * Declarations are lines such as `www 600 A 192.0.2.1` (`of`, `full`, `declare`, `hosts`, `lab.add`). Live zones are
 * sorted lines such as `www A 192.0.2.1 600` (`lab.lines`, `lab.has`).
 *
 * Records in documented mode are `of(…)`. Those in full mode are `full([…])`, with the permissions `may`. A lab of full
 * mode is `labs(fullService, fullSettings)`.
 *
 * An update is `lab.up(declaration, before, reconciler)`. Its `before` is the result of the resource's last update, or
 * `fresh` if there is none. An update with `lab.must` must not fail. The methods `preview`, `observe` (a refresh) and
 * `release` (a deletion) have the same parameters. Each call is a process of its own if it gets no reconciler.
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
import { expandSpecs } from "../../provider/dns";
import { type Declaration, createOnly } from "../../provider/reconcile/declaration";
import { emptyLedger, staleIn, type HeldRecord } from "../../provider/reconcile/memory/ledger";
import { Reconciler, type Applied } from "../../provider/reconcile/reconciler";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { PlanReport } from "../../provider/lifecycle/plan-report";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import type { Reporter } from "../../provider/support/reporter";
import { Shares } from "../../provider/reconcile/shares";
import { defined } from "../../provider/support/defined";
import { collectingReporter, type CollectingReporter } from "./reporter";
import { parseSettings, type Settings } from "../../provider/settings";
import { isError, renderAll, textOf } from "../../provider/problems";
import { hideZones, recordOf, settingsOf, startService, zoneLines } from "./service";

export const create = "Batch.Record.Create";
export const modify = "Record.Modify";
export const modifyMany = "Batch.Record.Modify";
export const remove = "Record.Remove";

export interface Update extends Applied {
  readonly records: Declaration["records"];
  readonly codes: readonly string[];
  readonly text: string;
}
type State = Pick<Update, "ledger"> & Partial<Update>;

export const fresh: Update = { ledger: emptyLedger, failures: [], records: [], codes: [], text: "" };

type Parts = ConstructorParameters<typeof Reconciler>[0];

export interface Process {
  readonly reconciler: Reconciler;
  readonly reporter: CollectingReporter;
  said(): string;
}

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

  reconciler(parts: Partial<Parts> = {}): Reconciler {
    const { client, settings, clock } = this;
    return new Reconciler({ client, settings, clock, reporter: collectingReporter(), ...parts });
  }

  process(parts: Partial<Parts> = {}): Process {
    const reporter = collectingReporter();
    const reconciler = this.reconciler({ ...parts, reporter });
    return { reconciler, reporter, said: () => reporter.lines.map(({ text }) => text).join("\n") };
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

  async up(declaration: Declaration, before: State = fresh, by = this.reconciler()): Promise<Update> {
    const { records } = declaration;
    const applied = await by.apply(declaration, before.records ?? [], before.ledger);
    const codes = applied.failures.map(({ code }) => code);
    return { ...applied, records, codes, text: applied.failures.map(textOf).join("\n") };
  }

  async must(...args: Parameters<Lab["up"]>): Promise<Update> {
    const done = await this.up(...args);
    deepEqual(done.failures, []);
    return done;
  }

  preview(declaration: Declaration, before: State = fresh, by = this.reconciler()) {
    return by.preview(declaration, before.records ?? [], before.ledger);
  }

  async refusals(...args: Parameters<Lab["preview"]>): Promise<string[]> {
    return (await this.preview(...args)).refusals.map(textOf);
  }

  observe(declaration: Declaration, before: State = fresh, by = this.reconciler()) {
    return by.observe(declaration, before.ledger);
  }

  release(declaration: Declaration, before: State, by = this.reconciler()) {
    return by.release(declaration, before.ledger);
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

function quickClock(): Clock {
  let ahead = 0;
  const now = () => systemClock.now() + ahead;
  return {
    now,
    wall: () => systemClock.wall() + ahead,
    resumed: () => 0,
    sleep: async (ms, signal) => {
      const end = now() + ms;
      await systemClock.sleep(ms / times, signal);
      ahead += Math.max(0, end - now());
    },
  };
}

export async function startLab(
  options: StartOptions = {},
  settings: Record<string, string> = {},
): Promise<Lab> {
  const clock = quickClock();
  const service = await startService({ now: () => clock.wall(), ...options });
  const stateDir = mkdtempSync(join(root, "legacydns-lab-"));
  const env = { ...settingsOf(service), LEGACYDNS_STATE_DIR: stateDir, ...settings };
  const parsed = parseSettings({ config: {}, env, explicit: false });
  return new Lab(service, createClient({ settings: parsed, clock }), parsed, clock);
}

export function labs(service: StartOptions = {}, settings: Record<string, string> = {}): typeof startLab {
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

export const fullService = { settings: { undocumented: true, jobStartMs: 0, jobMs: 0 } };
export const fullSettings = {
  LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true",
  LEGACYDNS_CONFIRMED_DOMAINS: "example.com",
};
export const may = { change: true, remove: true, single: false };

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

/** Lines such as `www 600 A 192.0.2.1`. If sensitive, every value is secret. */
export function declare(
  domain: string | readonly string[],
  lines: readonly string[],
  more: Partial<Declaration> = {},
): Declaration {
  const { records, problems } = expandSpecs(domain, lines, { defaultLine: "默认" });
  deepEqual(renderAll(problems.filter(isError)), []);
  return {
    domains: [domain].flat(),
    records: more.sensitive === true ? records.map((record) => ({ ...record, secret: true })) : records,
    removal: "verify",
    adopt: true,
    sensitive: false,
    removalSetBy: "stack",
    may: createOnly,
    ...more,
  };
}

export const of = (...lines: string[]) => declare("example.com", lines);

export function full(
  lines: readonly string[],
  more: Partial<Declaration> = {},
  domain: string | readonly string[] = "example.com",
): Declaration {
  return declare(domain, lines, { removal: "delete", may, ...more });
}

/** `h0 600 A 10.0.0.0`. @param net the second number of the addresses */
export const hosts = (n: number, ttl = 600, net = 0, from = 0) =>
  Array.from(
    { length: n },
    (_, i) => `h${i + from} ${ttl} A 10.${net}.${(i + from) >> 8}.${(i + from) & 255}`,
  );
