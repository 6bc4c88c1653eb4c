/** A domain that has left the account: the resource's other domains go on, and one diagnostic names it. */
import assert from "node:assert/strict";
import type { Declaration } from "../../provider/reconcile/declaration";
import { emptyLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { textOf } from "../../provider/problems";
import { Refusal } from "../../provider/problems/refusal";
import { domainShareProvider } from "../../provider/lifecycle/domain-share";
import { Shares } from "../../provider/reconcile/shares";
import { declare, startLab, type Lab } from "../support/lab";
import { collectingReporter } from "../support/reporter";
import { zoneLines } from "../support/service";

const [healthy, gone] = ["example.com", "example.net"];
const may = { change: true, remove: true, single: false };
const both = (more: Partial<Declaration> = {}): Declaration =>
  declare([healthy, gone], ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"], more);
const records = ["api A 192.0.2.2 600", "www A 192.0.2.1 600"];

describe("A batch with a domain that has left the account", () => {
  let lab: Lab;
  let ledger: Ledger;
  afterEach(() => lab.close());
  beforeEach(async () => {
    lab = await startLab(
      { settings: { undocumented: true } },
      { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_MAX_CHANGE_SHARE: "100" },
    );
    ({ ledger } = await lab.reconciler().apply(both(), [], emptyLedger));
    lab.service.admin.removeDomain(gone);
    lab.service.admin.removeRecord(healthy, { name: "www", type: "A" });
    lab.service.admin.clearCalls();
  });
  /** A process with a program, or without one for a destroy. @returns its messages as well */
  const started = (programRan = true): { reconciler: Reconciler; said: () => string[] } => {
    const reporter = collectingReporter();
    const { client, settings, clock } = lab;
    const reconciler = new Reconciler({
      client,
      settings,
      clock,
      reporter,
      programRan: () => Promise.resolve(programRan),
    });
    return {
      reconciler,
      said: () => reporter.lines.filter(({ level }) => level === "warn").map(({ text }) => text),
    };
  };
  const aboutGone = (texts: readonly string[]): string[] => texts.filter((text) => text.includes(gone));
  const remedies =
    /^example\.net: the account does not hold this domain any more.*take the domain out of the program.* LEGACYDNS_REMOVAL=retain/s;

  it("is refreshed: the healthy domain's drift is found, and the state keeps the rest", async () => {
    const { reconciler, said } = started();
    const { findings, ledger: found } = await reconciler.observe(both(), ledger);
    assert.deepEqual(findings.map(({ state, record }) => `${record.name}.${record.domain} ${state}`).sort(), [
      "api.example.com as declared",
      "api.example.net unread",
      "www.example.com missing",
      "www.example.net unread",
    ]);
    assert.equal(found.owned.size, 4);
    assert.equal(said().length, 1);
    assert.match(said().join(), remedies);
  });

  it("is repaired by the next update, which ends with the missing domain", async () => {
    const preview = await lab.reconciler().preview(both(), both().records, ledger);
    assert.deepEqual(preview.refusals, []);
    assert.deepEqual(
      preview.plan.create.map(({ domain }) => domain),
      [healthy],
    );
    assert.deepEqual(
      preview.failures.map(({ code }) => code),
      ["zone.gone"],
    );

    const { failures, ledger: after } = await lab.reconciler().apply(both(), both().records, ledger);
    assert.deepEqual(
      failures.map(({ code }) => code),
      ["zone.gone"],
    );
    assert.match(failures.map(textOf).join(), remedies);
    assert.deepEqual(zoneLines(lab.service, healthy), records);
    assert.equal(after.owned.size, 4);
  });

  for (const removal of ["verify", "retain", "delete"] as const) {
    it(`lets go of it under "${removal}" once the program declares nothing there`, async () => {
      const { reconciler, said } = started();
      const declaration = declare(healthy, ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"], { removal, may });
      const { failures, ledger: after } = await reconciler.apply(declaration, both().records, ledger);
      assert.deepEqual(failures, []);
      assert.deepEqual([after.owned.size, after.leftOver], [2, []]);
      assert.deepEqual(zoneLines(lab.service, healthy), records);
      assert.equal(aboutGone(said()).length, removal === "retain" ? 0 : 1);
    });
  }

  it("is deleted by an update; a destroy deletes the rest, and needs retain for the domain", async () => {
    const update = started();
    await update.reconciler.release(both({ removal: "delete", may }), ledger);
    assert.deepEqual(zoneLines(lab.service, healthy), []);
    assert.match(update.said().join(), /^example\.net: .* the state forgets it/);

    await assert.rejects(
      started(false).reconciler.release(both({ removal: "delete", may }), ledger),
      (error) => {
        assert.ok(error instanceof Refusal);
        assert.match(error.message, /^example\.net: .*nothing was deleted.*LEGACYDNS_REMOVAL=retain/s);
        return true;
      },
    );
    const destroy = started(false);
    await destroy.reconciler.release(both({ removal: "retain" }), ledger);
    assert.deepEqual(aboutGone(destroy.said()), []);
  });

  it("costs no further call for the next resource, and no further message", async () => {
    const { reconciler, said } = started();
    for (const name of ["www", "api"]) {
      const single = declare(gone, [`${name} 600 A 192.0.2.${name === "www" ? 1 : 2}`], {
        may: { ...may, single: true },
      });
      const { findings } = await reconciler.observe(single, ledger);
      assert.deepEqual(
        findings.map(({ state }) => state),
        ["unread"],
      );
    }
    assert.equal(said().length, 1);
    assert.equal(lab.service.admin.counts()["Record.List"], 1);
  });
});

it("A share of a domain that has left the account leaves the state with a refresh, and is deleted without an error", async () => {
  const accounts = [{ email: "owner@example.org" }, { email: "agency@example.org" }];
  const lab = await startLab(
    { accounts, settings: { undocumented: true } },
    { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_REMOVAL: "delete" },
  );
  try {
    const { client, settings } = lab;
    const share = domainShareProvider((work) =>
      work({
        client,
        settings,
        reconciler: lab.reconciler(),
        shares: new Shares(client, settings),
        reporter: collectingReporter(),
      }),
    );
    const { id, outs } = await share.create({ domain: gone, email: "agency@example.org", mode: "r" });
    lab.service.admin.removeDomain(gone);
    assert.deepEqual(await share.read(id, outs), {});
    await share.delete(id, outs);
  } finally {
    await lab.close();
  }
});

it("A domain that the service refuses as unknown, and lists, has not left the account", async () => {
  const lab = await startLab();
  try {
    const { ledger } = await lab.reconciler().apply(both(), [], emptyLedger);
    lab.service.admin.addFault({ kind: "code", code: "13", operation: "Record.List", when: "before" });
    await assert.rejects(lab.reconciler().observe(both(), ledger), /the domain is wrong/);
  } finally {
    await lab.close();
  }
});
