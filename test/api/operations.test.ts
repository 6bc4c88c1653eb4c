/** Every operation: its form and its typed result, for all recorded shapes of answers. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type OperationName,
  operations,
  ProtocolError,
  type Requests,
  RequestError,
  type Responses,
} from "../../provider/api";
import { isDocumented } from "../../provider/api/operations";
import {
  callSample,
  domain as domainSample,
  header as headerSample,
  jobRecord,
  operationNames,
  record as mxSample,
  samples,
} from "./samples";
import { answer, cleanUp, clientOn, enveloped, failureOf, scripted, settingsFor, TOKEN } from "./support";

after(cleanUp);

async function formOf<N extends OperationName>(
  operation: N,
  request: Requests[N],
  reply: object,
): Promise<Record<string, string>> {
  const transport = scripted(answer(enveloped("1", reply)));
  await clientOn(transport).call(operation, request);
  assert.equal(transport.requests[0]?.operation, operation);
  const { login_token, format, ...form } = transport.form(0);
  assert.equal(login_token, TOKEN);
  assert.equal(format, "json");
  return form;
}

function read<N extends OperationName>(
  operation: N,
  request: Requests[N],
  reply: object,
): Promise<Responses[N]> {
  return clientOn(scripted(answer(enveloped("1", reply)))).call(operation, request);
}

const { vip_start_at: _start, vip_end_at: _end, vip_auto_renew: _renew, ...free } = domainSample;
const infoSample = {
  ...free,
  grade_title: "新免费套餐",
  ext_status: "dnserror",
  remark: false,
  is_vip: "no",
  updated_on: "2015-02-30 12:00:00",
  can_handle_at_ns: true,
};
const domainResult = {
  id: "2059079",
  name: "example.com",
  punycode: "example.com",
  grade: "DP_Free",
  gradeTitle: "新免费套餐",
  status: "enable",
  extStatus: "dnserror",
  recordCount: 3,
  groupId: "9",
  starred: false,
  vip: false,
  searchEnginePush: true,
  createdOn: "2015-01-18T12:00:00+08:00",
  ttl: 600,
  cnameSpeedup: false,
  owner: "owner@example.com",
  nameServers: ["ns1.example.net"],
};
const recordSample = {
  ...mxSample,
  name: "@",
  type: "A",
  value: "192.0.2.1",
  mx: "0",
  monitor_status: "",
  remark: "",
  hold: "hold",
};
const listSample = {
  domain: { ...headerSample, min_ttl: 600, brand_ns: ["ns1.example.net"], service_ns: undefined },
  info: { sub_domains: "3", record_total: 1, records_num: "1" },
  records: [recordSample],
};
/** Checks that the client refuses a request and sends nothing. */
async function refuses<N extends OperationName>(
  operation: N,
  request: Requests[N],
  message = /./,
): Promise<void> {
  const transport = scripted(answer(enveloped("1")));
  const failure = await failureOf(clientOn(transport).call(operation, request));
  assert(failure instanceof RequestError);
  assert.match(failure.message, message);
  assert.deepEqual([failure.outcome, transport.requests.length], ["not-sent", 0]);
}

describe("Domain.Info", () => {
  it("sends the domain's id if it is given, else its name", async () => {
    const reply = { domain: infoSample };
    assert.deepEqual(await formOf("Domain.Info", { domain: "example.com" }, reply), {
      domain: "example.com",
    });
    assert.deepEqual(await formOf("Domain.Info", { domainId: "7" }, reply), { domain_id: "7" });
    assert.deepEqual(await formOf("Domain.Info", { domainId: "7", domain: "example.com" }, reply), {
      domain_id: "7",
    });
  });

  it("returns numbers, booleans and times with their zone, and leaves out an invalid date", async () => {
    const got = await read("Domain.Info", { domain: "example.com" }, { domain: infoSample });
    assert.deepEqual(got, { ...domainResult, userId: "730060", filed: true });
  });

  it("returns the package's dates of a paid domain", async () => {
    const vip = {
      ...infoSample,
      is_vip: "yes",
      vip_start_at: "2015-01-01",
      vip_end_at: "2016-01-01",
      vip_auto_renew: "default",
    };
    const got = await read("Domain.Info", { domainId: "1" }, { domain: vip });
    assert.deepEqual(
      [got.vip, got.vipStartAt, got.vipEndAt, got.vipAutoRenew],
      [true, "2015-01-01", "2016-01-01", "default"],
    );
  });

  it("refuses a request without a domain", () =>
    refuses("Domain.Info", {}, /domainId or domain must be given/));
});

describe("Domain.List", () => {
  const info = {
    domain_total: 1,
    all_total: "14",
    mine_total: 13,
    share_total: 1,
    vip_total: 2,
    ismark_total: 3,
    pause_total: 4,
    error_total: 5,
    lock_total: 6,
    spam_total: 7,
    vip_expire: 8,
    share_out_total: 9,
  };

  it("sends every filter", async () => {
    const form = await formOf(
      "Domain.List",
      { type: "share_out", offset: 3000, length: 3000, groupId: "4", keyword: "ex am+ple" },
      { info, domains: [] },
    );
    assert.deepEqual(form, {
      type: "share_out",
      offset: "3000",
      length: "3000",
      group_id: "4",
      keyword: "ex am+ple",
    });
    assert.deepEqual(await formOf("Domain.List", {}, { info, domains: [] }), {});
  });

  it("reads integer ids and the other key of the name servers, and ignores unknown keys", async () => {
    const { service_ns, user_id: _u, is_beian: _b, ...rest } = infoSample;
    const listed = {
      ...rest,
      id: 2059079,
      group_id: 9,
      grade_ns: service_ns,
      src_flag: "x",
      grade_level: 2,
      tag_list: [],
      auth_to_security: true,
    };
    const got = await read("Domain.List", {}, { info, domains: [listed] });
    assert.deepEqual(got.domains, [{ ...domainResult, authToSecurity: true }]);
    assert.deepEqual(got.counters, {
      matching: 1,
      all: 14,
      mine: 13,
      sharedToMe: 1,
      sharedByMe: 9,
      vip: 2,
      starred: 3,
      paused: 4,
      dnsError: 5,
      locked: 6,
      banned: 7,
      vipExpiring: 8,
    });
  });
});

describe("Domainshare.Modify", () => {
  it("sends the parameters of each use case and reads nothing but the status", async () => {
    const base = { domainId: "1", email: "a@example.org", mode: "rw" } as const;
    assert.deepEqual(await formOf("Domainshare.Modify", base, {}), {
      domain_id: "1",
      email: "a@example.org",
      mode: "rw",
    });
    assert.deepEqual(
      await formOf(
        "Domainshare.Modify",
        { ...base, subDomain: "s", oldSubDomain: "a", newSubDomain: "b" },
        {},
      ),
      {
        domain_id: "1",
        email: "a@example.org",
        mode: "rw",
        sub_domain: "s",
        old_sub_domain: "a",
        new_sub_domain: "b",
      },
    );
    assert.deepEqual(await read("Domainshare.Modify", base, { surprise: 1 }), {});
  });
});

describe("Record.List", () => {
  it("sends every filter, and an offset only beside a length", async () => {
    const request = {
      domain: "example.com",
      offset: 0,
      length: 3000,
      name: "www",
      type: "A",
      line: "电信",
      lineId: "10=0",
      keyword: "k",
    };
    assert.deepEqual(await formOf("Record.List", request, listSample), {
      domain: "example.com",
      offset: "0",
      length: "3000",
      sub_domain: "www",
      record_type: "A",
      record_line: "电信",
      record_line_id: "10=0",
      keyword: "k",
    });
    for (const wrong of [{ offset: 1 }, { length: 3001 }])
      await refuses("Record.List", { domain: "a", ...wrong });
  });

  it("returns header, counters and records for every type of a value", async () => {
    const got = await read("Record.List", { domainId: "2059079" }, listSample);
    assert.deepEqual(got.zone, {
      id: "2059079",
      name: "example.com",
      punycode: "example.com",
      grade: "DP_Free",
      owner: "o@example.com",
      extStatus: "",
      ttl: 600,
      minTtl: 600,
      status: "enable",
      nameServers: ["ns1.example.net"],
    });
    assert.deepEqual(got.counts, { all: 3, matching: 1, returned: 1 });
    const record = {
      id: "1",
      name: "@",
      type: "A",
      line: "默认",
      lineId: "0",
      value: "192.0.2.1",
      ttl: 600,
      enabled: true,
      updatedOn: "2015-01-18T12:00:00+08:00",
      securityCenter: false,
      hold: true,
    };
    assert.deepEqual(got.records, [record]);
    const flipped = {
      ...listSample,
      records: [
        {
          ...recordSample,
          id: 1,
          ttl: 600,
          mx: 0,
          enabled: 1,
          remark: false,
          monitor_status: null,
          name: "",
        },
      ],
    };
    assert.deepEqual((await read("Record.List", { domain: "x" }, flipped)).records, [record]);
  });

  it("returns the priority of an SRV record whose value lacks it", async () => {
    const priorityOf = async (value: string): Promise<number | undefined> =>
      (
        await read(
          "Record.List",
          { domain: "x" },
          { ...listSample, records: [{ ...recordSample, type: "srv", mx: "10", value }] },
        )
      ).records[0]?.priority;
    assert.equal(await priorityOf("5 5060 sip.example.com."), 10);
    assert.equal(await priorityOf("10 5 5060 sip.example.com."), undefined);
  });

  it("returns priority, monitor, weight, remark and state of an MX record", async () => {
    const mx = {
      ...recordSample,
      type: "MX",
      mx: "10",
      value: "mx.example.com.",
      enabled: "0",
      monitor_status: "Down",
      weight: 5,
      remark: "mail",
    };
    const [record] = (await read("Record.List", { domain: "x" }, { ...listSample, records: [mx] })).records;
    assert.deepEqual(
      [record?.priority, record?.enabled, record?.monitorStatus, record?.weight, record?.remark],
      [10, false, "down", 5, "mail"],
    );
    const zero = (await read("Record.List", { domain: "x" }, { ...listSample, records: [{ ...mx, mx: 0 }] }))
      .records[0];
    assert.equal(zero?.priority, 0);
  });
});

describe("Batch.Record.Create", () => {
  const a = { subDomains: ["www", "api"], type: "A", line: "默认", value: "192.0.2.1", ttl: 600 };

  it("sends ids and labels as comma lists, an empty label for the apex and MX for MX only", async () => {
    const records = [
      a,
      { ...a, subDomains: ["@"], type: "MX", value: "mx.example.com.", priority: 10 },
      { ...a, priority: 5 },
    ];
    const form = await formOf("Batch.Record.Create", { domainIds: ["1", "2"], records }, { job_id: "17" });
    assert.equal(form["domain_id"], "1,2");
    assert.deepEqual(JSON.parse(form["records"] ?? ""), [
      { sub_domain: "www,api", record_type: "A", record_line: "默认", value: "192.0.2.1", ttl: 600 },
      { sub_domain: "", record_type: "MX", record_line: "默认", value: "mx.example.com.", ttl: 600, MX: 10 },
      { sub_domain: "www,api", record_type: "A", record_line: "默认", value: "192.0.2.1", ttl: 600 },
    ]);
  });

  it("returns the job's id and ignores the echo", async () => {
    for (const jobId of ["17", 17]) {
      const got = await read(
        "Batch.Record.Create",
        { domainIds: ["1"], records: [a] },
        { job_id: jobId, detail: [{ status: 5, records: "?" }] },
      );
      assert.deepEqual(got, { jobId: "17" });
    }
  });

  it("refuses a shared apex, a comma in a label and a job without records", async () => {
    const refused = [
      { domainIds: ["1"], records: [{ ...a, subDomains: ["", "www"] }] },
      { domainIds: ["1"], records: [{ ...a, subDomains: ["a,b"] }] },
      { domainIds: ["1"], records: [] },
      { domainIds: ["1,2"], records: [a] },
      { domainIds: ["1"], records: [{ ...a, ttl: 0 }] },
    ];
    for (const request of refused) await refuses("Batch.Record.Create", request);
  });

  it("has an uncertain outcome if the answer has no job id", async () => {
    const failure = await failureOf(read("Batch.Record.Create", { domainIds: ["1"], records: [a] }, {}));
    assert(failure instanceof ProtocolError);
    assert.equal(failure.outcome, "uncertain");
    assert.match(failure.message, /job_id: expected an id, found nothing/);
  });
});

describe("Batch.Detail", () => {
  const reply = samples["Batch.Detail"].reply as { readonly detail: readonly object[] };

  it("reads a job of domains, whose items have no records, and leaves out an unknown status", async () => {
    const domains = {
      ...reply,
      type: "domain",
      detail: [{ domain: "a.example", status: "waiting", records: null }],
    };
    assert.deepEqual((await read("Batch.Detail", { jobId: "17" }, domains)).items, [
      { domain: "a.example", status: "waiting", records: [] },
    ]);
    const records = [
      jobRecord,
      { ...jobRecord, status: "error", record_id: null, mx: "10", err_msg: "Record exists" },
    ];
    const odd = { ...reply, detail: [{ ...reply.detail[0], status: "perhaps", records }] };
    const [item] = (await read("Batch.Detail", { jobId: "17" }, odd)).items;
    assert.ok(item !== undefined && !("status" in item));
    assert.deepEqual(
      item.records.map(({ status }) => status),
      ["ok", "error"],
    );
  });
});

describe("Hostile answers", () => {
  const raw = (body: string) =>
    failureOf(clientOn(scripted(answer(body))).call("Record.List", { domain: "example.com" }));

  it("end in an error with the key and without the value", async () => {
    const secret = "s3cret-value";
    const cases: [object, RegExp][] = [
      [
        { ...listSample, records: [{ ...recordSample, id: 2 ** 60 }] },
        /records\.0\.id: expected an id, found a number/,
      ],
      [
        { ...listSample, records: [{ ...recordSample, value: { deep: secret } }] },
        /records\.0\.value: expected a text, found an object/,
      ],
      [{ ...listSample, records: { 0: recordSample } }, /records: /],
      [{ ...listSample, records: secret }, /records: /],
    ];
    for (const [reply, expected] of cases) {
      const failure = await raw(enveloped("1", reply));
      assert(failure instanceof ProtocolError, failure.message);
      assert.match(failure.message, expected);
      assert(!failure.message.includes(secret));
    }
  });

  it("are left out if no caller needs the field", async () => {
    const secret = "s3cret-value";
    const { ttl: _ttl, enabled: _enabled, status: _status, ...bare } = recordSample;
    const [record] = (await read("Record.List", { domain: "x" }, { ...listSample, records: [bare] })).records;
    for (const odd of [
      { ttl: secret, enabled: secret },
      { ttl: 1e300, enabled: 7 },
      { ttl: null, enabled: {} },
    ]) {
      const got = await read(
        "Record.List",
        { domain: "x" },
        { ...listSample, domain: [], info: { record_total: -1 }, records: [{ ...bare, ...odd }] },
      );
      assert.deepEqual(got, { zone: {}, counts: {}, records: [record] });
    }
  });

  it("of any shape end in a result or a ProtocolError", async () => {
    const keys = [
      "domain",
      "domains",
      "info",
      "records",
      "record",
      "detail",
      "data",
      "purview",
      "job_id",
      "id",
      "name",
      "value",
      "ttl",
      "enabled",
      "__proto__",
      "x_ns",
      "total",
    ];
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(null, false, true, "", "0", "1", "yes", -1, 1e21, "ok"),
        fc.string(),
        fc.double(),
        fc.array(tie("any")),
        tie("object"),
      ),
      object: fc.dictionary(fc.constantFrom(...keys), tie("any"), { noNullPrototype: true }),
    }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operationNames), value.object, async (name, reply) => {
        const transport = scripted(answer(enveloped("1", Object(reply) as object)));
        try {
          await callSample(
            clientOn(transport, { settings: settingsFor({ undocumentedOperations: true }) }),
            name,
          );
        } catch (error) {
          assert(error instanceof ProtocolError, String(error));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("The table of operations", () => {
  it("has ten documented operations, two of them writes, and six undocumented ones", () => {
    const named = (documented: boolean, kind: "read" | "write"): string[] =>
      Object.entries(operations)
        .filter(([name, row]) => isDocumented(name) === documented && row.kind === kind)
        .map(([name]) => name);
    assert.equal(named(true, "read").length, 8);
    assert.deepEqual(named(true, "write"), ["Domainshare.Modify", "Batch.Record.Create"]);
    assert.deepEqual(named(false, "read"), ["Domainshare.List"]);
    assert.deepEqual(named(false, "write"), [
      "Record.Modify",
      "Record.Remove",
      "Batch.Record.Modify",
      "Domainshare.Create",
      "Domainshare.Remove",
    ]);
  });

  it("sends an undocumented operation only if the setting is on", async () => {
    for (const name of operationNames.filter((each) => !isDocumented(each))) {
      const transport = scripted(answer(enveloped("1", samples[name].reply)));
      await assert.rejects(callSample(clientOn(transport), name), /not part of the documented interface/);
      assert.equal(transport.requests.length, 0, name);
      await callSample(
        clientOn(transport, { settings: settingsFor({ undocumentedOperations: true }) }),
        name,
      );
      assert.equal(transport.requests.length, 1, name);
    }
  });
});
