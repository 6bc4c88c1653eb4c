/** Readings of a zone: how long one serves, and records younger than the index delay. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { digestOf } from "../../provider/reconcile/memory/ledger";
import { create, fresh, hosts, labTests, of, statesIn, wwwLine } from "./lab";

const www = of(wwwLine);
const { it, start } = labTests();

it("a reading that is repeated after a later one has ended is the newer one", async (lab) => {
  lab.admin.addFault({ kind: "http", operation: "Record.List", status: 429, retryAfter: 5, count: 1 });
  const { zones } = lab.process().reconciler;
  const first = zones.getAll(["example.com"]);
  await zones.getAll(["example.com"], lab.clock.now() + 1);
  lab.add(wwwLine);
  await first;
  equal(zones.latest("example.com")?.zone.byPlace.get("www")?.length, 1);
});

it("a reading that ends after a later one stays the older one", async (lab) => {
  let later: Promise<unknown> | undefined;
  const client = lab.clientWith(async (_operation, call) => {
    const answer = await call();
    if (later === undefined) {
      lab.add(wwwLine);
      later = zones.getAll(["example.com"], lab.clock.now() + 1);
      await later;
    }
    return answer;
  });
  const { zones } = lab.process({ client }).reconciler;
  await zones.getAll(["example.com"]);
  equal(zones.latest("example.com")?.zone.byPlace.get("www")?.length, 1);
});

describe("a record younger than the index delay", () => {
  const young = () => start({}, { indexDelay: 2 });

  for (const [title, n, infos, lists] of [
    ["is read by id if there are few", 3, 3, 1],
    ["is waited for if there are more", 8, 0, 2],
  ] as const)
    it(title, async () => {
      const lab = await young();
      const declaration = of(...hosts(n));
      const made = await lab.must(declaration);
      lab.clearCalls();
      deepEqual(new Set(statesIn(await lab.observe(declaration, made))), new Set(["as declared"]));
      deepEqual([lab.calls("Record.Info"), lab.calls("Record.List")], [infos, lists]);
    });

  it("is looked for again if the process has an older listing", async () => {
    const lab = await start({}, { indexDelay: 0 });
    const by = lab.process();
    await by.up(of("api 600 A 192.0.2.9"));
    // Times are stored in seconds, and one in the future counts as now.
    await lab.clock.sleep(2_000);
    const id = lab.add(wwwLine);
    const since = Math.ceil(lab.clock.now() / 1000) + 1;
    const [digest = ""] = www.records.map(digestOf);
    const held = [{ digest, domain: "example.com", id, since, made: true }];
    const { codes } = await by.up(www, { ...www, ledger: { ...fresh.ledger, held } });
    deepEqual([codes, lab.size, lab.calls(create)], [[], 2, 1]);
  });

  it("costs five Record.Info and one more listing, however many resources ask at once", async () => {
    const lab = await young();
    const first = lab.process();
    const all = hosts(60).map((line) => of(line));
    const made = await Promise.all(all.map((one) => first.must(one)));
    lab.clearCalls();
    const refresh = lab.process();
    const observed = await Promise.all(all.map((one, i) => refresh.observe(one, made[i])));
    const states = observed.flatMap(statesIn);
    deepEqual([states.length, new Set(states)], [60, new Set(["as declared"])]);
    deepEqual(lab.admin.counts(), { "Record.Info": 5, "Record.List": 2 });
  });
});

describe("a reading of a zone", () => {
  const slow = async (more: Readonly<Record<string, number>>, seeded = 0) => {
    const records = hosts(seeded).map((_, i) => ({ name: `h${i}`, type: "A", value: "192.0.2.1", ttl: 600 }));
    const lab = await start({ domains: [{ name: "example.com", records }] });
    const time = { ahead: 0 };
    const clock = lab.clockAhead(() => time.ahead);
    const client = lab.clientWith((operation, call) => {
      time.ahead += more[operation] ?? 0;
      return call();
    }, clock);
    return { lab, time, by: lab.process({ client, clock }) };
  };

  it("that takes longer than a minute serves the whole of an up", async () => {
    const { lab, by } = await slow({ "Record.List": 65_000 });
    await by.must(of(...hosts(3)));
    equal(lab.calls("Record.List"), 1);
  });

  it("serves longer if many records are declared, until they are sent", async () => {
    const { lab, by } = await slow({ "Domain.Purview": 65_000 });
    const declaration = of(...hosts(3_000));
    await by.preview(declaration);
    lab.answer(create, "21");
    await by.up(declaration);
    equal(lab.calls("Record.List"), 1);
  });

  it("serves ten seconds longer for each page of 3,000 records", async () => {
    const { lab, by, time } = await slow({}, 6_000);
    const listings = async (ahead: number) => {
      time.ahead = ahead;
      await by.reconciler.zones.get("example.com");
      return lab.calls("Record.List");
    };
    const once = await listings(0);
    equal(await listings(75_000), once);
    ok((await listings(85_000)) > once);
  });
});
