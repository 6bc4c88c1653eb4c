/** No test takes the time: sizes would never end with a pass for each record, or passes are counted. */
import { deepEqual, equal } from "node:assert/strict";
import { PurviewReader, type Client, type OperationName } from "../../provider/api";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { Allowance } from "../../provider/reconcile/checks/allowance";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { DeclaredRecords } from "../../provider/reconcile/memory/siblings/declared";
import { Gates } from "../../provider/reconcile/checks/gates";
import { emptyPlan } from "../../provider/reconcile/plan/plan";
import { entryOf } from "../../provider/reconcile/zones/zone";
import { full, of, Process, staleOf } from "../support/lab";
import { zoneWith } from "../support/live";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  scripted,
  settingsFor,
  skippingClock,
  said,
} from "../api/support";

after(cleanUp);

const domain = "example.com";
/** ESLint refuses the spread of a list in a call, which fails from some 120,000 on. */
const many = 130_000;
const live = (id: number, type: string, value: string) => ({
  id: String(id),
  name: `h${id}`,
  type,
  line: "默认",
  value,
  ttl: 600,
  enabled: true,
  hold: false,
});

it("130,000 records whose deletion waits for a refused creation end an update with two diagnostics", async () => {
  const records = Array.from({ length: many }, (_, i) => live(i + 1, "A", "192.0.2.1"));
  const held = records.map(({ id }) => ({ digest: `former${id}`, domain, id, since: 0, made: true }));
  const settings = settingsFor({ limits: "off", indexDelay: 0, maxChangeShare: 100 });
  const clock = skippingClock();
  const refusing = clientOn(scripted(said("17")), { settings, clock });
  const call = (operation: OperationName, request: { offset: number; length: number }) =>
    operation === "Record.List"
      ? Promise.resolve({
          zone: { id: "1", name: domain },
          counts: { matching: many },
          records: records.slice(request.offset, request.offset + request.length),
        })
      : refusing.call(operation, request as never);
  const client = { call, clock } as unknown as Client;
  const by = new Process({ client, settings, clock });
  const done = await by.up(full(["new 600 A 192.0.2.9"]), { ledger: { ...emptyLedger, held } });
  deepEqual(done.codes, ["write.not-sent", "write.not-sent"]);
  equal(staleOf(done).length, many);
});

describe("single Records in a program with many others", () => {
  const listed = Array.from({ length: 100 }, (_, i) =>
    entryOf(domain, live(i + 1, "AAAA", "2001:db8::1"), "默认"),
  );
  const zoneWithCount = () => {
    const { entries, ...zone } = zoneWith(listed);
    let passes = 0;
    const counting = Object.defineProperty({ ...zone, entries }, "entries", {
      get: () => ((passes += 1), entries),
    });
    return { zones: new Map([[domain, counting]]), passes: () => passes };
  };
  const settings = settingsFor({ maxChangeShare: 100 });

  it("are counted against the package with one pass through the zone", async () => {
    const { zones, passes } = zoneWithCount();
    const purview = enveloped("1", { purview: [{ name: "AAAA记录条数", value: 101 }] });
    const reader = new PurviewReader(clientOn(scripted(answer(purview))), settings);
    const allowance = new Allowance(reader, settings);
    const check = async (line: string, leaving: readonly number[] = []): Promise<string[]> => {
      const removals = leaving.flatMap((i) => listed[i] ?? []).map((each) => ({ live: each, first: false }));
      const plan = { ...emptyPlan(), create: of(line).records, removals };
      return (await allowance.check(plan, zones)).refusals.map(({ code }) => code);
    };
    deepEqual(await check("n1 AAAA 2001:db8::1"), []);
    deepEqual(await check("n1 AAAA 2001:db8::1"), []);
    deepEqual(await check("n2 AAAA 2001:db8::1", [0]), []);
    deepEqual(await check("n3 AAAA 2001:db8::1"), ["limit.records"]);
    deepEqual(await check("n4 A 192.0.2.1"), []);
    equal(passes(), 1);
  });

  it("pass the gates of an update with one pass through the zone", () => {
    const { zones, passes } = zoneWithCount();
    const gates = new Gates(settings, new DeclaredRecords(skippingClock()));
    for (const each of listed) {
      const { records } = of(`${each.record.name} AAAA 2001:db8::2`);
      const changes = records.map((record) => ({ live: each, record, kind: "data" as const }));
      const plan = { ...emptyPlan(), changes };
      gates.add(plan, { hides: () => false });
      deepEqual(gates.refusals(plan, zones, true), []);
    }
    equal(passes(), 1);
  });
});

it("A refresh reads the notes in a text of megabytes in one pass, however many semicolons it has", () => {
  const value = "v=test ".concat("; x".repeat(1_000_000));
  const found = { findings: [], strays: [], undeclared: [], secrets: new Set<never>(), ledger: emptyLedger };
  const inputs = recordBatchForm.inputs({
    domains: [domain],
    records: `t.example.com. 600 TXT "${value}"\n`,
  });
  equal(recordBatchForm.live(inputs, found), inputs);
});
