/** Zones with and without a finding about mail: MX, SPF, DMARC and other texts of mail. */
import { part, type Cases } from "./check-cases";

const includes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `include:s${from + i}.example.org`).join(" ");

const texts = (name: string, values: string | readonly string[]) =>
  [values].flat().map((value) => `${name} TXT "${value}"`);

export const mailCases = {
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
        "v=DMARC1; t=x",
        "p=none",
        "v=DMARC1; p=all",
        "v=DMARC1; p=none; rua=a@example.org",
        "v=dmarc1; p=none",
        ...["v=DMARC1; p=none; p=reject", "v=DMARC1, p=none", "v=DMARC1; np=all"],
        ...["v=DMARC1; p=none; fo=1,d", "v=DMARC1; p=none; sp", "v=spf1 -all"],
      ]),
      ...texts("s1._domainkey", [
        "v=DKIM1; k=rsa",
        "v=DKIM1; p=MII-",
        "k=rsa; v=DKIM1; p=MII",
        "v=DKIM1; p=MII; t=y,s",
        "p=MII\u00a0x",
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
        // RFC 9989 §4.7: p is optional, tags are in any order, and receivers ignore removed and unknown ones.
        ...["v=DMARC1", "v=DMARC1; rua=mailto:a@example.org; p=reject; psd=u; t=y; np=none; pct=101; ri=x"],
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
  "dmarc-tags": [
    texts("_dmarc", [
      "v=DMARC1; p=none; pct=50",
      "v=DMARC1;p=none;RI = 3600; rf=afrf",
      "v=DMARC1; p=none; x=1",
    ]),
    [
      ...texts("_dmarc", [
        "v=DMARC1; p=none; sp=none; np=none; t=n; psd=u; adkim=r; aspf=r; fo=0",
        "v=DMARC1; p",
      ]),
      ...texts("www", "v=DMARC1; p=none; pct=50"),
    ],
  ],
  // The cases' time is 2026-01-01.
  "acme-expiry": [
    texts("_validation-persist", [
      "ca.example; accounturi=https://ca.example/a; persistUntil=1767225599",
      "ca.example;accounturi=https://ca.example/a;PersistUntil = 1769817600;policy=wildcard",
      "ca.example; accounturi=https://ca.example/a; persistUntil=2027-01-01",
    ]),
    [
      ...texts("_validation-persist.shop", [
        "ca.example; accounturi=https://ca.example/a; persistUntil=1769817601",
        "ca.example; accounturi=https://ca.example/persistUntil=1",
      ]),
      ...texts("www", "ca.example; accounturi=https://ca.example/a; persistUntil=1"),
    ],
  ],
} satisfies Cases;
