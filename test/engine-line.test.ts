import { deepEqual } from "node:assert/strict";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { EngineLine } from "../provider/support/engine-line";

describe("a provider's messages to the engine", () => {
  it("have arrived, in order and with their resource, before the answer of the call", async () => {
    const arrived: string[] = [];
    const delays = [20, 0];
    const client = {
      log: (request: LogRequest, done: () => void) => {
        setTimeout(() => {
          arrived.push(`${request.getUrn()}: ${request.getMessage()}`);
          done();
        }, delays.shift());
      },
    } as unknown as ConstructorParameters<typeof EngineLine>[1];
    const line = new EngineLine("127.0.0.1:1", client);
    await line.forResource("urn:a", async () => {
      await Promise.resolve();
      for (const text of ["the first", "the second"]) line.reporter().warn(text);
    });
    deepEqual(arrived, ["urn:a: the first", "urn:a: the second"]);
  });
});
