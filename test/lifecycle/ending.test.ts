/** The transport of a provider process that the engine has cancelled, and of one that only reports a plan. */
import { deepEqual, rejects } from "node:assert/strict";
import { TransportError } from "../../provider/api";
import { Ending } from "../../provider/lifecycle/ending";

const writes = ["Batch.Record.Create", "Record.Modify", "Batch.Record.Modify", "Record.Remove"];
const reads = ["Record.List", "Batch.Detail"];

function guarded(isPlan: boolean) {
  const sent: string[] = [];
  const ending = new Ending(undefined);
  const transport = ending.guard(
    {
      send: ({ operation }) => {
        sent.push(operation);
        return Promise.resolve({ status: 200, headers: {}, body: "" });
      },
      close: () => Promise.resolve(),
    },
    isPlan,
  );
  const send = (operation: string) =>
    transport.send({ operation, target: undefined, body: "", timeoutMs: 1_000 });
  return { ending, sent, send };
}

async function sendsReadsOnly({ send, sent }: ReturnType<typeof guarded>) {
  const isUnsent = (error: unknown) => error instanceof TransportError && error.outcome === "not-sent";
  for (const write of writes) await rejects(send(write), isUnsent);
  for (const read of reads) await send(read);
  deepEqual(sent.splice(0), reads);
}

it("a cancelled provider process sends no write any more, and goes on reading so that running operations end", async () => {
  const process = guarded(false);
  for (const write of writes) await process.send(write);
  deepEqual(process.sent.splice(0), writes);
  process.ending.cancel();
  await sendsReadsOnly(process);
});

it("the transport of a plan reads, but sends no write", () => sendsReadsOnly(guarded(true)));
