/** Full mode: lost answers, and listings that are behind. */
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { LegacyDnsError, type Client } from "../../provider/api";
import { textOf } from "../../provider/problems";
import {
  both,
  bothLines,
  clientReading,
  full,
  fullLabs,
  hosts,
  modify,
  modifyMany,
  other,
  remove,
  run,
  saidIn,
  short,
  statesIn,
  two,
  withoutIds,
  www,
  wwwLine,
  type Lab,
} from "./lab";

const { it, start } = fullLabs();
const lagging = (indexDelay: number, more: object = {}) => start({}, { indexDelay, ...more });

describe("a lost answer to a change or a removal", () => {
  const quick = { requestTimeout: 1, jobTimeout: 1 };

  for (const when of ["before", "after"] as const)
    for (const [operation, a, b] of [
      [modify, www, other],
      [modifyMany, full(hosts(20)), full(hosts(20, 300))],
      [remove, both, www],
    ] as const)
      it(`${operation}, lost ${when} its effect, is sent again only if it was not done`, async () => {
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
    lab.clearCalls();
    lab.lose(remove, "before", "each");
    const lost = await lab.up(left, first);
    const [removals, lists] = [lab.calls(remove), lab.calls("Record.List")];
    ok(removals >= 4 && removals < 12 && lists < 6, `${removals} removals, ${lists} listings`);
    match(lost.text, /the answers of 4 writes in a row were lost/);
    lab.clearFaults();
    await lab.must(left, lost);
    equal(lab.size, 1);
  });

  it("names the error that kept the parts of a split job from being sent", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full(hosts(6)));
    lab.answer(modifyMany, "21", { message: "Refused for the test", count: 1 });
    lab.answer(modifyMany, "-1", { message: "Login failed" });
    const { text } = await lab.up(full(hosts(6, 300)), first);
    match(text, /not sent, so not written; h0.*h5.*Login failed/s);
    doesNotMatch(text, /declares, owns or ignores/);
  });

  it("an operation that the service lacks changes nothing, and each error has the hint", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full([...hosts(5), wwwLine]));
    lab.admin.set({ undocumented: false });
    const { failures } = await lab.up(full([...hosts(5, 300), "www 600 A 192.0.2.2"]), first);
    equal(lab.calls(modify) + lab.calls(modifyMany), 4);
    ok(failures.length > 0);
    for (const failure of failures) match(textOf(failure), /if the service lacks this operation/);
  });

  it("of another run is waited for, with the settings that bound the wait", async () => {
    const lab = await start({ settings: { indexDelay: 1 } }, { indexDelay: 2, requestTimeout: 9 });
    const first = await lab.must(www);
    lab.lose(modify);
    await lab.up(other, first);
    match(
      await saidIn(lab, (by) => by.must(other, first)),
      /^example\.com: waiting up to \d+ s for another run's changes \(requestTimeout, jobTimeout, indexDelay\)$/m,
    );
  });
});

describe("a job of changes that ends without naming a record", () => {
  const [before, after] = [full(hosts(5)), full(hosts(5, 300))];
  const lines = after.records.map(({ name, value, ttl }) => `${name} A ${value} ${ttl}`);
  const unnamed = async (lab: Lab, meanwhile = (): unknown => undefined) => {
    const first = await lab.must(before);
    const client = clientReading(lab, (item) => {
      if (item.records.every(({ status }) => status === "ok")) meanwhile();
      return withoutIds(item);
    });
    lab.clearCalls();
    return lab.process({ client }).up(after, first);
  };

  for (const [title, changes, meanwhile] of [
    ["is found out by the same run, which sends nothing again", 0, undefined],
    ["has its unmade changes sent again by the same run", 1, (lab: Lab) => lab.edit("h3", { ttl: 600 })],
  ] as const)
    it(title, async (lab) => {
      const { failures, ledger } = await unnamed(lab, () => meanwhile?.(lab));
      deepEqual([failures, ledger.openWrites, ledger.held.length], [[], [], 5]);
      deepEqual([lab.calls(modifyMany), lab.calls(modify)], [1, changes]);
      lab.has(...lines);
    });

  it("is an open write if the zone cannot be read", async (lab) => {
    const { codes, ledger } = await unnamed(lab, () =>
      lab.admin.addFault({ kind: "http", status: 404, operation: "Record.List" }),
    );
    deepEqual([codes, ledger.openWrites.length], [["write.uncertain"], 1]);
  });
});

/**
 * The answers of changes 1 to 3 and 7 are lost before their effect, those of 4 to 6 after it. The last four
 * are under way at once, and no reading finds one of them out before the answer of change 7 is lost.
 */
function losing({ client, clock }: Lab, asked: string[]): Client {
  let end = (): void => undefined;
  let cut = 0;
  const lost = new Promise<void>((resolve) => (end = resolve));
  return {
    ...client,
    close: () => client.close(),
    call: async (operation, request, options) => {
      const id = "recordId" in request ? String(request.recordId) : "";
      if (operation === "Record.List" && asked.length > 6) await lost;
      if (operation !== modify) return client.call(operation, request, options);
      const number = asked.push(id);
      while (number > 3 && asked.length < 7) await clock.sleep(40);
      if (number > 3 && number < 7) await client.call(operation, request, options);
      while (number === 7 && cut < 6) await clock.sleep(40);
      if (number === 7) setImmediate(end);
      cut += 1;
      const target = `record ${id}`;
      throw new LegacyDnsError({ operation, target, meaning: "cut", help: [], outcome: "uncertain" });
    },
  };
}

it("a series of writes that stops names a write whose outcome is unknown, not one that has been found out", async () => {
  const lab = await lagging(1, { requestTimeout: 1 });
  const first = await lab.must(full(hosts(8)));
  const asked: string[] = [];
  const client = losing(lab, asked);
  const changed = full(hosts(8).map((line, i) => line.replace(" 600 ", ` ${700 + i} `)));
  const { failures } = await lab.process({ client }).up(changed, first);
  const stopped = failures.find(({ code }) => code === "write.not-sent");
  const [, named = ""] = /\brecord (\d+)/.exec(String(stopped?.why)) ?? [];
  const foundOut = asked.slice(3, 6);
  ok(asked.includes(named) && !foundOut.includes(named), `${named}, not one of ${foundOut.join(", ")}`);
});

describe("a listing that is behind", () => {
  it("causes no second change", async () => {
    const lab = await lagging(3);
    const done = await run(lab, www, short);
    lab.clearCalls();
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
    lab.add(wwwLine);
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
      lab.add(wwwLine);
      const before = await lab.must(www);
      const ended = lab.process();
      await ended.must(other, before);
      ended.close();
      await lab.must(declared);
      lab.has(`www A 192.0.2.1 ${ttl}`, "www A 192.0.2.2 600");
    });

  const failedDestroy = async (lab: Lab, age = 0) => {
    const done = await lab.must(both);
    await lab.clock.sleep(age);
    lab.answer(remove, "21", { count: 1 });
    await rejects(lab.release(both, done), /\[write\.not-sent\]/);
    equal(lab.size, 1);
    return done;
  };

  it("does not hide what a failed destroy has removed", async () => {
    const lab = await lagging(2);
    await lab.must(both, await failedDestroy(lab));
    lab.has(...bothLines);
  });

  it("does not hide from a refresh what a failed destroy has removed", async () => {
    const lab = await lagging(6);
    const seen = await lab.observe(both, await failedDestroy(lab, 20_000));
    deepEqual(statesIn(seen).sort(), ["as declared", "missing"]);
  });
});
