import { deepEqual, match, ok } from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { expandRecord, expandSpecs, type ExpandOptions } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { problemLine } from "../support/problems";
import { defaultLine } from "./arbitraries";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const options: ExpandOptions = { defaultLine, unknown };

function problemsOf(records: unknown, domains: unknown = "example.com", more: Partial<ExpandOptions> = {}) {
  return [...expandSpecs(domains, records, { ...options, ...more }).problems];
}
const lines = (...given: Parameters<typeof problemsOf>) => problemsOf(...given).map(problemLine);
const warnings = (records: unknown) =>
  problemsOf(records)
    .filter((problem) => !isError(problem))
    .map(problemLine);

function check<T>(
  rows: readonly (readonly [T, string])[],
  problem: (input: T) => readonly string[],
  prefix = "",
) {
  deepEqual(
    rows.map(([input]) => problem(input).join("\n")),
    rows.map(([, expected]) => `${prefix}${expected}`),
  );
}

const checkValues = (rows: readonly (readonly [readonly [type: string, value: unknown], string])[]) =>
  check(rows, ([type, value]) => lines([{ type, value }]), "records[0].");

describe("problems of declarations", () => {
  it("a domain's problem has its path and data", () => {
    const rows: readonly (readonly [unknown, string])[] = [
      ["", ': "" domain.unfit'],
      ["192.0.2.1", ': "192.0.2.1" domain.unfit'],
      ["example", ': "example" domain.unfit'],
      ["a..com", ': "a..com" label.unfit 2'],
      ["a b.com", ': "a b.com" label.unfit 1'],
      ["日本/.com", ': "日本/.com" label.unfit 1'],
      [undefined, ': field.missing the zone\'s name, such as "example.com"'],
      [["example.com", 5], '[1]: field.kind a number a domain "example.com"'],
      [[], ': value.empty at least one zone, such as "example.com"'],
      [["example.com", unknown], "[1]: domain.unknown"],
      [["a.sub.example.com", "example.com"], "[0]: domains.nested a.sub.example.com example.com domains[1]"],
      [`${"a".repeat(64)}.com`, ': "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." name.long'],
      [
        `${"abcdefg.".repeat(32)}com`,
        ': "abcdefg.abcdefg.abcdefg.abcdefg.abcdefg.abcdefg.abcdefg.a..." name.long',
      ],
    ];
    check(rows, (domains) => expandSpecs(domains, [], options).problems.map(problemLine), "domains");
  });

  it("a name's problem has its path and data", () => {
    const two = ["example.com", "example.net"];
    const rows: readonly (readonly [readonly [name: unknown, domains?: unknown], string])[] = [
      [["www.example.com"], ': "www.example.com" name.repeats-domain "www" www.example.com'],
      [["Example.com"], ': "Example.com" name.repeats-domain "@" example.com'],
      [["www.example.net", two], ': "www.example.net" name.repeats-domain "www" www.example.net'],
      [["www.example.com.", two], ': "www.example.com." name.absolute-in-many 2'],
      [["www.example.org."], ': "www.example.org." name.outside example.com'],
      [["a.*"], ': "a.*" name.stars'],
      [["*a*"], ': "*a*" name.stars'],
      [["-a"], ': "-a" label.unfit 1'],
      [["a.b-"], ': "a.b-" label.unfit 2'],
      [["a@b"], ': "a@b" label.unfit 1'],
      [["."], ': "." label.unfit 1'],
      [[null], ': field.kind null a name "www", or "@" for the apex'],
      [
        ["abcdefg.".repeat(31).slice(0, -1)],
        ': "abcdefg.abcdefg.abcdefg.abcdefg.abcdefg.abcdefg.abcdefg.a..." name.long',
      ],
      [[["www", 3]], '[1]: field.kind a number a name "www", or "@" for the apex'],
      [[[]], ": value.empty at least one name"],
    ];
    check(
      rows,
      ([name, domains]) => lines([{ name, type: "A", value: "192.0.2.1" }], domains),
      "records[0].name",
    );
  });

  it("an address's or a host's problem has its path and data", () => {
    checkValues([
      [["A", "2001:db8::1"], 'value: address.family "2001:db8::1" 6 AAAA'],
      [["AAAA", "192.0.2.1"], 'value: address.family "192.0.2.1" 4 A'],
      [["A", "192.0.2.300"], 'value: address.unfit "192.0.2.300" 4 "192.0.2.1"'],
      [["A", "192.0.02.1"], 'value: address.unfit "192.0.02.1" 4 "192.0.2.1"'],
      [["AAAA", "2001:db8::x"], 'value: address.unfit "2001:db8::x" 6 "2001:db8::1"'],
      [["AAAA", "fe80::1%eth0"], 'value: address.unfit "fe80::1%eth0" 6 "2001:db8::1"'],
      [["CNAME", "192.0.2.1"], 'value: host.address "192.0.2.1" CNAME A'],
      [["NS", "192.0.2.1."], 'value: host.address "192.0.2.1." NS A'],
      [["MX", "10 2001:db8::1"], 'value: host.address "2001:db8::1" MX AAAA'],
      [["CNAME", "web"], 'value: host.unfit "web"'],
      [["CNAME", "a b.example.com"], 'value: "a b.example.com" is not a host name: it label.unfit 1'],
      [["CNAME", "."], 'value: host.unfit "."'],
      [["NS", "."], 'value: host.unfit "."'],
      [["NS", "*.example.org"], 'value: "*.example.org" is not a host name: it label.unfit 1'],
      [
        ["CNAME", "foo-.-bar.example.net"],
        'value: "foo-.-bar.example.net" is not a host name: it label.unfit 1',
      ],
      [["NS", "a.example-"], 'value: "a.example-" is not a host name: it label.unfit 2'],
      [["MX", "10 a-.example.net"], 'value: "a-.example.net" is not a host name: it label.unfit 1'],
      [
        ["SRV", "10 5 5060 -sip.example.net."],
        'value: "-sip.example.net." is not a host name: it label.unfit 1',
      ],
    ]);
  });

  it("the problem of a part of a value has its path and data", () => {
    checkValues([
      [
        ["MX", "10 20 mx1.example.com"],
        'value: data.form "10 20 mx1.example.com" MX a priority and a host, such as 10 mx1.example.com.',
      ],
      [["MX", "70000 mx1.example.com"], 'value: number.unfit "70000" 0 65535'],
      [["MX", "mx1.example.com"], "priority: field.missing a priority before the host, such as 10"],
      [
        ["SRV", "5 5060 sip.example.com"],
        'value: data.form "5 5060 sip.example.com" SRV priority, weight, port and host, such as 10 5 5060 sip.example.com.',
      ],
      [["SRV", "10 5 x sip.example.com"], 'value: the port: number.unfit "x" 0 65535'],
      [["SRV", "10 99999 1 sip.example.com"], 'value: the weight: number.unfit "99999" 0 65535'],
      [["SRV", "-1 5 1 sip.example.com"], 'value: the priority: number.unfit "-1" 0 65535'],
      [
        ["CAA", "0 issue"],
        'value: data.form "0 issue" CAA flags, a tag and a value, such as 0 issue "letsencrypt.org"',
      ],
      [["CAA", "256 issue x"], 'value: number.unfit "256" 0 255'],
      [["CAA", "0 is-sue x"], 'value: value.unfit "is-sue" a CAA tag issue (RFC 8659 §4.1)'],
      [["CAA", '0 issue "x'], 'value: text.quotes "\\"x"'],
      [["CAA", "0 \u212aey x"], 'value: value.unfit "Key" a CAA tag issue (RFC 8659 §4.1)'],
    ]);
  });

  it("the problem of a value that is too long, empty or no text has its path and data", () => {
    checkValues([
      [["TXT", "x".repeat(65_280)], "value: text.too-long 65280 65279"],
      [["A", 5], 'value: field.kind a number a value "192.0.2.1"'],
      [["A", undefined], "value: field.missing the record's data as text"],
      [["A", ""], "value: value.empty the record's data, or remove it"],
      [["TXT", ""], "value: value.empty the record's data, or remove it"],
      [["A", []], "value: value.empty at least one value"],
      [["A", ["192.0.2.1", 5]], 'value[1]: field.kind a number a value "192.0.2.1"'],
    ]);
  });

  it("data that the service may refuse has a warning", () => {
    const rows: readonly (readonly [readonly unknown[], string])[] = [
      [
        [{ type: "CAA", value: '0 policy "x"' }],
        'records[0].value: caa.tag-unknown "policy" the known ones are issue, issuewild, iodef, contactemail, contactphone, issuemail, issuevmc',
      ],
      [[{ type: "TXT", value: '""' }], "records[0].value: value.unusual an empty text"],
      [[{ type: "TXT", value: "é".repeat(2_100) }], "records[0].value: value.unusual a text of 4200 octets"],
      [[{ type: "TXT", value: "x".repeat(4096) }], ""],
      [[{ type: "MX", value: "30 mx1.example.com" }], 'records[0].value: value.unusual the priority "30"'],
      [["a HINFO x", "b HINFO y"], 'records[0]: type.unchecked "HINFO"'],
      ...["issue", "issuewild", "iodef", "contactemail", "contactphone", "issuemail", "issuevmc"].map(
        (tag) => [[{ type: "CAA", value: `0 ${tag} "x"` }], ""] as const,
      ),
    ];
    check(rows, (records) => lines(records));
    check(rows, warnings);
  });

  it("a type of its own is no misspelling of another", () => {
    const codesOf = (type: string): string[] => problemsOf([`a ${type} x`]).map(({ code }) => code);
    for (const type of ["DNAME", "DS", "KX"]) deepEqual(codesOf(type), ["type.unchecked"]);
    for (const type of ["CNAMEE", "\u017fRV"]) deepEqual(codesOf(type), ["type.unknown"]);
  });

  it("a field's problem has its path and data", () => {
    const rows: readonly (readonly [object, string])[] = [
      [{ ttl: 0 }, "ttl: ttl.unfit 0"],
      [{ ttl: 1.5 }, "ttl: ttl.unfit 1.5"],
      [{ ttl: -1 }, "ttl: ttl.unfit -1"],
      [{ ttl: NaN }, "ttl: ttl.unfit NaN"],
      [{ ttl: "600" }, 'ttl: ttl.unfit "600"'],
      [{ ttl: "600 (disabled)" }, 'ttl: ttl.unfit "600 (disabled)"'],
      [{ ttl: null }, "ttl: ttl.unfit null"],
      [{ ttl: "0h" }, 'ttl: ttl.unfit "0h"'],
      [{ ttl: "1 h" }, 'ttl: ttl.unfit "1 h"'],
      [{ ttl: "1.5h" }, 'ttl: ttl.unfit "1.5h"'],
      [{ ttl: "1,1 H" }, 'ttl: ttl.unfit "1,1 H"'],
      [{ ttl: ".5h" }, 'ttl: ttl.unfit ".5h"'],
      [{ ttl: "0.3s" }, 'ttl: ttl.unfit "0.3s"'],
      [{ ttl: "9999w" }, 'ttl: ttl.unfit "9999w"'],
      [{ ttl: 2 ** 31 }, "ttl: ttl.unfit 2147483648"],
      [{ priority: 10 }, "priority: priority.needless A"],
      [{ type: "TXT", priority: null }, "priority: priority.needless TXT"],
      [{ type: "MX", value: "mx1.example.com", priority: 65536 }, "priority: number.unfit 65536 0 65535"],
      [{ type: "MX", value: "mx1.example.com", priority: "10" }, "priority: number.unfit text 0 65535"],
      [{ type: "MX", value: "10 mx1.example.com", priority: 20 }, 'priority: priority.twice "20" "10"'],
      [{ type: "SRV", value: "10 5 80 a.example.com", priority: 20 }, 'priority: priority.twice "20" "10"'],
      [{ line: "" }, "line: field.kind an empty text a line the line's name"],
      [{ line: 3 }, "line: field.kind a number a line the line's name"],
      [{ line: "x\ud800" }, "line: text.half-character"],
      [{ type: undefined }, "type: field.missing a type such as A, CNAME or TXT"],
      [{ type: [] }, 'type: field.kind a list a type "A", "CNAME" or "TXT"'],
      [{ type: "A B" }, 'type: "A B" type.unknown write one such as A, AAAA, CNAME, MX, NS, TXT, SRV, CAA'],
      [{ type: "soa" }, "type: type.soa"],
      [{ vlaue: 1 }, "vlaue: field.unknown did you mean value?"],
      [{ colour: 1 }, "colour: field.unknown a record has name, type, value, ttl, priority, line"],
    ];
    check(rows, (fields) => lines([{ type: "A", value: "192.0.2.1", ...fields }]), "records[0].");
  });

  it("a text that the service would change is refused", () => {
    const codes: readonly (readonly [string, string])[] = [
      ...['"\\"hello\\""', '"a" and "b"'].map((text) => [text, "text.changed"] as const),
      ...[" hello ", "hello\n", "\thello", '" hello"', '"a" "b "', " ", "hello\u00a0"].map(
        (text) => [text, "text.changed"] as const,
      ),
      ["a\ud800", "text.half-character"],
      ...["\ud83d\ude00", "a b", '"a " "c"', '"hello"', 'a "b"', '"a" and b', 'a and "b"', '"'].map(
        (text) => [text, ""] as const,
      ),
    ];
    const codesOf = (records: unknown): string[] => problemsOf(records).map(({ code }) => code);
    check(codes, (value) => codesOf([{ type: "TXT", value }]));
    const written: readonly (readonly [string, string])[] = [
      ['a TXT "\\"hello\\""', "text.changed"],
      ['a TXT "\\"a\\" and \\"b\\""', "text.changed"],
      ['a TXT "hello "', "text.changed"],
      ['a TXT "\udc00"', "text.half-character"],
    ];
    check(written, (text) => codesOf([text]));
    ok(codesOf([{ type: "显性URL", value: "https://example.net/ " }]).includes("text.changed"));
  });

  it("a text with an output in it is refused", () => {
    const text = `token=${String(pulumi.output("x"))}`;
    match(text, /^token=Calling /);
    const rows: readonly (readonly [unknown, string])[] = [
      [
        [{ type: "TXT", value: ["fine", text], name: text }],
        "records[0].name: output.as-text\nrecords[0].value[1]: output.as-text",
      ],
      [[`www TXT ${text}`, "ok A 192.0.2.1"], "records[0]: output.as-text"],
      [`www TXT ${text}`, "records: output.as-text"],
      [
        [{ type: "TXT", value: "Calling __str__ on an Output[T] is not supported." }],
        "records[0].value: output.as-text",
      ],
      [[{ type: "TXT", value: "Calling all stations" }], ""],
    ];
    check(rows, (records) => lines(records));
    deepEqual(lines([], text), ["domains: output.as-text"]);
  });

  it("all problems of a program come at once", () => {
    const spec = { name: 1, type: "MX", value: ["web", "x y z"], ttl: 0, priority: -1, line: null };
    deepEqual(lines([spec]), [
      'records[0].name: field.kind a number a name "www", or "@" for the apex',
      "records[0].line: field.kind null a line the line's name",
      "records[0].ttl: ttl.unfit 0",
      "records[0].priority: number.unfit -1 0 65535",
      'records[0].value[0]: host.unfit "web"',
      'records[0].value[1]: data.form "x y z" MX a priority and a host, such as 10 mx1.example.com.',
    ]);
  });

  it("a list of records has a problem with its place", () => {
    const rows: readonly (readonly [unknown, string])[] = [
      [undefined, 'records: field.kind nothing a list ["www A 192.0.2.1"]'],
      [5, 'records: field.kind a number a list ["www A 192.0.2.1"]'],
      [
        [null],
        'records[0]: field.kind null a record { name: www, type: A, value: 192.0.2.1 }, or "www A 192.0.2.1"',
      ],
      [["; nothing"], "records[0]: value.empty a record, or remove it"],
      [["www A"], "records[0]: line.parts"],
      [["www\nmail A x"], "records[0] line 1: line.parts"],
      ["; zone\n\nwww 600 A 192.0.2.300\n", 'records line 3: address.unfit "192.0.2.300" 4 "192.0.2.1"'],
      ["www 0 A 192.0.2.1", 'records line 1: ttl.unfit "0"'],
      ["www 0h A 192.0.2.1", 'records line 1: ttl.unfit "0h"'],
      [
        "a9 1x A 192.0.2.1",
        'records line 1: "1x" type.unknown write one such as A, AAAA, CNAME, MX, NS, TXT, SRV, CAA',
      ],
      [
        "@ MX mx1.example.com.",
        "records line 1: the priority: field.missing a priority before the host, such as 10",
      ],
      [{ "www A 192.0.2.1": 600 }, 'records: field.kind an object a list ["www A 192.0.2.1"]'],
    ];
    check(rows, (records) => lines(records).slice(0, 1));
  });

  it("a single record has a problem with its field, and takes no list", () => {
    const rows: readonly (readonly [object, string])[] = [
      [{ value: "x" }, 'value: address.unfit "x" 4 "192.0.2.1"'],
      [{ domain: 1 }, 'domain: field.kind a number a domain "example.com"'],
      [{ value: ["192.0.2.1"] }, "value: field.kind a list a value a RecordBatch for several records"],
      [{ name: ["a"] }, "name: field.kind a list a name a RecordBatch for several records"],
      [{ type: "CNAME", value: "a.example.net" }, "name: cname.apex example.com"],
    ];
    const record = { domain: "example.com", type: "A", value: "192.0.2.1" };
    check(rows, (input) => expandRecord({ ...record, ...input }, options).problems.map(problemLine));
  });

  it("a message shortens a long value", () => {
    const long = { name: "www", type: "TXT", value: "k=v;".repeat(500) };
    deepEqual(lines([long, long]), [
      'records[1]: record.twice www.example.com. TXT "k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;k=v;…" (2,000 characters) at records[0]',
    ]);
  });
});
