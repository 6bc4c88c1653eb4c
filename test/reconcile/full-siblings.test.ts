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
  remove,
  staleOf,
  two,
  www,
  wwwLine,
  type Lab,
  type Update,
} from "./lab";

const { it, start } = fullLabs();

describe("a record that another resource declares during its removal", () => {
  for (const [title, settings, late, slow] of [
    ["stays if its removal was not sent", { requestsPerSecond: 10 }, 19, false],
    ["is created again if its removal was sent", {}, 0, true],
  ] as const)
    it(title, async () => {
      const lab = await start({}, settings);
      const before = await lab.must(full(hosts(20)));
      if (slow) lab.admin.addFault({ operation: remove, kind: "slow", ms: 100, count: 1 });
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
