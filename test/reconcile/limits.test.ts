/** The limits of a domain's package, and their copy on disk. */
import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PurviewReader } from "../../provider/api";
import { renderAll, textOf } from "../../provider/problems";
import { declare, labTests, of, startLab, type Lab } from "./lab";

describe("the preview refuses, as the domain's package does,", () => {
  let lab: Lab;
  const refusals = (...lines: string[]) => lab.refusals(of(...lines));

  before(async () => {
    lab = await startLab({
      domains: [
        {
          name: "example.com",
          grade: "DP_Free",
          purview: { minTtl: 600, aaaa: 2, ns: 1, srv: 1, subdomainLevels: 2, wildcardLevels: 1 },
          records: [{ name: "old", type: "AAAA", value: "2001:db8::1" }],
        },
        { name: "locked.example", status: "lock" },
        { name: "banned.example", status: "spam" },
        { name: "paused.example", status: "pause" },
        { name: "unregistered.example", extStatus: "notexist" },
      ],
    });
  });
  after(() => lab.close());

  it("a TTL below the minimum, named with the plan", async () => {
    deepEqual(await refusals("www 60 A 192.0.2.1"), [
      "example.com: TTL below 600, the minimum of its package, free package (DP_Free); www.example.com. A 192.0.2.1 (TTL 60); declare ttl 600 or more",
    ]);
    deepEqual(await refusals("www 600 A 192.0.2.1", "www2 A 192.0.2.1"), []);
  });

  it("all records beyond one limit in one message, with their figures", async () => {
    const low = Array.from({ length: 20 }, (_, i) => `low${i} 60 A 192.0.2.1`);
    const names = ["y*", "z*", "a.b.c", "d.b.c", "e.d.b.c"];
    const others = names.map((name) => `${name} 600 A 192.0.2.1`);
    const preview = await lab.preview(of(...low, "x 30 A 192.0.2.1", ...others));
    const texts = renderAll(preview.refusals);
    deepEqual(
      texts.map((text) => text.split("\n", 1)[0]),
      [
        "example.com: TTL below 600, the minimum of its package, free package (DP_Free) [limit.ttl]",
        "example.com: its package, free package (DP_Free), has no mixed wildcards [limit.mixed-wildcard]",
        "example.com: its package, free package (DP_Free), has 2 subdomain levels [limit.levels]",
      ],
    );
    match(texts[0] ?? "", /low0\.example\.com\. A 192\.0\.2\.1 {2}TTL 60\n.*… and 11 more\n/s);
    match(texts[2] ?? "", /a\.b\.c\.example\.com\. A 192\.0\.2\.1 +3 levels\n.*e\.d\.b\.c.* 4 levels\n/s);
  });

  it("too many levels of a wildcard", async () => {
    deepEqual(await refusals("*.b 600 A 192.0.2.1", "a.b 600 A 192.0.2.1"), [
      "example.com: its package, free package (DP_Free), has 1 wildcard levels; *.b.example.com. A 192.0.2.1 (2 levels); use shorter names",
    ]);
  });

  it("counts of what is live and what is added, over all resources of the run", async () => {
    const [a, b] = ["a 600 AAAA 2001:db8::2", "b 600 AAAA 2001:db8::3"] as const;
    deepEqual(await refusals(a, b), [
      "example.com: 2 AAAA records to create and 1 live exceed 2, the limit of free package (DP_Free); declare fewer, or take a larger package",
    ]);
    const run = lab.process();
    deepEqual(await run.refusals(of(a)), []);
    const [refusal = ""] = await run.refusals(of(b));
    match(refusal, /1 AAAA records to create and 2 live/);
    match(
      (await refusals("sub 600 NS ns1.example.org", "sub 600 NS ns2.example.org")).join(),
      /2 NS records to create and 0 live exceed 1/,
    );
    match(
      (await refusals("_a._tcp 600 SRV 1 1 1 a.example.org", "_b._tcp 600 SRV 1 1 1 a.example.org")).join(),
      /2 SRV records/,
    );
  });

  it("counts of what other resources add, also after another reading of the zone", async () => {
    const run = lab.process();
    deepEqual(await run.refusals(of("a 600 AAAA 2001:db8::2")), []);
    await run.reconciler.zones.get("example.com", lab.clock.now() + 1);
    match((await run.refusals(of("b 600 AAAA 2001:db8::3"))).join(), /1 AAAA records to create and 2 live/);
  });

  it("a domain that is locked or banned, and only remarks on one that is idle", async () => {
    for (const [domain, refused, remark] of [
      ["locked.example", /locked/, /^$/],
      ["banned.example", /banned/, /^$/],
      ["paused.example", /^$/, /paused/],
      ["unregistered.example", /^$/, /not registered/],
    ] as const) {
      const preview = await lab.preview(declare(domain, ["www 600 A 192.0.2.1"]));
      match(preview.refusals.map(textOf).join(), refused);
      match(preview.warnings.map(textOf).join(), remark);
    }
  });

  it("a CNAME beside unmanaged data, and data beside an unmanaged CNAME", async () => {
    lab.add("theirs CNAME example.net.");
    const blocked = async (line: string) => (await lab.preview(of(line))).failures.map(textOf).join();
    match(
      await blocked("old 600 CNAME example.net"),
      /old\.example\.com\. CNAME example\.net\. \(declared\); old\.example\.com\. AAAA 2001:db8::1/,
    );
    match(
      await blocked("theirs 600 TXT x"),
      /theirs\.example\.com\. TXT "x" \(declared\); theirs\.example\.com\. CNAME example\.net\./,
    );
  });

  it("no mixed wildcard that the package allows", async () => {
    lab.admin.addDomain({ name: "mixed.example", purview: { mixedWildcards: true } });
    await lab.must(declare("mixed.example", ["x* 600 A 192.0.2.1"]));
  });

  it("as kept on disk for the next process, until the service contradicts them", async () => {
    await refusals("www 600 A 192.0.2.1");
    lab.clearCalls();
    lab.admin.setDomain("example.com", { purview: { minTtl: 3600 } });
    const declaration = of("low 600 A 192.0.2.1");
    deepEqual([await lab.refusals(declaration), lab.calls("Domain.Purview")], [[], 0]);
    const { failures } = await lab.up(declaration);
    deepEqual(
      failures.map(({ code, parts, why }) => [code, parts, why]),
      [
        [
          "write.refused",
          { domain: "example.com", done: "created" },
          "TTL is below the plan's minimum of 3600",
        ],
      ],
    );
    match((await lab.refusals(declaration)).join(), /TTL below 3600/);
  });
});

describe("limits", () => {
  const { it, start } = labTests({ domains: [{ name: "example.com", purview: { minTtl: 600 } }] });
  const low = of("www 60 A 192.0.2.1");

  for (const [limits, warned, asked] of [
    ["warn", 1, 1],
    ["off", 0, 0],
  ] as const)
    it(`set to ${limits} refuse nothing`, async () => {
      const lab = await start({}, { limits: limits });
      const { refusals, warnings } = await lab.preview(low);
      deepEqual([refusals, warnings.length, lab.calls("Domain.Purview")], [[], warned, asked]);
    });

  it("that cannot be read refuse nothing and cause a warning", async (lab) => {
    lab.answer("Domain.Purview", "-7");
    const { refusals, warnings } = await lab.preview(low);
    deepEqual([refusals, warnings.map(({ code }) => code)], [[], ["zone.limits-unknown"]]);
  });
});

describe("a domain's purview on disk", () => {
  let lab: Lab;
  let now = 1_700_000_000_000;
  const { it, start } = labTests();
  beforeEach(async () => {
    lab = await start();
  });
  const readerOf = () =>
    new PurviewReader(lab.client, lab.settings, { ...lab.clock, now: () => now, wall: () => now });
  const read = (reader = readerOf(), domain = "example.com") => reader.get({ domain });
  const readWith = async (calls: number, why?: string) => {
    lab.clearCalls();
    const purview = await read();
    equal(lab.calls("Domain.Purview"), calls, why);
    return purview;
  };
  const files = () => {
    const folder = join(lab.settings.stateDir, "purview");
    return readdirSync(folder).map((name) => join(folder, name));
  };

  it("is good for a day, to the second, and not for a time to come", async () => {
    const first = await readWith(1);
    now += 86_400_000 - 1000;
    deepEqual(await readWith(0), first);
    now += 1000;
    await readWith(1);
    now -= 3_600_000;
    await readWith(1, "a clock that was put back makes it stale");
  });

  it("is one whole file for this user alone, whichever of many processes wrote it last", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => read()));
    for (const each of all) deepEqual(each, all[0]);
    const [file = "", ...others] = files();
    deepEqual([others, statSync(file).mode & 0o777], [[], 0o600]);
    deepEqual(await readWith(0), all[0]);
  });

  it("is asked for again if the file is broken, another domain's, or of another form", async () => {
    const first = await read();
    for (const text of [
      "",
      '{"at":',
      "[]",
      JSON.stringify({ at: now, domain: "example.net", entries: [] }),
      JSON.stringify({ at: now, domain: "example.com", entries: [{ name: 1 }] }),
    ]) {
      writeFileSync(files()[0] ?? "", text);
      deepEqual(await readWith(1, text), first);
    }
  });

  it("of two domains is two files, and a failed reading is no answer to keep", async () => {
    lab.answer("Domain.Purview", "-7", { count: 1 });
    const reader = readerOf();
    await rejects(read(reader));
    await Promise.all([read(reader), read(reader, "example.net")]);
    equal(files().length, 2);
  });
});
