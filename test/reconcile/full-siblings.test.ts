/** Full mode: records of several resources of one run. */
import { deepEqual } from "node:assert/strict";
import type { Declaration } from "../../provider/reconcile/declaration";
import { until } from "../support/processes";
import {
  both,
  bothLines,
  fresh,
  full,
  fullLabs,
  hosts,
  may,
  modify,
  modifyMany,
  other,
  processAtWait,
  remove,
  short,
  staleOf,
  two,
  www,
  wwwLine,
  wwwLive,
  type Lab,
  type Update,
} from "./lab";

const { it, start } = fullLabs();

describe("a record that another resource declares during its removal", () => {
  for (const [title, settings, late, fault] of [
    ["stays if its removal was not sent", { requestsPerSecond: 10 }, 19, undefined],
    ["is created again if its removal was sent", {}, 0, "slow"],
    ["is created again if the answer of its removal was lost", { requestTimeout: 1 }, 0, "lost"],
  ] as const)
    it(title, async () => {
      const lab = await start({}, settings);
      const before = await lab.must(full(hosts(20)));
      if (fault === "lost") lab.lose(remove, "after");
      if (fault === "slow") lab.admin.addFault({ operation: remove, kind: "slow", ms: 100, count: 1 });
      const by = lab.process();
      const going = by.must(full([]), before);
      await until("the first removal", () => lab.calls(remove) > 0);
      const sibling = full(hosts(20).slice(late, late + 1), { may: { ...may, single: true } });
      by.declares(sibling);
      const [first] = await Promise.all([going, by.must(sibling)]);
      deepEqual([lab.lines(), staleOf(first)], [[`h${late} A 10.0.0.${late} 600`], []]);
    });
});

describe("a record that another resource declares while a busy service lets its write wait", () => {
  const twoLine = "two 600 A 192.0.2.2";
  const changed = ["www 600 A 192.0.2.2", twoLine];
  const xy = (n: number) => ["x", "y"].map((name) => `${name} 600 A 192.0.2.${n}`);
  for (const [title, operation, more, after, codes] of [
    ["stays if it was to be removed", remove, [], [twoLine], []],
    ["stays if it was to be changed", modify, [], changed, ["write.not-sent"]],
    [
      "stays if it was to be changed with others",
      modifyMany,
      xy(1),
      [...changed, ...xy(2)],
      ["write.not-sent"],
    ],
  ] as const)
    it(title, async (lab, by) => {
      const before = await lab.must(full([wwwLine, twoLine, ...more]));
      lab.admin.addFault({ kind: "http", operation, status: 429, retryAfter: 5, count: 1 });
      const going = by.up(full(after), before);
      await until("the first try", () => lab.calls(operation) > 0);
      by.declares(www);
      deepEqual((await going).codes, codes);
      const others = more.length > 0 ? ["x A 192.0.2.2 600", "y A 192.0.2.2 600"] : [];
      lab.has(...bothLines, ...others);
    });
});

for (const [title, taken] of [
  ["adopts", www],
  ["adopts and changes", short],
] as const)
  it(`a record that another process of the update ${title} is not removed`, async (lab) => {
    const before = await lab.must(both);
    const [taker, loser] = [1, 2].map(() => lab.process({ engine: "127.0.0.1:1" }));
    await taker?.must(taken);
    await loser?.must(two, before);
    lab.has("two A 192.0.2.2 600", `www A 192.0.2.1 ${taken === www ? 600 : 300}`);
  });

it("a record that was to be changed stays if a resource that is checked after the plan declares it", async (lab) => {
  const before = await lab.must(www);
  await processAtWait(lab, (late) => late.declares(www)).must(other, before);
  lab.has(wwwLive, "www A 192.0.2.2 600");
});

it("a record that one resource has changed is made again for another, although the listing is behind", async () => {
  const lab = await start({}, { indexDelay: 3 });
  const before = await lab.must(www);
  await lab.clock.sleep(4_000);
  const by = lab.process();
  await by.must(other, before);
  await by.must(www);
  lab.has("www A 192.0.2.1 600", "www A 192.0.2.2 600");
});

describe("a record that moves to a resource that is checked later", () => {
  const previews = async (lab: Lab, ...tasks: readonly (readonly [Declaration, Update])[]) => {
    const by = lab.process();
    const found = [];
    for (const [declaration, before] of tasks) {
      by.siblings.declared.add(() => declaration.records, { hasManifest: false });
      found.push((await by.preview(declaration, before)).moves);
    }
    return found;
  };

  for (const [title, loser] of [
    ["that would be deleted", two],
    ["that would become another one", full(["two 600 A 192.0.2.2", "www 600 A 192.0.2.9"])],
  ] as const)
    it(`is named by the receiver's preview (${title})`, async (lab) => {
      const before = await lab.must(both);
      const id = lab.admin.zone("example.com").find(({ name }) => name === "www")?.id;
      const [first, second] = await previews(lab, [loser, before], [www, fresh]);
      deepEqual(first, []);
      deepEqual(
        second?.map(({ code, records }) => [code, records]),
        [["live.moves", [{ text: "www.example.com. A 192.0.2.1", note: `record ${id}` }]]],
      );
      deepEqual(await previews(lab, [www, fresh], [loser, before]), [[], []]);
    });

  it("is not named by an update, which reports what it does", async (lab, by) => {
    const before = await lab.must(both);
    await by.preview(two, before);
    await by.must(two, before);
    deepEqual((await by.preview(www)).moves, []);
  });
});

it("a record in the ledgers of two resources is changed by the one that declares it, and the other does not remove it", async (lab) => {
  const one = await lab.must(www);
  const held = one.held.map((each) => ({ ...each, digest: "former" }));
  const by = lab.process().declares(other, two);
  await Promise.all([by.must(other, one), by.must(two, { ledger: { ...fresh.ledger, held } })]);
  lab.has("two A 192.0.2.2 600", "www A 192.0.2.2 600");
});
