import { deepEqual, doesNotMatch, equal, fail, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expandSpecs } from "../../provider/dns";
import {
  allOff,
  checkZone,
  levelOf,
  overlaid,
  readCheckLevels,
  type CheckFinding,
} from "../../provider/dns/checks";
import { caa, delegate, dkim, dmarc, mx, spf, srv } from "../../provider/dns/builders";
import { checkCodes, renderAll, textOf, usualLevel } from "../../provider/problems";

interface Surroundings {
  readonly beside?: string;
  readonly part?: boolean;
  readonly sensitive?: boolean;
  readonly live?: string | readonly string[];
}

const records = (text: string) => expandSpecs("example.com", text, { defaultLine: "默认" }).records;

function findings(
  text: string,
  { beside = "", part = false, sensitive = false, live = [] }: Surroundings = {},
) {
  const marked = sensitive
    ? records(text).map((record) => ({ ...record, secret: true as const }))
    : records(text);
  return checkZone({
    domain: "example.com",
    declared: marked,
    beside: records(beside),
    whole: !part,
    live: [live].flat(),
  });
}

const usual = ({ code }: CheckFinding) => usualLevel(code) !== "off";

function codes(text: string, surroundings?: Surroundings) {
  return findings(text, surroundings).map(described);
}

function described(finding: CheckFinding) {
  return `${finding.code} ${finding.records?.[0]?.text.split(" ")[0] ?? ""}`;
}

const includes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `include:s${from + i}.example.org`).join(" ");

const texts = (name: string, values: string | readonly string[]) =>
  [values].flat().map((value) => `${name} TXT "${value}"`);

/** Code → zones with a finding of their first, or the named, record, and near misses. */
type Row = string | [zone: string, surroundings: Surroundings & { readonly of?: string }];

const part = { part: true };

const cases: Record<(typeof checkCodes)[number], [fires: Row[], not: Row[]]> = {
  "mx-cname": [
    [
      "@ MX 10 mail.example.com\nmail CNAME www.example.com\nwww A 192.0.2.1",
      ["@ MX 10 mail.example.com", { beside: "mail CNAME host.example.org", part: true }],
      "@ MX 10 a.w.example.com\n*.w CNAME host.example.org",
    ],
    [
      "@ MX 10 mail.example.com\nmail A 192.0.2.1",
      "@ MX 10 mail.example.org\nmail CNAME www.example.org",
      "@ MX 1 .\n* CNAME host.example.org",
    ],
  ],
  "mx-missing": [
    [
      "@ MX 10 mail.example.com",
      "@ MX 10 mail.example.com\nmail TXT x",
      ["@ MX 10 mail.example.com\nmail AAAA 2001:db8::1\nshop MX 10 maill.example.com", { of: "shop" }],
    ],
    [
      "@ MX 10 mail.example.com\nmail AAAA 2001:db8::1",
      ["@ MX 10 mail.example.com", { beside: "mail A 192.0.2.1" }],
      ["@ MX 10 mail.example.com", part],
      "@ MX 10 mail.example.com\n* A 192.0.2.1",
      "@ MX 10 mail.lab.example.com\nlab NS ns1.example.org",
      "@ MX 10 mail.example.com\nmail 显性URL https://example.org/",
      "@ MX 10 mail.badexample.com",
    ],
  ],
  "ns-cname": [
    ["lab NS ns1.example.com\nns1 CNAME ns1.example.org"],
    ["lab NS ns1.example.com\nns1 A 192.0.2.1", "lab NS ns1.example.org"],
  ],
  "ns-missing": [
    ["lab NS ns1.example.com"],
    [
      "lab NS ns1.example.com\nns1 A 192.0.2.1",
      ["lab NS ns1.example.com", part],
      "lab NS ns.sub.example.com\nsub NS ns1.example.org",
    ],
  ],
  "cname-dangling": [
    ["www CNAME web.example.com", "www CNAME a.example.com\nb.a A 192.0.2.1\n* A 192.0.2.1"],
    [
      "www CNAME example.com",
      "www CNAME web.example.com\nweb A 192.0.2.1",
      "www CNAME web.example.com\n* A 192.0.2.1",
      "www CNAME web.lab.example.com\nlab NS ns1.example.org",
      "www CNAME web.example.org",
      ["www CNAME web.example.com", part],
      ["www CNAME web.example.com", { beside: "web A 192.0.2.1" }],
    ],
  ],
  "glue-missing": [
    ["lab NS ns1.lab.example.com", "lab NS lab.example.com"],
    [
      "lab NS ns1.lab.example.com\nns1.lab A 192.0.2.1",
      "lab NS ns1.lab.example.org",
      ["lab NS ns1.lab.example.com", part],
    ],
  ],
  "spf-lookups": [
    [
      `@ TXT "v=spf1 ${includes(0, 11)} -all"`,
      `@ TXT "v=spf1 ${includes(0, 8)} mx include:more.example.com -all"\nmore TXT "v=spf1 a:x.example.org -all"`,
      [
        '@ TXT "v=spf1 include:a.example.com -all"\na TXT "v=spf1 -all"\nb TXT "v=spf1 redirect=b.example.com"',
        { of: "b" },
      ],
    ],
    [
      `@ TXT "v=spf1 ${includes(0, 10)} ip4:192.0.2.1 -all"`,
      `@ TXT "v=spf1 ${includes(0, 10)} -all redirect=x.example.org"`,
      `@ TXT "v=spf10 ${includes(0, 20)}"`,
    ],
  ],
  "dmarc-alone": [
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc.shop TXT "v=DMARC1; p=reject"\n@ TXT "v=spf1 -all"'],
    [
      '_dmarc TXT "v=DMARC1; p=reject"\n@ TXT "v=spf1 -all"',
      '_dmarc TXT "v=DMARC1; p=reject"\ns1._domainkey CNAME s1.keys.example.org',
      ['_dmarc TXT "v=DMARC1; p=reject"', part],
      ['_dmarc TXT "v=DMARC1; p=reject"', { beside: '@ TXT "v=spf1 -all"' }],
    ],
  ],
  "mx-null": [
    [
      "@ MX 0 .\n@ MX 10 mx.example.org",
      ["@ MX 10 mx.example.org", { beside: "@ MX 0 .", part: true }],
      ["@ MX 10 .", part],
    ],
    ["@ MX 0 .", "@ MX 0 .\nshop MX 10 mx.example.org", "@ MX 10 a.example.org\n@ MX 20 b.example.org"],
  ],
  "mx-single": [
    ["@ MX 10 mx.example.org"],
    [
      "@ MX 10 mx.example.org\n@ MX 20 mx2.example.org",
      "@ MX 0 .",
      ["@ MX 10 mx.example.org", { beside: "@ MX 20 mx2.example.org" }],
      ["@ MX 10 mx.example.org", part],
    ],
  ],
  "ns-single": [
    ["lab NS ns1.example.org"],
    [
      "lab NS ns1.example.org\nlab NS ns2.example.org",
      "@ NS ns1.example.org",
      ["lab NS ns1.example.org", part],
    ],
  ],
  "ns-wildcard": [["*.lab NS ns1.example.org", ["* NS ns1.example.org", part]], ["lab NS ns1.example.org"]],
  "srv-cname": [
    [
      "_sip._tcp SRV 0 5 5060 sip.example.com\nsip CNAME pbx.example.org",
      ["_sip._tcp SRV 0 5 5060 sip.example.com", { beside: "sip CNAME pbx.example.org", part: true }],
    ],
    [
      "_sip._tcp SRV 0 5 5060 sip.example.com\nsip A 192.0.2.1",
      "_sip._tcp SRV 0 0 0 .\n* CNAME pbx.example.org",
      "_sip._tcp SRV 0 5 5060 sip.lab.example.com\nsip.lab CNAME a.example.org\nlab NS ns1.example.org",
    ],
  ],
  "srv-missing": [
    ["_sip._tcp SRV 0 5 5060 sip.example.com", "_sip._tcp SRV 0 5 5060 sip.example.com\nsip TXT x"],
    [
      "_sip._tcp SRV 0 5 5060 sip.example.com\nsip AAAA 2001:db8::1",
      ["_sip._tcp SRV 0 5 5060 sip.example.com", part],
      "_sip._tcp SRV 0 5 5060 sip.lab.example.com\nlab NS ns1.example.org",
      "_sip._tcp SRV 0 5 5060 sip.example.org",
    ],
  ],
  "srv-null": [
    ["_sip._tcp SRV 0 0 0 .\n_sip._tcp SRV 0 5 5060 sip.example.org"],
    ["_sip._tcp SRV 0 0 0 .\n_sip._udp SRV 0 5 5060 sip.example.org"],
  ],
  "srv-port": [
    ["_sip._tcp SRV 0 5 0 sip.example.org"],
    ["_sip._tcp SRV 0 0 0 .", "_sip._tcp SRV 0 0 5060 sip.example.org"],
  ],
  "srv-name": [
    [
      "sip SRV 0 5 5060 sip.example.org",
      "_sip SRV 0 5 5060 sip.example.org",
      "_sip.tcp SRV 0 5 5060 sip.example.org",
      "_123._tcp SRV 0 5 5060 sip.example.org",
      "_a--b._tcp SRV 0 5 5060 sip.example.org",
      "_a_b._tcp SRV 0 5 5060 sip.example.org",
    ],
    [
      "_sip._tcp SRV 0 5 5060 sip.example.org",
      "_sipfederationtls._tcp.shop SRV 0 5 5061 sip.example.org",
      "*._tcp SRV 0 0 0 .\n_x-puppet-ca2._tcp SRV 0 5 8140 a.example.org",
    ],
  ],
  "cname-loop": [
    [
      "www CNAME www.example.com",
      ["a CNAME b.example.com", { beside: "b CNAME a.example.com", part: true }],
      ["a CNAME b.example.com", { beside: "b CNAME c.example.com\nc CNAME b.example.com" }],
      "*.w CNAME gone.w.example.com",
      ["a CNAME b.example.com [电信]", { beside: "b CNAME a.example.com\na CNAME x.example.org" }],
    ],
    [
      "a CNAME b.example.com\nb CNAME c.example.com\nc A 192.0.2.1",
      "a CNAME b.example.com\nb CNAME www.example.org",
      "a CNAME b.example.com [联通]\na CNAME www.example.org\nb CNAME a.example.com [电信]\nb CNAME x.example.org",
      "a CNAME a.lab.example.com\na.lab CNAME a.example.com\nlab NS ns1.example.org",
    ],
  ],
  "cname-chain": [
    ["a CNAME b.example.com\nb CNAME www.example.org"],
    ["a CNAME b.example.com\nb A 192.0.2.1", "a CNAME a.example.com", "a CNAME b.example.org"],
  ],
  "name-unusual": [
    [
      "my_host A 192.0.2.1",
      "a.my_host CNAME www.example.org",
      "ab--cd A 192.0.2.1",
      "@ MX 10 mail_1.example.org",
      "_sip._tcp SRV 0 5 5060 sip_1.example.org",
      "@ MX 10 ab--c.example.org",
      "www CNAME ab--c.example.org",
      "lab NS xn--.example.org",
      "xn--zzzzzzzz99999 A 192.0.2.1",
    ],
    [
      "my-host A 192.0.2.1",
      "_acme CNAME my_host.example.org",
      "a_b._domainkey CNAME k.example.org",
      "xn--bcher-kva A 192.0.2.1\na--b A 192.0.2.1",
    ],
  ],
  "name-occluded": [
    [
      "*.lab A 192.0.2.1\nlab NS ns1.example.org",
      '_dmarc.lab TXT "v=DMARC1; p=none"\nlab NS ns1.example.org',
      ["lab MX 10 mx.example.org", { beside: "lab NS ns1.example.org", part: true }],
      ["b.lab NS ns1.example.org", { beside: "lab NS ns1.example.org", part: true }],
      "a.lab A 192.0.2.1\nlab NS ns1.example.org",
      ["_sip._tcp.lab SRV 0 5 5060 a.example.org", { beside: "lab NS ns1.example.org" }],
    ],
    [
      "*.lab A 192.0.2.1\nlabs NS ns1.example.org",
      'lab NS ns1.example.org\nlab DS "1 8 2 AB"',
      "lab NS ns1.lab.example.com\nns1.lab A 192.0.2.1",
      ["a.lab A 192.0.2.1\nlab NS ns1.example.org", part],
      "@ NS ns1.example.org\nwww A 192.0.2.1",
    ],
  ],
  "wildcard-hidden": [
    [
      ["_acme-challenge.www TXT x", { beside: "* A 192.0.2.1" }],
      "www TXT x\n* A 192.0.2.1",
      ["www A 192.0.2.2", { beside: "* A 192.0.2.1\n* AAAA 2001:db8::1", live: "*" }],
      ["a.b.dev A 192.0.2.2", { beside: "*.dev A 192.0.2.1", live: "*.dev" }],
    ],
    [
      "www A 192.0.2.2\n* A 192.0.2.1",
      "www CNAME www.example.org\n* A 192.0.2.1\n* MX 10 mx.example.org",
      ["www TXT x\n* A 192.0.2.1", { live: "www" }],
      ["_acme-challenge.www TXT x\n* A 192.0.2.1", { live: "a.www" }],
      "_acme-challenge.www TXT x\n* A 192.0.2.1\nwww A 192.0.2.2",
      ["_acme-challenge.www TXT x", { beside: "* A 192.0.2.1", part: true }],
      "_sip._tcp SRV 0 5 5060 a.example.org\n_dmarc TXT x\n* A 192.0.2.1",
      "a.b TXT x\n*.c A 192.0.2.1",
    ],
  ],
  "ttl-differs": [
    [
      "www 600 A 192.0.2.1\nwww 300 A 192.0.2.2",
      ["www 600 A 192.0.2.1", { beside: "www 300 A 192.0.2.2", part: true }],
    ],
    [
      "www 600 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
      "www 600 A 192.0.2.1\nwww 300 A 192.0.2.2 [电信]",
      "www 600 A 192.0.2.1\nwww A 192.0.2.2",
    ],
  ],
  "caa-open": [
    ['@ CAA 0 iodef "mailto:a@example.org"', '@ CAA 0 issuemail "ca.example.org"'],
    [
      '@ CAA 0 issue ";"',
      '@ CAA 0 iodef "mailto:a@example.org"\n@ CAA 0 issuewild "ca.example.org"',
      ['@ CAA 0 iodef "mailto:a@example.org"', part],
    ],
  ],
  "caa-wildcard": [
    ['@ CAA 0 issue "ca.example.org"\n@ CAA 0 issue "ca2.example.org"'],
    [
      '@ CAA 0 issue "ca.example.org"\n@ CAA 0 issuewild ";"',
      ['@ CAA 0 issue "ca.example.org"', { beside: '@ CAA 0 issuewild ";"' }],
      ['@ CAA 0 issue "ca.example.org"', part],
    ],
  ],
  "caa-flags": [
    ['@ CAA 1 issue "ca.example.org"'],
    ['@ CAA 0 issue "ca.example.org"\n@ CAA 128 iodef "mailto:a@example.org"'],
  ],
  "text-quoting": [
    [
      's1._domainkey TXT "v=DKIM1; k=rsa; p=MII\\" \\"AAB"',
      's1._domainkey TXT "v=DKIM1\\\\; k=rsa\\\\; p=MII"',
      's1._domainkey TXT "\\"k=rsa; p=MII"',
      '_dmarc TXT "v=DMARC1\\\\; p=none"',
      '_smtp._tls TXT "v=TLSRPTv1\\\\; rua=mailto:a@example.org"',
      '_mta-sts TXT "v=STSv1\\\\; id=1"',
      '@ TXT "\\"v=spf1 -all"',
      'other TXT "a=1\\\\; b=2"',
    ],
    [
      's1._domainkey TXT "v=DKIM1; k=rsa; p=MII"',
      's1._domainkey TXT "v=DKIM1; k=rsa; " "p=MII"',
      'quote TXT "say \\"p=1\\""\npath TXT "c:\\\\x"',
    ],
  ],
  "text-ascii": [["a TXT “x”", 'a TXT "tab\\009"'], ['a TXT "plain ~ text"']],
  "mail-syntax": [
    [
      ...texts("@", [
        ...["v=spf1 ipv4:192.0.2.1 -all", "v=spf1 ip4:192.0.2.300 -all", "v=spf1 ip4:192.0.2.0/33 -all"],
        ...["v=spf1 include:example -all", "v=spf1 include -all", "v=spf1 ip4=192.0.2.1 -all"],
        ...["v=spf1 -all include:a.example.org", "v=spf1 -all redirect=a.example.org", "v=spf1; -all"],
        ...["v=spf1 redirect=a.example.org redirect=b.example.org", "v=spf1 mx, -all", "v=spf1 –all"],
        "v=spf1 a:192.0.2.1 -all",
      ]),
      ...texts("_dmarc", [
        ...[
          "v=DMARC1",
          "p=none",
          "v=DMARC1; p=all",
          "v=DMARC1; p=none; rua=a@example.org",
          "v=dmarc1; p=none",
        ],
        ...["v=DMARC1; p=none; p=reject", "v=DMARC1, p=none", "v=DMARC1; p=none; pct=101"],
        ...["v=DMARC1; p=none; fo=1,d", "v=DMARC1; p=none; sp", "v=spf1 -all"],
      ]),
      ...texts("s1._domainkey", [
        ...[
          "v=DKIM1; k=rsa",
          "v=DKIM1; p=MII-",
          "k=rsa; v=DKIM1; p=MII",
          "v=DKIM1; p=MII; t=y,s",
          "p=MII\u00a0x",
        ],
      ]),
      ...texts("_mta-sts", ["v=STSv1", "v=STSv1; id=2026-01-01", "v=STSv2; id=1"]),
      ...texts("_smtp._tls", [
        ...["v=TLSRPTv1", "v=TLSRPTv1; rua=a@example.org", "v=TLSRPTv1 rua=mailto:a@example.org"],
      ]),
    ],
    [
      ...texts("@", [
        "v=spf1 a mx:example.org/24 a/24//64 mx//128 ip4:192.0.2.0/24 ip6:2001:db8::/32 ?all",
        "V=SPF1 +A:mail.example.org exists:%{ir}.%{l1r+-}._spf.%{d} include:_spf.example.org. ~ALL",
        ...["v=spf1  redirect=_spf.%{d2}", "v=spf1 ptr unknown=1 exp=why.example.org -all", "v=spf10 x"],
        "verification=1",
      ]),
      ...texts("_dmarc", [
        "v=DMARC1;p=reject;rua=mailto:a@example.org!10m, https://example.org/;fo=1:d:s;pct=50;x=1;",
        // The backslash is a finding of text-quoting, not of the mail's syntax.
        "v=DMARC1\\\\; p=none",
      ]),
      ...texts("s1._domainkey", ["v=DKIM1; h=sha256; k=ed25519; t=y:s; s=email; p= AB CD== ;", "p="]),
      ...texts("_mta-sts", "v=STSv1; id=20260101000000Z;"),
      ...texts("_smtp._tls", "v=TLSRPTv1;rua=mailto:a@example.org,https://example.org/tls"),
      ...texts("_adsp._domainkey", "dkim=all"),
      ...texts("_domainkey", "o=~"),
      ...texts("example.org._report._dmarc", "v=DMARC1"),
    ],
  ],
  "mail-twice": [
    [
      '@ TXT "v=spf1 -all"\n@ TXT "v=spf1 ~all"',
      ['@ TXT "v=spf1 -all"', { beside: '@ TXT "v=spf1 mx -all"', part: true }],
      '_dmarc TXT "v=DMARC1; p=none"\n_dmarc TXT "v=DMARC1; p=reject"',
      's1._domainkey TXT "p=MII"\ns1._domainkey TXT "p=MIJ"',
      '_mta-sts TXT "v=STSv1; id=1"\n_mta-sts TXT "v=STSv1; id=2"',
      '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@example.org"\n_smtp._tls TXT "v=TLSRPTv1; rua=mailto:b@example.org"',
    ],
    [
      '@ TXT "v=spf1 -all"\nwww TXT "v=spf1 ~all"\n@ TXT "v=spf2.0/pra -all"',
      '@ TXT "v=spf1 -all"\n@ TXT "v=spf1 ~all" [电信]',
      ["a A 192.0.2.1", { beside: '@ TXT "v=spf1 -all"\n@ TXT "v=spf1 ~all"' }],
      '_dmarc TXT "v=DMARC1; p=none"\n_dmarc TXT "x"',
    ],
  ],
  "mail-half": [
    [
      "@ MX 0 .",
      '@ MX 0 .\n@ TXT "v=spf1 ~all"',
      '@ MX 0 .\n@ TXT "v=spf1 -all"\n_dmarc TXT "v=DMARC1; p=none"',
      '@ TXT "v=spf1 -all"',
      '@ TXT "v=spf1 ip4:192.0.2.1 -all"',
      "shop MX 0 .",
    ],
    [
      '@ MX 0 .\n@ TXT "v=spf1 -all"\n_dmarc TXT "v=DMARC1; p=reject"',
      'shop MX 0 .\nshop TXT "v=spf1 -all"',
      ["@ MX 0 .", part],
      '@ TXT "v=spf1 -all"\n@ MX 10 mx.example.org',
    ],
  ],
  "spf-dangling": [
    [
      '@ TXT "v=spf1 include:_spf.example.com -all"',
      '@ TXT "v=spf1 redirect=_spf.example.com"\n_spf TXT "x"',
    ],
    [
      '@ TXT "v=spf1 include:_spf.example.com -all"\n_spf TXT "v=spf1 -all"',
      ['@ TXT "v=spf1 include:_spf.example.com -all"', part],
      '@ TXT "v=spf1 include:%{d}.example.com include:_spf.lab.example.com -all"\nlab NS ns1.example.org',
    ],
  ],
  "spf-open": [
    ['@ TXT "v=spf1 +all"', '@ TXT "v=spf1 mx all"'],
    ['@ TXT "v=spf1 ?all"', '@ TXT "v=spf1 a:all.example.org -all"'],
  ],
  "spf-neutral": [
    ['@ TXT "v=spf1 mx"', '@ TXT "v=spf1 mx ?all"'],
    ['@ TXT "v=spf1 ~all"', '@ TXT "v=spf1 redirect=_spf.example.org"', '@ TXT "v=spf1 +all"'],
  ],
  "spf-ptr": [['@ TXT "v=spf1 ptr:example.org -all"'], ['@ TXT "v=spf1 a:ptr.example.org -all"']],
  "spf-type": [["@ SPF v=spf1"], ["@ TXT v=spf1"]],
  "spf-missing": [
    ["shop MX 10 mx.example.org\nshop MX 20 mx2.example.org"],
    ['@ MX 10 mx.example.org\n@ TXT "v=spf1 -all"', ["@ MX 10 mx.example.org", part], "@ MX 0 ."],
  ],
  "dmarc-missing": [
    ['@ MX 10 mx.example.org\n@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 -all"\n@ TXT "x"'],
    [
      '@ MX 10 mx.example.org\n_dmarc TXT "v=DMARC1; p=none"',
      "@ MX 10 mx.example.org\n_dmarc CNAME dmarc.example.org",
      ["@ MX 10 mx.example.org", part],
      "shop MX 10 mx.example.org\n@ TXT x",
    ],
  ],
  "ttl-long": [["www 604801 A 192.0.2.1"], ["www 604800 A 192.0.2.1", "www A 192.0.2.1"]],
  "wildcard-idle": [
    [["* A 192.0.2.1\n*.dev A 192.0.2.1", { of: "*.dev" }]],
    [
      "* A 192.0.2.1\n*.dev A 192.0.2.2",
      "* A 192.0.2.1\n*.dev A 192.0.2.1\ndev TXT x",
      "* A 192.0.2.1\n*.dev A 192.0.2.1\na.dev TXT x",
      ["* A 192.0.2.1\n*.dev A 192.0.2.1", part],
    ],
  ],
  "private-address": [
    [
      "a A 10.1.2.3",
      "a A 172.31.0.1",
      "a A 192.168.0.1",
      "a A 127.0.0.1",
      "a A 169.254.1.1",
      "a A 100.64.0.1",
      "a AAAA fd00::1",
      "a AAAA fe80::1",
      "a AAAA ::ffff:10.0.0.1",
    ],
    [
      "a A 172.32.0.1",
      "a A 192.0.2.1",
      "localhost A 127.0.0.1",
      "a AAAA 2001:db8::1",
      "a A 100.128.0.1",
      "a TXT 10.0.0.1",
    ],
  ],
};

describe("the zone checks", () => {
  for (const code of checkCodes) {
    it(`the check ${code} finds its zones, and no near miss`, () => {
      for (const [index, rows] of cases[code].entries())
        for (const row of rows) {
          const [zone, { of = zone.split(" ")[0], ...surroundings } = {}]: Exclude<Row, string> | [string] =
            typeof row === "string" ? [row] : row;
          const owner = of === "@" ? "example.com." : `${of}.example.com.`;
          const found = codes(zone, surroundings).filter((each) => each.startsWith(`${code} `));
          deepEqual(found, index === 0 ? [`${code} ${owner}`] : [], zone);
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
    deepEqual(findings(zone.join("\n")).filter(usual).map(described), expected);
    fc.assert(
      fc.property(fc.shuffledSubarray(zone, { minLength: zone.length }), (shuffled) =>
        deepEqual(findings(shuffled.join("\n")), findings(zone.join("\n"))),
      ),
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
    deepEqual(codes("a A 192.0.2.1", { beside: "b 700000 A 10.0.0.1\nc CNAME gone.example.com" }), []);
    const [found] = findings("secret CNAME hunter2.example.com", { sensitive: true });
    equal(found?.code, "cname-dangling");
    doesNotMatch(textOf(found), /hunter2/);
    const secrets = [
      ...[
        '@ TXT "v=spf1 hunter2"',
        '@ TXT "v=spf1 include:hunter2.example.com"',
        "@ MX 10 hunter2.example.com",
      ],
      ...["a SRV 0 5 0 hunter2_.example.com", "b NS hunter2.b.example.com", "b MX 10 hunter2.example.org"],
      ...["l CNAME l.example.com", "m CNAME l.example.com", '_dmarc TXT "v=DMARC1; p=hunter2; hunter2"'],
    ];
    const told = findings(secrets.join("\n"), { sensitive: true });
    deepEqual(
      [...new Set(told.map(({ code }) => code).filter((code) => usualLevel(code) === "warn"))].sort(),
      ["cname-loop", "glue-missing", "mail-syntax", "mail-twice", "mx-missing", "name-occluded"].concat([
        ...["name-unusual", "spf-dangling", "srv-missing", "srv-name", "srv-port"],
      ]),
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
        ...{
          policy: "reject",
          subdomainPolicy: "none",
          percent: 50,
          alignmentDkim: "strict",
          reportInterval: 3600,
        },
        ...{
          rua: ["a@example.org", "https://example.org/dmarc"],
          ruf: "b@example.org!10m",
          failureOptions: ["1", "d"],
        },
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
    ];
    const { records: declared, problems } = expandSpecs("example.com", specs.flat(), { defaultLine: "默认" });
    deepEqual(problems, []);
    deepEqual(checkZone({ domain: "example.com", declared, beside: [], whole: true }).map(described), []);
  });

  const page = readFileSync(join(__dirname, "../../docs/checks.md"), "utf8");

  it("the tables of other tools in docs/checks.md name existing checks", () => {
    const [, ...tables] = (page.split("## Checks of other tools")[1] ?? "").split(/^### /m);
    deepEqual(
      tables.map((table) => table.split(/[ :]/, 1)[0]),
      ["octoDNS", "dnscontrol", "PowerDNS", "NetBox"],
    );
    const named = tables.flatMap((table) =>
      [...table.matchAll(/^\|.*\|(.*)\|$/gm)].flatMap(([, here = ""]) =>
        [...here.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, code]) => code),
      ),
    );
    ok(named.length > 40, String(named.length));
    deepEqual(
      named.filter((code) => !checkCodes.some((each) => each === code)),
      [],
    );
  });

  it("each check has a section with its level in docs/checks.md", () => {
    deepEqual(
      [...page.matchAll(/^### (\S+-\S+)$/gm)].map(([, code]) => code),
      [...checkCodes],
    );
    deepEqual(
      [...page.matchAll(/^\| \[`(\S+-\S+)`\]\(#\1\) \| (\w+) \|/gm)].map(([, code, level]) => [code, level]),
      checkCodes.map((code) => [code, usualLevel(code)]),
    );
  });
});

describe("the levels of checks", () => {
  const levels = (given: unknown) => {
    const read = readCheckLevels(given);
    return "levels" in read ? read.levels : fail(textOf(read.problem));
  };

  it("levels of checks are a word, a list, an object, or an object as JSON", () => {
    deepEqual(levels("off"), { other: "off", byCode: {} });
    const some = { other: "refuse", byCode: { "mx-cname": "off", "ttl-long": "warn" } };
    for (const given of [
      { "*": "refuse", "mx-cname": "off", "ttl-long": "warn" },
      "refuse, mx-cname=off ttl-long=warn",
      '{"mx-cname":"off","*":"refuse","ttl-long":"warn"}',
      "mx-cname=off,ttl-long=warn,*=refuse",
    ]) {
      deepEqual(levels(given), some);
    }
    equal(levelOf("mx-cname", levels("mx-cname=refuse")), "refuse");
    equal(levelOf("mx-missing", levels("mx-cname=refuse")), "warn");
    const all = ["mx-missing", "wildcard-hidden", "mx-single"] as const;
    deepEqual(
      all.map((code) => levelOf(code, levels("refuse"))),
      ["refuse", "note", "off"],
    );
    deepEqual(
      all.map((code) => levelOf(code, levels("off, mx-single=warn"))),
      ["off", "off", "warn"],
    );
    equal(levelOf("mx-missing", levels("note")), "note");
    equal(allOff(levels("off,mx-cname=warn")), false);
    equal(allOff(levels("off,mx-cname=off")), true);
  });

  it("wrong levels of checks name the code or level that is meant", () => {
    const problem = (given: unknown) => {
      const read = readCheckLevels(given);
      return "problem" in read ? textOf(read.problem) : fail();
    };
    match(problem("mx-cnam=off"), /^"mx-cnam" is not valid; did you mean mx-cname\?$/);
    match(problem("loud"), /^"loud" is not a level of a check; write note, warn, refuse or off/);
    match(problem({ "mx-cname": true }), /^a boolean is not a level of a check/);
    match(problem("{"), /this text is not a level/);
    match(problem(3), /a number is not a level/);
  });

  it("levels of a resource override those of the stack", () => {
    const stack = levels("refuse,ttl-long=off");
    deepEqual(overlaid(stack, { "private-address": "off" }), {
      other: "refuse",
      byCode: { "ttl-long": "off", "private-address": "off" },
    });
    deepEqual(overlaid(stack, "warn"), { other: "warn", byCode: {} });
    deepEqual(overlaid(stack, undefined), stack);
  });
});
