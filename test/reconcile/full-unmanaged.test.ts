/** Full mode: records that no resource declares. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { messageOf } from "../../provider/problems";
import { fresh, full, fullService, fullSettings, labs, modify, remove } from "../support/lab";
import { www } from "./full-lab";
import { wordingOf } from "../../provider/reconcile/wording";

const start = labs(fullService, fullSettings);

describe("an unmanaged record", () => {
  const domains = ["example.com"];
  const cleans = { undeclared: "remove" } as const;

  it("that two batches have found is taken by one of them", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.77");
    const reconciler = lab.reconciler();
    await lab.observe(full([], { undeclared: "report" }), fresh, reconciler);
    const lines = ["api 600 A 192.0.2.1", "www 600 A 192.0.2.2"];
    await Promise.all(lines.map((line) => lab.must(full([line], cleans), fresh, reconciler)));
    lab.has("api A 192.0.2.1 600", "www A 192.0.2.2 600");
    equal(lab.calls(modify) + lab.calls(remove), 1);
  });

  it("is removed by the first up with a refresh, whose state does not have the option yet", async () => {
    const lab = await start();
    const before = await lab.must(www);
    lab.add("stranger 600 A 192.0.2.77");
    const declared = full(["www 600 A 192.0.2.1"], cleans);
    const found = await lab.observe(www, before, lab.reconciler());
    const without = await lab.must(declared, { ...before, ledger: found.ledger }, lab.reconciler());
    lab.has("stranger A 192.0.2.77 600", "www A 192.0.2.1 600");

    const { reconciler, said } = lab.process();
    const state = await lab.observe(www, without, reconciler);
    const { plan } = await lab.preview(declared, { ...without, ledger: state.ledger }, reconciler);
    deepEqual(
      plan.removals.map(({ live }) => live.record.name),
      ["stranger"],
    );
    await lab.must(declared, { ...without, ledger: state.ledger }, reconciler);
    lab.has("www A 192.0.2.1 600");
    doesNotMatch(said(), /--refresh/);
  });

  it("is removed without its text in any message, because it may be somebody's token", async () => {
    const lab = await start();
    const before = await lab.must(www);
    lab.add("stranger 600 TXT hush");
    const declared = full(["www 600 A 192.0.2.1"], cleans);
    const { reconciler, said } = lab.process();
    const { ledger } = await lab.observe(www, before, reconciler);
    const { plan } = await lab.preview(declared, { ...before, ledger }, reconciler);
    const hidden = plan.removals.map(({ live }) =>
      wordingOf(reconciler.siblings, declared).hides(live.record),
    );
    deepEqual(hidden, [true]);
    await lab.must(declared, { ...before, ledger }, reconciler);
    doesNotMatch(said(), /hush/);
  });

  it("stays in the first up of a stack, which has nothing to refresh, and the message says so", async () => {
    const lab = await start();
    lab.add("stranger 600 A 192.0.2.77");
    const { reconciler } = lab.process();
    const declared = full(["www 600 A 192.0.2.1"], cleans);
    const other = full(["api 600 A 192.0.2.2"], { undeclared: "report" });
    const before = await lab.preview(other, fresh, reconciler);
    equal(before.unmanaged()[0]?.code, "live.undeclared");
    const { unmanaged } = await lab.preview(declared, fresh, reconciler);
    match(
      unmanaged()
        .map((each) => messageOf(each))
        .join(),
      /help: after this up, run `pulumi up --refresh`/,
    );
    await lab.must(declared, fresh, reconciler);
    lab.has("stranger A 192.0.2.77 600", "www A 192.0.2.1 600");
  });

  it("stays if it matches `ignore`, or if another resource of the run declares it", async () => {
    const lab = await start();
    for (const name of ["_acme", "late", "stranger"]) lab.add(`${name} 600 A 192.0.2.77`);
    const isIgnored = ({ name }: { readonly name: string }) => name === "_acme";
    const reconciler = lab.reconciler();
    await lab.observe(www, fresh, reconciler);
    const { records } = full(["late 600 A 192.0.2.77"]);
    reconciler.siblings.declared.add(() => records);
    await lab.must(full(["www 600 A 192.0.2.1"], { ...cleans, isIgnored }), fresh, reconciler);
    lab.has("_acme A 192.0.2.77 600", "late A 192.0.2.77 600", "www A 192.0.2.1 600");
  });

  it("stays if another resource of the run ignores it, even if that one is checked after the refresh", async () => {
    const lab = await start();
    for (const name of ["_acme", "stranger"]) lab.add(`${name} 600 A 192.0.2.77`);
    const reconciler = lab.reconciler();
    await lab.observe(www, fresh, reconciler);
    const done = lab.must(full(["www 600 A 192.0.2.1"], cleans), fresh, reconciler);
    reconciler.siblings.owned.ignore({ domains, isIgnored: ({ name }) => name === "_acme" });
    await done;
    lab.has("_acme A 192.0.2.77 600", "www A 192.0.2.1 600");
  });

  it("is none in a refresh if another resource ignores it, until that one is checked without the pattern", async () => {
    const lab = await start();
    lab.add("_acme 600 A 192.0.2.77");
    const sibling = full([], { ...cleans, isIgnored: () => true, urn: "sibling" });
    const reconciler = lab.reconciler();
    const cleaning = full(["www 600 A 192.0.2.1"], cleans);
    const [seen] = await Promise.all([
      lab.observe(cleaning, fresh, reconciler),
      lab.observe(sibling, fresh, reconciler),
    ]);
    deepEqual(seen.undeclared, []);
    // The check of one resource does not change another one's patterns.
    reconciler.siblings.owned.ignore({ domains }, "cleaning");
    await lab.must(cleaning, fresh, reconciler);
    lab.has("_acme A 192.0.2.77 600", "www A 192.0.2.1 600");
    reconciler.siblings.owned.ignore({ domains }, "sibling");
    await lab.must(cleaning, fresh, reconciler);
    lab.has("www A 192.0.2.1 600");
  });

  it("is none if another resource of the refresh answers for it, whatever the console has made of it", async () => {
    const lab = await start();
    const all = full(["api 600 A 192.0.2.2"], cleans);
    const first = lab.reconciler();
    const [a, b] = [await lab.must(www, fresh, first), await lab.must(all, fresh, first)];
    lab.edit("www", { value: "192.0.2.9" });
    const next = lab.reconciler();
    const [seen] = await Promise.all([lab.observe(all, b, next), lab.observe(www, a, next)]);
    deepEqual(seen.undeclared, []);
  });
});
