/** The lab, with declarations, labs, clients and results that several files of the reconciler's tests share. */
import { deepEqual, ok } from "node:assert/strict";
import type { JobDetail, OperationName } from "../../provider/api";
import type { Observed } from "../../provider/reconcile/account/observed";
import type { Declaration } from "../../provider/reconcile/declaration";
import type { Clock } from "../../provider/support/clock";
import { formatLedger, ledgerIn } from "../../provider/reconcile/memory/ledger";
import { fresh, full, fullService, type Lab, type Process, type Update } from "../support/lab";

export * from "../support/lab";

export const wwwLine = "www 600 A 192.0.2.1";
export const www = full([wwwLine]);
export const other = full(["www 600 A 192.0.2.2"]);
export const short = full(["www 300 A 192.0.2.1"]);
export const two = full(["two 600 A 192.0.2.2"]);
export const both = full([wwwLine, "two 600 A 192.0.2.2"]);
/** As `lab.lines` has it. */
export const wwwLive = "www A 192.0.2.1 600";
export const bothLines = ["two A 192.0.2.2 600", wwwLive];

export const refusing = (name: string) => ({
  settings: { refuse: [{ name, message: "Refused for the test" }] },
});

/** A service that stores values of some types in forms of its own. */
export const ownFormService = {
  settings: {
    ...fullService.settings,
    ownForms: [
      { type: "显性URL", form: "lower" } as const,
      { type: "隐性URL", form: "escaped" } as const,
      { type: "TXT", form: "lower" } as const,
    ],
  },
};

/** Updates one after the other. Only the calls of the last one are counted. */
export async function run(lab: Lab, ...declarations: readonly Declaration[]) {
  let done = fresh;
  for (const declaration of declarations) {
    lab.admin.clearCalls();
    done = await lab.must(declaration, done);
  }
  return done;
}

/** The messages of a process that does this work. */
export async function saidIn(lab: Lab, work: (by: Process) => Promise<unknown>): Promise<string> {
  const by = lab.process();
  await work(by);
  return by.said();
}

/** A process with some work before each call of an operation. */
export function processBefore(lab: Lab, operation: OperationName, work: () => unknown): Process {
  const client = lab.clientWith((called, call) => {
    if (called === operation) work();
    return call();
  });
  return lab.process({ client });
}

/** A process that checks other resources until after its listings, and does some work at its first wait. */
export function processAtWait(lab: Lab, work: (by: Process) => unknown): Process {
  let isFirst = true;
  const client = lab.clientWith(async (_operation, call) => {
    const answer = await call();
    by.siblings.declared.expectMore();
    return answer;
  });
  const sleep: Clock["sleep"] = (ms, signal) => {
    if (isFirst) work(by);
    isFirst = false;
    return lab.clock.sleep(ms, signal);
  };
  const by: Process = lab.process({ client, clock: { ...lab.clock, sleep } });
  return by;
}

type JobItem = JobDetail["items"][0];

/** A client that reads each item of a job changed. */
export function clientReading(lab: Lab, change: (item: JobItem) => object) {
  return lab.clientWith(async (operation, call) => {
    const answer = await call();
    if (operation !== "Batch.Detail") return answer;
    const { items, ...job } = answer as JobDetail;
    return { ...job, items: items.map(change) } as typeof answer;
  });
}

/** The item of a job whose answer does not name the records. */
export const withoutIds = ({ records, ...item }: JobItem) => ({
  ...item,
  records: records.map(({ recordId: _id, ...record }) => record),
});

/** The update as the state keeps it. */
export const saved = (done: Update) => ({ ...done, ledger: ledgerIn(formatLedger(done.ledger))() });

/** An update whose job is stuck after some records. It ends with `finishJobs`. */
export async function pendingUp(
  lab: Lab,
  ended: number,
  declaration: Declaration,
  before?: Parameters<Process["up"]>[1],
  by = lab.process(),
): Promise<Update> {
  lab.admin.set({ stickAfter: ended });
  const done = await by.up(declaration, before);
  deepEqual(done.codes, ["job.pending"]);
  lab.admin.set({ stickAfter: null });
  return saved(done);
}

export async function withoutWait<T>(lab: Lab, work: () => Promise<T>): Promise<T> {
  const begun = lab.clock.now();
  const result = await work();
  ok(lab.clock.now() - begun < 20_000, "nothing waits for jobTimeout");
  return result;
}

type Held = Pick<Update, "ledger">;
export const madeIn = ({ ledger }: Held) => ledger.held.map(({ made }) => made);
export const jobsIn = ({ ledger }: Held) => ledger.openWrites.map(({ job }) => job);
export const statesIn = ({ findings }: Pick<Observed, "findings">) => findings.map(({ state }) => state);
export const warningsOf = ({ reporter }: Pick<Process, "reporter">) =>
  reporter.lines.flatMap(({ level, text }) => (level === "warn" ? [text] : []));
