/** The client against the emulator's faults, over HTTP: requests, outcomes, and whether the service executed the write. */
import assert from "node:assert/strict";
import type { FaultSpec } from "../../emulator";
import {
  createClient,
  HttpStatusError,
  type LegacyDnsError,
  ProtocolError,
  ServiceError,
  TransportError,
} from "../../provider/api";
import { labs, type Lab } from "../support/lab";
import { failureOf } from "./support";

const records = [{ subDomains: ["new"], type: "A", line: "默认", value: "192.0.2.9", ttl: 600 }];

interface Row {
  readonly fault: FaultSpec;
  readonly reads?: number;
  readonly writes?: number;
  readonly error: new (...args: never[]) => LegacyDnsError;
  readonly outcome?: LegacyDnsError["outcome"];
}
const repeated = { writes: 4, outcome: "refused" } as const;
const rows: readonly Row[] = [
  { fault: { kind: "refused", when: "after" }, error: TransportError },
  { fault: { kind: "dropped" }, error: TransportError },
  { fault: { kind: "dropped", when: "after" }, error: TransportError },
  { fault: { kind: "http", status: 500, when: "after" }, error: HttpStatusError },
  { fault: { kind: "http", status: 429, retryAfter: 1 }, error: HttpStatusError, ...repeated },
  { fault: { kind: "code", code: "-2" }, error: ServiceError, ...repeated },
  { fault: { kind: "code", code: "-99" }, error: ServiceError },
  { fault: { kind: "garbage", form: "truncated", when: "after" }, error: ProtocolError, reads: 3 },
  { fault: { kind: "slow", ms: 400, when: "after" }, error: TransportError },
];

describe("The client and the emulator", () => {
  const lab = labs();
  const create = ({ admin }: Lab): { domainIds: string[]; records: typeof records } => ({
    domainIds: [String(admin.domains()[0]?.id)],
    records,
  });

  for (const { fault, reads = 4, writes = 1, error, outcome = "uncertain" } of rows) {
    it(`${JSON.stringify(fault)}: ${reads} requests for a read, ${writes} for a write, outcome ${outcome}`, async () => {
      // Only the slow answer needs a short timeout.
      const told = await lab({}, fault.kind === "slow" ? { LEGACYDNS_REQUEST_TIMEOUT: "0.1" } : {});
      const { admin, client } = told;
      admin.addFault(fault);
      assert((await failureOf(client.call("Domain.Info", { domain: "example.com" }))) instanceof error);
      assert.equal(told.calls("Domain.Info"), reads);
      const failure = await failureOf(client.call("Batch.Record.Create", create(told)));
      assert(failure instanceof error, failure.message);
      assert.deepEqual(
        [failure.outcome, told.calls("Batch.Record.Create"), admin.jobs().length],
        [outcome, writes, fault.when === "after" ? 1 : 0],
      );
    });
  }

  it("write once after a refused connection", async () => {
    const told = await lab();
    const { service, settings, clock } = told;
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      if (ms > 100) await service.listen();
      await clock.sleep(ms, signal);
    };
    const client = createClient({ settings, clock: { ...clock, sleep } });
    await service.mute();
    await client.call("Batch.Record.Create", create(told));
    await client.close();
    assert.equal(told.calls("Batch.Record.Create"), 1);
  });
});
