import { deepEqual, equal, fail, match, ok } from "node:assert/strict";
import { getBatchJob, getMonitorHistory, getRecord, getRecords } from "../../provider/functions";
import { endedJob, recordOf } from "../support/service";
import { timesOf, withScript, withService } from "./support";

const example = { domain: "example.com" };

describe("getRecord", () => {
  it(
    "returns one record in typed English, by an id of either type, and never sends a remark",
    withService(
      {
        domains: [
          {
            name: "example.com",
            remark: "keep me",
            records: [
              {
                ...recordOf("@ 300 MX mx1.example.org"),
                ...{ id: 501, mx: 5, line: "电信", remark: "mail", weight: 3, monitorStatus: "Warn" },
              },
            ],
          },
        ],
      },
      async (emulator) => {
        const { updatedOn, domainId, ...record } = await getRecord({ ...example, recordId: 501 });
        match(updatedOn ?? "", /\+08:00$/);
        match(domainId ?? "", /^\d+$/);
        deepEqual(record, {
          id: "501",
          name: "@",
          type: "MX",
          value: "mx1.example.org.",
          priority: 5,
          ttl: 300,
          line: "电信",
          lineId: "10=0",
          text: "example.com. MX 5 mx1.example.org. [电信]",
          enabled: true,
          weight: 3,
          monitorStatus: "warn",
          remark: "mail",
          domain: "example.com",
          grade: "DP_Plus",
          serviceOwned: false,
          nameServers: ["ns1.dns-host.example", "ns2.dns-host.example"],
        });
        await getRecord({ ...example, recordId: "501" });
        const [call, ...more] = emulator.admin.calls("Record.Info");
        equal(more.length, 0);
        ok(call !== undefined && !("remark" in call.params));
        ok(JSON.stringify(emulator.admin.snapshot()).includes("keep me"));
      },
    ),
  );
});

describe("getRecords", () => {
  const records = [
    recordOf("www A 192.0.2.1"),
    { ...recordOf("www A 192.0.2.2"), line: "电信" },
    { ...recordOf("www AAAA 2001:db8::1"), enabled: false },
    ...["@ MX mx.example.net", "mail 60 TXT v=spf1 -all"].map(recordOf),
  ];

  it(
    "filters by each argument, alone and together",
    withService({ domains: [{ name: "example.com", defaultNs: false, records }] }, async (emulator) => {
      const texts = async (filter: object) =>
        (await getRecords({ ...example, ...filter })).records.map(({ text }) => text);
      const [www, line] = ["www.example.com. A 192.0.2.1", "www.example.com. A 192.0.2.2 [电信]"];
      const [mx, mail] = ["example.com. MX 10 mx.example.net.", 'mail.example.com. TXT "v=spf1 -all"'];
      equal((await texts({})).length, 5);
      for (const [filter, ...expected] of [
        [{ name: "mail" }, mail],
        [{ name: "WWW.example.com.", type: "a" }, www, line],
        [{ name: "@" }, mx],
        [{ line: "电信" }, line],
        [{ type: "AAAA", line: "默认", name: "www" }, "www.example.com. AAAA 2001:db8::1"],
        [{ keyword: "spf1" }, mail],
        [{ type: "显性URL" }],
        [{ type: "X-OWN" }],
        [{ lineId: "10=0" }, line],
        // The default line has the id 0.
        [{ lineId: 0 }, www, "www.example.com. AAAA 2001:db8::1", mx, mail],
      ] as const)
        deepEqual(await texts(filter), expected);
      const sent = emulator.admin.calls("Record.List").map(({ params }) => params);
      deepEqual(
        sent.slice(-3).map((each) => [each["record_type"], each["record_line_id"], each["record_line"]]),
        [
          ["X-OWN", undefined, undefined],
          [undefined, "10=0", undefined],
          [undefined, "0", undefined],
        ],
      );
      const { records: found } = await getRecords({ ...example, type: "AAAA" });
      deepEqual(
        found.map(({ enabled, serviceOwned, monitorStatus }) => [enabled, serviceOwned, monitorStatus]),
        [[false, false, undefined]],
      );
    }),
  );

  it(
    "returns the zone with its records, and marks the service's own NS records",
    withService({ domains: [{ name: "example.com", records }] }, async () => {
      const zone = await getRecords(example);
      deepEqual(
        [zone.domain, zone.grade, zone.defaultTtl, zone.minTtl, zone.total],
        ["example.com", "DP_Plus", 600, 60, 7],
      );
      equal(zone.records.filter(({ serviceOwned, type }) => serviceOwned && type === "NS").length, 2);
      ok(zone.records.every(({ securityCenter }) => securityCenter === false));
      const some = await getRecords({ ...example, type: "TXT" });
      deepEqual([some.total, some.records.length], [7, 1]);
      ok(timesOf(zone).length >= 7 && timesOf(zone).every((time) => time.endsWith("+08:00")));
    }),
  );

  it(
    "asks once for identical questions, and gives each caller its own answer",
    withService({ domains: [{ name: "example.com", records }] }, async (emulator) => {
      const [first, second] = await Promise.all([
        getRecords(example),
        getRecords({ domain: "EXAMPLE.com.", name: undefined }),
      ]);
      first.records.length = 0;
      equal(second.records.length, 7);
      equal((await getRecords(example)).records.length, 7);
      deepEqual(emulator.admin.counts(), { "Record.List": 1 });
      await getRecords({ ...example, type: "A" });
      deepEqual(emulator.admin.counts(), { "Record.List": 2 });
    }),
  );
});

describe("getMonitorHistory", () => {
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const monitor = {
    id: "m-17",
    subDomain: "www",
    ip: "192.0.2.1",
    recordId: 501,
    points: [
      {
        point: "北京",
        events: [
          { status: "Down", statusCode: -3, at: at(1), responseTime: 0 },
          { status: "Ok", statusCode: 200, at: at(30), responseTime: 42 },
        ],
      },
    ],
  };

  it(
    "returns the checks of each place, for the requested hours",
    withService({ domains: [{ name: "example.com", monitors: [monitor] }] }, async (emulator) => {
      const { domainId, points, ...rest } = await getMonitorHistory({ monitorId: "m-17" });
      match(domainId ?? "", /^\d+$/);
      deepEqual(rest, {
        monitorId: "m-17",
        domain: "example.com",
        grade: "DP_Plus",
        recordId: "501",
        recordName: "www",
        ip: "192.0.2.1",
      });
      const [place] = points ?? [];
      deepEqual([place?.point, place?.message, place?.code], ["北京", "ok", 1]);
      deepEqual(
        place?.samples?.map(({ createdAt, ...sample }) => [sample, createdAt?.endsWith("+08:00")]),
        [
          [{ status: "down", statusCode: -3, responseTime: 0 }, true],
          [{ status: "ok", statusCode: 200, responseTime: 42 }, true],
        ],
      );
      equal((await getMonitorHistory({ monitorId: "m-17", hours: 24 })).points?.[0]?.samples?.length, 1);
      deepEqual(
        emulator.admin.calls().map(({ params }) => params["hours"]),
        [undefined, "24"],
      );
    }),
  );
});

describe("getBatchJob", () => {
  const asked = { name: "www", type: "A", line: "默认", value: "192.0.2.1", ttl: 600 };
  const failed = { name: "@", type: "MX", line: "默认", value: "mx.example.net.", priority: 5, ttl: 600 };
  const records = [
    { sub_domain: "www", record_type: "A", value: "192.0.2.1", ttl: 600 },
    { sub_domain: "@", record_type: "MX", value: "mx.example.net.", MX: 5, ttl: 600 },
  ];
  for (const [type, shown, operation, params] of [
    ["record_add", "plus", "Batch.Record.Create", { domain_id: "1001", records: JSON.stringify(records) }],
    [
      "record_modify",
      "edit",
      "Batch.Record.Modify",
      { record_id: "501,502", change: "ttl", change_to: "600" },
    ],
  ] as const)
    it(
      `returns a job of type ${type}`,
      withService(
        {
          domains: [
            {
              name: "example.com",
              id: 1001,
              records: [
                { ...recordOf("www 300 A 192.0.2.1"), id: 501 },
                { ...recordOf("@ 300 MX mx.example.net."), id: 502, mx: 5 },
              ],
            },
          ],
          settings: { undocumented: true, identical: "accept", refuse: [{ type: "MX", message: "exists" }] },
        },
        async (emulator) => {
          const jobId = endedJob(emulator, operation, params);
          const { items, createdAt, ...job } = await getBatchJob({ jobId });
          const counts = { finished: true, total: 3, success: 2, fail: 1 };
          deepEqual(job, { jobId: String(jobId), type, ...counts });
          match(createdAt ?? "", /\+08:00$/);
          equal(items[0]?.domain, "example.com");
          const { id } = emulator.admin.zone("example.com").findLast((each) => each.type === "A") ?? fail();
          const known = type === "record_modify" ? { recordId: "502" } : {};
          deepEqual(items[0].records, [
            { index: 0, operation: shown, ...asked, status: "ok", recordId: String(id) },
            { index: 1, operation: shown, ...failed, status: "error", error: "exists", ...known },
          ]);
        },
      ),
    );

  it("returns a job of domains", () => {
    const detail = [{ id: 0, domain: "example.com", status: "error", err_msg: "taken", records: [] }];
    return withScript(
      { "Batch.Detail": { type: "domain", total: 1, success: 0, fail: 1, detail } },
      async () => {
        const job = await getBatchJob({ jobId: "42" });
        deepEqual([job.type, job.fail], ["domain", 1]);
        const { domain, error, status, records: none } = job.items[0] ?? fail();
        deepEqual([domain, error, status, none], ["example.com", "taken", "error", []]);
      },
    )();
  });

  it("returns an unfinished job", async () => {
    const waiting = { sub_domain: "", record_type: "A", value: "192.0.2.1", ttl: "600", status: "waiting" };
    const detail = [{ domain: "example.com", status: "running", records: [waiting] }];
    await withScript({ "Batch.Detail": { type: "record_add", total: 0, detail } }, async () => {
      const { finished, items } = await getBatchJob({ jobId: "42" });
      equal(finished, false);
      deepEqual(items[0]?.records, [
        { name: "@", type: "A", value: "192.0.2.1", ttl: 600, status: "waiting" },
      ]);
    })();
  });
});
