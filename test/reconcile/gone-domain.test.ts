import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { createOnly, type Declaration, type Permissions } from "../../provider/reconcile/declaration";
import { domainShareProvider } from "../../provider/lifecycle/domain-share";
import {
  declare,
  full,
  hostOf,
  labTests,
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

const { it, start } = labTests(
  {
    accounts: [{ email: "owner@example.org" }, { email: "agency@example.org" }],
  },
  { undocumentedOperations: true, confirmedDomains: "example.com" },
);

describe("A batch with a domain that has left the account", () => {
  let lab: Lab;
  let before: Update;
  beforeEach(async () => {
    lab = await start();
    before = await lab.must(both());
    lab.admin.removeDomain(gone);
    lab.erase("www");
    lab.clearCalls();
  });
  const started = (programRan = true) => lab.process({ programRan: () => Promise.resolve(programRan) });
  const aboutGone = (texts: readonly string[]) => texts.filter((text) => text.includes(gone)).length;

  it("is refreshed: the healthy domain's drift is found, and the state keeps the rest", async () => {
    const by = started();
    const { findings, ledger: found } = await by.observe(both(), before);
    deepEqual(findings.map(({ state, record }) => `${record.name}.${record.domain} ${state}`).sort(), [
      "api.example.com as declared",
      "api.example.net unread",
      "www.example.com missing",
      "www.example.net unread",
    ]);
    deepEqual([found.held.length, warningsOf(by).length], [3, 1]);
    match(warningsOf(by).join(), remedies);
  });

  it("is repaired by the next update, which ends with the missing domain", async () => {
    const { refusals, plan, failures } = await lab.preview(both(), before);
    deepEqual(
      [refusals, plan.create.map(({ domain }) => domain), failures.map(({ code }) => code)],
      [[], [healthy], ["zone.gone"]],
    );
    const after = await lab.up(both(), before);
    deepEqual([after.codes, lab.lines(), after.held.length], [["zone.gone"], records, 4]);
    match(after.text, remedies);
    doesNotMatch(after.text, /did you mean/);
  });

  for (const removal of ["verify", "retain", "delete"] as const)
    it(`releases it under "${removal}" once the program declares nothing there`, async () => {
      const by = started();
      const after = await by.must(declare(healthy, lines, { removal, may }), before);
      deepEqual([after.held.length, staleOf(after), lab.lines()], [2, [], records]);
      equal(aboutGone(warningsOf(by)), removal === "retain" ? 0 : 1);
    });

  it("is deleted by an update; a destroy deletes the rest, and needs retain for the domain", async () => {
    const deleted = full(lines, {}, [healthy, gone]);
    const update = started();
    await update.release(deleted, before);
    lab.has();
    match(
      warningsOf(update).join(),
      /^example\.net: .* the state forgets it.*\n {2}www\.example\.net\. A 192\.0\.2\.1 +record \d+\n {2}api\.example\.net\. A /,
    );

    await rejects(
      started(false).release(deleted, before),
      /^Refusal: example\.net: .*nothing was deleted.*LEGACYDNS_REMOVAL=retain/s,
    );
    const destroy = started(false);
    await destroy.release(both({ removal: "retain" }), before);
    equal(aboutGone(warningsOf(destroy)), 0);
  });

  it("is named with the records of each resource that the state forgets", async () => {
    const by = started();
    for (const single of singles(may)) await by.release(single, partOf(before, single));
    deepEqual(
      warningsOf(by).map((text) => /\n {2}(\w+)\.example\.net\. A .*record \d+$/.exec(text)?.[1]),
      ["www", "api"],
    );
  });

  it("costs no further call for the next resource, and no further message", async () => {
    const by = started();
    for (const single of singles(createOnly))
      deepEqual(statesIn(await by.observe(single, partOf(before, single))), ["unread"]);
    deepEqual([warningsOf(by).length, lab.calls("Record.List")], [1, 1]);
  });
});

describe("A domain that has left the account", () => {
  it("takes its share out of the state with a refresh, and a deletion is no error", async () => {
    const lab = await start({}, { removal: "delete" });
    const share = domainShareProvider((work) => work(hostOf(lab)));
    const { id, outs } = await share.create({ domain: gone, email: "agency@example.org", mode: "r" });
    lab.admin.removeDomain(gone);
    deepEqual(await share.read(id, outs), {});
    await share.delete(id, outs);
  });

  it("is none that the service refuses as unknown, and lists", async (lab) => {
    const made = await lab.up(both());
    lab.answer("Record.List", "13");
    await rejects(lab.observe(both(), made), /the domain is wrong/);
  });
});
