import { equal } from "node:assert/strict";
import { createClient } from "../../provider/api";
import { labs } from "../support/lab";

describe("The client and the emulator", () => {
  const lab = labs();

  it("write once after a refused connection", async () => {
    const told = await lab();
    const { admin, service, settings, clock } = told;
    const sleep = async (ms: number, signal?: AbortSignal) => {
      if (ms > 100) await service.listen();
      await clock.sleep(ms, signal);
    };
    const client = createClient({ settings, clock: { ...clock, sleep } });
    await service.mute();
    await client.call("Batch.Record.Create", {
      domainIds: [String(admin.domains()[0]?.id)],
      records: [{ subDomains: ["new"], type: "A", line: "默认", value: "192.0.2.9", ttl: 600 }],
    });
    await client.close();
    equal(told.calls("Batch.Record.Create"), 1);
  });
});
