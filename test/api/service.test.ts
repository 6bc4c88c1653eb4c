/** The client against the emulator, over HTTP: every operation, and every fault on reads and writes. */
import assert from "node:assert/strict";
import { type Emulator, type FaultSpec, startEmulator } from "../../emulator";
import {
  type Client,
  createClient,
  HttpStatusError,
  LegacyDnsError,
  ProtocolError,
  ServiceError,
  TransportError,
} from "../../provider/api";
import { Secret, type Settings } from "../../provider/settings";
import { cleanUp, failureOf, settingsFor, skippingClock } from "./support";

const another = { subDomains: ["new"], type: "A", line: "默认", value: "192.0.2.9", ttl: 600 };
const records = [another];

describe("The client and the emulator", () => {
  let service: Emulator | undefined;
  const box = (): Emulator => {
    assert(service !== undefined);
    return service;
  };
  const clients: Client[] = [];
  const clientFor = (changes: Partial<Settings> = {}): Client => {
    const settings = settingsFor({
      baseUrl: box().url,
      loginToken: new Secret(box().token),
      contact: "ops@example.com",
      ...changes,
    });
    const client = createClient({ settings, clock: skippingClock(), random: () => 0.5 });
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    service = await startEmulator({
      settings: { indexDelay: 0, jobStartMs: 0, jobMs: 0 },
      basePath: "/api",
      domains: [
        {
          name: "example.com",
          id: 77,
          records: [
            { name: "www", type: "A", value: "192.0.2.1", remark: "web" },
            { name: "@", type: "MX", value: "mx1.example.com.", mx: 10 },
          ],
          shares: [{ email: "friend@example.org", mode: "r" }],
          customLines: [{ name: "office", area: "192.0.2.0-192.0.2.9", useCount: 1 }],
          monitors: [
            {
              id: "m1",
              subDomain: "www",
              ip: "192.0.2.1",
              points: [
                {
                  point: "北京",
                  events: [{ status: "Down", statusCode: -3, at: "2026-01-01T00:00:00Z", responseTime: 9 }],
                },
              ],
            },
          ],
        },
        { name: "empty.example", defaultNs: false },
      ],
      accounts: [{ email: "owner@example.com" }, { email: "friend@example.org" }],
    });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await service?.close();
  });
  after(cleanUp);

  interface Row {
    readonly fault: FaultSpec;
    readonly reads: number;
    readonly writes: number;
    readonly error: new (...args: never[]) => LegacyDnsError;
    readonly outcome: LegacyDnsError["outcome"];
    /** Whether the service carried the write out. */
    readonly done?: boolean;
  }
  const uncertain = { reads: 4, writes: 1, outcome: "uncertain" } as const;
  // test/api/retry.test.ts has every kind of failure. These show that the emulator carried the write out, or did not.
  const rows: Row[] = [
    { fault: { kind: "refused", when: "after" }, ...uncertain, error: TransportError, done: true },
    { fault: { kind: "dropped" }, ...uncertain, error: TransportError },
    { fault: { kind: "dropped", when: "after" }, ...uncertain, error: TransportError, done: true },
    { fault: { kind: "http", status: 500, when: "after" }, ...uncertain, error: HttpStatusError, done: true },
    {
      fault: { kind: "http", status: 429, retryAfter: 1 },
      reads: 4,
      writes: 4,
      error: HttpStatusError,
      outcome: "refused",
    },
    { fault: { kind: "code", code: "-2" }, reads: 4, writes: 4, error: ServiceError, outcome: "refused" },
    { fault: { kind: "code", code: "-99" }, ...uncertain, error: ServiceError },
    {
      fault: { kind: "garbage", form: "truncated", when: "after" },
      ...uncertain,
      reads: 3,
      error: ProtocolError,
      done: true,
    },
    { fault: { kind: "slow", ms: 400, when: "after" }, ...uncertain, error: TransportError, done: true },
  ];
  for (const { fault, reads, writes, error, outcome, done } of rows) {
    const { kind, when = "before", ...rest } = fault;
    it(`${kind} ${when} ${JSON.stringify(rest)}: ${reads} requests for a read, ${writes} for a write, outcome ${outcome}`, async () => {
      // Only the slow answer needs a short timeout.
      const client = clientFor(kind === "slow" ? { requestTimeout: 0.1 } : {});
      box().admin.addFault(fault);
      assert((await failureOf(client.call("Domain.Info", { domain: "example.com" }))) instanceof error);
      assert.equal(box().admin.calls("Domain.Info").length, reads);
      const failure = await failureOf(client.call("Batch.Record.Create", { domainIds: ["77"], records }));
      assert(failure instanceof error, failure.message);
      assert.equal(failure.outcome, outcome);
      assert.equal(box().admin.calls("Batch.Record.Create").length, writes);
      assert.equal(box().admin.jobs().length, done === true ? 1 : 0);
    });
  }

  it("write once after a refused connection", async () => {
    const settings = settingsFor({ baseUrl: box().url, loginToken: new Secret(box().token) });
    const clock = skippingClock();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms, signal) => {
      if (ms > 100) await box().listen();
      await sleep(ms, signal);
    };
    const client = createClient({ settings, clock });
    clients.push(client);
    await box().mute();
    await client.call("Batch.Record.Create", { domainIds: ["77"], records });
    assert.equal(box().admin.calls("Batch.Record.Create").length, 1);
  });
});
