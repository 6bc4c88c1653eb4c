import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { createOnly, type Declaration, type Permissions } from "../../provider/reconcile/declaration";
import { domainShareProvider } from "../../provider/lifecycle/domain-share";
import {
  declare,
  full,
  hostOf,
  labs,
  may,
  partOf,
  staleOf,
  statesIn,
  warningsOf,
  wwwLine,
  type Lab,
  type Update,
} from "./lab";

const [healthy, gone] = ["example.com", "example.net"];
const lines = [wwwLine, "api 600 A 192.0.2.2"];
const both = (more: Partial<Declaration> = {}) => declare([healthy, gone], lines, more);
const singles = (may: Permissions) =>
  lines.map((line) => declare(gone, [line], { may: { ...may, single: true } }));
const records = ["api A 192.0.2.2 600", "www A 192.0.2.1 600"];
const remedies =
  /^example\.net: the account no longer has this domain.*remove it from the program.* LEGACYDNS_REMOVAL=retain/s;

const start = labs(
  {
    accounts: [{ email: "owner@example.org" }, { email: "agency@example.org" }],
    settings: { undocumented: true },
  },
  { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
);

describe("A batch with a domain that has left the account", () => {
  let lab: Lab;
  let before: Update;
  beforeEach(async () => {
    lab = await start();
    before = await lab.must(both());
    lab.admin.removeDomain(gone);
    lab.erase("www");
    lab.admin.clearCalls();
  });
  const started = (programRan = true) => {
    const process = lab.process({ programRan: () => Promise.resolve(programRan) });
    return { reconciler: process.reconciler, said: () => warningsOf(process) };
  };
  const aboutGone = (texts: readonly string[]) => texts.filter((text) => text.includes(gone)).length;

  it("is refreshed: the healthy domain's drift is found, and the state keeps the rest", async () => {
    const { reconciler, said } = started();
    const { findings, ledger: found } = await lab.observe(both(), before, reconciler);
    deepEqual(findings.map(({ state, record }) => `${record.name}.${record.domain} ${state}`).sort(), [
      "api.example.com as declared",
      "api.example.net unread",
      "www.example.com missing",
      "www.example.net unread",
    ]);
    deepEqual([found.held.length, said().length], [3, 1]);
    match(said().join(), remedies);
  });

  it("is repaired by the next update, which ends with the missing domain", async () => {
    const { refusals, plan, failures } = await lab.preview(both(), before);
    deepEqual(
      [refusals, plan.create.map(({ domain }) => domain), failures.map(({ code }) => code)],
      [[], [healthy], ["zone.gone"]],
    );
    const after = await lab.up(both(), before);
    deepEqual([after.codes, lab.lines(), after.ledger.held.length], [["zone.gone"], records, 4]);
    match(after.text, remedies);
    doesNotMatch(after.text, /did you mean/);
  });

  for (const removal of ["verify", "retain", "delete"] as const)
    it(`releases it under "${removal}" once the program declares nothing there`, async () => {
      const { reconciler, said } = started();
      const after = await lab.must(declare(healthy, lines, { removal, may }), before, reconciler);
      deepEqual([after.ledger.held.length, staleOf(after), lab.lines()], [2, [], records]);
      equal(aboutGone(said()), removal === "retain" ? 0 : 1);
    });

  it("is deleted by an update; a destroy deletes the rest, and needs retain for the domain", async () => {
    const deleted = full(lines, {}, [healthy, gone]);
    const update = started();
    await lab.release(deleted, before, update.reconciler);
    lab.has();
    match(
      update.said().join(),
      /^example\.net: .* the state forgets it.*\n {2}www\.example\.net\. A 192\.0\.2\.1 +record \d+\n {2}api\.example\.net\. A /,
    );

    await rejects(
      lab.release(deleted, before, started(false).reconciler),
      /^Refusal: example\.net: .*nothing was deleted.*LEGACYDNS_REMOVAL=retain/s,
    );
    const destroy = started(false);
    await lab.release(both({ removal: "retain" }), before, destroy.reconciler);
    equal(aboutGone(destroy.said()), 0);
  });

  it("is named with the records of each resource that the state forgets", async () => {
    const { reconciler, said } = started();
    for (const single of singles(may)) await lab.release(single, partOf(before, single), reconciler);
    deepEqual(
      said().map((text) => /\n {2}(\w+)\.example\.net\. A .*record \d+$/.exec(text)?.[1]),
      ["www", "api"],
    );
  });

  it("costs no further call for the next resource, and no further message", async () => {
    const { reconciler, said } = started();
    for (const single of singles(createOnly))
      deepEqual(statesIn(await lab.observe(single, partOf(before, single), reconciler)), ["unread"]);
    deepEqual([said().length, lab.calls("Record.List")], [1, 1]);
  });
});

describe("A domain that has left the account", () => {
  it("takes its share out of the state with a refresh, and a deletion is no error", async () => {
    const lab = await start({}, { LEGACYDNS_REMOVAL: "delete" });
    const share = domainShareProvider((work) => work(hostOf(lab)));
    const { id, outs } = await share.create({ domain: gone, email: "agency@example.org", mode: "r" });
    lab.admin.removeDomain(gone);
    deepEqual(await share.read(id, outs), {});
    await share.delete(id, outs);
  });

  it("is none that the service refuses as unknown, and lists", async () => {
    const lab = await start();
    const made = await lab.up(both());
    lab.answer("Record.List", "13");
    await rejects(lab.observe(both(), made), /the domain is wrong/);
  });
});
