/** Changes whose answers were lost, and that may still take effect. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { LegacyDnsError } from "../../provider/api";
import { until } from "../support/processes";
import { full, fullLabs, hosts, modify, modifyMany, other, www } from "./lab";

const { it, start } = fullLabs();

describe("a change whose answer was lost", () => {
  it("is waited for as long as a proxy may deliver it", async (lab) => {
    const first = await lab.must(www);
    let sent = 0;
    const client = lab.clientWith(async (operation, call) => {
      if (operation !== modify || (sent += 1) > 1) return call();
      void lab.clock.sleep(8_000).then(call);
      throw new LegacyDnsError({ operation, target: "", meaning: "cut", help: [], outcome: "uncertain" });
    });
    await lab.process({ client }).must(other, first);
    deepEqual([sent, lab.lines()], [1, ["www A 192.0.2.2 600"]]);
  });

  it("is waited for as long as a job of changes may take", async () => {
    const lab = await start({ settings: { jobStartMs: 12_000 } }, { jobTimeout: 20, requestTimeout: 1 });
    const first = await lab.must(full(hosts(3)));
    lab.lose(modifyMany, "after");
    await lab.must(full(hosts(3, 300)), first);
    equal(lab.calls(modifyMany), 1);
  });

  it("that did not enable a record is sent again", async () => {
    const lab = await start({}, { indexDelay: 1, requestTimeout: 1, jobTimeout: 1 });
    const first = await lab.must(www);
    lab.edit("www", { enabled: false });
    lab.lose(modify);
    await lab.must(www, first);
    deepEqual([lab.calls(modify), lab.records.map(({ enabled }) => enabled)], [2, [true]]);
  });

  it("of another run, sent in a job without a number, is waited for as long as the job may take", async () => {
    const lab = await start({ settings: { jobStartMs: 12_000 } }, { jobTimeout: 20, requestTimeout: 1 });
    const before = full(hosts(3));
    const first = await lab.must(before);
    const client = lab.clientWith((operation, call) =>
      operation === modifyMany ? call().then(() => new Promise<never>(() => undefined)) : call(),
    );
    void lab.process({ client }).up(full(hosts(3, 300)), first);
    await until("the job", () => lab.calls(modifyMany) > 0);
    await lab.must(before, first);
    await lab.clock.sleep(20_000);
    ok(lab.lines().every((line) => line.endsWith(" 600")));
  });
});
