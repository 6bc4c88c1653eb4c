/** Full mode: lost answers, pauses between a listing and a write, and listings that are behind. */
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import type { JobDetail } from "../../provider/api";
import { textOf } from "../../provider/problems";
import {
  create,
  full,
  fullService,
  fullSettings,
  hosts,
  labs,
  modify,
  modifyMany,
  remove,
  type Lab,
} from "../support/lab";
import { both, bothLines, laggingWith, other, run, short, two, www } from "./full-lab";

const start = labs(fullService, fullSettings);
const lagging = laggingWith(start);

describe("a run that pauses between its listing and a write", () => {
  const before = full(["www 600 A 192.0.2.1", "old 600 A 192.0.2.9"]);
  const after = full(["www 600 A 192.0.2.2", "new 600 A 192.0.2.3"]);

  const pausing = async (lab: Lab, operation: string, meanwhile = (): unknown => undefined) => {
    const first = await lab.must(before);
    lab.admin.clearCalls();
    let resumedAt = 0;
    const client = lab.clientWith(async (called, call) => {
      if (called === operation && resumedAt === 0) {
        meanwhile();
        resumedAt = lab.clock.now() + 1;
        await lab.clock.sleep(2);
      }
      return call();
    });
    const clock = { ...lab.clock, resumed: () => resumedAt };
    return lab.up(after, first, lab.reconciler({ client, clock }));
  };

  for (const operation of [create, modify, remove])
    it(`lists the zone again before ${operation}, once`, async () => {
      const lab = await start();
      deepEqual((await pausing(lab, operation)).failures, []);
      lab.has("new A 192.0.2.3 600", "www A 192.0.2.2 600");
      deepEqual([lab.calls("Record.List"), lab.calls(operation)], [2, 1]);
    });

  it("creates no record that another machine has made meanwhile", async () => {
    const lab = await start();
    const { failures, ledger } = await pausing(lab, create, () => lab.add("new A 192.0.2.3"));
    deepEqual([failures, ledger.held.length, lab.calls(create)], [[], 2, 0]);
  });

  for (const [operation, name] of [
    [modify, "www"],
    [remove, "old"],
  ] as const)
    it(`sends no ${operation} of a record that was edited meanwhile`, async () => {
      const lab = await start();
      const { text } = await pausing(lab, operation, () => lab.edit(name, { ttl: 60 }));
      match(text, /not sent, because this process paused/);
      equal(lab.calls(operation), 0);
    });
});

describe("a lost answer to a change or a removal", () => {
  const quick = { LEGACYDNS_REQUEST_TIMEOUT: "1", LEGACYDNS_JOB_TIMEOUT: "1" };

  for (const when of ["before", "after"] as const)
    for (const [operation, a, b] of [
      [modify, www, other],
      [modifyMany, full(hosts(20)), full(hosts(20, 300))],
      [remove, both, www],
    ] as const)
      it(`${operation}, lost ${when} its effect, is found out, and sent again only if it was not done`, async () => {
        const lab = await lagging(1, quick);
        const first = await lab.must(a);
        lab.lose(operation, when);
        await lab.must(b, first);
        const lines = b.records.map(({ name, value, ttl }) => `${name} A ${value} ${ttl}`);
        lab.has(...lines.sort());
        equal(lab.calls(operation), when === "after" ? 1 : 2);
      });

  it("ends a series of removals after a few, with one reading of the zone", async () => {
    const lab = await lagging(1, quick);
    const left = full(hosts(1));
    const first = await run(lab, full(hosts(20)));
    lab.admin.clearCalls();
    lab.lose(remove, "before", "each");
    const lost = await lab.up(left, first);
    const [removals, lists] = [lab.calls(remove), lab.calls("Record.List")];
    ok(removals >= 4 && removals < 12 && lists < 6, `${removals} removals, ${lists} listings`);
    match(lost.text, /the answers of 4 writes in a row were lost/);
    lab.admin.clearFaults();
    await lab.must(left, lost);
    equal(lab.lines().length, 1);
  });

  it("names the error that kept the parts of a split job from being sent", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full(hosts(6)));
    lab.answer(modifyMany, "21", { message: "Refused for the test", count: 1 });
    lab.answer(modifyMany, "-1", { message: "Login failed" });
    const { text } = await lab.up(full(hosts(6, 300)), first);
    match(text, /not sent, so not written; h0.*h5.*Login failed/s);
    doesNotMatch(text, /meanwhile declared/);
  });

  it("an operation that the service lacks changes nothing, and each error has the hint", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full([...hosts(5), "www 600 A 192.0.2.1"]));
    lab.admin.set({ undocumented: false });
    const { failures } = await lab.up(full([...hosts(5, 300), "www 600 A 192.0.2.2"]), first);
    equal(lab.calls(modify) + lab.calls(modifyMany), 4);
    ok(failures.length > 0);
    for (const failure of failures) match(textOf(failure), /if the service lacks this operation/);
  });

  it("of another run is waited for, with the settings that bound the wait", async () => {
    const lab = await start(
      { settings: { indexDelay: 1 } },
      { LEGACYDNS_INDEX_DELAY: "2", LEGACYDNS_REQUEST_TIMEOUT: "9" },
    );
    const first = await lab.must(www);
    lab.lose(modify);
    await lab.up(other, first);
    const { reconciler, said } = lab.process();
    await lab.must(other, first, reconciler);
    match(
      said(),
      /^example\.com: waiting up to \d+ s for another run's changes \(requestTimeout, jobTimeout, indexDelay\)$/m,
    );
  });
});

describe("a job of changes that ends without naming a record", () => {
  const [before, after] = [full(hosts(5)), full(hosts(5, 300))];
  const unnamed = async (lab: Lab, meanwhile = (): unknown => undefined) => {
    const first = await lab.must(before);
    const client = lab.clientWith(async (operation, call) => {
      const answer = await call();
      if (operation !== "Batch.Detail") return answer;
      const { items, ...job } = answer as JobDetail;
      if (items.flatMap(({ records }) => records).every(({ status }) => status === "ok")) meanwhile();
      const withoutId = ({ recordId: _id, ...record }: JobDetail["items"][0]["records"][0]) => record;
      const nameless = items.map((item) => ({ ...item, records: item.records.map(withoutId) }));
      return { ...job, items: nameless } as typeof answer;
    });
    lab.admin.clearCalls();
    return lab.up(after, first, lab.reconciler({ client }));
  };
  const lines = after.records.map(({ name, value, ttl }) => `${name} A ${value} ${ttl}`);

  it("is found out by the same run, which sends nothing again", async () => {
    const lab = await start();
    const { failures, ledger } = await unnamed(lab);
    deepEqual([failures, ledger.openWrites, ledger.held.length], [[], [], 5]);
    deepEqual([lab.calls(modifyMany), lab.calls(modify)], [1, 0]);
    lab.has(...lines);
  });

  it("has its unmade changes sent again by the same run", async () => {
    const lab = await start();
    const { failures, ledger } = await unnamed(lab, () => lab.edit("h3", { ttl: 600 }));
    deepEqual([failures, ledger.openWrites, ledger.held.length], [[], [], 5]);
    deepEqual([lab.calls(modifyMany), lab.calls(modify)], [1, 1]);
    lab.has(...lines);
  });

  it("is an open write if the zone cannot be read", async () => {
    const lab = await start();
    const { failures, ledger } = await unnamed(lab, () =>
      lab.admin.addFault({ kind: "http", status: 404, operation: "Record.List" }),
    );
    deepEqual([failures.map(({ code }) => code), ledger.openWrites.length], [["write.uncertain"], 1]);
  });
});

describe("a listing that is behind", () => {
  it("causes no second change", async () => {
    const lab = await lagging(3);
    const done = await run(lab, www, short);
    lab.admin.clearCalls();
    await lab.must(short, done);
    equal(lab.calls(modify), 0);
  });

  for (const [title, changed] of [
    ["data", other],
    ["TTL", short],
  ] as const)
    it(`does not hide that a killed run has changed a record's ${title}`, async () => {
      const lab = await lagging(3);
      const before = await lab.must(www);
      await lab.clock.sleep(4_000);
      await lab.up(changed, before);
      await lab.must(both, before);
      lab.has(...bothLines);
    });

  it("does not make a removed record adopted, by the same resource or another", async () => {
    const lab = await lagging(3);
    const back = await lab.must(both, await run(lab, both, two));
    lab.has(...bothLines);
    await lab.up(two, back);
    await lab.must(www);
    lab.has(...bothLines);
  });

  it("is read again after the wait for another run's removal", async () => {
    const lab = await lagging(2);
    lab.add("www 600 A 192.0.2.1");
    await lab.up(full([]), await lab.up(www));
    await lab.must(www);
    lab.has("www A 192.0.2.1 600");
  });

  for (const [title, declared, ttl] of [
    ["", www, 600],
    [", with another TTL", short, 300],
  ] as const)
    it(`does not hide that another resource has changed a record that is now declared${title}`, async () => {
      const lab = await lagging(2);
      lab.add("www 600 A 192.0.2.1");
      const before = await lab.must(www);
      const ended = lab.reconciler();
      await lab.must(other, before, ended);
      ended.close();
      await lab.must(declared);
      lab.has(`www A 192.0.2.1 ${ttl}`, "www A 192.0.2.2 600");
    });

  it("does not hide what a failed destroy has removed", async () => {
    const lab = await lagging(2);
    const done = await lab.must(both);
    lab.answer(remove, "21", { count: 1 });
    await rejects(lab.release(both, done), /\[write\.not-sent\]/);
    equal(lab.lines().length, 1);
    await lab.must(both, done);
    lab.has(...bothLines);
  });

  it("does not hide from a refresh what a failed destroy has removed", async () => {
    const lab = await lagging(6);
    const done = await lab.must(both);
    await lab.clock.sleep(20_000);
    lab.answer(remove, "21", { count: 1 });
    await rejects(lab.release(both, done), /\[write\.not-sent\]/);
    const { findings } = await lab.observe(both, done);
    deepEqual(findings.map(({ state }) => state).sort(), ["as declared", "missing"]);
  });
});
