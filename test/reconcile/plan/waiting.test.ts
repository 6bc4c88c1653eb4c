/** A plan keeps back some records and removals while a job of an earlier run is open. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { emptyLedger, digestOf, type OpenWrite } from "../../../provider/reconcile/memory/ledger";
import { hasWrites, planTask } from "../../../provider/reconcile/plan/plan";
import { heldRecord } from "../../../provider/reconcile/zones/own-forms";
import { full } from "../../support/lab";
import { liveEntry, zoneWith } from "../../support/live";

const domain = "example.com";
const { records: former } = full(["www 600 A 192.0.2.5", "www 600 A 192.0.2.6", "api 600 A 192.0.2.9"]);
const declaration = full(["www 600 A 192.0.2.1", "mail 600 A 192.0.2.2"]);

/** A zone with the former records, which the resource owns. */
function planned(openWrites: readonly OpenWrite[]) {
  const live = former.map((record, i) => liveEntry(record, String(i)));
  const zones = new Map([[domain, zoneWith(live)]]);
  const held = live.map((entry) => heldRecord(entry, 0, true));
  return planTask({ declaration, ledger: { ...emptyLedger, held, openWrites } }, zones, () => false);
}

const open = (job?: string) => ({
  domain,
  since: 0,
  digests: declaration.records.slice(0, 1).map(digestOf),
  ...(job !== undefined && { job }),
});

describe("a plan with an open write", () => {
  it("keeps back the job's records, and the removals at their names", () => {
    const { create, changes, removals, waiting } = planned([open("7")]);
    const names = (all: typeof removals) => all.map(({ live }) => live.record.name);
    deepEqual([create.map(({ name }) => name), changes, names(removals)], [["mail"], [], ["api"]]);
    deepEqual([waiting.changes.length, names(waiting.removals)], [1, ["www"]]);
  });

  it("sends all records of one without a job's number, which no wait could end", () => {
    const { create, changes, removals } = planned([open()]);
    deepEqual([create.length, changes.length, removals.length], [1, 1, 2]);
  });
});

it("a plan writes if it creates, changes or removes anything", () => {
  const plan = planned([]);
  const none = { ...plan, create: [], changes: [], removals: [] };
  const { create, changes, removals } = plan;
  equal(hasWrites(none), false);
  for (const some of [{ create }, { changes }, { removals }, { create, changes }])
    ok(hasWrites({ ...none, ...some }));
});
