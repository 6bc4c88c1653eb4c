import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  listDomains,
  listRecords,
  ProtocolError,
  ServiceError,
  type TransportRequest,
  type TransportResponse,
} from "../../provider/api";
import { header as whole } from "./samples";
import { answer, cleanUp, clientOn, enveloped, failureOf, scripted, skippingClock, said } from "./support";

after(cleanUp);

const header = { ...whole, id: 1 };
const record = (n: number) => {
  const data = { type: "A", ttl: "600", value: "192.0.2.1", mx: "0" };
  return { id: String(n), name: `h${n}`, line: "默认", line_id: "0", ...data, enabled: "1" };
};
const info = (records: number) =>
  enveloped("1", { domain: { ...header, id: "1", status: "enable", records: String(records) } });
const listing = (records: object[], total: number, returned = records.length, domain: object = header) =>
  answer(
    enveloped("1", {
      domain,
      info: { sub_domains: String(total), record_total: String(total), records_num: String(returned) },
      records,
    }),
  );

function zoneOf(size: () => number, first = 0) {
  return (request: TransportRequest): TransportResponse => {
    const form = new URLSearchParams(request.body);
    if (request.operation === "Domain.Info") return answer(info(size()));
    const offset = Number(form.get("offset"));
    const records = Array.from(
      { length: Math.max(0, Math.min(Number(form.get("length")), size() - offset)) },
      (_, n) => record(first + offset + n),
    );
    return records.length === 0 ? said("10") : listing(records, size());
  };
}
const example = { domain: "example.com" };

describe("Listing a zone", () => {
  it("takes one call for 3000 records, and returns the domain", async () => {
    const transport = scripted(zoneOf(() => 3000));
    const zone = await listRecords(clientOn(transport), { domainId: "1", domain: "example.com" });
    equal(zone.records.length, 3000);
    equal(transport.requests.length, 1);
    deepEqual(
      { ...transport.form(0), login_token: "" },
      { login_token: "", format: "json", domain_id: "1", offset: "0", length: "3000" },
    );
    equal(zone.domain.id, "1");
    deepEqual(zone.counts, { all: 3000, matching: 3000, returned: 3000 });
  });

  it("reads page by page, by the name of a domain without an id", async () => {
    const transport = scripted(zoneOf(() => 6001));
    const zone = await listRecords(clientOn(transport), example);
    equal(zone.records.length, 6001);
    equal(new Set(zone.records.map(({ id }) => id)).size, 6001);
    deepEqual(
      [0, 1, 2].map((n) => transport.form(n)["offset"]),
      ["0", "3000", "6000"],
    );
    equal(transport.form(2)["domain"], "example.com");
  });

  it("fetches the pages after the first at once, as many as requests may be in flight, and keeps their order", async () => {
    const serve = zoneOf(() => 30_001);
    let inFlight = 0;
    let most = 0;
    const transport = scripted(async (request) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise<void>((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return serve(request);
    });
    const zone = await listRecords(clientOn(transport), example);
    deepEqual(
      zone.records.map(({ id }) => Number(id)),
      Array.from({ length: 30_001 }, (_, n) => n),
    );
    equal(transport.requests.length, 11);
    equal(most, 5);
  });

  it("reads again after a pause if the zone changes between two pages", async () => {
    let size = 4000;
    let calls = 0;
    const clock = skippingClock();
    const transport = scripted((request) => {
      calls += 1;
      if (calls === 2) size = 3999;
      return zoneOf(() => size)(request);
    });
    equal((await listRecords(clientOn(transport, { clock }), example)).records.length, 3999);
    equal(transport.requests.length, 4);
    deepEqual(clock.sleeps, [1000]);
  });

  it("reads again if an id repeats, a page is short or a counter is wrong", async () => {
    const page = (ids: number[], total: number, count = ids.length) => listing(ids.map(record), total, count);
    const oddities: TransportResponse[][] = [
      [page([1, 2], 3), page([2], 3)],
      [page([1, 2], 3), page([], 3, 0)],
      [page([1, 2], 2, 3)],
      [page([1, 2], 1)],
      [page([1, 2], 3), said("10")],
    ];
    for (const odd of oddities) {
      const transport = scripted(...odd, page([1, 2], 2));
      deepEqual(
        (await listRecords(clientOn(transport), example)).records.map(({ id }) => id),
        ["1", "2"],
      );
      equal(transport.requests.length, odd.length + 1);
    }
  });

  it("ends with an error if the zone changes during every reading", async () => {
    let size = 4000;
    const transport = scripted((request) => zoneOf(() => (size += 1))(request));
    const failure = await failureOf(listRecords(clientOn(transport), example));
    ok(failure instanceof ProtocolError);
    match(
      failure.message,
      /^Record\.List of example\.com: the zone kept changing while it was read, 5 times in a row/,
    );
    ok(transport.requests.length <= 10);
  });

  it("accepts an empty zone only if the domain counts no records", async () => {
    const empty = await listRecords(clientOn(scripted(said("10"), answer(info(0)))), example);
    deepEqual(empty.records, []);
    equal(empty.domain.id, "1");
    deepEqual(empty.counts, { all: 0, matching: 0, returned: 0 });
    const lying = await failureOf(listRecords(clientOn(scripted(said("10"), answer(info(3)))), example));
    ok(lying instanceof ProtocolError);
    equal(lying.code, "10");
    match(lying.message, /the listing is empty, but the domain counts 3 records/);
  });

  it("accepts a filter without a match", async () => {
    const found = await listRecords(clientOn(scripted(said("10"), answer(info(3)))), example, {
      type: "TXT",
    });
    deepEqual([found.records, found.counts.all], [[], 3]);
  });

  it("never takes a domain's error for an empty zone", async () => {
    for (const code of ["6", "7", "8", "13"]) {
      const failure = await failureOf(listRecords(clientOn(scripted(said(code))), example));
      ok(failure instanceof ServiceError);
      equal(failure.code, code);
    }
  });

  it("refuses the listing of another domain, and compares A-labels", async () => {
    const failure = await failureOf(
      listRecords(clientOn(scripted(zoneOf(() => 1))), { domainId: "1", domain: "example.org" }),
    );
    match(failure.message, /the answer is about another domain \(example\.com\)/);
    const idn = listing([record(1)], 1, 1, { ...header, name: "例子.com", punycode: "xn--fsqu00a.com" });
    for (const name of ["例子.com", "xn--fsqu00a.com", "XN--FSQU00A.com."]) {
      equal((await listRecords(clientOn(scripted(idn)), { domain: name })).records.length, 1);
    }
  });
});

describe("Listing domains", () => {
  const domain = (n: number) => ({
    ...header,
    id: n,
    name: `d${n}.example`,
    punycode: `d${n}.example`,
    status: "enable",
    records: 1,
    grade_ns: [],
  });
  const account = (size: number) => (request: TransportRequest) => {
    const form = new URLSearchParams(request.body);
    const offset = Number(form.get("offset"));
    const length = Math.max(0, Math.min(Number(form.get("length")), size - offset));
    const domains = Array.from({ length }, (_, n) => domain(offset + n));
    return domains.length === 0
      ? said("9")
      : said("1", { info: { domain_total: size, all_total: size }, domains });
  };

  it("goes beyond the 3000 of one page", async () => {
    const transport = scripted(account(7000));
    const { counters, domains } = await listDomains(clientOn(transport), {
      type: "mine",
      keyword: "d",
      groupId: "3",
    });
    equal(domains.length, 7000);
    equal(counters?.matching, 7000);
    equal(transport.requests.length, 3);
    const { type, keyword, group_id, length } = transport.form(2);
    deepEqual([type, keyword, group_id, length], ["mine", "d", "3", "3000"]);
  });

  it("takes the code for no domains as an empty list, without counters", async () => {
    deepEqual(await listDomains(clientOn(scripted(account(0)))), { domains: [] });
  });
});
