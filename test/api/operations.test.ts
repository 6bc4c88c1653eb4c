import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import {
  type OperationName,
  operations,
  ProtocolError,
  type Requests,
  RequestError,
} from "../../provider/api";
import { isDocumented } from "../../provider/api/operations";
import {
  callSample,
  domain as domainSample,
  header,
  info,
  jobRecord,
  operationNames,
  record as mxSample,
  samples,
} from "./samples";
import { cleanUp, clientOn, failureAs, scripted, settingsFor, TOKEN, said } from "./support";

after(cleanUp);

const full = settingsFor({ undocumentedOperations: true });

function sends<N extends OperationName>(
  title: string,
  operation: N,
  request: Requests[N],
  form: Record<string, string>,
) {
  it(`${operation} sends ${title}`, async () => {
    const transport = scripted(said("1", samples[operation].reply));
    await clientOn(transport, { settings: full }).call(operation, request);
    equal(transport.requests[0]?.operation, operation);
    deepEqual(transport.form(0), { login_token: TOKEN, format: "json", ...form });
  });
}

function refuses<N extends OperationName>(
  title: string,
  operation: N,
  requests: readonly Requests[N][],
  message = /is not valid/,
) {
  it(`${operation} refuses ${title}`, async () => {
    for (const request of requests) {
      const transport = scripted(said("1"));
      const failure = await failureAs(RequestError, clientOn(transport).call(operation, request));
      match(failure.message, message);
      deepEqual([failure.outcome, transport.requests.length], ["not-sent", 0]);
    }
  });
}

function read<N extends OperationName>(operation: N, reply: object) {
  const { request } = samples[operation];
  return clientOn(scripted(said("1", reply))).call(operation, request);
}

const { vip_start_at: _start, vip_end_at: _end, vip_auto_renew: _renew, ...free } = domainSample;
const infoSample = {
  ...free,
  grade_title: "新免费套餐",
  ext_status: "dnserror",
  remark: false,
  is_vip: "no",
  updated_on: "0000-00-00 00:00:00",
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
  domain: { ...header, min_ttl: 600, brand_ns: ["ns1.example.net"], service_ns: undefined },
  info: { sub_domains: "3", record_total: 1, records_num: "1" },
  records: [recordSample],
};
const listed = (...records: object[]) => read("Record.List", { ...listSample, records });

describe("A request", () => {
  const byName = { domain: "example.com" };
  sends("a domain's name", "Domain.Info", byName, byName);
  sends("a domain's id if it is given", "Domain.Info", { domainId: "7", ...byName }, { domain_id: "7" });
  refuses("a request without a domain", "Domain.Info", [{}], /domainId or domain must be given/);
  sends("no parameter without a filter", "Domain.List", {}, {});
  sends(
    "every filter",
    "Domain.List",
    { type: "share_out", offset: 3000, length: 3000, groupId: "4", keyword: "ex am+ple" },
    { type: "share_out", offset: "3000", length: "3000", group_id: "4", keyword: "ex am+ple" },
  );
  const share = { email: "a@example.org", mode: "rw" } as const;
  sends(
    "a share of the domain",
    "Domainshare.Modify",
    { domainId: "1", ...share },
    { domain_id: "1", ...share },
  );
  sends(
    "sub-domains of a share",
    "Domainshare.Modify",
    { domainId: "1", ...share, subDomain: "s", oldSubDomain: "a", newSubDomain: "b" },
    { domain_id: "1", ...share, sub_domain: "s", old_sub_domain: "a", new_sub_domain: "b" },
  );
  const filter = { name: "www", type: "A", line: "电信", lineId: "10=0", keyword: "k" };
  sends(
    "every filter",
    "Record.List",
    { ...byName, offset: 0, length: 3000, ...filter },
    {
      ...byName,
      offset: "0",
      length: "3000",
      sub_domain: "www",
      record_type: "A",
      record_line: "电信",
      record_line_id: "10=0",
      keyword: "k",
    },
  );
  refuses("an offset without a length, and a length over 3000", "Record.List", [
    { ...byName, offset: 1 },
    { ...byName, length: 3001 },
  ]);
  const a = { subDomains: ["www", "api"], type: "A", line: "默认", value: "192.0.2.1", ttl: 600 };
  const mx = { ...a, subDomains: ["@"], type: "MX", value: "mx.example.com.", priority: 10 };
  const sentA = {
    sub_domain: "www,api",
    record_type: "A",
    record_line: "默认",
    value: "192.0.2.1",
    ttl: 600,
  };
  const sentMx = { ...sentA, sub_domain: "", record_type: "MX", value: "mx.example.com.", MX: 10 };
  sends(
    "ids and labels as comma lists, an empty label for the apex and MX for MX only",
    "Batch.Record.Create",
    { domainIds: ["1", "2"], records: [a, mx, { ...a, priority: 5 }] },
    { domain_id: "1,2", records: JSON.stringify([sentA, sentMx, sentA]) },
  );
  refuses(
    "a shared apex, a comma in a label or an id, a TTL of 0 and a job without records",
    "Batch.Record.Create",
    [
      { domainIds: ["1"], records: [{ ...a, subDomains: ["", "www"] }] },
      { domainIds: ["1"], records: [{ ...a, subDomains: ["a,b"] }] },
      { domainIds: ["1"], records: [] },
      { domainIds: ["1,2"], records: [a] },
      { domainIds: ["1"], records: [{ ...a, ttl: 0 }] },
    ],
  );
});

describe("An answer", () => {
  it("of Domain.Info returns numbers, booleans and times with their zone, and leaves out an invalid date", async () => {
    const got = await read("Domain.Info", { domain: infoSample });
    deepEqual(got, { ...domainResult, userId: "730060", filed: true });
  });

  it("of Domain.List may have integer ids, another key of the name servers and unknown keys", async () => {
    const { service_ns, user_id: _u, is_beian: _b, ...rest } = infoSample;
    const odd = { id: 2059079, group_id: 9, grade_ns: service_ns, src_flag: "x", auth_to_security: true };
    const got = await read("Domain.List", { info, domains: [{ ...rest, ...odd }] });
    deepEqual(got.domains, [{ ...domainResult, authToSecurity: true }]);
    deepEqual(got.counters, {
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

  it("of Domainshare.Modify is only its status", async () =>
    deepEqual(await read("Domainshare.Modify", { surprise: 1 }), {}));

  it("of Record.List returns header, counters and records for every type of a value", async () => {
    const { zone, counts, records } = await listed(recordSample);
    const { service_ns: _ns, ext_status: _ext, min_ttl: _min, ...shared } = header;
    deepEqual(zone, {
      ...shared,
      extStatus: "",
      minTtl: 600,
      nameServers: ["ns1.example.net"],
    });
    deepEqual(counts, { all: 3, matching: 1, returned: 1 });
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
    deepEqual(records, [record]);
    const numbers = { id: 1, ttl: 600, mx: 0, enabled: 1 };
    const flipped = { ...recordSample, ...numbers, remark: false, monitor_status: null, name: "" };
    deepEqual((await listed(flipped)).records, [record]);
  });

  it("of Record.List returns the priority of an SRV record whose value lacks it", async () => {
    const values = ["5 5060 sip.example.com.", "10 5 5060 sip.example.com."];
    const { records } = await listed(
      ...values.map((value) => ({ ...recordSample, type: "srv", mx: "10", value })),
    );
    deepEqual(
      records.map(({ priority }) => priority),
      [10, undefined],
    );
  });

  it("of Record.List returns priority, monitor, weight, remark and state of an MX record", async () => {
    const mx = { ...mxSample, enabled: "0", monitor_status: "Down", weight: 5, remark: "mail" };
    const [record, zero] = (await listed(mx, { ...mx, mx: 0 })).records;
    deepEqual(
      [record?.priority, record?.enabled, record?.monitorStatus, record?.weight, record?.remark],
      [10, false, "down", 5, "mail"],
    );
    equal(zero?.priority, 0);
  });

  it("of Batch.Record.Create returns the job's id and ignores the echo", async () => {
    for (const job_id of ["17", 17]) {
      const got = await read("Batch.Record.Create", { job_id, detail: [{ status: 5, records: "?" }] });
      deepEqual(got, { jobId: "17" });
    }
  });

  it("of Batch.Detail may have items without records, and an unknown status", async () => {
    const reply = samples["Batch.Detail"].reply as { readonly detail: readonly object[] };
    const waiting = { domain: "a.example", status: "waiting" };
    const domains = { ...reply, type: "domain", detail: [{ ...waiting, records: null }] };
    deepEqual((await read("Batch.Detail", domains)).items, [{ ...waiting, records: [] }]);
    const failed = { ...jobRecord, status: "error", record_id: null, mx: "10", err_msg: "Record exists" };
    const odd = [{ ...reply.detail[0], status: "perhaps", records: [jobRecord, failed] }];
    const [item] = (await read("Batch.Detail", { ...reply, detail: odd })).items;
    ok(item !== undefined && !("status" in item));
    deepEqual(
      item.records.map(({ status }) => status),
      ["ok", "error"],
    );
  });
});

describe("A hostile answer", () => {
  const secret = "s3cret-value";

  it("ends in an error with the key and without the value", async () => {
    const cases: [records: unknown, RegExp][] = [
      [[{ ...recordSample, id: 2 ** 60 }], /records\.0\.id: expected an id, found a number/],
      [[{ ...recordSample, value: { deep: secret } }], /records\.0\.value: expected a text, found an object/],
      [{ 0: recordSample }, /records: /],
      [secret, /records: /],
    ];
    for (const [records, expected] of cases) {
      const failure = await failureAs(ProtocolError, read("Record.List", { ...listSample, records }));
      match(failure.message, expected);
      ok(!failure.message.includes(secret));
    }
  });

  it("loses fields that no caller needs", async () => {
    const { ttl: _ttl, enabled: _enabled, status: _status, ...bare } = recordSample;
    const [record] = (await listed(bare)).records;
    for (const odd of [
      { ttl: secret, enabled: secret },
      { ttl: 1e300, enabled: 7 },
      { ttl: null, enabled: {} },
    ]) {
      const reply = { domain: [], info: { record_total: -1 }, records: [{ ...bare, ...odd }] };
      deepEqual(await read("Record.List", reply), { zone: {}, counts: {}, records: [record] });
    }
  });
});

describe("The table of operations", () => {
  it("has ten documented operations, two of them writes, and six undocumented ones", () => {
    const named = (documented: boolean, kind: "read" | "write") =>
      Object.entries(operations)
        .filter(([name, row]) => isDocumented(name) === documented && row.kind === kind)
        .map(([name]) => name);
    equal(named(true, "read").length, 8);
    deepEqual(named(true, "write"), ["Domainshare.Modify", "Batch.Record.Create"]);
    deepEqual(named(false, "read"), ["Domainshare.List"]);
    deepEqual(named(false, "write"), [
      "Record.Modify",
      "Record.Remove",
      "Batch.Record.Modify",
      "Domainshare.Create",
      "Domainshare.Remove",
    ]);
  });

  it("sends an undocumented operation only if the setting is on", async () => {
    for (const name of operationNames.filter((each) => !isDocumented(each))) {
      const transport = scripted(said("1", samples[name].reply));
      await rejects(callSample(clientOn(transport), name), /not part of the documented interface/);
      equal(transport.requests.length, 0, name);
      await callSample(clientOn(transport, { settings: full }), name);
      equal(transport.requests.length, 1, name);
    }
  });
});
