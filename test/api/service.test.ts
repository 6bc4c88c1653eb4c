/** The client against the emulator, over HTTP: every operation, and every fault on reads and writes. */
import assert from "node:assert/strict";
import { type Emulator, type FaultSpec, startEmulator } from "../../emulator";
import {
  type Client,
  createClient,
  HttpStatusError,
  LegacyDnsError,
  listDomains,
  listRecords,
  LoginError,
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

  it("agree on every operation", async () => {
    const client = clientFor();
    const info = await client.call("Domain.Info", { domain: "example.com" });
    assert.deepEqual([info.id, info.name, info.recordCount, info.status], ["77", "example.com", 4, "enable"]);
    assert.deepEqual(info.nameServers, ["ns1.dns-host.example", "ns2.dns-host.example"]);

    const zone = await listRecords(client, { name: "example.com" });
    assert.deepEqual(
      zone.records
        .filter(({ hold }) => !hold)
        .map(({ name, type, value, priority }) => [name, type, value, priority])
        .sort(),
      [
        ["@", "MX", "mx1.example.com.", 10],
        ["www", "A", "192.0.2.1", undefined],
      ],
    );
    assert.equal(zone.records.filter(({ hold }) => hold).length, 2);
    const [found] = (await listRecords(client, { id: "77", name: "example.com" }, { name: "www" })).records;
    assert.equal(found?.remark, "web");
    const detail = await client.call("Record.Info", { domain: "example.com", recordId: found.id });
    assert.deepEqual({ ...detail.record, weight: 0, securityCenter: false }, { ...found, weight: 0 });

    const { jobId } = await client.call("Batch.Record.Create", {
      domainIds: ["77"],
      records: [...records, { ...another, subDomains: ["www"], value: "192.0.2.1" }],
    });
    let job = await client.call("Batch.Detail", { jobId });
    for (
      let turn = 0;
      turn < 200 &&
      job.items.some(({ records: each }) =>
        each.some(({ status }) => status === "waiting" || status === "running"),
      );
      turn += 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      job = await client.call("Batch.Detail", { jobId });
    }
    assert.deepEqual([job.jobId, job.type], [jobId, "record_add"]);
    const [made, twice] = job.items[0]?.records ?? [];
    assert.equal(made?.status, "ok");
    assert.match(made.recordId ?? "", /^\d+$/);
    assert.equal(twice?.status, "error");
    assert.notEqual(twice.error, undefined);

    const purview = await client.call("Domain.Purview", { domain: "example.com" });
    assert.equal(purview.length, 15);
    assert(
      purview.some(({ value }) => typeof value === "boolean") &&
        purview.some(({ value }) => typeof value === "number"),
    );
    await client.call("Domainshare.Modify", {
      domain: "example.com",
      email: "friend@example.org",
      mode: "rw",
    });
    assert.deepEqual(
      (await client.call("Custom.Line.List", { domain: "example.com" })).lines?.map(({ name, useCount }) => [
        name,
        useCount,
      ]),
      [["office", 1]],
    );
    const history = await client.call("Monitor.Gethistory", { monitorId: "m1" });
    assert.equal(history.points?.[0]?.point, "北京");

    const { counters, domains } = await listDomains(client);
    assert.deepEqual(domains.map(({ name }) => name).sort(), ["empty.example", "example.com"]);
    assert.equal(counters?.all, 2);
    assert.deepEqual(
      (await listDomains(client, { type: "share_out" })).domains.map(({ name }) => name),
      ["example.com"],
    );
    assert.deepEqual((await listDomains(client, { type: "pause" })).domains, []);

    assert(
      box()
        .admin.calls()
        .every(({ goodUserAgent }) => goodUserAgent === true),
    );
  });

  it("agree on an empty zone", async () => {
    const zone = await listRecords(clientFor(), { name: "empty.example" });
    assert.deepEqual([zone.records, zone.domain.name, zone.header], [[], "empty.example", undefined]);
  });

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

  it("succeed after a passing fault", async () => {
    for (const fault of [
      { kind: "dropped", count: 2 },
      { kind: "http", status: 503, count: 3 },
      { kind: "garbage", count: 1 },
    ] as FaultSpec[]) {
      box().admin.addFault(fault);
      assert.equal((await clientFor().call("Domain.Info", { domain: "example.com" })).id, "77");
    }
  });

  it("read an answer behind megabytes of white space", async () => {
    box().admin.addFault({ kind: "huge", bytes: 4 * 1024 * 1024, when: "after" });
    assert.equal((await clientFor().call("Domain.Info", { domain: "example.com" })).id, "77");
  });

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

  it("stop at a wrong token after one request", async () => {
    const client = clientFor({ loginToken: new Secret("1,not-the-token") });
    const failures = await Promise.all(
      ["a", "b", "c"].map(() => failureOf(client.call("Domain.Info", { domain: "example.com" }))),
    );
    assert(failures.every((failure) => failure instanceof LoginError));
    await failureOf(client.call("Domain.List", {}));
    assert(box().admin.calls().length <= 3);
    assert.equal(box().admin.calls("Domain.List").length, 0);
  });
});
