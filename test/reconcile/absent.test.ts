/** Live records that a resource's `absent` names. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { patternMatcher } from "../../provider/dns";
import { createOnly } from "../../provider/reconcile/declaration";
import { messageOf } from "../../provider/problems";
import {
  create,
  full,
  fullService,
  fullSettings,
  labs,
  fresh,
  remove,
  type Lab,
  staleOf,
} from "../support/lab";

const start = labs(fullService, fullSettings);

const named = (...patterns: readonly string[]) => patternMatcher(patterns);
const own = "www 600 A 192.0.2.1";
const limited = { removal: "verify", may: createOnly } as const;

describe("a live record that `absent` names", () => {
  const withStranger = async () => {
    const lab = await start();
    return { lab, id: lab.add("old 600 A 192.0.2.99") };
  };

  it("is deleted by an up without a refresh, and the preview shows it", async () => {
    const { lab } = await withStranger();
    const wanted = full([own], { isUnwanted: named("old") });
    const { plan, failures } = await lab.preview(wanted);
    deepEqual([plan.removals.map(({ live }) => live.record.name), failures], [["old"], []]);
    const done = await lab.must(wanted);
    lab.has("www A 192.0.2.1 600");
    deepEqual(staleOf(done), []);
  });

  for (const [mode, more] of [
    ["documented mode", limited],
    ["full mode with `removal: retain`", { removal: "retain", may: { ...limited.may, change: true } }],
  ] as const)
    it(`is an error with its id in ${mode}, after all other changes, until it is gone`, async () => {
      const { lab, id } = await withStranger();
      const wanted = full([own], { ...more, isUnwanted: named("* A 192.0.2.9*") });
      const { failures, refusals } = await lab.preview(wanted);
      deepEqual([failures.map(({ code }) => code), refusals], [["live.unwanted"], []]);
      match(messageOf(failures[0] ?? { code: "run.stopped", parts: undefined }), new RegExp(`record ${id}`));
      const done = await lab.up(wanted);
      deepEqual([done.codes, done.ledger.held.length], [["live.unwanted"], 1]);
      lab.has("old A 192.0.2.99 600", "www A 192.0.2.1 600");
      deepEqual((await lab.up(wanted, done)).codes, ["live.unwanted"]);
      lab.erase("old");
      await lab.must(wanted, done);
    });

  it("is made again by a resource that declares it and is checked during the deletion", async () => {
    const lab = await start();
    const declarer = full([own]);
    const before = await lab.must(declarer);
    let later: Promise<unknown> | undefined;
    const client = lab.clientWith((operation, call) => {
      if (operation === remove) later = lab.must(declarer, before, by);
      return call();
    });
    const by = lab.reconciler({ client });
    by.siblings.declared.add(() => [], { hasManifest: false });
    await lab.must(full(["api 600 A 192.0.2.2"], { isUnwanted: named("www") }), fresh, by);
    await later;
    lab.has("api A 192.0.2.2 600", "www A 192.0.2.1 600");
    equal(lab.calls(remove), 1);
  });

  it("stays if a resource that is checked before the deletion ignores it", async () => {
    const { lab } = await withStranger();
    const client = lab.clientWith((operation, call) => {
      if (operation === create)
        by.siblings.owned.ignore({ domains: ["example.com"], isIgnored: named("old") });
      return call();
    });
    const by = lab.reconciler({ client });
    await lab.must(full([own], { isUnwanted: named("old") }), fresh, by);
    lab.has("old A 192.0.2.99 600", "www A 192.0.2.1 600");
    equal(lab.calls(remove), 0);
  });

  it("is drift for a refresh", async () => {
    const { lab } = await withStranger();
    const made = await lab.must(full([own]));
    for (const more of [{}, limited]) {
      const found = await lab.observe(full([own], { ...more, isUnwanted: named("old") }), made);
      deepEqual(
        found.undeclared.map(({ record }) => record.name),
        ["old"],
      );
    }
  });

  it("stays if another resource declares, owns or ignores it, or if it is a system record", async () => {
    const lab = await start();
    for (const name of ["declared", "owned", "ignored"]) lab.add(`${name} 600 A 192.0.2.99`);
    const owned = full(["owned 600 A 192.0.2.99"]);
    const before = await lab.must(owned);
    const by = lab.reconciler();
    await lab.must(owned, before, by);
    by.siblings.declared.add(() => full(["declared 600 A 192.0.2.99"]).records);
    const isIgnored = patternMatcher(["ignored"]);
    by.siblings.owned.ignore({ domains: ["example.com"], isIgnored });
    await lab.must(full([own], { isUnwanted: named("*") }), fresh, by);
    equal(lab.calls(remove), 0);
    equal(lab.lines().length, 4);
  });

  it("shows no value of a TXT record, which may be a secret of somebody else", async () => {
    const lab: Lab = await start();
    lab.add("old 600 TXT hush");
    const wanted = full([own], { ...limited, isUnwanted: named("* TXT hus*") });
    const { failures } = await lab.preview(wanted);
    match(JSON.stringify(failures), /live\.unwanted.*old\.example\.com\. TXT/);
    doesNotMatch(JSON.stringify(failures), /hush/);
  });
});
