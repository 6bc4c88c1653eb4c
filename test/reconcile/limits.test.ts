import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { textOf } from "../../provider/problems";
import { declare, startLab, type Lab } from "../support/lab";

describe("the preview refuses what the domain's package refuses", () => {
  let lab: Lab;
  const refusals = async (lines: string[], domain = "example.com"): Promise<readonly string[]> =>
    (await lab.reconciler().preview(declare(domain, lines))).refusals.map(textOf);

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
    assert.deepEqual(await refusals(["www 60 A 192.0.2.1"]), [
      "www.example.com. A 192.0.2.1 has TTL 60, which is below the minimum of 600 of example.com's package, free package (DP_Free); declare ttl 600 or more",
    ]);
    assert.deepEqual(await refusals(["www 600 A 192.0.2.1", "www2 A 192.0.2.1"]), []);
  });

  it("what breaks one limit in the same way in one message, and each record in the figures", async () => {
    const ofPackage = "of example.com's package, free package (DP_Free)";
    const low = Array.from({ length: 20 }, (_, i) => `low${i} 60 A 192.0.2.1`);
    const preview = await lab
      .reconciler()
      .preview(
        declare("example.com", [
          ...low,
          "x 30 A 192.0.2.1",
          "y* 600 A 192.0.2.1",
          "z* 600 A 192.0.2.1",
          "a.b.c 600 A 192.0.2.1",
          "d.b.c 600 A 192.0.2.1",
          "e.d.b.c 600 A 192.0.2.1",
        ]),
      );
    const ten = Array.from({ length: 10 }, (_, i) => `low${i}.example.com. A 192.0.2.1`).join("; ");
    assert.deepEqual(preview.refusals.map(textOf), [
      `20 records (${ten}; and 10 more) have TTL 60, which is below the minimum of 600 ${ofPackage}; declare ttl 600 or more. The diff of \`pulumi-legacydns plan\` shows every one`,
      `x.example.com. A 192.0.2.1 has TTL 30, which is below the minimum of 600 ${ofPackage}; declare ttl 600 or more`,
      `2 records (y*.example.com. A 192.0.2.1; z*.example.com. A 192.0.2.1) are mixed wildcards, which are not part ${ofPackage}; write "*" as a whole label, or take a larger package`,
      `2 records (a.b.c.example.com. A 192.0.2.1; d.b.c.example.com. A 192.0.2.1) have 3 labels below example.com, and the subdomain levels ${ofPackage}, are 2; use shorter names or a larger package`,
      `e.d.b.c.example.com. A 192.0.2.1 has 4 labels below example.com, and the subdomain levels ${ofPackage}, are 2; use a shorter name or a larger package`,
    ]);
    assert.equal(preview.refused.size, 26);
  });

  it("too many levels, with and without a wildcard", async () => {
    assert.deepEqual(
      [...(await refusals(["a.b.c 600 A 192.0.2.1", "*.b 600 A 192.0.2.1", "a.b 600 A 192.0.2.1"]))].sort(),
      [
        "*.b.example.com. A 192.0.2.1 has 2 labels below example.com, and the wildcard levels of example.com's package, free package (DP_Free), are 1; use a shorter name or a larger package",
        "a.b.c.example.com. A 192.0.2.1 has 3 labels below example.com, and the subdomain levels of example.com's package, free package (DP_Free), are 2; use a shorter name or a larger package",
      ],
    );
  });

  it("counts of what is live and what is added, over all resources of the run", async () => {
    assert.deepEqual(await refusals(["a 600 AAAA 2001:db8::2", "b 600 AAAA 2001:db8::3"]), [
      "example.com: 2 AAAA records to add and 1 live make 3; the limit of example.com's package, free package (DP_Free), is 2. Declare fewer, or take a larger package",
    ]);
    const run = lab.reconciler();
    assert.deepEqual((await run.preview(declare("example.com", ["a 600 AAAA 2001:db8::2"]))).refusals, []);
    assert.match(
      (await run.preview(declare("example.com", ["b 600 AAAA 2001:db8::3"]))).refusals.map(textOf).join(),
      /1 AAAA records to add and 2 live/,
    );
    assert.match(
      (await refusals(["sub 600 NS ns1.example.org", "sub 600 NS ns2.example.org"])).join(),
      /2 NS records to add and 0 live make 2; the limit.* is 1/,
    );
    assert.match(
      (await refusals(["_a._tcp 600 SRV 1 1 1 a.example.org", "_b._tcp 600 SRV 1 1 1 a.example.org"])).join(),
      /2 SRV records/,
    );
  });

  it("a domain that is locked or banned, and only remarks on one that is idle", async () => {
    assert.match((await refusals(["www 600 A 192.0.2.1"], "locked.example")).join(), /locked/);
    assert.match((await refusals(["www 600 A 192.0.2.1"], "banned.example")).join(), /banned/);
    for (const [domain, remark] of [
      ["paused.example", /paused/],
      ["unregistered.example", /not registered/],
    ] as const) {
      const preview = await lab.reconciler().preview(declare(domain, ["www 600 A 192.0.2.1"]));
      assert.deepEqual(preview.refusals, []);
      assert.match(preview.warnings.map(textOf).join(), remark);
    }
  });

  it("a CNAME beside live data that nobody declares, and data beside a live CNAME, before anything is written", async () => {
    lab.service.admin.addRecord(
      "example.com",
      { name: "theirs", type: "CNAME", value: "example.net." },
      { indexed: true },
    );
    assert.match(
      (await refusals(["old 600 CNAME example.net"])).join(),
      /^old\.example\.com\. CNAME example\.net\.: a record at the same name and line excludes it \(a CNAME stands alone\): old\.example\.com\. AAAA 2001:db8::1/,
    );
    assert.match(
      (await refusals(["theirs 600 TXT x"])).join(),
      /^theirs\.example\.com\. TXT "x": a record at the same name and line excludes it \(a CNAME stands alone\): theirs\.example\.com\. CNAME example\.net\./,
    );
  });

  it("a mixed wildcard where the package has none, before the service does", async () => {
    const [refusal] = await refusals(["x* 600 A 192.0.2.1"]);
    assert.match(
      refusal ?? "",
      /^x\*\.example\.com\. A 192\.0\.2\.1 is a mixed wildcard, which is not part of example\.com's package, free package \(DP_Free\);/,
    );
    lab.service.admin.addDomain({ name: "mixed.example", purview: { mixedWildcards: true } });
    const declaration = declare("mixed.example", ["x* 600 A 192.0.2.1"]);
    const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
  });

  it("with one call per domain, kept on disk for the next process, for this user alone", async () => {
    await refusals(["www 600 A 192.0.2.1"]);
    lab.service.admin.clearCalls();
    await refusals(["www 60 A 192.0.2.1"]);
    assert.equal(lab.service.admin.counts()["Domain.Purview"], undefined);
    const folder = join(lab.settings.stateDir, "purview");
    for (const file of readdirSync(folder)) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
  });

  it("asked again when the service contradicts what is kept", async () => {
    lab.service.admin.setDomain("example.com", { purview: { minTtl: 3600 } });
    const declaration = declare("example.com", ["low 600 A 192.0.2.1"]);
    assert.deepEqual((await lab.reconciler().preview(declaration)).refusals, []);
    const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.match(
      failures.map(textOf).join(),
      /refused by the service: TTL is below the plan's minimum of 3600/,
    );
    assert.match(
      (await lab.reconciler().preview(declaration)).refusals.map(textOf).join(),
      /below the minimum of 3600/,
    );
  });
});

describe("limits, when the stack says so,", () => {
  it("only warn, or are not asked for at all", async () => {
    for (const [limits, warned, asked] of [
      ["warn", 1, 1],
      ["off", 0, undefined],
    ] as const) {
      const lab = await startLab(
        { domains: [{ name: "example.com", purview: { minTtl: 600 } }] },
        { LEGACYDNS_LIMITS: limits },
      );
      try {
        const preview = await lab.reconciler().preview(declare("example.com", ["www 60 A 192.0.2.1"]));
        assert.deepEqual(preview.refusals, []);
        assert.equal(preview.warnings.length, warned);
        assert.equal(lab.service.admin.counts()["Domain.Purview"], asked);
      } finally {
        await lab.close();
      }
    }
  });

  it("that cannot be read refuse nothing, and a warning says so", async () => {
    const lab = await startLab({ domains: [{ name: "example.com" }] });
    lab.service.admin.addFault({ operation: "Domain.Purview", kind: "code", code: "-7" });
    try {
      const preview = await lab.reconciler().preview(declare("example.com", ["www 60 A 192.0.2.1"]));
      assert.deepEqual(preview.refusals, []);
      assert.match(preview.warnings.map(textOf).join(), /limits are not checked/);
    } finally {
      await lab.close();
    }
  });
});
