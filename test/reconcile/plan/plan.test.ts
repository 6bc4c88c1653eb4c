/** The plan as stories. Each runs a second time on its own result. */
import { full, tell, type Story } from "./story";

const single = { ...full, single: true };
const a = "www 600 A 192.0.2.1";

const stories: Readonly<Record<string, Readonly<Record<string, Story>>>> = {
  "what is declared and not live": {
    "is made": { declared: [a], plan: ["make www A 192.0.2.1"] },
    "is made beside another value of its name": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: [a, "www 600 A 192.0.2.2"],
      plan: ["make www A 192.0.2.2"],
    },
    "is made at the apex beside the service's NS records": {
      zone: ["1! @ 86400 NS ns1.dns-host.example."],
      declared: ["@ 600 A 192.0.2.1"],
      plan: ["make @ A 192.0.2.1"],
    },
    "is made on each line that it is declared on": {
      declared: [a, "www 600 A 192.0.2.1 [电信]"],
      plan: ["make www A 192.0.2.1", "make www A 192.0.2.1 [电信]"],
    },
  },
  "what is declared and live": {
    "is adopted without a write": { zone: ["1 www 600 A 192.0.2.1"], declared: [a], plan: ["adopt 1"] },
    "and the resource's already: nothing": { zone: ["1* www 600 A 192.0.2.1"], declared: [a], plan: [] },
    "with any TTL, where none is declared": {
      zone: ["1 www 3600 A 192.0.2.1"],
      declared: ["www A 192.0.2.1"],
      plan: ["adopt 1"],
    },
    "may not be adopted: refused": {
      zone: ["1 www 600 A 192.0.2.1"],
      declared: [a],
      adopt: false,
      plan: ["blocked: exists 1"],
    },
    "may not be adopted, but is the resource's already": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: [a],
      adopt: false,
      plan: [],
    },
    "and the service's own: adopted": {
      zone: ["1! @ 86400 NS ns1.dns-host.example."],
      declared: ["@ 86400 NS ns1.dns-host.example."],
      plan: ["adopt 1"],
    },
    "on another line than declared is another record": {
      zone: ["1 www 600 A 192.0.2.1 [电信]"],
      declared: [a],
      plan: ["make www A 192.0.2.1"],
    },
    "in another spelling of its data is the same": {
      zone: ["1 www 600 AAAA 2001:db8::1"],
      declared: ["www 600 AAAA 2001:DB8:0:0:0:0:0:1"],
      plan: ["adopt 1"],
    },
    "as a TXT in another case is another record": {
      zone: ["1 @ 600 TXT Hello"],
      declared: ["@ 600 TXT hello"],
      plan: ['make @ TXT "hello"'],
    },
    "as an MX of another priority is another record": {
      zone: ["1 @ 600 MX 10 mx.example.org."],
      declared: ["@ 600 MX 20 mx.example.org."],
      plan: ["make @ MX 20 mx.example.org."],
    },
  },
  "another TTL": {
    "that the program asks for is refused": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 300 A 192.0.2.1"],
      plan: ["blocked: ttl 1"],
    },
    "of what would be adopted is refused": {
      zone: ["1 www 300 A 192.0.2.1"],
      declared: [a],
      plan: ["blocked: ttl 1"],
    },
    "is changed where that is switched on": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 300 A 192.0.2.1"],
      may: full,
      plan: ["1 gets TTL 300"],
    },
    "is changed though nothing may be removed": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 300 A 192.0.2.1"],
      may: { change: true },
      plan: ["1 gets TTL 300"],
    },
    "of what is taken over is changed": {
      zone: ["1 www 300 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["1 gets TTL 600"],
    },
    "of the service's own record is refused, whatever is switched on": {
      zone: ["1! @ 86400 NS ns1.dns-host.example."],
      declared: ["@ 600 NS ns1.dns-host.example."],
      may: full,
      plan: ["blocked: ttl 1"],
    },
    "and another value: the record becomes both": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 300 A 192.0.2.2"],
      may: full,
      plan: ["1 becomes www A 192.0.2.2"],
    },
  },
  "a disabled record": {
    "is drift": { zone: ["1*- www 600 A 192.0.2.1"], declared: [a], plan: ["blocked: disabled 1"] },
    "is enabled where that is switched on": {
      zone: ["1*- www 600 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["enable 1"],
    },
    "with another TTL is enabled, which sends the TTL too": {
      zone: ["1*- www 300 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["enable 1"],
    },
    "of the service's own is refused, whatever is switched on": {
      zone: ["1!- @ 86400 NS ns1.dns-host.example."],
      declared: ["@ 86400 NS ns1.dns-host.example."],
      may: full,
      plan: ["blocked: disabled 1"],
    },
    "that may not be adopted says that first": {
      zone: ["1- www 600 A 192.0.2.1"],
      declared: [a],
      adopt: false,
      plan: ["blocked: exists 1"],
    },
  },
  "what is no longer declared": {
    "is left over": { zone: ["1* www 600 A 192.0.2.1"], plan: ["left over 1"] },
    "is removed where that is switched on": {
      zone: ["1* www 600 A 192.0.2.1"],
      may: full,
      plan: ["remove 1"],
    },
    "and was never the resource's: nothing": { zone: ["1 www 600 A 192.0.2.1"], may: full, plan: [] },
    "is handed over where another resource declares it": {
      zone: ["1* www 600 A 192.0.2.1"],
      elsewhere: [a],
      plan: ["hand over 1"],
    },
    "is handed over, not removed": {
      zone: ["1* www 600 A 192.0.2.1"],
      elsewhere: [a],
      may: full,
      plan: ["hand over 1"],
    },
    "and the service's own is let go of": {
      zone: ["1*! @ 86400 NS ns1.dns-host.example."],
      may: full,
      plan: ["let go of 1"],
    },
    "is left over beside its successor": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.2"],
      plan: ["make www A 192.0.2.2", "left over 1"],
    },
    "is not removed where only changes are allowed": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.2"],
      may: { change: true },
      plan: ["make www A 192.0.2.2", "left over 1"],
    },
    "and moved to another resource's name: one is handed over, one is made": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["api 600 A 192.0.2.1"],
      elsewhere: [a],
      may: full,
      plan: ["make api A 192.0.2.1", "hand over 1"],
    },
  },
  "what becomes something else": {
    "another value: one modification": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.2"],
      may: full,
      plan: ["1 becomes www A 192.0.2.2"],
    },
    "another name: made, then removed": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["api 600 A 192.0.2.1"],
      may: full,
      plan: ["make api A 192.0.2.1", "remove 1"],
    },
    "another type: made, then removed": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 AAAA 2001:db8::1"],
      may: full,
      plan: ["make www AAAA 2001:db8::1", "remove 1"],
    },
    "another line: made, then removed": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.1 [电信]"],
      may: full,
      plan: ["make www A 192.0.2.1 [电信]", "remove 1"],
    },
    "two values that become one": {
      zone: ["1* www 600 A 192.0.2.1", "2* www 600 A 192.0.2.2"],
      declared: ["www 600 A 192.0.2.3"],
      may: full,
      plan: ["1 becomes www A 192.0.2.3", "remove 2"],
    },
    "one value that becomes two": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.2", "www 600 A 192.0.2.3"],
      may: full,
      plan: ["make www A 192.0.2.3", "1 becomes www A 192.0.2.2"],
    },
    "mail servers pair by their priority": {
      zone: ["1* @ 600 MX 20 b.example.org.", "2* @ 600 MX 10 a.example.org."],
      declared: ["@ 600 MX 10 c.example.org.", "@ 600 MX 20 d.example.org."],
      may: full,
      plan: ["2 becomes @ MX 10 c.example.org.", "1 becomes @ MX 20 d.example.org."],
    },
    "each type by itself": {
      zone: ["1* www 600 A 192.0.2.1", "2* www 600 TXT old"],
      declared: ["www 600 TXT new", "www 600 A 192.0.2.2"],
      may: full,
      plan: ['2 becomes www TXT "new"', "1 becomes www A 192.0.2.2"],
    },
    "a value that another resource declares is not changed": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.2"],
      elsewhere: [a],
      may: full,
      plan: ["make www A 192.0.2.2", "hand over 1"],
    },
    "a value that is live already: adopted, and the old one removed": {
      zone: ["1* www 600 A 192.0.2.1", "2 www 600 A 192.0.2.2"],
      declared: ["www 600 A 192.0.2.2"],
      may: full,
      plan: ["adopt 2", "remove 1"],
    },
  },
  "a resource of one record": {
    "becomes another value in place": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 A 192.0.2.2"],
      may: single,
      plan: ["1 becomes www A 192.0.2.2"],
    },
    "becomes another name in place": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["api 600 A 192.0.2.1"],
      may: single,
      plan: ["1 becomes api A 192.0.2.1"],
    },
    "becomes a CNAME in place, where it stands alone": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 CNAME a.example.org."],
      may: single,
      plan: ["1 becomes www CNAME a.example.org."],
    },
    "does not go to another domain": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["example.net www 600 A 192.0.2.1"],
      may: single,
      plan: ["make www.example.net. A 192.0.2.1", "remove 1"],
    },
    "adopts what is live under its new name": {
      zone: ["1* www 600 A 192.0.2.1", "2 api 600 A 192.0.2.1"],
      declared: ["api 600 A 192.0.2.1"],
      may: single,
      plan: ["adopt 2", "remove 1"],
    },
    "does not become what something else excludes": {
      zone: ["1* www 600 A 192.0.2.1", "2 www 600 TXT x"],
      declared: ["www 600 CNAME a.example.org."],
      may: single,
      plan: ["remove 1", "blocked: blocked 2"],
    },
  },
  "a CNAME": {
    "in place of an address: in one step": {
      zone: ["1* www 600 A 192.0.2.1"],
      declared: ["www 600 CNAME a.example.org."],
      may: full,
      plan: ["1 becomes www CNAME a.example.org."],
    },
    "in place of several addresses: all but one go first": {
      zone: ["1* www 600 A 192.0.2.1", "2* www 600 A 192.0.2.2"],
      declared: ["www 600 CNAME a.example.org."],
      may: full,
      plan: ["1 becomes www CNAME a.example.org.", "remove 2 first"],
    },
    "in place of addresses: one that is off is not the last to go": {
      zone: ["1*- www 600 A 192.0.2.1", "2* www 600 A 192.0.2.2"],
      declared: ["www 600 CNAME a.example.org."],
      may: full,
      plan: ["2 becomes www CNAME a.example.org.", "remove 1 first"],
    },
    "gives way to an address: in one step, the rest after": {
      zone: ["1* www 600 CNAME a.example.org."],
      declared: ["www 600 TXT x", a],
      may: full,
      plan: ['make www TXT "x"', "1 becomes www A 192.0.2.1"],
    },
    "beside what is not the resource's: refused": {
      zone: ["1 www 600 A 192.0.2.1"],
      declared: ["www 600 CNAME a.example.org."],
      plan: ["blocked: blocked 1"],
    },
    "of others in the way of an address, whatever is switched on": {
      zone: ["1 www 600 CNAME a.example.org."],
      declared: [a],
      may: full,
      plan: ["blocked: blocked 1"],
    },
    "in the way, and ours: refused where nothing can be changed": {
      zone: ["1* www 600 CNAME a.example.org."],
      declared: [a],
      plan: ["blocked: blocked 1", "left over 1"],
    },
    "on one line does not exclude an address on another": {
      zone: ["1 www 600 CNAME a.example.org. [电信]"],
      declared: [a],
      plan: ["make www A 192.0.2.1"],
    },
    "at the apex does not mind the service's NS records": {
      zone: ["1! @ 86400 NS ns1.dns-host.example."],
      declared: ["@ 600 CNAME a.example.org."],
      plan: ["make @ CNAME a.example.org."],
    },
    "that is declared beside a live one of another target is blocked": {
      zone: ["1 www 600 CNAME a.example.org."],
      declared: ["www 600 CNAME b.example.org."],
      plan: ["blocked: blocked 1"],
    },
  },
  "a record that is live twice": {
    "is named": {
      zone: ["1* www 600 A 192.0.2.1", "2 www 600 A 192.0.2.1"],
      declared: [a],
      plan: ["live twice 1 2"],
    },
    "loses its twin where that is switched on": {
      zone: ["1* www 600 A 192.0.2.1", "2 www 600 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["remove 2"],
    },
    "keeps the resource's own": {
      zone: ["1 www 600 A 192.0.2.1", "2* www 600 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["remove 1"],
    },
    "keeps the one with the declared TTL": {
      zone: ["1 www 300 A 192.0.2.1", "2 www 600 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["adopt 2", "remove 1"],
    },
    "keeps the one that is enabled": {
      zone: ["1- www 600 A 192.0.2.1", "2 www 600 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["adopt 2", "remove 1"],
    },
    "with another TTL: the twin goes before the change": {
      zone: ["1* www 300 A 192.0.2.1", "2 www 300 A 192.0.2.1"],
      declared: [a],
      may: full,
      plan: ["1 gets TTL 600", "remove 2 first"],
    },
    "and left over is named once": {
      zone: ["1* www 600 A 192.0.2.1", "2* www 600 A 192.0.2.1"],
      plan: ["left over 1", "left over 2", "live twice 1 2"],
    },
    "and not declared any more: ours goes, the other stays and is named": {
      zone: ["1* www 600 A 192.0.2.1", "2 www 600 A 192.0.2.1"],
      may: full,
      plan: ["remove 1", "twin stays 2"],
    },
    "and becomes another: the other stays and is named": {
      zone: ["1* www 600 A 192.0.2.2", "2 www 600 A 192.0.2.2"],
      declared: [a],
      may: full,
      plan: ["1 becomes www A 192.0.2.1", "twin stays 2"],
    },
    "and both are ours: both go, and none is named": {
      zone: ["1* www 600 A 192.0.2.1", "2* www 600 A 192.0.2.1"],
      may: full,
      plan: ["remove 1", "remove 2"],
    },
  },
};

for (const [group, told] of Object.entries(stories)) {
  describe(`the plan: ${group}`, () => {
    for (const [title, story] of Object.entries(told)) it(title, () => tell(story));
  });
}
