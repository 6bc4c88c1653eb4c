/** What the dynamic provider gives to the SDK's host, and so to the state. */
import { deepEqual, rejects } from "node:assert/strict";
import { dynamicProvider } from "../../../provider/frontends/dynamic/host";
import type { Lifecycle, Props } from "../../../provider/lifecycle/lifecycle";
import { mark } from "../../../provider/support/secret-marks";

const secretLedger = { [mark.key]: mark.secret, value: "ledger" };

/** Every operation ends with these outputs. */
function providerWith(outs: Props) {
  const lifecycle: Partial<Lifecycle> = {
    create: () => Promise.resolve({ id: "1", outs }),
    update: () => Promise.reject(Object.assign(new Error("half done"), { id: "1", properties: outs })),
    read: () => Promise.resolve({ id: "1", props: outs }),
  };
  return dynamicProvider(lifecycle as Lifecycle);
}

describe("the dynamic provider's outputs", () => {
  for (const [title, given, ledger] of [
    ["mark the ledger of a Record with a secret", { sensitive: true }, secretLedger],
    ["mark the ledger of a RecordBatch with secret records", { secrets: "{}" }, secretLedger],
    ["mark nothing of a public record", {}, "ledger"],
  ] as const)
    it(title, async () => {
      const { create, read, update } = providerWith({ ...given, __ledger: "ledger" });
      const marked = { ...given, __ledger: ledger };
      deepEqual((await create({})).outs, marked);
      deepEqual((await read?.("1"))?.props, marked);
      await rejects(async () => update?.("1", {}, {}), { properties: marked });
    });
});
