/** Full mode: records that no resource declares. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { patternMatcher } from "../../provider/dns";
import { renderAll } from "../../provider/problems";
import { wordingOf } from "../../provider/reconcile/wording";
import { fresh, full, fullLabs, modify, remove, www, wwwLine, wwwLive, type Lab } from "./lab";

const { it, start } = fullLabs();

describe("an unmanaged record", () => {
  const domains = ["example.com"];
  const cleans = { undeclared: "remove" } as const;
  const cleaning = full([wwwLine], cleans);
  const isIgnored = patternMatcher(["_acme"]);

  const withStrangers = async (...names: readonly string[]) => {
    const lab = await start();
    for (const name of names) lab.add(`${name} 600 A 192.0.2.77`);
    return lab;
  };
  /** The ledger after a refresh, and the removals in a preview that follows in the same process. */
  const refreshed = async (lab: Lab, before = fresh, by = lab.process()) => {
    const { ledger } = await by.observe(www, before);
    const state = { ...before, ledger };
    const { plan } = await by.preview(cleaning, state);
    return { state, removals: plan.removals.map(({ live }) => live.record) };
  };

  it("that two batches have found is taken by one of them", async () => {
    const lab = await withStrangers("www");
    const by = lab.process();
    await by.observe(full([], { undeclared: "report" }));
    const lines = ["api 600 A 192.0.2.1", "www 600 A 192.0.2.2"];
    await Promise.all(lines.map((line) => by.must(full([line], cleans))));
    lab.has("api A 192.0.2.1 600", "www A 192.0.2.2 600");
    equal(lab.calls(modify) + lab.calls(remove), 1);
  });

  it("is removed by the first up with a refresh", async (lab, by) => {
    const before = await lab.must(www);
    lab.add("stranger 600 A 192.0.2.77");
    const { ledger } = await lab.observe(www, before);
    const without = await lab.must(cleaning, { ...before, ledger });
    lab.has("stranger A 192.0.2.77 600", wwwLive);
    const { state, removals } = await refreshed(lab, without, by);
    deepEqual(
      removals.map(({ name }) => name),
      ["stranger"],
    );
    await by.must(cleaning, state);
    lab.has(wwwLive);
    doesNotMatch(by.said(), /--refresh/);
  });

  it("is removed without its text in any message, because it may be somebody's token", async (lab, by) => {
    const before = await lab.must(www);
    lab.add("stranger 600 TXT hush");
    const { state, removals } = await refreshed(lab, before, by);
    deepEqual(removals.map(wordingOf(by.siblings, cleaning).hides), [true]);
    await by.must(cleaning, state);
    doesNotMatch(by.said(), /hush/);
  });

  it("stays in the first up of a stack, and the message names the refresh", async () => {
    const lab = await withStrangers("stranger");
    const by = lab.process();
    const reporting = full(["api 600 A 192.0.2.2"], { undeclared: "report" });
    const before = await by.preview(reporting);
    equal(before.unmanaged()[0]?.code, "live.undeclared");
    const { unmanaged } = await by.preview(cleaning);
    match(renderAll(unmanaged()).join(), /help: after this up, run `pulumi up --refresh`/);
    await by.must(cleaning);
    lab.has("stranger A 192.0.2.77 600", wwwLive);
  });

  it("stays if it matches `ignore`, or if another resource of the run declares it", async () => {
    const lab = await withStrangers("_acme", "late", "stranger");
    const by = lab.process();
    await by.observe(www);
    const { records } = full(["late 600 A 192.0.2.77"]);
    by.siblings.declared.add(() => records);
    await by.must({ ...cleaning, isIgnored });
    lab.has("_acme A 192.0.2.77 600", "late A 192.0.2.77 600", wwwLive);
  });

  it("stays if another resource ignores it that is checked after the refresh", async () => {
    const lab = await withStrangers("_acme", "stranger");
    const by = lab.process();
    await by.observe(www);
    const done = by.must(cleaning);
    by.ignores(isIgnored);
    await done;
    lab.has("_acme A 192.0.2.77 600", wwwLive);
  });

  it("is none in a refresh if another resource ignores it, until that one is checked without the pattern", async () => {
    const lab = await withStrangers("_acme");
    const sibling = full([], { ...cleans, isIgnored: () => true, urn: "sibling" });
    const by = lab.process();
    const [seen] = await Promise.all([by.observe(cleaning), by.observe(sibling)]);
    deepEqual(seen.undeclared, []);
    // The check of one resource does not change another one's patterns.
    by.siblings.owned.ignore({ domains }, "cleaning");
    await by.must(cleaning);
    lab.has("_acme A 192.0.2.77 600", wwwLive);
    by.siblings.owned.ignore({ domains }, "sibling");
    await by.must(cleaning);
    lab.has(wwwLive);
  });

  it("is none if another resource of the refresh owns it, whatever the console has made of it", async (lab) => {
    const all = full(["api 600 A 192.0.2.2"], cleans);
    const first = lab.process();
    const [a, b] = [await first.must(www), await first.must(all)];
    lab.edit("www", { value: "192.0.2.9" });
    const next = lab.process();
    const [seen] = await Promise.all([next.observe(all, b), next.observe(www, a)]);
    deepEqual(seen.undeclared, []);
  });
});
