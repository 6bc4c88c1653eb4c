/** The effects of a resource's own options, and its state after an update or a refresh. */
import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { batchInputs, readState } from "../../provider/lifecycle/state";
import { asFailed, emptyLedger, formatLedger } from "../../provider/reconcile/memory/ledger";
import { liveEntry } from "../support/live";
import {
  batchOf,
  checked,
  create,
  labTests,
  of,
  processOf,
  recordProvider,
  remove,
  up,
  upOf,
  watched,
  type Lab,
  type Props,
} from "./lab";

const { it, start } = labTests({}, { undocumentedOperations: true });
const [www, api] = ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"];

async function refreshed(lab: Lab, outs: Props) {
  const { props = {} } = await processOf(lab).read("id", outs);
  return props;
}

const ownedIn = (outs: Props) => readState(batchInputs, outs).ledger.held.length;

describe("a resource's own options", () => {
  it("removal: retain deletes nothing, although the stack may", async (lab) => {
    const before = await upOf(lab, [www, api]);
    await upOf(lab, [api], { removal: "retain" }, before);
    deepEqual([lab.calls(remove), lab.size], [0, 2]);
  });

  it("the program's removal decides about a replaced resource, not the state's", async (lab) => {
    const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
    const first = watched(lab, recordProvider).provider;
    const { inputs, outs } = await up(first, { ...record, removal: "delete" });
    const { provider } = watched(lab, recordProvider);
    const news = { ...record, domain: "example.net", removal: "retain", __program: { urn: "own" } };
    await provider.diff("id", outs, await checked(provider, news, inputs));
    await provider.create(await checked(provider, news), "own");
    await provider.delete("id", outs, "own");
    lab.has("www A 192.0.2.1 600");
  });

  for (const [adopt, setting] of [
    [false, "true"],
    [true, "false"],
  ] as const)
    it(`adopt: ${String(adopt)} counts before the stack's ${setting}`, async () => {
      const lab = await start({}, { adopt: setting });
      lab.add(www);
      const making = upOf(lab, [www], { adopt });
      await (adopt ? making : rejects(making, /live\.exists/));
      equal(lab.calls(create), 0);
    });
});

describe("the state of a resource", () => {
  it("says after a failed update that the next one goes on", async () => {
    const lab = await start({ settings: { refuse: [{ name: "api", message: "Refused for the test" }] } });
    const updating = up(processOf(lab), batchOf([www, api]), await upOf(lab, [www]));
    await rejects(updating, ({ properties }: { properties: Props }) => {
      const { isHalfDone, ledger } = readState(batchInputs, properties);
      deepEqual([isHalfDone, ledger.held.length], [true, 1]);
      return true;
    });
  });

  it("lets an update with the same inputs go on after a failure", async (lab) => {
    const inputs = await checked(processOf(lab), batchOf([www]));
    const state = { ...inputs, __ledger: asFailed(formatLedger(emptyLedger)) };
    await processOf(lab).update("id", state, inputs);
    equal(lab.size, 1);
  });

  it("says that the next update goes on while a write is open, also after a refresh", () => {
    const openWrites = [{ domain: "example.com", since: 0, digests: ["digest"] }];
    const props = { ...batchOf([www]), __ledger: formatLedger({ ...emptyLedger, openWrites }) };
    equal(readState(batchInputs, props).isHalfDone, true);
  });

  it("owns no record any more that a refresh has found missing", async (lab) => {
    const { outs } = await upOf(lab, [www, api]);
    lab.erase("api");
    deepEqual([ownedIn(outs), ownedIn(await refreshed(lab, outs))], [2, 1]);
  });

  it("does not own what a refresh has found undeclared, however often it is refreshed", async (lab) => {
    const { outs } = await upOf(lab, [www], { undeclared: "remove" });
    lab.add(api);
    const once = await refreshed(lab, outs);
    match(String(once["records"]), /api\.example\.com\. .*not declared/);
    equal(ownedIn(await refreshed(lab, once)), 1);
  });

  it("hides an undeclared record that is the secret of another resource", () => {
    const inputs = batchInputs(batchOf([www], { undeclared: "remove" }));
    const strays = of("s 600 TXT hush").records.map((record) => liveEntry(record));
    const rest = { findings: [], undeclared: [], ledger: emptyLedger };
    const shown = (secrets: typeof strays) =>
      JSON.stringify(
        recordBatchForm.live(inputs, { ...rest, strays, secrets: new Set(secrets) })?.props.records,
      );
    match(shown([]), /hush/);
    doesNotMatch(shown(strays), /hush/);
  });
});
