/** The plan as stories. Each runs a second time on its own result. */
import { full, tell, type Story } from "./story";

const changing = { may: { change: true } };
const single = { may: { change: true, remove: true, single: true } };
const a = "www 600 A 192.0.2.1";
const [own, theirs] = [`1* ${a}`, `1 ${a}`];
const [short, other, third] = ["www 300 A 192.0.2.1", "www 600 A 192.0.2.2", "www 600 A 192.0.2.3"];
const [alias, text, api] = ["www 600 CNAME a.example.org.", "www 600 TXT x", "api 600 A 192.0.2.1"];
const ns = "@ 86400 NS ns1.dns-host.example.";
const line = `${a} [电信]`;
const elsewhere = [a];

type Row = [title: string, zone: string[], declared: string[], plan: string[], more?: Partial<Story>];
const stories: Readonly<Record<string, readonly Row[]>> = {
  "what is declared and not live": [
    ["is made", [], [a], ["make www A 192.0.2.1"]],
    ["is made beside another value of its name", [own], [a, other], ["make www A 192.0.2.2"]],
    [
      "is made at the apex beside the service's NS records",
      [`1! ${ns}`],
      ["@ 600 A 192.0.2.1"],
      ["make @ A 192.0.2.1"],
    ],
    [
      "is made on each line that it is declared on",
      [],
      [a, line],
      ["make www A 192.0.2.1", "make www A 192.0.2.1 [电信]"],
    ],
  ],
  "what is declared and live": [
    ["is adopted without a write", [theirs], [a], ["adopt 1"]],
    ["and the resource's already: nothing", [own], [a], []],
    ["with any TTL, where none is declared", ["1 www 3600 A 192.0.2.1"], ["www A 192.0.2.1"], ["adopt 1"]],
    ["may not be adopted: refused", [theirs], [a], ["blocked: exists 1"], { adopt: false }],
    ["may not be adopted, but is the resource's already", [own], [a], [], { adopt: false }],
    ["and the service's own: adopted", [`1! ${ns}`], [ns], ["adopt 1"]],
    ["on another line than declared is another record", [`1 ${line}`], [a], ["make www A 192.0.2.1"]],
    [
      "in another spelling of its data is the same",
      ["1 www 600 AAAA 2001:db8::1"],
      ["www 600 AAAA 2001:DB8:0:0:0:0:0:1"],
      ["adopt 1"],
    ],
    [
      "as a TXT in another case is another record",
      ["1 @ 600 TXT Hello"],
      ["@ 600 TXT hello"],
      ['make @ TXT "hello"'],
    ],
    [
      "as an MX of another priority is another record",
      ["1 @ 600 MX 10 mx.example.org."],
      ["@ 600 MX 20 mx.example.org."],
      ["make @ MX 20 mx.example.org."],
    ],
  ],
  "another TTL": [
    ["that the program asks for is refused", [own], [short], ["blocked: ttl 1"]],
    ["of what would be adopted is refused", [`1 ${short}`], [a], ["blocked: ttl 1"]],
    ["is changed where that is switched on", [own], [short], ["1 gets TTL 300"], full],
    ["is changed though nothing may be removed", [own], [short], ["1 gets TTL 300"], changing],
    ["of what is taken over is changed", [`1 ${short}`], [a], ["1 gets TTL 600"], full],
    [
      "of the service's own record is refused, whatever is switched on",
      [`1! ${ns}`],
      ["@ 600 NS ns1.dns-host.example."],
      ["blocked: ttl 1"],
      full,
    ],
    [
      "and another value: the record becomes both",
      [own],
      ["www 300 A 192.0.2.2"],
      ["1 becomes www A 192.0.2.2"],
      full,
    ],
  ],
  "a disabled record": [
    ["is drift", [`1*- ${a}`], [a], ["blocked: disabled 1"]],
    ["is enabled where that is switched on", [`1*- ${a}`], [a], ["enable 1"], full],
    ["with another TTL is enabled, which sends the TTL too", [`1*- ${short}`], [a], ["enable 1"], full],
    [
      "of the service's own is refused, whatever is switched on",
      [`1!- ${ns}`],
      [ns],
      ["blocked: disabled 1"],
      full,
    ],
    ["that may not be adopted says that first", [`1- ${a}`], [a], ["blocked: exists 1"], { adopt: false }],
  ],
  "what is no longer declared": [
    ["is left over", [own], [], ["left over 1"]],
    ["is removed where that is switched on", [own], [], ["remove 1"], full],
    ["and was never the resource's: nothing", [theirs], [], [], full],
    ["is handed over where another resource declares it", [own], [], ["hand over 1"], { elsewhere }],
    ["is handed over, not removed", [own], [], ["hand over 1"], { ...full, elsewhere }],
    ["and the service's own stays", [`1*! ${ns}`], [], [], full],
    ["is left over beside its successor", [own], [other], ["make www A 192.0.2.2", "left over 1"]],
    [
      "is not removed where only changes are allowed",
      [own],
      [other],
      ["make www A 192.0.2.2", "left over 1"],
      changing,
    ],
    [
      "and moved to another resource's name: one is handed over, one is made",
      [own],
      [api],
      ["make api A 192.0.2.1", "hand over 1"],
      { ...full, elsewhere },
    ],
  ],
  "what becomes something else": [
    ["another value: one modification", [own], [other], ["1 becomes www A 192.0.2.2"], full],
    ["another name: made, then removed", [own], [api], ["make api A 192.0.2.1", "remove 1"], full],
    [
      "another type: made, then removed",
      [own],
      ["www 600 AAAA 2001:db8::1"],
      ["make www AAAA 2001:db8::1", "remove 1"],
      full,
    ],
    ["another line: made, then removed", [own], [line], ["make www A 192.0.2.1 [电信]", "remove 1"], full],
    [
      "two values that become one",
      [own, `2* ${other}`],
      [third],
      ["1 becomes www A 192.0.2.3", "remove 2"],
      full,
    ],
    [
      "one value that becomes two",
      [own],
      [other, third],
      ["make www A 192.0.2.3", "1 becomes www A 192.0.2.2"],
      full,
    ],
    [
      "mail servers pair by their priority",
      ["1* @ 600 MX 20 b.example.org.", "2* @ 600 MX 10 a.example.org."],
      ["@ 600 MX 10 c.example.org.", "@ 600 MX 20 d.example.org."],
      ["2 becomes @ MX 10 c.example.org.", "1 becomes @ MX 20 d.example.org."],
      full,
    ],
    [
      "each type by itself",
      [own, "2* www 600 TXT old"],
      ["www 600 TXT new", other],
      ['2 becomes www TXT "new"', "1 becomes www A 192.0.2.2"],
      full,
    ],
    [
      "a value that another resource declares is not changed",
      [own],
      [other],
      ["make www A 192.0.2.2", "hand over 1"],
      { ...full, elsewhere },
    ],
    [
      "a value that is live already: adopted, and the old one removed",
      [own, `2 ${other}`],
      [other],
      ["adopt 2", "remove 1"],
      full,
    ],
  ],
  "a resource of one record": [
    ["becomes another value in place", [own], [other], ["1 becomes www A 192.0.2.2"], single],
    ["becomes another name in place", [own], [api], ["1 becomes api A 192.0.2.1"], single],
    [
      "becomes a CNAME in place, where it stands alone",
      [own],
      [alias],
      ["1 becomes www CNAME a.example.org."],
      single,
    ],
    [
      "does not go to another domain",
      [own],
      [`example.net ${a}`],
      ["make www.example.net. A 192.0.2.1", "remove 1"],
      single,
    ],
    ["adopts what is live under its new name", [own, `2 ${api}`], [api], ["adopt 2", "remove 1"], single],
    [
      "does not become what something else excludes",
      [own, `2 ${text}`],
      [alias],
      ["remove 1", "blocked: blocked 2"],
      single,
    ],
  ],
  "a CNAME": [
    ["in place of an address: in one step", [own], [alias], ["1 becomes www CNAME a.example.org."], full],
    [
      "in place of several addresses: all but one go first",
      [own, `2* ${other}`],
      [alias],
      ["1 becomes www CNAME a.example.org.", "remove 2 first"],
      full,
    ],
    [
      "in place of addresses: one that is off is not the last to go",
      [`1*- ${a}`, `2* ${other}`],
      [alias],
      ["2 becomes www CNAME a.example.org.", "remove 1 first"],
      full,
    ],
    [
      "gives way to an address: in one step, the rest after",
      [`1* ${alias}`],
      [text, a],
      ['make www TXT "x"', "1 becomes www A 192.0.2.1"],
      full,
    ],
    ["beside what is not the resource's: refused", [theirs], [alias], ["blocked: blocked 1"]],
    [
      "of others in the way of an address, whatever is switched on",
      [`1 ${alias}`],
      [a],
      ["blocked: blocked 1"],
      full,
    ],
    [
      "in the way, and ours: refused where nothing can be changed",
      [`1* ${alias}`],
      [a],
      ["blocked: blocked 1", "left over 1"],
    ],
    [
      "on one line does not exclude an address on another",
      [`1 ${alias} [电信]`],
      [a],
      ["make www A 192.0.2.1"],
    ],
    [
      "at the apex does not mind the service's NS records",
      [`1! ${ns}`],
      ["@ 600 CNAME a.example.org."],
      ["make @ CNAME a.example.org."],
    ],
    [
      "that is declared beside a live one of another target is blocked",
      [`1 ${alias}`],
      ["www 600 CNAME b.example.org."],
      ["blocked: blocked 1"],
    ],
  ],
  "a record that is live twice": [
    ["is named", [own, `2 ${a}`], [a], ["live twice 1 2"]],
    ["loses its twin where that is switched on", [own, `2 ${a}`], [a], ["remove 2"], full],
    [
      "keeps it under retain, where records are changed only",
      [own, `2 ${a}`],
      [a],
      ["live twice 1 2"],
      changing,
    ],
    ["keeps the resource's own", [theirs, `2* ${a}`], [a], ["remove 1"], full],
    ["keeps the one with the declared TTL", [`1 ${short}`, `2 ${a}`], [a], ["adopt 2", "remove 1"], full],
    ["keeps the one that is enabled", [`1- ${a}`, `2 ${a}`], [a], ["adopt 2", "remove 1"], full],
    [
      "with another TTL: the twin goes before the change",
      [`1* ${short}`, `2 ${short}`],
      [a],
      ["1 gets TTL 600", "remove 2 first"],
      full,
    ],
    ["and left over is named once", [own, `2* ${a}`], [], ["left over 1", "left over 2", "live twice 1 2"]],
    [
      "and not declared any more: ours goes, the other stays and is named",
      [own, `2 ${a}`],
      [],
      ["remove 1", "twin stays 2"],
      full,
    ],
    [
      "and becomes another: the other stays and is named",
      [`1* ${other}`, `2 ${other}`],
      [a],
      ["1 becomes www A 192.0.2.1", "twin stays 2"],
      full,
    ],
    ["and both are ours: both go, and none is named", [own, `2* ${a}`], [], ["remove 1", "remove 2"], full],
  ],
};

for (const [group, rows] of Object.entries(stories))
  describe(`the plan: ${group}`, () => {
    for (const [title, zone, declared, plan, more] of rows)
      it(title, () => tell({ zone, declared, plan, ...more }));
  });
