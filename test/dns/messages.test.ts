import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { expandRecord, expandSpecs, type ExpandOptions } from "../../provider/dns";
import { isError, shown, type Problem } from "../../provider/problems";
import { defaultLine } from "./arbitraries";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const options: ExpandOptions = { defaultLine, unknown };
const said = (problems: readonly Problem[]): string[] =>
  problems.map((problem) => `${isError(problem) ? "" : "warning "}${shown(problem)}`);
const problemsOf = (
  records: unknown,
  domains: unknown = "example.com",
  more: Partial<ExpandOptions> = {},
): string[] => said(expandSpecs(domains, records, { ...options, ...more }).problems);

const types = "A, AAAA, CNAME, MX, NS, TXT, SRV, CAA";
const needed = 'a name, a type and data are needed; write a line such as "www A 192.0.2.1"';
const mustBeKnown =
  "not known yet: a preview must know the zones of a batch; declare what belongs to this one as Record, whose domain may be known later";

describe("a domain's message", () => {
  const table: readonly (readonly [unknown, string])[] = [
    ["", 'domains: "" is no domain; write the zone\'s name, for example "example.com"'],
    ["192.0.2.1", 'domains: "192.0.2.1" is an address; write the zone\'s name, for example "example.com"'],
    [
      "example",
      'domains: "example" is a single label; write the zone\'s whole name, for example "example.com"',
    ],
    ["a..com", 'domains: "a..com" has an empty label; write one dot between two labels'],
    [
      "a b.com",
      'domains: "a b.com" has a character in label 1 that is no letter, digit, hyphen or underscore',
    ],
    ["*.com", 'domains: "*.com" has a character in label 1 that is no letter, digit, hyphen or underscore'],
    [
      "日本/.com",
      'domains: "日本/.com" has a label (1) that is no internationalised name; see IDNA (RFC 5891)',
    ],
    [undefined, 'domains: missing; write the zone\'s name, such as "example.com"'],
    [null, 'domains: null is no domain; write the zone\'s name, such as "example.com"'],
    [["example.com", 5], 'domains[1]: a number is no domain; write the zone\'s name, such as "example.com"'],
    [[], 'domains: the list is empty; write at least one zone, such as "example.com"'],
    [["example.com", unknown], `domains[1]: ${mustBeKnown}`],
    [
      ["a.sub.example.com", "example.com"],
      "domains[0]: a.sub.example.com lies below example.com (domains[1]), and their records' names would overlap; declare them in two batches",
    ],
  ];
  for (const [domains, message] of table) {
    it(`a domain's message is ${message}`, () =>
      assert.deepEqual(said(expandSpecs(domains, [], options).problems), [message]));
  }

  it("a domain's message gives the length of a long label or name", () => {
    assert.deepEqual(problemsOf([], `${"a".repeat(64)}.com`), [
      `domains: "${"a".repeat(57)}..." has 64 octets in label 1; a label holds at most 63 (RFC 1035 §2.3.4)`,
    ]);
    const long = `${"abcdefg.".repeat(32)}com`;
    assert.deepEqual(problemsOf([], long), [
      `domains: "${long.slice(0, 57)}..." makes a name of 259 octets; a name holds at most 253 (RFC 1035 §2.3.4)`,
    ]);
  });
});

describe("a name's message", () => {
  const of = (name: unknown, domains: unknown = "example.com"): string[] =>
    problemsOf([{ name, type: "A", value: "192.0.2.1" }], domains);
  const two = ["example.com", "example.net"];
  const table: readonly (readonly [unknown, unknown, string])[] = [
    [
      "www.example.com",
      "example.com",
      '"www.example.com" ends in the domain itself; write "www" for www.example.com.',
    ],
    ["Example.com", "example.com", '"Example.com" ends in the domain itself; write "@" for example.com.'],
    ["www.example.net", two, '"www.example.net" ends in the domain itself; write "www" for www.example.net.'],
    [
      "www.example.com.",
      two,
      '"www.example.com." is absolute, but the batch covers 2 domains; write it relative to each domain, such as "www" or "@"',
    ],
    [
      "www.example.org.",
      "example.com",
      '"www.example.org." is absolute and does not lie in example.com; declare it with its own domain, or write a relative name',
    ],
    [
      "a.*",
      "example.com",
      '"a.*" has a "*" beyond the one that the first label may hold; write a wildcard as "*" or "*.name"',
    ],
    [
      "*a*",
      "example.com",
      '"*a*" has a "*" beyond the one that the first label may hold; write a wildcard as "*" or "*.name"',
    ],
    [
      "-a",
      "example.com",
      '"-a" has a label that begins or ends with a hyphen, which the service refuses (RFC 1123 §2.1); take that hyphen away',
    ],
    [
      "a.b-",
      "example.com",
      '"a.b-" has a label that begins or ends with a hyphen, which the service refuses (RFC 1123 §2.1); take that hyphen away',
    ],
    ["a@b", "example.com", '"a@b" has a character in label 1 that is no letter, digit, hyphen or underscore'],
    [".", "example.com", '"." has an empty label; write one dot between two labels'],
    [null, "example.com", 'null is no name; write text such as "www", or "@" for the apex'],
    [7, "example.com", 'a number is no name; write text such as "www", or "@" for the apex'],
  ];
  for (const [name, domains, message] of table) {
    it(`a name's message is ${message}`, () =>
      assert.deepEqual(of(name, domains), [`records[0].name: ${message}`]));
  }

  it("a name's message counts the octets of the domain", () => {
    const name = "abcdefg.".repeat(31).slice(0, -1);
    assert.deepEqual(of(name), [
      `records[0].name: "${name.slice(0, 57)}..." makes a name of 259 octets; a name holds at most 253 (RFC 1035 §2.3.4)`,
    ]);
  });

  it("a name's message has the path of an element", () => {
    assert.deepEqual(of(["www", 3]), [
      'records[0].name[1]: a number is no name; write text such as "www", or "@" for the apex',
    ]);
    assert.deepEqual(of([]), [
      "records[0].name: the list is empty; write at least one name, or take the record out",
    ]);
  });
});

describe("a value's message", () => {
  const hyphen =
    "has a label that begins or ends with a hyphen, which the service refuses (RFC 1123 §2.1); take that hyphen away";
  const whole = 'write the whole host name, such as "host.example.com."';
  const table: readonly (readonly [string, unknown, string])[] = [
    ["A", "2001:db8::1", '.value: "2001:db8::1" is an IPv6 address; use type AAAA'],
    ["AAAA", "192.0.2.1", '.value: "192.0.2.1" is an IPv4 address; use type A'],
    ["A", "192.0.2.300", '.value: "192.0.2.300" is no IPv4 address; write one such as "192.0.2.1"'],
    ["A", "192.0.02.1", '.value: "192.0.02.1" is no IPv4 address; write one such as "192.0.2.1"'],
    ["AAAA", "2001:db8::x", '.value: "2001:db8::x" is no IPv6 address; write one such as "2001:db8::1"'],
    [
      "AAAA",
      "fe80::1%eth0",
      '.value: "fe80::1%eth0" has an interface ("%…"), which means nothing in DNS; write the address alone',
    ],
    [
      "CNAME",
      "192.0.2.1",
      '.value: "192.0.2.1" is an IPv4 address, but a record of type CNAME points to a host name; use type A, or name a host that has such a record',
    ],
    [
      "CNAME",
      "2001:db8::1",
      '.value: "2001:db8::1" is an IPv6 address, but a record of type CNAME points to a host name; use type AAAA, or name a host that has such a record',
    ],
    [
      "NS",
      "192.0.2.1.",
      '.value: "192.0.2.1." is an IPv4 address, but a record of type NS points to a host name; use type A, or name a host that has such a record',
    ],
    [
      "MX",
      "10 2001:db8::1",
      '.value: "2001:db8::1" is an IPv6 address, but a record of type MX points to a host name; use type AAAA, or name a host that has such a record',
    ],
    [
      "CNAME",
      "web",
      '.value: "web" is a single label; write the whole host name, such as "host.example.com."',
    ],
    [
      "CNAME",
      "a b.example.com",
      '.value: "a b.example.com" is no host name: it has a character in label 1 that is no letter, digit, hyphen or underscore',
    ],
    ["CNAME", ".", `.value: "." is the root of the DNS, and no CNAME record points there; ${whole}`],
    ["NS", ".", `.value: "." is the root of the DNS, and no NS record points there; ${whole}`],
    [
      "NS",
      "*.example.org",
      '.value: "*.example.org" is no host name: it has a character in label 1 that is no letter, digit, hyphen or underscore',
    ],
    ["CNAME", "-x.example.org.", `.value: "-x.example.org." is no host name: it ${hyphen}`],
    ["CNAME", "foo-.-bar.example.net", `.value: "foo-.-bar.example.net" is no host name: it ${hyphen}`],
    ["NS", "a.example-", `.value: "a.example-" is no host name: it ${hyphen}`],
    ["MX", "10 a-.example.net", `.value: "a-.example.net" is no host name: it ${hyphen}`],
    ["SRV", "10 5 5060 -sip.example.net.", `.value: "-sip.example.net." is no host name: it ${hyphen}`],
    [
      "MX",
      "10 20 mx1.example.com",
      '.value: "10 20 mx1.example.com" is not "priority host", such as "10 mx1.example.com."',
    ],
    [
      "MX",
      "70000 mx1.example.com",
      '.value: "70000" is no priority; write a whole number from 0 to 65535 before the host',
    ],
    [
      "MX",
      "mx1.example.com",
      '.priority: is missing: an MX record needs one; write priority: 10, or "10 mx1.example.com." as the value',
    ],
    [
      "SRV",
      "5 5060 sip.example.com",
      '.value: "5 5060 sip.example.com" is no SRV value; write "priority weight port host", such as "10 5 5060 sip.example.com."',
    ],
    ["SRV", "10 5 x sip.example.com", '.value: "x" is no SRV port; write a whole number from 0 to 65535'],
    [
      "SRV",
      "10 99999 1 sip.example.com",
      '.value: "99999" is no SRV weight; write a whole number from 0 to 65535',
    ],
    [
      "SRV",
      "-1 5 1 sip.example.com",
      '.value: "-1" is no SRV priority; write a whole number from 0 to 65535',
    ],
    ["CAA", "0 issue", `.value: "0 issue" is not "flags tag value", such as '0 issue "letsencrypt.org"'`],
    ["CAA", "256 issue x", '.value: "256" is no CAA flags; write a whole number from 0 to 255'],
    [
      "CAA",
      "0 is-sue x",
      '.value: "is-sue" is no CAA tag; write letters and digits, such as issue (RFC 8659 §4.1)',
    ],
    ["CAA", '0 issue "x', '.value: "\\"x" is no quoted text; write quotes inside it as \\"'],
    [
      "TXT",
      "x".repeat(65_280),
      ".value: the text has 65280 octets; a TXT record holds at most 65279 (RFC 1035 §3.3)",
    ],
    ["A", 5, ".value: a number is no value; write the record's data as text"],
    ["A", null, ".value: null is no value; write the record's data as text"],
    ["A", undefined, ".value: missing; write the record's data as text"],
    ["A", "", ".value: the text is empty; write the record's data"],
    ["TXT", "", ".value: the text is empty; write the record's data"],
    ["A", [], ".value: the list is empty; write at least one value, or take the record out"],
    ["A", ["192.0.2.1", 5], ".value[1]: a number is no value; write the record's data as text"],
  ];
  for (const [type, value, message] of table) {
    it(`a value's message is ${message}`, () =>
      assert.deepEqual(problemsOf([{ type, value }]), [`records[0]${message}`]));
  }
});

describe("a value's warning", () => {
  const table: readonly (readonly [string, string, string])[] = [
    [
      "CAA",
      '0 isue "letsencrypt.org"',
      '"isue" is no CAA tag that certificate authorities know; did you mean issue?',
    ],
    [
      "CAA",
      '0 policy "x"',
      '"policy" is no CAA tag that certificate authorities know; the known ones are issue, issuewild, iodef, contactemail, contactphone, issuemail, issuevmc',
    ],
    [
      "TXT",
      '""',
      "the text is empty: no document of the service says that it takes an empty TXT, and it may refuse this one",
    ],
    [
      "TXT",
      "é".repeat(2_100),
      "the text has 4200 octets: no document of the service names a limit, and it may refuse so long a TXT; resolvers fetch it over TCP",
    ],
  ];
  for (const [type, value, message] of table) {
    it(`a value's warning is ${message}`, () =>
      assert.deepEqual(problemsOf([{ type, value }]), [`warning records[0].value: ${message}`]));
  }

  it("a registered CAA tag and a text of 4096 octets have no warning", () => {
    const tags = ["issue", "issuewild", "iodef", "contactemail", "contactphone", "issuemail", "issuevmc"].map(
      (tag) => ({ type: "CAA", value: `0 ${tag} "x"` }),
    );
    assert.deepEqual(problemsOf([...tags, { type: "TXT", value: "x".repeat(4096) }]), []);
  });

  it("the warning of a secret CAA tag has no guess", () => {
    assert.doesNotMatch(
      problemsOf([{ type: "CAA", value: "0 isue x" }], "example.com", { sensitive: true }).join(),
      /isue|did you mean/,
    );
  });
});

describe("a long value", () => {
  it("a message shortens a long value", () => {
    const long = { name: "www", type: "TXT", value: "k=v;".repeat(500) };
    assert.deepEqual(problemsOf([long, long]), [
      `records[1]: www.example.com. TXT "${"k=v;".repeat(25)}…" (2,000 characters) is declared at records[0] already; declare it once`,
    ]);
  });
});

describe("a field's message", () => {
  const of = (fields: object): string[] => problemsOf([{ type: "A", value: "192.0.2.1", ...fields }]);
  const table: readonly (readonly [object, string])[] = [
    [{ ttl: 0 }, ".ttl: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out"],
    [{ ttl: 1.5 }, ".ttl: 1.5 is no TTL; write whole seconds from 1"],
    [{ ttl: -1 }, ".ttl: -1 is no TTL; write whole seconds from 1"],
    [{ ttl: NaN }, ".ttl: NaN is no TTL; write whole seconds from 1"],
    [
      { ttl: "600" },
      '.ttl: "600" is text; write the number 600, a time such as "1h" or "1d12h", or "default"',
    ],
    [
      { ttl: "600 (disabled)" },
      '.ttl: "600 (disabled)" is text; write the seconds as a number, a time such as "1h" or "1d12h", or "default"',
    ],
    [
      { ttl: null },
      '.ttl: null is no TTL; write the seconds as a number, a time such as "1h" or "1d12h", or "default"',
    ],
    [{ ttl: "0h" }, ".ttl: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out"],
    [
      { ttl: "1 h" },
      '.ttl: "1 h" is text; write the seconds as a number, a time such as "1h" or "1d12h", or "default"',
    ],
    [{ ttl: "1.5h" }, '.ttl: "1.5h" is no TTL, which counts whole seconds; write 5400'],
    [{ ttl: "1,1 H" }, '.ttl: "1,1 H" is no TTL, which counts whole seconds; write 3960'],
    [{ ttl: ".5h" }, '.ttl: ".5h" is no TTL, which counts whole seconds; write 1800'],
    [{ ttl: "0.3s" }, '.ttl: "0.3s" is no TTL, which counts whole seconds; write them as a number'],
    [{ ttl: "9999w" }, '.ttl: "9999w" is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)'],
    [{ ttl: 2 ** 31 }, ".ttl: 2147483648 is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)"],
    [{ priority: 10 }, ".priority: a record of type A has no priority; take it out, or use type MX"],
    [
      { type: "TXT", priority: null },
      ".priority: a record of type TXT has no priority; take it out, or use type MX",
    ],
    [
      { type: "MX", value: "mx1.example.com", priority: 65536 },
      ".priority: 65536 is no priority; write a whole number from 0 to 65535",
    ],
    [
      { type: "MX", value: "mx1.example.com", priority: "10" },
      ".priority: text is no priority; write a whole number from 0 to 65535",
    ],
    [
      { type: "MX", value: "10 mx1.example.com", priority: 20 },
      '.priority: "20" is given, but the value says "10"; write the priority once',
    ],
    [
      { type: "SRV", value: "10 5 80 a.example.com", priority: 20 },
      '.priority: "20" is given, but the value says "10"; write the priority once',
    ],
    [
      { line: "" },
      ".line: an empty text is no line; write the line's name, or leave it out for the default line",
    ],
    [{ line: 3 }, ".line: a number is no line; write the line's name, or leave it out for the default line"],
    [{ type: undefined }, ".type: missing; write a type such as A, CNAME or TXT"],
    [{ type: [] }, '.type: a list is no type; write text such as "A", "CNAME" or "TXT"'],
    [{ type: "A B" }, `.type: "A B" is no record type; write one such as ${types}`],
    [{ type: "" }, `.type: "" is no record type; write one such as ${types}`],
    [{ type: "soa" }, ".type: SOA: the service makes this record itself; take it out of the program"],
    [{ vlaue: 1 }, ".vlaue: unknown field; did you mean value?"],
    [{ colour: 1 }, ".colour: unknown field; a record has name, type, value, ttl, priority, line"],
  ];
  for (const [fields, message] of table) {
    it(`a field's message is ${message}`, () => assert.deepEqual(of(fields), [`records[0]${message}`]));
  }

  it("a text with its own quotes is refused, because the service drops them", () => {
    const message =
      "the text begins and ends with quotes of its own, which the service takes for quoting: its record could not be told from that of the text without them; leave them out";
    assert.deepEqual(of({ type: "TXT", value: '"\\"hello\\""' }), [`records[0].value: ${message}`]);
    assert.deepEqual(problemsOf(['a TXT "\\"hello\\""']), [`records[0]: ${message}`]);
    // The service removes one pair of quotes, with any text between them.
    assert.deepEqual(of({ type: "TXT", value: '"a" and "b"' }), [`records[0].value: ${message}`]);
    assert.deepEqual(problemsOf(['a TXT "\\"a\\" and \\"b\\""']), [`records[0]: ${message}`]);
  });

  it("a text with white space at its ends is refused, because the service removes it", () => {
    const message =
      "the text begins or ends with white space, which the service takes away: it would list another text than the declared one; leave the white space out";
    for (const value of [" hello ", "hello\n", "\thello", '" hello"', '"a" "b "', " ", "hello\u00a0"])
      assert.deepEqual(of({ type: "TXT", value }), [`records[0].value: ${message}`]);
    assert.deepEqual(problemsOf(['a TXT "hello "']), [`records[0]: ${message}`]);
    assert.deepEqual(of({ type: "显性URL", value: "https://example.net/ " }).slice(1), [
      `records[0].value: ${message}`,
    ]);
    assert.deepEqual(of({ type: "TXT", value: ["a b", '"a " "c"'] }), []);
  });

  it("a text or a line's name with half a character is refused", () => {
    const half = "holds half a character (a lone surrogate), which UTF-8 does not have;";
    assert.deepEqual(of({ type: "TXT", value: "a\ud800" }), [
      `records[0].value: the text ${half} take it out, or write the whole character`,
    ]);
    assert.deepEqual(problemsOf([`a TXT "\udc00"`]), [
      `records[0]: the text ${half} take it out, or write the whole character`,
    ]);
    assert.deepEqual(of({ line: "x\ud800" }), [
      `records[0].line: the line's name ${half} write the whole character`,
    ]);
    assert.deepEqual(of({ type: "TXT", value: "\ud83d\ude00" }), []);
  });

  it("a CAA tag or a type with letters beside ASCII is refused or passed on", () => {
    assert.match(of({ type: "CAA", value: "0 \u212aey x" }).join(""), /is no CAA tag/);
    assert.doesNotMatch(
      of({ type: "\u017fRV", value: "1 1 1 a.example.net" }).join(""),
      /^records\[0\]\.value/m,
    );
  });

  it("data that the service may refuse has a warning", () => {
    assert.deepEqual(of({ type: "MX", value: "30 mx1.example.com" }), [
      'warning records[0].value: "30" lies outside 1-20, and the service may refuse it as an MX priority',
    ]);
    assert.deepEqual(of({ type: "TXT", value: ['"hello"', 'a "b"', '"a" and b', 'a and "b"', '"'] }), []);
    // A type of its own is no misspelling of another.
    for (const type of ["DNAME", "DS", "KX"])
      assert.doesNotMatch(problemsOf([`a ${type} x`]).join(""), /did you mean/);
    assert.deepEqual(problemsOf(["a HINFO x", "b HINFO y", "c CNAMEE x"]), [
      'warning records[0]: "HINFO" is a type that this provider does not know: its values go to the service unchecked, byte for byte',
      'records[2]: "CNAMEE" is no record type; did you mean CNAME?',
    ]);
  });

  it("a text with an output in it is refused", () => {
    const text = `token=${String(pulumi.output("x"))}`;
    const said =
      "an output was put into this text as if it were one, and its value is not there; write pulumi.interpolate`…`, or output.apply((value) => …) (in Python: pulumi.Output.format, or apply)";
    assert.match(text, /^token=Calling /);
    assert.deepEqual(of({ type: "TXT", value: ["fine", text], name: text }), [
      `records[0].name: ${said}`,
      `records[0].value[1]: ${said}`,
    ]);
    assert.deepEqual(problemsOf([`www TXT ${text}`, "ok A 192.0.2.1"]), [`records[0]: ${said}`]);
    assert.deepEqual(problemsOf(`www TXT ${text}`), [`records: ${said}`]);
    assert.deepEqual(problemsOf([], text), [`domains: ${said}`]);
    assert.deepEqual(of({ type: "TXT", value: `Calling __str__ on an Output[T] is not supported.` }), [
      `records[0].value: ${said}`,
    ]);
    assert.deepEqual(of({ type: "TXT", value: "Calling all stations" }), []);
  });

  it("all messages of a program come at once", () => {
    assert.deepEqual(of({ name: 1, type: "MX", value: ["web", "x y z"], ttl: 0, priority: -1, line: null }), [
      'records[0].name: a number is no name; write text such as "www", or "@" for the apex',
      "records[0].line: null is no line; write the line's name, or leave it out for the default line",
      "records[0].ttl: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out",
      "records[0].priority: -1 is no priority; write a whole number from 0 to 65535",
      'records[0].value[0]: "web" is a single label; write the whole host name, such as "host.example.com."',
      'records[0].value[1]: "x y z" is not "priority host", such as "10 mx1.example.com."',
    ]);
  });
});

describe("the message about records as a whole", () => {
  const table: readonly (readonly [unknown, string])[] = [
    [undefined, "records: missing; write a list of records, or a text with one record a line"],
    [5, "records: a number; write a list of records, or a text with one record a line"],
    [
      { type: "A", value: "x" },
      "records: one record stands where a list is needed; put it into brackets: [{ … }]",
    ],
    [
      [null],
      'records[0]: null is no record; write { name: "www", type: "A", value: "192.0.2.1" } or a line such as "www A 192.0.2.1"',
    ],
    [
      [[]],
      'records[0]: a list is no record; write { name: "www", type: "A", value: "192.0.2.1" } or a line such as "www A 192.0.2.1"',
    ],
    [
      ["; nothing"],
      'records[0]: an empty line is no record; write one such as "www A 192.0.2.1", or take it out',
    ],
    [["www A"], `records[0]: ${needed}`],
    [["www A 192.0.2.1", "www\nmail A x"].slice(1), `records[0] line 1: ${needed}`],
    [
      "; zone\n\nwww 600 A 192.0.2.300\n",
      'records line 3: "192.0.2.300" is no IPv4 address; write one such as "192.0.2.1"',
    ],
    [
      '"www A 192.0.2.1"',
      'records line 1: the whole line is in quotes; take them away and write a name, a type and data, such as "www A 192.0.2.1"',
    ],
    [
      "www 0 A 192.0.2.1",
      "records line 1: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out",
    ],
    [
      "www 0h A 192.0.2.1",
      "records line 1: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out",
    ],
    [
      "a9 1x A 192.0.2.1",
      'records line 1: "1x" is neither a TTL (such as 600 or 1h) nor a record type; write a line such as "www 600 A 192.0.2.1"',
    ],
    [
      "a9 IN 1.5h A 192.0.2.1",
      'records line 1: "1.5h" is neither a TTL (such as 600 or 1h) nor a record type; write a line such as "www 600 A 192.0.2.1"',
    ],
    [
      "@ MX mx1.example.com.",
      'records line 1: the priority is missing: an MX record needs one; write priority: 10, or "10 mx1.example.com." as the value',
    ],
    [
      { "www A 192.0.2.1": 600 },
      "records: an object; write a list of records, or a text with one record a line",
    ],
  ];
  for (const [records, message] of table)
    it(`the message of a list of records is ${message}`, () =>
      assert.deepEqual(problemsOf(records).slice(0, 1), [message]));
});

describe("the message about a single record", () => {
  const of = (input: object, more: Partial<ExpandOptions> = {}): string[] =>
    said(
      expandRecord(
        { domain: "example.com", type: "A", value: "192.0.2.1", ...input },
        { ...options, ...more },
      ).problems,
    );

  it("a single record's message has the field's name after the given path", () => {
    assert.deepEqual(of({ value: "x" }), ['value: "x" is no IPv4 address; write one such as "192.0.2.1"']);
    assert.deepEqual(of({ domain: 1 }, { path: "record" }), [
      'record.domain: a number is no domain; write the zone\'s name, such as "example.com"',
    ]);
  });

  it("a single record refuses lists and names the resource that takes them", () => {
    assert.deepEqual(of({ value: ["192.0.2.1"] }), [
      "value: a list is no value; a Record holds one record: use RecordBatch for several",
    ]);
    assert.deepEqual(of({ name: ["a"] }), [
      "name: a list is no name; a Record holds one record: use RecordBatch for several",
    ]);
  });

  it("a single CNAME at the apex has a warning", () => {
    assert.deepEqual(of({ type: "CNAME", value: "a.example.net" }), [
      "warning name: a CNAME at the apex of example.com hides the zone's NS, MX and TXT data from many resolvers; use A and AAAA records where you can",
    ]);
  });
});

describe("a message about secret records", () => {
  const secret = "hush-hush";
  const inputs: readonly unknown[] = [
    [{ name: "www", type: "A", value: secret }],
    [{ name: "www", type: "CNAME", value: secret }],
    [{ name: "www", type: "MX", value: `${secret} mx1.example.com` }],
    [{ name: "www", type: "MX", value: `10 20 ${secret}` }],
    [{ name: "www", type: "SRV", value: `1 2 ${secret} a.example.com` }],
    [{ name: "www", type: "CAA", value: `${secret} issue x` }],
    [{ name: "www", type: "CAA", value: `0 ${secret} x` }],
    [{ name: "www", type: "TXT", value: [secret, secret] }],
    [
      { name: "www", type: "TXT", value: secret },
      { name: "www", type: "CNAME", value: "a.example.net" },
    ],
    `www TXT "${secret}`,
    `www ${secret} x`,
    `"${secret}" TXT`,
    `${secret}! A 192.0.2.1`,
    { [`www A ${secret}`]: 600 },
    { [`www TXT "${secret}"`]: `${secret} (disabled)` },
  ];
  it("a message about a secret record shows no value", () => {
    for (const input of inputs) {
      const told = problemsOf(input, "example.com", { sensitive: true });
      assert.notEqual(told.length, 0, JSON.stringify(input));
      assert.doesNotMatch(told.join("\n"), /hush/, JSON.stringify(input));
    }
  });

  it("a message about a secret record shows name, type and a mark", () => {
    const told = (input: unknown): string => problemsOf(input, "example.com", { sensitive: true }).join("\n");
    assert.match(
      told([{ name: "www", type: "TXT", value: ["a", "a"] }]),
      /^records\[0\]\.value\[1\]: www\.example\.com\. TXT #[\w-]{8} is declared at records\[0\]\.value\[0\] already; declare it once$/,
    );
    assert.match(
      told("www A x"),
      /^records line 1: the secret text #[\w-]{8} is no IPv4 address; write one such as "192\.0\.2\.1"$/,
    );
  });
});
