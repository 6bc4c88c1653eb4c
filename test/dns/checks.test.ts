import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { checkZone, type CheckFinding } from "../../provider/dns/checks";
import {
  acmeDelegate,
  acmePersist,
  caa,
  delegate,
  dkim,
  dmarc,
  mx,
  spf,
  srv,
} from "../../provider/dns/builders";
import { forAll } from "./arbitraries";
import type { Cases, Row, Surroundings } from "./check-cases";
import { mailCases } from "./check-cases-mail";
import { nameCases } from "./check-cases-names";
import { expand } from "./expand";
import { checkCodes, renderAll, textOf, usualLevel } from "../../provider/problems";

function findings(
  text: string,
  { beside = "", part = false, sensitive = false, live = [] }: Surroundings = {},
) {
  const { records } = expand(text);
  return checkZone({
    domain: "example.com",
    declared: sensitive ? records.map((record) => ({ ...record, secret: true as const })) : records,
    beside: expand(beside).records,
    whole: !part,
    live: [live].flat(),
    now: Date.UTC(2026, 0, 1),
  });
}

function described(finding: CheckFinding) {
  return `${finding.code} ${finding.records?.[0]?.text.split(" ")[0] ?? ""}`;
}

const cases: Required<Cases> = { ...mailCases, ...nameCases };

describe("the zone checks", () => {
  for (const code of checkCodes) {
    it(`the check ${code} finds its zones, and no near miss`, () => {
      for (const [index, rows] of cases[code].entries())
        for (const row of rows) {
          const [zone, { of = zone.split(" ")[0], ...surroundings } = {}]: Exclude<Row, string> | [string] =
            typeof row === "string" ? [row] : row;
          const owner = of === "@" ? "example.com." : `${of}.example.com.`;
          const found = findings(zone, surroundings).filter((each) => each.code === code);
          deepEqual(found.map(described), index === 0 ? [`${code} ${owner}`] : [], zone);
        }
    });
  }

  it("findings are in the order of the zone, for any order of the records", () => {
    const zone = [
      "www CNAME gone.example.com",
      "@ 700000 MX 10 mail.example.com",
      "a.b A 10.0.0.1",
      "b A 10.0.0.2",
      "a.b A 10.0.0.0",
      "t 60 A 192.0.2.3",
      "t 90 A 192.0.2.1",
      't TXT "v=spf1 mx -all"',
      't TXT "v=spf1 -all"',
      "l1 CNAME l2.example.com",
      "l2 CNAME l1.example.com",
    ];
    const expected = [
      "mx-missing example.com.",
      "ttl-long example.com.",
      "private-address b.example.com.",
      "private-address a.b.example.com.",
      "private-address a.b.example.com.",
      "cname-loop l1.example.com.",
      "cname-loop l2.example.com.",
      "ttl-differs t.example.com.",
      "mail-twice t.example.com.",
      "cname-dangling www.example.com.",
    ];
    const found = findings(zone.join("\n"));
    deepEqual(found.filter(({ code }) => usualLevel(code) !== "off").map(described), expected);
    forAll(100, fc.shuffledSubarray(zone, { minLength: zone.length }), (shuffled) =>
      deepEqual(findings(shuffled.join("\n")), found),
    );
  });

  it("an SRV record of no service names the number of hosts beside it", () => {
    const found = findings("_sip._tcp SRV 0 0 0 .\n_sip._tcp SRV 0 5 5060 sip.example.org");
    const notes = found.filter(({ code }) => code === "srv-null").map(({ records }) => records?.[0]?.note);
    deepEqual(notes, ["hosts beside it: 1"]);
  });

  it("a malformed record beside two mail records is not counted, and no finding names it", () => {
    const zone = '_dmarc TXT "none"\n_dmarc TXT "v=DMARC1; p=none"\n_dmarc TXT "v=DMARC1; p=reject"';
    const twice = findings(zone).filter(({ code }) => code === "mail-twice");
    deepEqual(
      twice.map(({ records }) => records),
      [[{ text: '_dmarc.example.com. TXT "v=DMARC1; p=none"', note: "2 DMARC" }]],
    );
  });

  it("findings name no undeclared record and no secret", () => {
    deepEqual(findings("a A 192.0.2.1", { beside: "b 700000 A 10.0.0.1\nc CNAME gone.example.com" }), []);
    const secrets = [
      '@ TXT "v=spf1 hunter2"',
      '@ TXT "v=spf1 include:hunter2.example.com"',
      "c CNAME hunter2.example.com",
      ...["a SRV 0 5 0 hunter2_.example.com", "b NS hunter2.b.example.com", "b MX 10 hunter2.example.org"],
      ...["l CNAME l.example.com", "m CNAME l.example.com", '_dmarc TXT "v=DMARC1; p=hunter2; hunter2"'],
      "@ MX 10 hunter2.example.com",
    ];
    const told = findings(secrets.join("\n"), { sensitive: true });
    deepEqual(
      [...new Set(told.map(({ code }) => code).filter((code) => usualLevel(code) === "warn"))].sort(),
      [
        ...["cname-dangling", "cname-loop", "glue-missing", "mail-syntax", "mail-twice", "mx-missing"],
        ...["name-occluded", "name-unusual", "spf-dangling", "srv-missing", "srv-name", "srv-port"],
      ],
    );
    for (const finding of told) doesNotMatch(textOf(finding), /hunter2/);
  });

  it("findings of one code and zone share a diagnostic", () => {
    const many = Array.from({ length: 36 }, (_, i) => `c${i} CNAME h${i}.example.com`).join("\n");
    const texts = renderAll(findings(`${many}\nz A 10.0.0.1`));
    equal(texts.length, 2);
    const lines = (texts[0] ?? "").split("\n");
    match(lines[0] ?? "", /^example\.com: .* \[cname-dangling\]$/);
    equal(lines[1], "  c0.example.com. CNAME h0.example.com.    h0.example.com.");
    equal(lines[11], "  … and 26 more");
    doesNotMatch(renderAll(findings(many, { sensitive: true })).join(), / h\d/);
  });

  it("the checks find nothing in the records of the builders", () => {
    const specs = [
      spf({
        ip4: ["192.0.2.0/24"],
        a: ["www.example.org"],
        mx: true,
        include: "_spf.example.org",
        all: "~all",
      }),
      spf({ name: "to", ip6: "2001:db8::/32", exists: "%{i}._spf.%{d}", redirect: "_spf.example.org" }),
      dmarc({
        policy: "reject",
        subdomainPolicy: "none",
        nonexistentPolicy: "reject",
        testing: true,
        psd: "n",
        alignmentDkim: "strict",
        rua: ["a@example.org", "https://example.org/dmarc"],
        ruf: "b@example.org!10m",
        failureOptions: ["1", "d"],
      }),
      dkim("s1", "Y2hlY2tzIG9mIGEgem9uZSBrZXkgb2YgMzIgb2N0ZXRzISE=".slice(0, 43) + "=", {
        testing: true,
        strict: true,
      }),
      dkim("s2", ""),
      caa({ issue: "ca.example.org", issuewild: "none", iodef: "a@example.org", critical: true }),
      mx(["10 mx1.example.org", "20 mx2.example.org"]),
      srv({ service: "sip", target: "sip.example.org", port: 5060 }),
      srv({ service: "imap", target: ".", port: 0 }),
      delegate("lab", ["ns1.example.org", "ns2.example.org"]),
      acmeDelegate("example-com.challenges.example.org"),
      acmePersist({ issuer: "ca.example", accountUri: "https://ca.example/a", persistUntil: "2027-03-01" }),
    ];
    const { records: declared, problems } = expand(specs.flat());
    deepEqual(problems, []);
    deepEqual(checkZone({ domain: "example.com", declared, beside: [], whole: true }).map(described), []);
  });

  const page = readFileSync(join(__dirname, "../../docs/checks.md"), "utf8");

  it("the tables of other tools name existing checks", () => {
    const others = readFileSync(join(__dirname, "../../provider/dns/checks/README.md"), "utf8");
    const [, ...tables] = others.split(/^## /m);
    deepEqual(
      tables.map((table) => table.split(/[ :]/, 1)[0]),
      ["octoDNS", "dnscontrol", "PowerDNS", "NetBox"],
    );
    const named = tables.flatMap((table) =>
      [...table.matchAll(/^\|.*\|(.*)\|$/gm)].flatMap(([, here = ""]) =>
        [...here.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, code]) => code),
      ),
    );
    ok(named.length > 40);
    deepEqual(
      named.filter((code) => !checkCodes.some((each) => each === code)),
      [],
    );
  });

  it("each check has a section in docs/checks.md, with its level if it is another than warn", () => {
    const [, ...sections] = page.split(/^### (?=\S+-\S+$)/m);
    const levelOf = (section: string) =>
      /^\S+\nOff by default\./.test(section)
        ? "off"
        : /^\S+\nA note by default\./.test(section)
          ? "note"
          : "warn";
    deepEqual(
      sections.map((section) => [section.split("\n", 1)[0], levelOf(section)]),
      checkCodes.map((code) => [code, usualLevel(code)]),
    );
  });
});
