/** The end of a provider process, as the engine's cancellation brings it about. */
import { deepEqual, rejects } from "node:assert/strict";
import { TransportError, type Transport } from "../../provider/api";
import { Ending } from "../../provider/lifecycle/ending";

describe("a cancelled provider process", () => {
  it("sends no write any more, and goes on reading so that running operations end", async () => {
    const sent: string[] = [];
    const transport: Transport = {
      send: ({ operation }) => {
        sent.push(operation);
        return Promise.resolve({ status: 200, headers: {}, body: "" });
      },
      close: () => Promise.resolve(),
    };
    const ending = new Ending(undefined);
    const guarded = ending.guard(transport, false);
    const send = (operation: string) =>
      guarded.send({ operation, target: undefined, body: "", timeoutMs: 1_000 });
    await send("Batch.Record.Create");
    ending.cancel();
    const isUnsent = (error: unknown) => error instanceof TransportError && error.outcome === "not-sent";
    for (const write of ["Batch.Record.Create", "Record.Modify", "Batch.Record.Modify", "Record.Remove"])
      await rejects(send(write), isUnsent);
    for (const read of ["Record.List", "Batch.Detail"]) await send(read);
    deepEqual(sent, ["Batch.Record.Create", "Record.List", "Batch.Detail"]);
  });
});
