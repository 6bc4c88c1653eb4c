/** Domains, plans and lines, looked up from the emulator. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCustomLines, getDomain, getDomains, getPurview } from "../../provider/functions";
import { timesOf, withScript, withService } from "./support";

const example = { domain: "example.com" };
const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/;

describe("getDomain", () => {
  it(
    "returns one domain in typed English, by name and by id",
    withService(
      {
        domains: [
          {
            name: "example.com",
            grade: "DP_Plus",
            status: "pause",
            extStatus: "dnserror",
            mark: true,
            groupId: 7,
            vip: {
              startAt: "2026-01-01T00:00:00+08:00",
              endAt: "2027-01-01T00:00:00+08:00",
              autoRenew: "yes",
            },
          },
        ],
      },
      async (emulator) => {
        const domain = await getDomain({ domain: "Example.COM." });
        const { id, createdOn, updatedOn, userId, ...rest } = domain;
        match(id ?? "", /^\d+$/);
        match(userId ?? "", /^\d+$/);
        for (const time of [createdOn, updatedOn]) {
          match(time ?? "", zoned);
          ok(Date.parse(time ?? "") > 0);
        }
        const { grade, status, extStatus, recordCount, groupId, starred, vipStartAt } = rest;
        deepEqual([grade, status, extStatus], ["DP_Plus", "pause", "dnserror"]);
        deepEqual([recordCount, groupId, starred, vipStartAt], [2, "7", true, "2026-01-01"]);
        deepEqual(await getDomain({ domainId: Number(id) }), domain);
        deepEqual(await getDomain({ domainId: id }), domain);
        deepEqual(JSON.parse(JSON.stringify(domain)), domain);
        deepEqual(
          emulator.admin.calls("Domain.Info").map(({ params }) => [params["domain"], params["domain_id"]]),
          [
            ["example.com", undefined],
            [undefined, id],
          ],
        );
      },
    ),
  );

  it(
    "finds an internationalised domain by either of its names",
    withService({ domains: ["bücher.example"] }, async () => {
      const domain = await getDomain({ domain: "bücher.example" });
      deepEqual([domain.name, domain.punycode], ["bücher.example", "xn--bcher-kva.example"]);
      deepEqual(await getDomain({ domain: "xn--bcher-kva.example" }), domain);
    }),
  );

  it(
    "returns undocumented words as they are",
    withScript(
      { "Domain.Info": { domain: { id: 17, name: "example.com", status: "frozen", grade: "X" } } },
      async () => {
        const { status, grade } = await getDomain(example);
        deepEqual([status, grade], ["frozen", "X"]);
      },
    ),
  );
});

describe("getDomains", () => {
  const domains = [
    { name: "a.example", mark: true },
    { name: "b.example", status: "pause" as const, groupId: 9 },
    { name: "c.example", shares: [{ email: "friend@example.net" }] },
    { name: "d.example", vip: { startAt: "2026-01-01T00:00:00Z", endAt: "2036-01-01T00:00:00Z" } },
    { name: "e.example", owner: "friend@example.net", shares: [{ email: "owner@example.com" }] },
  ];
  const accounts = [{ email: "owner@example.com" }, { email: "friend@example.net" }];

  it(
    "lists by every kind",
    withService({ accounts, domains }, async () => {
      const names = async (args: Parameters<typeof getDomains>[0]): Promise<string> =>
        (await getDomains(args)).domains.map(({ name }) => name[0]).join("");
      for (const [type, expected] of [
        ["all", "abcde"],
        ["mine", "abcd"],
        ["sharedToMe", "e"],
        ["sharedByMe", "c"],
        ["starred", "a"],
        ["paused", "b"],
        ["vip", "d"],
        ["recent", ""],
      ] as const)
        equal(await names({ type }), expected, type);
      equal(await names({}), "abcde");
      for (const args of [{ keyword: "b.ex" }, { groupId: 9 }, { groupId: "9", keyword: "example" }])
        equal(await names(args), "b");
      equal(await names({ groupId: "9", type: "mine", keyword: "example" }), "b");
    }),
  );

  it(
    "returns the counters, also without a match",
    withService({ accounts, domains }, async () => {
      const { counters, domains: found } = await getDomains();
      const none = { dnsError: 0, locked: 0, banned: 0, vipExpiring: 0 };
      const one = { sharedToMe: 1, sharedByMe: 1, vip: 1, starred: 1, paused: 1 };
      deepEqual(counters, { matching: 5, all: 5, mine: 4, ...one, ...none });
      match(timesOf(found.find(({ name }) => name === "d.example")?.vipStartAt)[0] ?? "", zoned);
      deepEqual(await getDomains({ keyword: "nowhere" }), {
        domains: [],
        counters: { ...counters, matching: 0 },
      });
    }),
  );
});

describe("getPurview", () => {
  it(
    "returns every known limit as a typed field, and keeps the entries",
    withService({ domains: [{ name: "example.com", grade: "DP_Plus" }] }, async () => {
      const { entries, ...rest } = await getPurview(example);
      deepEqual(rest, {
        domain: "example.com",
        urlForwards: 20,
        nsRecords: "unlimited",
        aaaaRecords: "unlimited",
        srvRecords: "unlimited",
        aliases: 10,
        lockDays: 30,
        shares: 20,
        subdomainLevels: 10,
        wildcardLevels: 5,
        loadBalancing: 60,
        minTtl: 60,
        mixedWildcards: false,
        enhancedLines: true,
        provinceLines: false,
        continentLines: false,
        unknownLabels: [],
      });
      equal(entries.length, 15);
      deepEqual(entries[1], { name: "NS记录条数", value: 99999 });
    }),
  );

  for (const [how, days, calls] of [
    ["answers from the copy on disk, in the next process as well", 0, 1],
    ["asks again where the copy is older than a day", 2, 2],
  ] as const) {
    it(
      how,
      withService({}, async (emulator) => {
        const stateDir = process.env["LEGACYDNS_STATE_DIR"] ?? "";
        const first = await getPurview(example);
        const [name = "", ...others] = readdirSync(join(stateDir, "purview"));
        deepEqual(others, []);
        const file = join(stateDir, "purview", name);
        const copy = JSON.parse(readFileSync(file, "utf8"));
        writeFileSync(file, JSON.stringify({ ...copy, at: copy.at - days * 86_400_000 }));
        // Another setting makes another account, as a new process does.
        process.env["LEGACYDNS_REQUEST_TIMEOUT"] = "29";
        deepEqual(await getPurview(example), first);
        equal(emulator.admin.counts()["Domain.Purview"], calls);
      }),
    );
  }

  it(
    "finds a domain by its id, as text or number, with a separate answer",
    withService({ domains: ["example.com", "example.net"] }, async (emulator) => {
      const { id = "" } = await getDomain(example);
      const { domain: _named, ...named } = await getPurview(example);
      deepEqual(await getPurview({ domainId: id }), { domainId: id, ...named });
      deepEqual(await getPurview({ domainId: Number(id) }), { domainId: id, ...named });
      deepEqual(
        emulator.admin.calls("Domain.Purview").map(({ params }) => [params["domain"], params["domain_id"]]),
        [
          ["example.com", undefined],
          [undefined, id],
        ],
      );
    }),
  );

  const others = [
    { name: "New limit", value: 5 },
    { name: "混合泛解析支持", value: "perhaps" },
    { name: "NS记录条数", value: 11 },
    { name: "Words", value: "some" },
  ];

  it(
    "keeps unknown labels",
    withScript(
      {
        "Domain.Purview": {
          purview: [{ name: "NS 记录条数", value: "10" }, ...others],
        },
      },
      async () => {
        deepEqual(await getPurview(example), {
          domain: "example.com",
          nsRecords: 10,
          entries: [{ name: "NS 记录条数", value: 10 }, ...others],
          unknownLabels: ["New limit", "Words"],
        });
      },
    ),
  );
});

describe("getCustomLines", () => {
  it(
    "returns the lines with their ranges, and the quota",
    withService(
      {
        domains: [
          {
            name: "example.com",
            customLineMax: 5,
            customLines: [
              { name: "office", area: "192.0.2.0-192.0.2.255", useCount: 2 },
              { name: "odd", area: "192.0.2.7" },
            ],
          },
          { name: "example.net", customLineMax: 3 },
        ],
      },
      async () => {
        const { domainId, ...lines } = await getCustomLines(example);
        const { domain: _named, ...unnamed } = lines;
        deepEqual(await getCustomLines({ domainId: domainId ?? "" }), { ...unnamed, domainId });
        deepEqual(lines, {
          domain: "example.com",
          lines: [
            { name: "office", area: "192.0.2.0-192.0.2.255", useCount: 2, maxCount: 5 },
            { name: "odd", area: "192.0.2.7", useCount: 0, maxCount: 5 },
          ],
          quota: { used: 2, available: 3, max: 5 },
        });
        deepEqual(await getCustomLines({ domain: "example.net" }), {
          domain: "example.net",
          lines: [],
          quota: { used: 0, available: 3 },
        });
      },
    ),
  );
});
