/** Zones with and without a finding about names, targets, lines and TTLs. */
import { part, type Cases } from "./check-cases";

export const nameCases = {
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
} satisfies Cases;
