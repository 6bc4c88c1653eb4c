import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import {
  listDomains,
  listRecords,
  ProtocolError,
  ServiceError,
  type TransportRequest,
  type TransportResponse,
} from "../../provider/api";
import { header as whole } from "./samples";
import { cleanUp, clientOn, failureAs, listing, scripted, skippingClock, said } from "./support";

after(cleanUp);

const header = { ...whole, id: 1 };
const record = (n: number) => {
  const data = { type: "A", ttl: "600", value: "192.0.2.1", mx: "0" };
  return { id: String(n), name: `h${n}`, line: "默认", line_id: "0", ...data, enabled: "1" };
};
const info = (records: number) =>
  said("1", { domain: { ...header, id: "1", status: "enable", records: String(records) } });
const page = (records: object[], total: number, returned = records.length, domain: object = header) =>
  said("1", {
    domain,
    info: { sub_domains: String(total), record_total: String(total), records_num: String(returned) },
    records,
  });

/** The items of a page from a list of this size. */
function pageOf<T>(body: string, size: number, item: (n: number) => T) {
  const form = new URLSearchParams(body);
  const offset = Number(form.get("offset"));
  const length = Math.max(0, Math.min(Number(form.get("length")), size - offset));
  return Array.from({ length }, (_, n) => item(offset + n));
}

const zoneOf = (size: () => number) => (request: TransportRequest) => {
  const records = pageOf(request.body, size(), record);
  return records.length === 0 ? said("10") : page(records, size());
};
const example = { domain: "example.com" };
const idsOf = ({ records }: { readonly records: readonly { readonly id: string }[] }) =>
  records.map(({ id }) => id);

describe("Listing a zone", () => {
  it("takes one call for 3000 records, and returns the domain", async () => {
    const transport = scripted(zoneOf(() => 3000));
    const zone = await listRecords(clientOn(transport), { domainId: "1", ...example });
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
    const { transport, ...zone } = await listing(zoneOf(() => 6001));
    equal(zone.records.length, 6001);
    equal(new Set(idsOf(zone)).size, 6001);
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
    const { transport, ...zone } = await listing(async (request) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise<void>((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return serve(request);
    });
    deepEqual(
      idsOf(zone).map(Number),
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
    const two = [1, 2].map(record);
    const oddities: TransportResponse[][] = [
      [page(two, 3), page([record(2)], 3)],
      [page(two, 3), page([], 3)],
      [page(two, 2, 3)],
      [page(two, 1)],
      [page(two, 3), said("10")],
    ];
    for (const odd of oddities) {
      const { transport, ...zone } = await listing(...odd, page(two, 2));
      deepEqual([idsOf(zone), transport.requests.length], [["1", "2"], odd.length + 1]);
    }
  });

  it("ends with an error if the zone changes during every reading", async () => {
    let size = 4000;
    const transport = scripted((request) => zoneOf(() => (size += 1))(request));
    await rejects(
      listRecords(clientOn(transport), example),
      /^ProtocolError: Record\.List of example\.com: the zone kept changing while it was read, 5 times in a row/,
    );
    ok(transport.requests.length <= 10);
  });

  it("accepts an empty zone only if the domain counts no records", async () => {
    const empty = await listing(said("10"), info(0));
    deepEqual(empty.records, []);
    equal(empty.domain.id, "1");
    deepEqual(empty.counts, { all: 0, matching: 0, returned: 0 });
    const lying = await failureAs(ProtocolError, listing(said("10"), info(3)));
    equal(lying.code, "10");
    match(lying.message, /the listing is empty, but the domain counts 3 records/);
  });

  it("accepts a filter without a match", async () => {
    const client = clientOn(scripted(said("10"), info(3)));
    const found = await listRecords(client, example, { type: "TXT" });
    deepEqual([found.records, found.counts.all], [[], 3]);
  });

  it("never takes a domain's error for an empty zone", async () => {
    for (const code of ["6", "7", "8", "13"])
      equal((await failureAs(ServiceError, listing(said(code)))).code, code);
  });

  it("refuses the listing of another domain, and compares A-labels", async () => {
    await rejects(
      listRecords(clientOn(scripted(zoneOf(() => 1))), { domainId: "1", domain: "example.org" }),
      /the answer is about another domain \(example\.com\)/,
    );
    const idn = page([record(1)], 1, 1, { ...header, name: "例子.com", punycode: "xn--fsqu00a.com" });
    for (const name of ["例子.com", "xn--fsqu00a.com", "XN--FSQU00A.com."]) {
      equal((await listRecords(clientOn(scripted(idn)), { domain: name })).records.length, 1);
    }
  });
});

describe("Listing domains", () => {
  const domain = (n: number) => {
    const name = `d${n}.example`;
    return { ...header, id: n, name, punycode: name, records: 1, grade_ns: [] };
  };
  const account = (size: number) => (request: TransportRequest) => {
    const domains = pageOf(request.body, size, domain);
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
