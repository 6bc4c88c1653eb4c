import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { expandRecord, expandSpecs } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { problemLine } from "../support/problems";
import { expand, options, problemsOf, unknown } from "./expand";

const codesOf = (records: unknown) => expand(records).problems.map(({ code }) => code);

const long = `"${"abcdefg.".repeat(7)}a..." name.long`;

type Rows<T> = readonly (readonly [input: T, lines: string])[];

function check<T>(prefix: string, problems: (input: T) => readonly string[], rows: Rows<T>) {
  deepEqual(
    rows.map(([input]) => problems(input).join("\n")),
    rows.map(([, expected]) => `${prefix}${expected}`),
  );
}

const checkValues = (rows: Rows<readonly [type: string, value: unknown]>) =>
  check("records[0].", ([type, value]) => problemsOf([{ type, value }]), rows);

const wrongHost = (type: string, host: string, label: number, before = "") =>
  [[type, before + host], `value: "${host}" is not a host name: it label.unfit ${label}`] as const;

describe("problems of declarations", () => {
  it("a domain's problem has its path and data", () => {
    check<unknown>("domains", (domains) => expandSpecs(domains, [], options).problems.map(problemLine), [
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
      [`${"a".repeat(64)}.com`, `: "${"a".repeat(57)}..." name.long`],
      [`${"abcdefg.".repeat(32)}com`, `: ${long}`],
    ]);
  });

  it("a name's problem has its path and data", () => {
    const two = ["example.com", "example.net"];
    check<readonly [name: unknown, domains?: unknown]>(
      "records[0].name",
      ([name, domains]) => problemsOf([{ name, type: "A", value: "192.0.2.1" }], {}, domains),
      [
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
        [["abcdefg.".repeat(31).slice(0, -1)], `: ${long}`],
        [[["www", 3]], '[1]: field.kind a number a name "www", or "@" for the apex'],
        [[[]], ": value.empty at least one name"],
      ],
    );
  });

  it("an address's or a host's problem has its path and data", () => {
    checkValues([
      [["A", "2001:db8::1"], 'value: address.family "2001:db8::1" 6 AAAA'],
      [["AAAA", "192.0.2.1"], 'value: address.family "192.0.2.1" 4 A'],
      [["A", "192.0.2.300"], 'value: address.unfit "192.0.2.300" 4 "192.0.2.1"'],
      [["A", "192.0.02.1"], 'value: address.unfit "192.0.02.1" 4 "192.0.2.1"'],
      [["AAAA", "fe80::1%eth0"], 'value: address.unfit "fe80::1%eth0" 6 "2001:db8::1"'],
      [["CNAME", "192.0.2.1"], 'value: host.address "192.0.2.1" CNAME A'],
      [["NS", "192.0.2.1."], 'value: host.address "192.0.2.1." NS A'],
      [["MX", "10 2001:db8::1"], 'value: host.address "2001:db8::1" MX AAAA'],
      [["CNAME", "web"], 'value: host.unfit "web"'],
      [["CNAME", "."], 'value: host.unfit "."'],
      [["NS", "."], 'value: host.unfit "."'],
      wrongHost("CNAME", "a b.example.com", 1),
      wrongHost("CNAME", "foo-.-bar.example.net", 1),
      wrongHost("NS", "*.example.org", 1),
      wrongHost("MX", "a-.example.net", 1, "10 "),
      wrongHost("SRV", "-sip.example.net.", 1, "10 5 5060 "),
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
    const rows: Rows<readonly unknown[]> = [
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
    check("", problemsOf, rows);
    for (const [records] of rows) ok(!expand(records).problems.some(isError));
  });

  it("a type of its own is no misspelling of another", () => {
    for (const type of ["DNAME", "DS", "KX"]) deepEqual(codesOf([`a ${type} x`]), ["type.unchecked"]);
    for (const type of ["CNAMEE", "\u017fRV"]) deepEqual(codesOf([`a ${type} x`]), ["type.unknown"]);
  });

  it("a field's problem has its path and data", () => {
    check<object>("records[0].", (fields) => problemsOf([{ type: "A", value: "192.0.2.1", ...fields }]), [
      ...[0, 1.5, -1, NaN, null, 2 ** 31].map((ttl) => [{ ttl }, `ttl: ttl.unfit ${ttl}`] as const),
      ...["600", "600 (disabled)", "0h", "1 h", "1.5h", "1,1 H", ".5h", "0.3s", "9999w"].map(
        (ttl) => [{ ttl }, `ttl: ttl.unfit "${ttl}"`] as const,
      ),
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
    ]);
  });

  it("a text that the service would change is refused", () => {
    /** Code → texts of specs. */
    const texts = {
      "text.changed": [
        ...['"\\"hello\\""', '"a" and "b"', " hello ", "hello\n", "\thello", '" hello"', '"a" "b "', " "],
        "hello\u00a0",
      ],
      "text.half-character": ["a\ud800"],
      "": ["\ud83d\ude00", "a b", '"a " "c"', '"hello"', 'a "b"', '"a" and b', 'a and "b"', '"'],
    };
    for (const [code, values] of Object.entries(texts))
      for (const value of values) equal(codesOf([{ type: "TXT", value }]).join(), code, value);
    for (const text of ['"\\"hello\\""', '"\\"a\\" and \\"b\\""', '"hello "'])
      deepEqual(codesOf([`a TXT ${text}`]), ["text.changed"], text);
    deepEqual(codesOf(['a TXT "\udc00"']), ["text.half-character"]);
    ok(codesOf([{ type: "显性URL", value: "https://example.net/ " }]).includes("text.changed"));
  });

  it("a text with an output in it is refused", () => {
    const text = `token=${String(pulumi.output("x"))}`;
    match(text, /^token=Calling /);
    check<unknown>("", problemsOf, [
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
    ]);
    deepEqual(problemsOf([], {}, text), ["domains: output.as-text"]);
  });

  it("all problems of a program come at once", () => {
    const spec = { name: 1, type: "MX", value: ["web", "x y z"], ttl: 0, priority: -1, line: null };
    const codes = ["field.kind", "field.kind", "ttl.unfit", "number.unfit", "host.unfit", "data.form"];
    deepEqual(codesOf([spec]), codes);
  });

  it("a list of records has a problem with its place", () => {
    check<unknown>("", (records) => problemsOf(records).slice(0, 1), [
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
      [
        "a9 1x A 192.0.2.1",
        'records line 1: "1x" type.unknown write one such as A, AAAA, CNAME, MX, NS, TXT, SRV, CAA',
      ],
      [
        "@ MX mx1.example.com.",
        "records line 1: the priority: field.missing a priority before the host, such as 10",
      ],
      [{ "www A 192.0.2.1": 600 }, 'records: field.kind an object a list ["www A 192.0.2.1"]'],
    ]);
  });

  it("a single record has a problem with its field, and takes no list", () => {
    const record = { domain: "example.com", type: "A", value: "192.0.2.1" };
    check<object>("", (input) => expandRecord({ ...record, ...input }, options).problems.map(problemLine), [
      [{ value: "x" }, 'value: address.unfit "x" 4 "192.0.2.1"'],
      [{ domain: 1 }, 'domain: field.kind a number a domain "example.com"'],
      [{ value: ["192.0.2.1"] }, "value: field.kind a list a value a RecordBatch for several records"],
      [{ name: ["a"] }, "name: field.kind a list a name a RecordBatch for several records"],
      [{ type: "CNAME", value: "a.example.net" }, "name: cname.apex example.com"],
    ]);
  });

  it("a message shortens a long value", () => {
    const spec = { name: "www", type: "TXT", value: "k=v;".repeat(500) };
    deepEqual(problemsOf([spec, spec]), [
      `records[1]: record.twice www.example.com. TXT "${"k=v;".repeat(25)}…" (2,000 characters) at records[0]`,
    ]);
  });
});
