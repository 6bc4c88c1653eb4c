import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expandRecord, recordText } from "../../provider/dns";
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
  txt,
  type BuiltRecord,
} from "../../provider/dns/builders";
import { lookupTerms } from "../../provider/dns/spf";
import { isError } from "../../provider/problems";
import { problemLine } from "../support/problems";
import { canBeDeclared, forAll } from "./arbitraries";
import { expand, options, problemsOf } from "./expand";

function declared(records: readonly BuiltRecord[]) {
  const { records: made, problems } = expand(records);
  const errors = problems.filter(isError);
  return errors.length > 0 ? errors.map(problemLine) : made.map(recordText);
}

function wrong(records: readonly BuiltRecord[]) {
  return declared(records).map((text) => text.replace(/^records\[0\]\.value: /, ""));
}

function refuses(...rows: (readonly [readonly BuiltRecord[], RegExp])[]) {
  for (const [records, text] of rows) match(wrong(records)[0] ?? "", text);
}

const rsa = (bits: number) =>
  generateKeyPairSync("rsa", {
    modulusLength: bits,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

describe("the builders", () => {
  it("make records for a batch, a zone and a single record", () => {
    deepEqual(
      declared([
        ...mx(["10 mx1.example.org", { priority: 20, host: "MX2.example.org" }], { ttl: 600 }),
        ...mx("30 mx3.example.org"),
        srv({ service: "sip", target: "sip.example.org", port: 5060, priority: 10, weight: 60 }),
        ...delegate("dev", "ns1.example.org"),
        ...delegate("lab", ["ns1.example.org", "ns2.example.org."]),
        ...caa({
          issue: ["letsencrypt.org", "ca.example.net; account=1"],
          issuewild: "none",
          iodef: "sec@example.com",
          critical: true,
        }),
      ]),
      [
        "example.com. MX 10 mx1.example.org.",
        "example.com. MX 20 mx2.example.org.",
        "example.com. MX 30 mx3.example.org.",
        "_sip._tcp.example.com. SRV 10 60 5060 sip.example.org.",
        "dev.example.com. NS ns1.example.org.",
        "lab.example.com. NS ns1.example.org.",
        "lab.example.com. NS ns2.example.org.",
        'example.com. CAA 128 issue "letsencrypt.org"',
        'example.com. CAA 128 issue "ca.example.net; account=1"',
        'example.com. CAA 128 issuewild ";"',
        'example.com. CAA 128 iodef "mailto:sec@example.com"',
      ],
    );
  });

  it("`dmarc` makes a single record of its fields", () => {
    const { record } = expandRecord(
      {
        domain: "example.com",
        ...dmarc({
          policy: "reject",
          subdomainPolicy: "none",
          nonexistentPolicy: "reject",
          testing: true,
          psd: "n",
          rua: ["a@example.com", "mailto:b@example.com"],
          alignmentSpf: "strict",
          name: "shop",
          ttl: "1h",
        }),
      },
      options,
    );
    equal(
      record && recordText(record),
      '_dmarc.shop.example.com. TXT "v=DMARC1; p=reject; sp=none; np=reject; t=y; psd=n; aspf=s; rua=mailto:a@example.com,mailto:b@example.com"',
    );
    equal(record?.ttl, 3600);
  });

  it("`dmarc` writes its default policy, and refuses the tags that RFC 9989 removed", () => {
    deepEqual(declared([dmarc({ rua: "a@example.com", testing: false })]), [
      '_dmarc.example.com. TXT "v=DMARC1; p=none; rua=mailto:a@example.com"',
    ]);
    for (const removed of ["percent", "reportInterval"])
      refuses([[dmarc({ [removed]: 50 })], /^dmarc: \w+: field\.unknown/]);
  });

  it("`acmeDelegate` and `acmePersist` make the records of certificate authorities", () => {
    const accountUri = "https://ca.example/account-hash/sha-256/5SQm7n6tPh2-PlLbCKGnViTXX5z19SCN4cPGQHSk-kw";
    const persist = (more: object) => [acmePersist({ issuer: "CA.example.", accountUri, ...more })];
    const account = `ca.example; accounturi=${accountUri}`;
    deepEqual(
      declared([
        acmeDelegate("c.example.org"),
        acmeDelegate("d.example.org.", { name: "shop" }),
        ...persist({}),
        ...persist({ name: "a", wildcard: true, persistUntil: "2027-03-01" }),
        ...persist({ name: "b", wildcard: false, persistUntil: 1803859200 }),
      ]),
      [
        "_acme-challenge.example.com. CNAME c.example.org.",
        "_acme-challenge.shop.example.com. CNAME d.example.org.",
        `_validation-persist.example.com. TXT "${account}"`,
        `_validation-persist.a.example.com. TXT "${account}; policy=wildcard; persistUntil=1803859200"`,
        `_validation-persist.b.example.com. TXT "${account}; persistUntil=1803859200"`,
      ],
    );
    refuses(
      [[acmeDelegate("")], /^acmeDelegate: target: value\.empty/],
      [persist({ issuer: "nodot" }), /^acmePersist: issuer: /],
      [persist({ accountUri: "https://ca.example/a; policy=wildcard" }), /accountUri: value\.unfit/],
      [persist({ accountUri: "4711" }), /accountUri: value\.unfit/],
      [persist({ persistUntil: Date.UTC(2027, 0) }), /persistUntil: number\.unfit/],
      [persist({ persistUntil: "tomorrow" }), /persistUntil: value\.unfit/],
      [persist({ wildcard: "no" }), /wildcard: field\.kind/],
    );
  });

  it("a builder returns its problems in the place of the record", () => {
    deepEqual(
      wrong([
        dmarc({ policy: "refuse" as "reject", psd: 1 as never, testing: "yes" as never, rua: "nobody" }),
      ]),
      [
        'dmarc: policy: word.unknown "refuse" write one of "none", "quarantine", "reject"',
        "dmarc: testing: field.kind text a true or false true",
        'dmarc: psd: word.unknown a number write one of "y", "n", "u"',
        'dmarc: rua: value.unfit "nobody" an address security@example.com',
      ],
    );
    refuses(
      [mx([]), /^mx: value.empty at least one server$/],
      [mx("mx1.example.org"), /^records\[0\]\.priority: field\.missing/],
      [mx(["10 mx1.example.org.", "10 20 mx2.example.org"]), /^records\[1\]\.value: data\.form/],
      [mx([{ priority: 10 } as never]), /^mx: \[0\] host: field\.missing/],
      [mx({ priority: "10", host: "mx1.example.org" } as never), /^mx: priority: number\.unfit/],
      [delegate("@", ["ns1.example.org"]), /ns.apex/],
      [caa({ issue: ["none", "letsencrypt.org"] }), /caa.none/],
      [caa({}), /field.missing/],
      ...["a@example.com", "mailto:b@example.com", "https://example.com/@ca"].map(
        (iodef) => [caa({ iodef }), /^example\.com\. CAA 0 iodef /] as const,
      ),
      ...["nobody", "example.com", "a@", "a@b@c", "https://nowhere", `${"a.".repeat(50_000)}@@`].map(
        (iodef) => [caa({ iodef }), /^caa: iodef: value.unfit/] as const,
      ),
      [
        [srv({ service: "sip", target: "sip.example.org" } as Parameters<typeof srv>[0])],
        /port: field.missing/,
      ],
      [spf({ includes: "a.example" } as never), /includes: field\.unknown did you mean include\?/],
    );
  });

  it("a builder never throws", () =>
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (a, b) => {
        for (const build of [spf, dmarc, caa, dkim, txt, mx, srv, delegate, acmeDelegate, acmePersist])
          (build as (...given: unknown[]) => unknown)(a, b);
      }),
      {
        numRuns: 300,
        examples: [
          [[], { toString: 0 }],
          [{}, Object.create(null)],
        ],
      },
    ));

  it("a builder shows no secret argument", () => {
    const secret = "hunter2 hunter2";
    const problems = problemsOf([dmarc({ policy: "none", rua: secret })], { secrets: new Set([0]) });
    equal(problems.length, 1);
    doesNotMatch(problems.join(), /hunter2/);
  });
});

describe("spf", () => {
  const value = (records: readonly BuiltRecord[]) => records[0]?.value ?? "";

  it("writes each term once, in one order", () => {
    const [record, ...more] = spf({
      mx: true,
      a: ["a.example.org"],
      ip4: ["192.0.2.0/28", "192.0.2.0/28"],
      ip6: "2001:db8::/32",
      include: ["_spf.example.org", { domain: "b.example.net", lookups: 2 }],
      all: "~all",
    });
    deepEqual(more, []);
    equal(
      record?.value,
      "v=spf1 a:a.example.org mx ip4:192.0.2.0/28 ip6:2001:db8::/32 include:_spf.example.org include:b.example.net ~all",
    );
    equal(value(spf({ redirect: "_spf.example.org" })), "v=spf1 redirect=_spf.example.org");
    refuses(
      [spf({ ip4: "2001:db8::1" }), /value.unfit .* IPv4/],
      [spf({ ip4: "192.0.2.0/33", all: "-all" }), /value.unfit .* IPv4/],
      [spf({ ip4: "192.0.2.1" }), /all: field.missing/],
    );
  });

  const tooMany = /^spf: spf\.lookups 11 10$/;
  const includes = (n: number) => Array.from({ length: n }, (_, i) => `s${i}.example.org`);

  it("accepts ten look-ups, and refuses the eleventh in any term", () => {
    const nested = [...includes(8), { domain: "x.example.org", lookups: 1 }];
    deepEqual(
      [includes(10), nested].map((include) => lookupTerms(value(spf({ include, all: "-all" }))).length),
      [10, 9],
    );
    refuses(
      [spf({ include: includes(11), all: "-all" }), tooMany],
      [spf({ include: nested, mx: true, all: "-all" }), tooMany],
    );
  });

  it("divides a long text into included records, and counts their look-ups", () => {
    const ip4 = Array.from({ length: 60 }, (_, i) => `198.51.100.${i}`);
    refuses([spf({ ip4, all: "-all" }), /spf.long/]);
    const records = spf({ ip4, all: "-all", domain: "example.com", name: "mail" });
    deepEqual(
      records.map(({ name }) => name),
      ["mail", "_spf1.mail", "_spf2.mail", "_spf3.mail"],
    );
    const included = [1, 2, 3].map((n) => `include:_spf${n}.mail.example.com`);
    equal(value(records), `v=spf1 ${included.join(" ")} -all`);
    for (const record of records) ok(record.value.length <= 450);
    deepEqual(
      records.slice(1).flatMap((record) => record.value.match(/(?<=ip4:)\S+/g)),
      ip4,
    );
    refuses([spf({ ip4, include: includes(8), all: "-all", domain: "example.com" }), tooMany]);
  });
});

describe("dkim", () => {
  it("takes a key as PEM, as base64 and as the whole text", () => {
    const { publicKey: pem } = rsa(1024);
    const data = pem.replace(/-----[^-]*-----|\s/g, "");
    const text = `v=DKIM1; k=rsa; p=${data}`;
    for (const key of [pem, data, text])
      deepEqual(dkim("s1", key), { name: "s1._domainkey", type: "TXT", value: text });
    equal(
      dkim("s1", data, { testing: true, strict: true, name: "shop" }).value,
      `v=DKIM1; k=rsa; t=y:s; p=${data}`,
    );
    equal(dkim("s1", data, { name: "shop", ttl: 60 }).name, "s1._domainkey.shop");
    equal(dkim("old", "").value, "v=DKIM1; k=rsa; p=");
    const { publicKey } = generateKeyPairSync("ed25519");
    match(
      dkim("s1", publicKey.export({ type: "spki", format: "pem" }).toString()).value,
      /^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/,
    );
  });

  it("refuses a text that is no public key of its kind", () => {
    const { publicKey, privateKey } = rsa(1024);
    doesNotMatch(wrong([dkim("s1", privateKey)])[0] ?? "", /MII/);
    refuses(
      [[dkim("s1", privateKey)], /dkim.private/],
      [[dkim("s1", publicKey.replace(/\n.{20}/, "\n"))], /dkim.key/],
      [[dkim("s1", rsa(512).publicKey)], /dkim.short 512/],
      [[dkim("s1", publicKey, { algorithm: "ed25519" })], /dkim.other-kind rsa ed25519/],
      [[dkim("s1", '"v=DKIM1; k=rsa; " "p=MII"')], /dkim.key/],
      [[dkim("s1", 'v=DKIM1; "p=MII"')], /dkim.key/],
      [[dkim("s1._domainkey", publicKey)], /dkim.selector/],
    );
  });
});

describe("txt", () => {
  it("takes a text of any length that a record holds", () => {
    forAll(
      100,
      fc
        .string({ unit: "grapheme", maxLength: 40 })
        .filter((value) => value !== "" && canBeDeclared({ type: "TXT", value })),
      (text) => {
        const { records, problems } = expand([txt("a", text)]);
        deepEqual(problems, []);
        equal(records[0]?.value, text);
      },
    );
    equal(expand([txt("a", "x".repeat(65_279))]).records[0]?.value.length, 65_279);
    refuses(
      [[txt("a", "x".repeat(65_280))], /text.too-long 65280 65279/],
      [[txt("a", '"a" "b"')], /text.changed/],
    );
  });
});
