import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expandSpecs } from "../../provider/dns";
import {
  allOff,
  checkZone,
  findingTexts,
  levelOf,
  mostShown,
  overlaid,
  readCheckLevels,
  type CheckFinding,
} from "../../provider/dns/checks";
import { checkCodes, textOf } from "../../provider/problems";

interface Surroundings {
  /** What is live beside it and stays. */
  readonly beside?: string;
  /** Whether something else may be in the zone. */
  readonly part?: boolean;
  readonly sensitive?: boolean;
}

const records = (text: string) => expandSpecs("example.com", text, { defaultLine: "默认" }).records;

function findings(
  text: string,
  { beside = "", part = false, sensitive = false }: Surroundings = {},
): CheckFinding[] {
  const marked = sensitive
    ? records(text).map((record) => ({ ...record, secret: true as const }))
    : records(text);
  return checkZone({ domain: "example.com", declared: marked, beside: records(beside), whole: !part });
}

/** The codes that a zone's lines bring about, each with the owner of the record. */
function codes(text: string, surroundings?: Surroundings): string[] {
  return findings(text, surroundings).map(
    (finding) => `${finding.code} ${textOf(finding).split(" ")[0] ?? ""}`,
  );
}

const includes = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `include:s${from + i}.example.org`).join(" ");

/** For each code: zones in which it is found, of the record that is named, and zones that are a near miss. */
const cases: Readonly<
  Record<
    (typeof checkCodes)[number],
    {
      readonly fires: readonly (readonly [zone: string, owner: string, surroundings?: Surroundings])[];
      readonly not: readonly (readonly [zone: string, surroundings?: Surroundings])[];
    }
  >
> = {
  "mx-cname": {
    fires: [
      ["@ MX 10 mail.example.com\nmail CNAME www.example.com\nwww A 192.0.2.1", "example.com."],
      ["@ MX 10 mail.example.com", "example.com.", { beside: "mail CNAME host.example.org", part: true }],
      ["@ MX 10 a.w.example.com\n*.w CNAME host.example.org", "example.com."],
    ],
    not: [
      ["@ MX 10 mail.example.com\nmail A 192.0.2.1"],
      ["@ MX 10 mail.example.org\nmail CNAME www.example.org"],
      ["@ MX 1 .\n* CNAME host.example.org"],
    ],
  },
  "mx-missing": {
    fires: [
      ["@ MX 10 mail.example.com", "example.com."],
      ["@ MX 10 mail.example.com\nmail TXT x", "example.com."],
      ["@ MX 10 mail.example.com\nmail AAAA 2001:db8::1\nshop MX 10 maill.example.com", "shop.example.com."],
    ],
    not: [
      ["@ MX 10 mail.example.com\nmail AAAA 2001:db8::1"],
      ["@ MX 10 mail.example.com", { beside: "mail A 192.0.2.1" }],
      ["@ MX 10 mail.example.com", { part: true }],
      ["@ MX 10 mail.example.com\n* A 192.0.2.1"],
      ["@ MX 10 mail.lab.example.com\nlab NS ns1.example.org"],
      ["@ MX 10 mail.example.com\nmail 显性URL https://example.org/"],
      ["@ MX 10 mail.badexample.com"],
    ],
  },
  "ns-cname": {
    fires: [["lab NS ns1.example.com\nns1 CNAME ns1.example.org", "lab.example.com."]],
    not: [["lab NS ns1.example.com\nns1 A 192.0.2.1"], ["lab NS ns1.example.org"]],
  },
  "ns-missing": {
    fires: [["lab NS ns1.example.com", "lab.example.com."]],
    not: [
      ["lab NS ns1.example.com\nns1 A 192.0.2.1"],
      ["lab NS ns1.example.com", { part: true }],
      ["lab NS ns.sub.example.com\nsub NS ns1.example.org"],
    ],
  },
  "cname-dangling": {
    fires: [
      ["www CNAME web.example.com", "www.example.com."],
      ["www CNAME a.example.com\nb.a A 192.0.2.1\n* A 192.0.2.1", "www.example.com."],
    ],
    not: [
      ["www CNAME example.com"],
      ["www CNAME web.example.com\nweb A 192.0.2.1"],
      ["www CNAME web.example.com\n* A 192.0.2.1"],
      ["www CNAME web.lab.example.com\nlab NS ns1.example.org"],
      ["www CNAME web.example.org"],
      ["www CNAME web.example.com", { part: true }],
      ["www CNAME web.example.com", { beside: "web A 192.0.2.1" }],
    ],
  },
  "glue-missing": {
    fires: [
      ["lab NS ns1.lab.example.com", "lab.example.com."],
      ["lab NS lab.example.com", "lab.example.com."],
    ],
    not: [
      ["lab NS ns1.lab.example.com\nns1.lab A 192.0.2.1"],
      ["lab NS ns1.lab.example.org"],
      ["lab NS ns1.lab.example.com", { part: true }],
    ],
  },
  "spf-lookups": {
    fires: [
      [`@ TXT "v=spf1 ${includes(0, 11)} -all"`, "example.com."],
      [
        `@ TXT "v=spf1 ${includes(0, 8)} mx include:more.example.com -all"\nmore TXT "v=spf1 a:x.example.org -all"`,
        "example.com.",
      ],
      [
        '@ TXT "v=spf1 include:a.example.com -all"\na TXT "v=spf1 -all"\nb TXT "v=spf1 redirect=b.example.com"',
        "b.example.com.",
      ],
    ],
    not: [
      [`@ TXT "v=spf1 ${includes(0, 10)} ip4:192.0.2.1 -all"`],
      [`@ TXT "v=spf1 ${includes(0, 10)} -all redirect=x.example.org"`],
      [`@ TXT "v=spf10 ${includes(0, 20)}"`],
    ],
  },
  "spf-twice": {
    fires: [
      ['@ TXT "v=spf1 -all"\n@ TXT "v=spf1 ~all"', "example.com."],
      ['@ TXT "v=spf1 -all"', "example.com.", { beside: '@ TXT "v=spf1 mx -all"', part: true }],
    ],
    not: [
      ['@ TXT "v=spf1 -all"\nwww TXT "v=spf1 ~all"\n@ TXT "v=spf2.0/pra -all"'],
      ['@ TXT "v=spf1 -all"\n@ TXT "v=spf1 ~all" [电信]'],
      ["a A 192.0.2.1", { beside: '@ TXT "v=spf1 -all"\n@ TXT "v=spf1 ~all"' }],
    ],
  },
  "dmarc-alone": {
    fires: [
      ['_dmarc TXT "v=DMARC1; p=reject"', "_dmarc.example.com."],
      ['_dmarc.shop TXT "v=DMARC1; p=reject"\n@ TXT "v=spf1 -all"', "_dmarc.shop.example.com."],
    ],
    not: [
      ['_dmarc TXT "v=DMARC1; p=reject"\n@ TXT "v=spf1 -all"'],
      ['_dmarc TXT "v=DMARC1; p=reject"\ns1._domainkey CNAME s1.keys.example.org'],
      ['_dmarc TXT "v=DMARC1; p=reject"', { part: true }],
      ['_dmarc TXT "v=DMARC1; p=reject"', { beside: '@ TXT "v=spf1 -all"' }],
    ],
  },
  "dkim-quoting": {
    fires: [
      ['s1._domainkey TXT "v=DKIM1; k=rsa; p=MII\\" \\"AAB"', "s1._domainkey.example.com."],
      ['s1._domainkey TXT "v=DKIM1\\\\; k=rsa\\\\; p=MII"', "s1._domainkey.example.com."],
      ['s1._domainkey TXT "\\"k=rsa; p=MII"', "s1._domainkey.example.com."],
    ],
    not: [
      ['s1._domainkey TXT "v=DKIM1; k=rsa; p=MII"'],
      ['s1._domainkey TXT "v=DKIM1; k=rsa; " "p=MII"'],
      ['quote TXT "say \\"p=1\\""'],
    ],
  },
  "ttl-long": {
    fires: [["www 604801 A 192.0.2.1", "www.example.com."]],
    not: [["www 604800 A 192.0.2.1"], ["www A 192.0.2.1"]],
  },
  "wildcard-idle": {
    fires: [
      ["*.lab A 192.0.2.1\nlab NS ns1.example.org", "*.lab.example.com."],
      ["* A 192.0.2.1\n*.dev A 192.0.2.1", "*.dev.example.com."],
    ],
    not: [
      ["*.lab A 192.0.2.1\nlabs NS ns1.example.org"],
      ["* A 192.0.2.1\n*.dev A 192.0.2.2"],
      ["* A 192.0.2.1\n*.dev A 192.0.2.1\ndev TXT x"],
      ["* A 192.0.2.1\n*.dev A 192.0.2.1\na.dev TXT x"],
      ["* A 192.0.2.1\n*.dev A 192.0.2.1", { part: true }],
    ],
  },
  "private-address": {
    fires: [
      ["a A 10.1.2.3", "a.example.com."],
      ["a A 172.31.0.1", "a.example.com."],
      ["a A 192.168.0.1", "a.example.com."],
      ["a A 127.0.0.1", "a.example.com."],
      ["a A 169.254.1.1", "a.example.com."],
      ["a A 100.64.0.1", "a.example.com."],
      ["a AAAA fd00::1", "a.example.com."],
      ["a AAAA fe80::1", "a.example.com."],
      ["a AAAA ::ffff:10.0.0.1", "a.example.com."],
    ],
    not: [
      ["a A 172.32.0.1"],
      ["a A 192.0.2.1"],
      ["localhost A 127.0.0.1"],
      ["a AAAA 2001:db8::1"],
      ["a A 100.128.0.1"],
      ["a TXT 10.0.0.1"],
    ],
  },
};

describe("the zone checks", () => {
  for (const code of checkCodes) {
    it(`find ${code}, and no near miss of it`, () => {
      const { fires, not } = cases[code];
      for (const [zone, owner, surroundings] of fires) {
        const found = codes(zone, surroundings).filter((each) => each.startsWith(`${code} `));
        assert.deepEqual(found, [`${code} ${owner}`], zone);
      }
      for (const [zone, surroundings] of not)
        assert.deepEqual(
          codes(zone, surroundings).filter((each) => each.startsWith(`${code} `)),
          [],
          zone,
        );
    });
  }

  it("tell the same, in the order of the zone, whatever the order of the records", () => {
    const zone = [
      "www CNAME gone.example.com",
      "@ 700000 MX 10 mail.example.com",
      "a.b A 10.0.0.1",
      "b A 10.0.0.2",
      "a.b A 10.0.0.0",
    ];
    const expected = [
      "mx-missing example.com.",
      "ttl-long example.com.",
      "private-address b.example.com.",
      "private-address a.b.example.com.",
      "private-address a.b.example.com.",
      "cname-dangling www.example.com.",
    ];
    assert.deepEqual(codes(zone.join("\n")), expected);
    fc.assert(
      fc.property(fc.shuffledSubarray(zone, { minLength: zone.length }), (shuffled) =>
        assert.deepEqual(findings(shuffled.join("\n")), findings(zone.join("\n"))),
      ),
    );
  });

  it("say nothing of what is not declared here, and nothing of a secret", () => {
    assert.deepEqual(codes("a A 192.0.2.1", { beside: "b 700000 A 10.0.0.1\nc CNAME gone.example.com" }), []);
    const [found] = findings("secret CNAME hunter2.example.com", { sensitive: true });
    assert.equal(found?.code, "cname-dangling");
    assert.doesNotMatch(textOf(found), /hunter2/);
    for (const finding of findings(
      '@ TXT "v=spf1 hunter2"\n@ TXT "v=spf1 hunter22"\n@ MX 10 hunter2.example.com',
      { sensitive: true },
    ))
      assert.doesNotMatch(textOf(finding), /hunter2/);
  });

  it("are counted above some number, by code", () => {
    const many = Array.from({ length: 30 }, (_, i) => `a${i} 700000 A 10.0.0.${i}`).join("\n");
    const texts = findingTexts(findings(many), "look there");
    assert.equal(texts.length, mostShown + 1);
    assert.equal(
      texts.at(-1)?.text,
      "example.com: 40 more findings of checks (private-address 20, ttl-long 20); look there",
    );
  });

  it("stand in one line where several records have the same wrong, each otherwise", () => {
    const many = Array.from({ length: 36 }, (_, i) => `c${i} CNAME h${i}.example.com`).join("\n");
    const texts = findingTexts(findings(`${many}\nz A 10.0.0.1`), "look there");
    const [line, other] = texts;
    assert.deepEqual([texts.length, line?.code, other?.code], [2, "cname-dangling", "private-address"]);
    assert.match(
      line?.text ?? "",
      /^36 CNAMEs point to names that are not in this zone: c0\.example\.com\. CNAME h0\.example\.com\.; (\S+ CNAME \S+; ){9}and 26 more; declare these names, or correct the records \[cname-dangling\]$/,
    );
    const [single] = findingTexts(findings("c CNAME h.example.com"), "look there");
    assert.equal(
      single?.text,
      "c.example.com. CNAME h.example.com.: h.example.com. is not in this zone; declare it, or correct the name [cname-dangling]",
    );
    assert.doesNotMatch(
      findingTexts(findings(many, { sensitive: true }), "look there")[0]?.text ?? "",
      / h\d/,
    );
  });

  it("take time in proportion to the records", () => {
    const zone = (n: number): string =>
      Array.from({ length: n }, (_, i) =>
        [
          `h${i} A 10.0.0.1`,
          `m${i} MX 10 x${i}.example.com`,
          `c${i}.w CNAME h${i + 1}.example.com`,
          `s${i} TXT "v=spf1 include:s${i + 1}.example.com include:s${i + 2}.example.com -all"`,
          `_dmarc.d${i} TXT "v=DMARC1; p=none"`,
          `*.w${i} A 10.0.0.2`,
          `l${i} NS ns.l${i}.example.com`,
        ].join("\n"),
      ).join("\n");
    const time = (n: number): number => {
      const view = { domain: "example.com", declared: records(zone(n)), beside: [], whole: true };
      const before = process.cpuUsage();
      checkZone(view);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    time(200);
    const [short, long] = [time(300), time(2_400)];
    // Eight times the records: work that grows with the square takes 64 times as long.
    assert.ok(long < Math.max(short, 10) * 30, `${short} ms for 300, ${long} ms for 2,400`);
  }).timeout(120_000);

  it("each have a section in docs/checks.md", () => {
    const page = readFileSync(join(__dirname, "../../docs/checks.md"), "utf8");
    assert.deepEqual(
      [...page.matchAll(/^## (\S+-\S+)$/gm)].map(([, code]) => code),
      [...checkCodes],
    );
  });
});

describe("the levels of checks", () => {
  const levels = (given: unknown) => {
    const read = readCheckLevels(given);
    return "levels" in read ? read.levels : assert.fail(textOf(read.problem));
  };

  it("are a word, a list, an object, or an object as JSON", () => {
    assert.deepEqual(levels("off"), { other: "off", byCode: {} });
    const some = { other: "refuse", byCode: { "mx-cname": "off", "ttl-long": "warn" } };
    for (const given of [
      { "*": "refuse", "mx-cname": "off", "ttl-long": "warn" },
      "refuse, mx-cname=off ttl-long=warn",
      '{"mx-cname":"off","*":"refuse","ttl-long":"warn"}',
      "mx-cname=off,ttl-long=warn,*=refuse",
    ]) {
      assert.deepEqual(levels(given), some);
    }
    assert.equal(levelOf("mx-cname", levels("mx-cname=refuse")), "refuse");
    assert.equal(levelOf("mx-missing", levels("mx-cname=refuse")), "warn");
    assert.equal(allOff(levels("off,mx-cname=warn")), false);
    assert.equal(allOff(levels("off,mx-cname=off")), true);
  });

  it("name what is meant where they are wrong", () => {
    const problem = (given: unknown): string => {
      const read = readCheckLevels(given);
      return "problem" in read ? textOf(read.problem) : assert.fail();
    };
    assert.match(problem("mx-cnam=off"), /^"mx-cnam" is no check; did you mean mx-cname\?$/);
    assert.match(problem("loud"), /^"loud" is no level; write warn, refuse or off/);
    assert.match(problem({ "mx-cname": true }), /^a boolean is no level of "mx-cname"/);
    assert.match(problem("{"), /is no JSON object/);
    assert.match(problem(3), /says no level/);
  });

  it("of a resource lie over those of the stack", () => {
    const stack = levels("refuse,ttl-long=off");
    assert.deepEqual(overlaid(stack, { "private-address": "off" }), {
      other: "refuse",
      byCode: { "ttl-long": "off", "private-address": "off" },
    });
    assert.deepEqual(overlaid(stack, "warn"), { other: "warn", byCode: {} });
    assert.deepEqual(overlaid(stack, undefined), stack);
  });
});
