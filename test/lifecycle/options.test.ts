/** The effects of a resource's own options, and its state after an update or a refresh. */
import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { expandSpecs } from "../../provider/dns";
import { canonicalInputs } from "../../provider/lifecycle/batch-text";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { batchInputs, readState } from "../../provider/lifecycle/state";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { create, hostOf, labs, of, processOf, remove, type Lab } from "../support/lab";
import { liveEntry } from "../support/live";

const start = labs({ settings: { undocumented: true } }, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });
const [www, api] = ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"];
const program = { __program: { urn: "own" } };

const batchOf = (lines: readonly string[], more: Props = {}): Props => ({
  ...canonicalInputs(expandSpecs("example.com", lines, { defaultLine: "默认" })),
  ...more,
});

async function checked(provider: Lifecycle, olds: Props, news: Props): Promise<Props> {
  const { inputs = {}, failures } = await provider.check(olds, { ...news, ...program });
  equal(failures, undefined);
  return inputs;
}

async function made(lab: Lab, news: Props): Promise<{ readonly inputs: Props; readonly outs: Props }> {
  const provider = processOf(lab);
  const inputs = await checked(provider, {}, news);
  return { inputs, ...(await provider.create(inputs, "own")) };
}

async function updated(lab: Lab, old: { readonly inputs: Props; readonly outs: Props }, news: Props) {
  const provider = processOf(lab);
  const inputs = await checked(provider, old.inputs, news);
  return provider.update("id", old.outs, inputs, "own");
}

async function refreshed(lab: Lab, outs: Props): Promise<Props> {
  const { props = {} } = await processOf(lab).read("id", outs);
  return props;
}

const ownedIn = (outs: Props) => readState(batchInputs, outs).ledger.held.length;

describe("a resource's own options", () => {
  it("removal: retain deletes nothing, although the stack may", async () => {
    const lab = await start();
    await updated(lab, await made(lab, batchOf([www, api])), batchOf([api], { removal: "retain" }));
    deepEqual([lab.calls(remove), lab.lines().length], [0, 2]);
  });

  it("the program's removal decides about a replaced resource, not the state's", async () => {
    const lab = await start();
    const [first, second] = [hostOf(lab), hostOf(lab)].map((host) =>
      recordsProvider(recordForm, (work) => work(host)),
    ) as [Lifecycle, Lifecycle];
    const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
    const inputs = await checked(first, {}, { ...record, removal: "delete" });
    const { outs } = await first.create(inputs, "own");
    const news = { ...record, domain: "example.net", removal: "retain" };
    await second.diff("id", outs, await checked(second, inputs, news));
    await second.create(await checked(second, {}, news), "own");
    await second.delete("id", outs, "own");
    lab.has("www A 192.0.2.1 600");
  });

  for (const [adopt, setting] of [
    [false, "true"],
    [true, "false"],
  ] as const)
    it(`adopt: ${String(adopt)} counts before the stack's ${setting}`, async () => {
      const lab = await start({}, { LEGACYDNS_ADOPT: setting });
      lab.add(www);
      const making = made(lab, batchOf([www], { adopt }));
      if (adopt) await making;
      else await rejects(making, /live\.exists/);
      equal(lab.calls(create), 0);
    });
});

describe("the state of a resource", () => {
  it("says after a failed update that the next one goes on", async () => {
    const lab = await start({ settings: { refuse: [{ name: "api", message: "Refused for the test" }] } });
    const before = await made(lab, batchOf([www]));
    await rejects(updated(lab, before, batchOf([www, api])), ({ properties }: { properties: Props }) => {
      const { isHalfDone, ledger } = readState(batchInputs, properties);
      deepEqual([isHalfDone, ledger.held.length], [true, 1]);
      return true;
    });
  });

  it("owns no record any more that a refresh has found missing", async () => {
    const lab = await start();
    const { outs } = await made(lab, batchOf([www, api]));
    lab.erase("api");
    deepEqual([ownedIn(outs), ownedIn(await refreshed(lab, outs))], [2, 1]);
  });

  it("does not own what a refresh has found undeclared, however often it is refreshed", async () => {
    const lab = await start();
    const { outs } = await made(lab, batchOf([www], { undeclared: "remove" }));
    lab.add(api);
    const once = await refreshed(lab, outs);
    match(String(once["records"]), /api\.example\.com\. .*not declared/);
    equal(ownedIn(await refreshed(lab, once)), 1);
  });

  it("hides an undeclared record that is the secret of another resource", () => {
    const [record] = of("s 600 TXT hush").records;
    const inputs = batchInputs(batchOf([www], { undeclared: "remove" }));
    const stray = record && liveEntry(record);
    const strays = stray ? [stray] : [];
    const rest = { findings: [], undeclared: [], ledger: emptyLedger };
    const shown = (secrets: typeof strays) =>
      JSON.stringify(
        recordBatchForm.live(inputs, { ...rest, strays, secrets: new Set(secrets) })?.props.records,
      );
    match(shown([]), /hush/);
    doesNotMatch(shown(strays), /hush/);
  });
});
