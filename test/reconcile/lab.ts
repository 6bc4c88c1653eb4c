/** The lab, with declarations, labs, clients and results that several files of the reconciler's tests share. */
import { deepEqual, ok } from "node:assert/strict";
import type { JobDetail, OperationName } from "../../provider/api";
import type { Observed } from "../../provider/reconcile/account/observed";
import type { Declaration } from "../../provider/reconcile/declaration";
import { formatLedger, parseLedger } from "../../provider/reconcile/memory/ledger";
import type { Reconciler } from "../../provider/reconcile/reconciler";
import { fresh, full, fullService, type Lab, type Process, type startLab, type Update } from "../support/lab";

export * from "../support/lab";

export const wwwLine = "www 600 A 192.0.2.1";
export const www = full([wwwLine]);
export const other = full(["www 600 A 192.0.2.2"]);
export const short = full(["www 300 A 192.0.2.1"]);
export const two = full(["two 600 A 192.0.2.2"]);
export const both = full([wwwLine, "two 600 A 192.0.2.2"]);
export const bothLines = ["two A 192.0.2.2 600", "www A 192.0.2.1 600"];

export const refusing = (name: string) => ({
  settings: { refuse: [{ name, message: "Refused for the test" }] },
});
export const laggingWith =
  (start: typeof startLab) =>
  (s: number, more: object = {}) =>
    start({ settings: { indexDelay: s } }, { LEGACYDNS_INDEX_DELAY: `${s}`, ...more });

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

/** A process in which other resources declare these records. */
export function beside(lab: Lab, ...others: readonly Pick<Declaration, "records">[]): Reconciler {
  const by = lab.reconciler();
  for (const { records } of others) by.siblings.declared.add(() => records);
  return by;
}

/** The messages of a process that does this work. */
export async function saidIn(lab: Lab, work: (by: Reconciler) => Promise<unknown>): Promise<string> {
  const { reconciler, said } = lab.process();
  await work(reconciler);
  return said();
}

export function clientBefore(lab: Lab, operation: OperationName, work: () => unknown) {
  return lab.clientWith((called, call) => {
    if (called === operation) work();
    return call();
  });
}

export function clientReading(lab: Lab, change: (job: JobDetail) => object) {
  return lab.clientWith(async (operation, call) => {
    const answer = await call();
    return operation === "Batch.Detail" ? (change(answer as JobDetail) as typeof answer) : answer;
  });
}

/** The update as the state keeps it. */
export const saved = (done: Update): Update => ({ ...done, ledger: parseLedger(formatLedger(done.ledger)) });

/** An update whose job is stuck after some records. It ends with `finishJobs`. */
export async function pendingUp(lab: Lab, ended: number, ...args: Parameters<Lab["up"]>): Promise<Update> {
  lab.admin.set({ stickAfter: ended });
  const done = await lab.up(...args);
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
