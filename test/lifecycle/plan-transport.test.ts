import { deepEqual, rejects } from "node:assert/strict";
import type { Transport } from "../../provider/api";
import { Ending } from "../../provider/lifecycle/ending";

describe("the transport of a plan", () => {
  const sent: string[] = [];
  const transport: Transport = {
    send: async ({ operation }) => {
      sent.push(operation);
      return { status: 200, headers: {}, body: "{}" };
    },
    close: async () => undefined,
  };
  const request = (operation: string) => ({ operation, target: "", path: "", body: "", timeoutMs: 1 });

  it("reads, but sends no write", async () => {
    const plan = new Ending(undefined).guard(transport, true);
    await plan.send(request("Record.List"));
    for (const write of ["Batch.Record.Create", "Record.Modify", "Record.Remove"])
      await rejects(plan.send(request(write)), { outcome: "not-sent" });
    deepEqual(sent.splice(0), ["Record.List"]);
    await new Ending(undefined).guard(transport, false).send(request("Record.Modify"));
    deepEqual(sent, ["Record.Modify"]);
  });
});
