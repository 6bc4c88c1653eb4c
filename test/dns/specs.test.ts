import { deepEqual, equal, ok } from "node:assert/strict";
import { expandRecord, readZoneText, recordText, specName, zoneText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { expand, options } from "./expand";

/** The fields of a single record. */
const own = { domain: "example.com", type: "A", value: "192.0.2.1" };

function zone(records: unknown, domains: unknown = "example.com") {
  const expansion = expand(records, {}, domains);
  deepEqual(expansion.problems.filter(isError), []);
  const sorted = readZoneText(zoneText(expansion), { domains: expansion.domains });
  return Object.fromEntries(sorted.records.map((record) => [recordText(record), record.ttl]));
}

describe("specs", () => {
  it("a spec makes a record in every domain for every name and value", () => {
    const spec = { name: ["@", "www"], type: "a", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 };
    const expected = ["example.com.", "www.example.com.", "example.net.", "www.example.net."].flatMap(
      (name) => [1, 2].map((last) => [`${name} A 192.0.2.${last}`, 600]),
    );
    deepEqual(zone([spec], ["example.net", "Example.COM."]), Object.fromEntries(expected));
  });

  it("the TTL of a spec and of a line may have units", () => {
    const specs = [
      { name: "a", type: "A", value: "192.0.2.1", ttl: "1h" },
      { name: "b", type: "A", value: "192.0.2.1", ttl: "1D12h" },
      "c 1w A 192.0.2.1",
      "d IN 1h30m A 192.0.2.1",
    ];
    deepEqual(zone(specs), {
      "a.example.com. A 192.0.2.1": 3600,
      "b.example.com. A 192.0.2.1": 129600,
      "c.example.com. A 192.0.2.1": 604800,
      "d.example.com. A 192.0.2.1": 5400,
    });
    equal(expandRecord({ ...own, ttl: "2m" }, options).record?.ttl, 120);
  });

  it("every part of a spec becomes canonical", () => {
    const specs = [
      { name: "", type: "AAAA", value: "::ffff:c000:201" },
      { name: "@", type: "AAAA", value: "::192.0.2.1" },
      { name: "all", type: "CNAME", value: "*.WC.example.net." },
      { name: "日本。www", type: "A", value: "192.0.2.1" },
      { name: "mail", type: "MX", value: "MX1.example.net", priority: 10 },
      { name: "mail", type: "MX", value: "20 mx2.example.net." },
      { name: "mail", type: "MX", value: "10 mx3.example.net.", priority: 10 },
      { name: "none", type: "MX", value: ".", priority: 0 },
      { name: "_sip._tcp", type: "SRV", value: "5 5061 sip.example.net", priority: 20 },
      { type: "CAA", value: "0 ISSUE letsencrypt.org; validationmethods=dns-01" },
      { name: "go", type: "显性URL", value: "http://example.net/  #x" },
      { name: "www.example.com.", type: "A", value: "192.0.2.2", line: "默认" },
      { name: "www", type: "A", value: "192.0.2.2", line: "电信" },
    ];
    deepEqual(Object.keys(zone(specs)), [
      "example.com. AAAA ::c000:201",
      "example.com. AAAA ::ffff:192.0.2.1",
      'example.com. CAA 0 issue "letsencrypt.org; validationmethods=dns-01"',
      "_sip._tcp.example.com. SRV 20 5 5061 sip.example.net.",
      "all.example.com. CNAME *.wc.example.net.",
      'go.example.com. 显性URL "http://example.net/  #x"',
      "mail.example.com. MX 10 mx1.example.net.",
      "mail.example.com. MX 10 mx3.example.net.",
      "mail.example.com. MX 20 mx2.example.net.",
      "none.example.com. MX 0 .",
      "www.example.com. A 192.0.2.2",
      "www.example.com. A 192.0.2.2 [电信]",
      "xn--wgv71a.www.example.com. A 192.0.2.1",
    ]);
  });

  it("the text of a TXT spec keeps its characters, and quoted strings are joined", () => {
    const texts = [
      "v=DMARC1; p=none",
      '"two " "strings"',
      '"a" and b',
      "kept  as it\tis",
      "line\nfeed",
      '""',
    ];
    const specs = texts.map((value) => ({ name: "t", type: "TXT", value }));
    deepEqual(Object.keys(zone(specs)), [
      't.example.com. TXT ""',
      't.example.com. TXT "\\"a\\" and b"',
      't.example.com. TXT "kept  as it\\009is"',
      't.example.com. TXT "line\\010feed"',
      't.example.com. TXT "two strings"',
      't.example.com. TXT "v=DMARC1; p=none"',
    ]);
  });

  it("a spec without a TTL has the default TTL", () => {
    const specs = [
      { type: "A", value: "192.0.2.1", ttl: undefined },
      { type: "A", value: "192.0.2.2", ttl: "default" },
      { type: "A", value: "192.0.2.3", ttl: 1 },
    ];
    deepEqual(Object.values(zone(specs)), ["default", "default", 1]);
  });
});

describe("presentation lines", () => {
  const state = {
    "example.com. A 192.0.2.1": "default",
    'example.com. TXT "v=spf1 -all; no comment"': 300,
    "www.example.com. A 192.0.2.1": 600,
    "www.example.com. A 192.0.2.2 [电信]": 60,
  };
  const lines = [
    "@ A 192.0.2.1 ; the apex",
    '@ IN 300 TXT "v=spf1 -all; no comment" ; a comment',
    "www 600 IN A 192.0.2.1",
    "www.example.com. 60 A 192.0.2.2 [电信]",
  ];

  it("presentation lines may be one text with comments and blank lines", () => {
    deepEqual(zone(`; zone\r\n\n  ${lines.join("\r\n  ")}\n`), state);
  });

  it("a presentation line may name its line in a comment, as in zone files", () => {
    for (const end of ["; line=电信; a comment", "[电信] ; line=电信"])
      deepEqual(zone(`www 60 A 192.0.2.2 ${end}`), {
        "www.example.com. A 192.0.2.2 [电信]": 60,
      });
    const problem = (end: string) => expand(`www A 192.0.2.2 ${end}`).problems[0]?.code;
    equal(problem("[境外] ; line=电信"), "line.two");
    equal(problem("; line="), "line.name");
  });

  it("presentation lines may be in a list with specs", () => {
    const spec = { name: "www", type: "A", value: "192.0.2.2", ttl: 60, line: "电信" };
    deepEqual(zone([spec, ...lines.slice(0, 3)]), state);
    deepEqual(zone([lines.join("\n")]), state);
  });

  it("a presentation line keeps the semicolons of an unquoted text", () => {
    deepEqual(zone("k TXT v=DKIM1;k=rsa; p=abc ; a comment"), {
      'k.example.com. TXT "v=DKIM1;k=rsa; p=abc"': "default",
    });
  });

  it("a presentation line makes a record in every domain, with relative names only", () => {
    const domains = ["a.example", "b.example"];
    deepEqual(Object.keys(zone("www default A 192.0.2.1", domains)), [
      "www.a.example. A 192.0.2.1",
      "www.b.example. A 192.0.2.1",
    ]);
    const [problem] = expand(["www.a.example. A 192.0.2.1"], {}, domains).problems;
    deepEqual([problem?.code, problem?.of], ["name.absolute-in-many", '"www.a.example."']);
  });
});

describe("expandRecord", () => {
  it("makes a record canonical, and reads it from its own fields", () => {
    const { record, problems } = expandRecord(
      { domain: "Example.com", type: "mx", value: "10 MX1.example.net", ttl: 600, line: "电信" },
      options,
    );
    deepEqual(problems, []);
    deepEqual(record, {
      domain: "example.com",
      name: "@",
      type: "MX",
      value: "mx1.example.net.",
      priority: 10,
      line: "电信",
      ttl: 600,
    });
    ok(record);
    deepEqual(expandRecord(record, options), { record, problems: [] });
  });

  it("accepts the TTL of a refresh", () => {
    const { record } = expandRecord({ ...own, ttl: "600 (disabled)" }, options);
    deepEqual(record, { ...own, name: "@", ttl: 600, note: "disabled" });
  });

  it("accepts a name that repeats the domain with the dot", () => {
    const { record } = expandRecord({ ...own, name: "www.example.com.example.com." }, options);
    ok(record);
    equal(record.name, "www.example.com");
    equal(specName(record), "www.example.com.example.com.");
    equal(specName({ ...record, name: "www" }), "www");
  });
});
