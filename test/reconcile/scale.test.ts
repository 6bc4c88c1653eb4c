/**
 * Work grows with its records and no faster. No test takes the time. A list is longer than the arguments of a call, a size
 * would never end with a pass for each record, or the passes through a zone are counted.
 */
import assert from "node:assert/strict";
import { PurviewReader } from "../../provider/api";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { Allowance } from "../../provider/reconcile/checks/allowance";
import type { Declaration } from "../../provider/reconcile/declaration";
import { emptyLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import { Siblings } from "../../provider/reconcile/memory/siblings";
import { Gates } from "../../provider/reconcile/checks/gates";
import { emptyPlan } from "../../provider/reconcile/plan/plan";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { entryOf, zoneOf, type Zone } from "../../provider/reconcile/zones/zone";
import { collectingReporter } from "../support/reporter";
import { declare } from "../support/lab";
import { answer, cleanUp, clientOn, enveloped, scripted, settingsFor, skippingClock } from "../api/support";

after(cleanUp);

const domain = "example.com";
/** Many pages of a listing. ESLint refuses the spread of a list in a call, which fails from some 120,000 on. */
const many = 150_000;
const records = Array.from({ length: many }, (_, i) => ({
  id: String(i + 1),
  name: `h${i + 1}`,
  type: "A",
  line: "默认",
  value: "192.0.2.1",
  ttl: "600",
  enabled: "1",
}));
const stale: Ledger = { ...emptyLedger, stale: records.map(({ id }) => ({ domain, id, made: true })) };

describe("150,000 records", () => {
  let reconciler: Reconciler;
  before(() => {
    // Lists the zone, and refuses to make anything.
    const transport = scripted((request) => {
      const form = new URLSearchParams(request.body);
      if (request.operation !== "Record.List") return answer(enveloped("17"));
      const offset = Number(form.get("offset"));
      const page = records.slice(offset, offset + Number(form.get("length")));
      const info = { record_total: many };
      return answer(enveloped("1", { domain: { id: 1, name: domain }, info, records: page }));
    });
    const settings = settingsFor({ limits: "off", indexDelay: 0, maxChangeShare: 100 });
    const clock = skippingClock();
    const client = clientOn(transport, { settings, clock });
    reconciler = new Reconciler({ client, settings, clock, reporter: collectingReporter() });
  });
  /** @returns the codes of the failures, and how many records are left over */
  const update = async (declaration: Declaration): Promise<{ codes: string[]; stale: number }> => {
    const { failures, ledger } = await reconciler.apply(declaration, [], stale);
    return { codes: failures.map(({ code }) => code), stale: ledger.stale.length };
  };

  it("that are no longer declared end an update in documented mode with one diagnostic", async () => {
    assert.deepEqual(await update(declare(domain, [])), { codes: ["live.left-over"], stale: many });
  });

  it("whose deletion waits for a refused creation end an update with two diagnostics", async () => {
    const may = { change: true, remove: true, single: false };
    assert.deepEqual(await update(declare(domain, ["new 600 A 192.0.2.9"], { may, removal: "delete" })), {
      codes: ["write.not-sent", "write.not-sent"],
      stale: many,
    });
  });
});

describe("single Records in a program with many others", () => {
  const listed = records
    .slice(0, 100)
    .map(({ id, name }) =>
      entryOf(
        domain,
        { id, name, type: "AAAA", line: "", value: "2001:db8::1", ttl: 600, enabled: true, hold: false },
        "默认",
      ),
    );
  /** A zone that counts how often its records are gone through. */
  const zoneWithCount = (): { zone: Zone; passes: () => number } => {
    const head = {
      domain,
      id: "1",
      grade: "",
      status: undefined,
      extStatus: undefined,
      defaultLine: undefined,
    };
    const { entries, ...zone } = zoneOf(head, listed, 0);
    let passes = 0;
    const counting = Object.defineProperty({ ...zone, entries }, "entries", {
      get: () => ((passes += 1), entries),
    });
    return { zone: counting, passes: () => passes };
  };
  const settings = settingsFor({ maxChangeShare: 100 });

  it("are counted against the package with one pass through the zone", async () => {
    const { zone, passes } = zoneWithCount();
    const purview = enveloped("1", { purview: [{ name: "AAAA记录条数", value: 101 }] });
    const allowance = new Allowance(
      new PurviewReader(clientOn(scripted(answer(purview))), settings),
      settings,
    );
    const check = async (line: string, leaving: readonly number[] = []): Promise<string[]> => {
      const changes = leaving.flatMap((i) => listed[i] ?? []).map((live) => ({ live, first: false }));
      const plan = { ...emptyPlan(), create: declare(domain, [line]).records, removals: changes };
      const { refusals } = await allowance.check(plan, new Map([[domain, zone]]));
      return refusals.map(({ code }) => code);
    };
    assert.deepEqual(await check("n1 AAAA 2001:db8::1"), []);
    assert.deepEqual(await check("n1 AAAA 2001:db8::1"), []);
    assert.deepEqual(await check("n2 AAAA 2001:db8::1", [0]), []);
    assert.deepEqual(await check("n3 AAAA 2001:db8::1"), ["limit.records"]);
    assert.deepEqual(await check("n4 A 192.0.2.1"), []);
    assert.equal(passes(), 1);
  });

  it("pass the gates of an update with one pass through the zone", () => {
    const { zone, passes } = zoneWithCount();
    const siblings = new Siblings(skippingClock());
    const gates = new Gates(settings, siblings);
    for (const live of listed) {
      const [record] = declare(domain, [`${live.record.name} AAAA 2001:db8::2`]).records;
      const plan = {
        ...emptyPlan(),
        changes: record === undefined ? [] : [{ live, record, kind: "data" as const }],
      };
      gates.add(plan);
      assert.deepEqual(gates.refusals(plan, new Map([[domain, zone]]), undefined), []);
    }
    assert.equal(passes(), 1);
  });
});

it("A refresh reads the notes in a text of megabytes in one pass, however many semicolons it has", () => {
  const value = "v=test ".concat("; x".repeat(1_000_000));
  const found = { findings: [], strays: [], undeclared: [], secrets: new Set<never>(), ledger: emptyLedger };
  const props = { domains: [domain], records: `t.example.com. 600 TXT "${value}"\n` };
  assert.equal(recordBatchForm.live(props, found), props);
});
