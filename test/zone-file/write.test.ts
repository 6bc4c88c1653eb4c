import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { knownTypes } from "../../provider/dns/types";
import { writeZoneFile, type LiveRecord, type ZoneToWrite } from "../../provider/dns/zone-file";
import { isError } from "../../provider/problems";
import { canBeDeclared, defaultLine, forAll, recordIn } from "../dns/arbitraries";
import { read, shown } from "./support";

const domain = "example.com";
const written = (records: readonly LiveRecord[]) => writeZoneFile({ domain, records }, { defaultLine });

const options = { defaultLine, apexNs: true };
const writtenAndRead = (zone: ZoneToWrite) => read(writeZoneFile(zone, options), { apexNs: true });

const live: fc.Arbitrary<LiveRecord> = fc
  .tuple(
    recordIn(domain),
    fc.constantFrom(1, 60, 600, 600, 600, 2 ** 31 - 1),
    fc.integer({ min: 0, max: 9 }),
    fc.nat(),
  )
  .map(([record, ttl, chance, id]) => ({ ...record, ttl, enabled: chance > 0, id: String(id) }));

/** Without data beside a CNAME. */
function zoneOf(records: readonly LiveRecord[]) {
  const types = new Map<string, string>();
  const kept = records.filter(({ name, line = "", type }) => {
    const first = types.get(`${name} ${line}`);
    if (first !== undefined && [first, type].includes("CNAME")) return false;
    types.set(`${name} ${line}`, type);
    return true;
  });
  return { domain, records: kept };
}

const keys = (records: readonly (DnsRecord & { readonly ttl: unknown })[]) =>
  records.map((record) => `${record.ttl} ${recordKey(record)}`).sort();
const enabled = ({ records }: ZoneToWrite) =>
  records.filter((record) => record.enabled && canBeDeclared(record));
const isKnown = ({ type }: { readonly type: string }) => knownTypes.includes(type);

describe("a zone that is written and read back", () => {
  const zones = fc.uniqueArray(live, { maxLength: 60, selector: recordKey }).map(zoneOf);

  it("holds every enabled record of a known type, and none that was not live", () => {
    forAll(300, zones, (zone) => {
      const { problems, records } = writtenAndRead(zone);
      deepEqual(problems.filter(isError), []);
      deepEqual(keys(records.filter(isKnown)), keys(enabled(zone).filter(isKnown)));
      const all = new Set(keys(enabled(zone)));
      for (const key of keys(records)) ok(all.has(key), key);
    });
  });

  it("is the same text in any order of the records", () => {
    forAll(100, zones, (zone) => {
      const turned = { domain, records: zone.records.toReversed() };
      equal(writeZoneFile(turned, options), writeZoneFile(zone, options));
    });
  });
});

const record = (name: string, type: string, value: string, more: Partial<LiveRecord> = {}): LiveRecord => ({
  domain,
  name,
  type,
  value,
  ttl: 600,
  enabled: true,
  ...more,
});

describe("the text of a zone", () => {
  it("as a zone file has a record a line, with undeclarable ones as comments", () => {
    const records = [
      record("www", "A", "192.0.2.2", { line: "电信", ttl: 60 }),
      record("@", "NS", "ns1.service.example.", { id: "1" }),
      record("www", "A", "192.0.2.1"),
      record("@", "MX", "mail.example.com.", { priority: 10 }),
      record("old", "CNAME", "www.example.com.", { enabled: false, id: "42" }),
      record("go", "显性URL", "https://example.net/x", { id: "43" }),
      record("www.example.com", "A", "192.0.2.3", { line: "a;b" }),
      record("key", "TXT", `${"ü".repeat(130)}"`),
    ];
    equal(
      writeZoneFile({ domain, records }, { defaultLine, header: ["Written by an import.", ""] }),
      `; example.com: 5 records; not declared, each with the reason: 3
; Written by an import.
;
$ORIGIN example.com.
@ 600 IN MX 10 mail.example.com.
; not declared (the service keeps the NS records of the apex itself, id 1): @ 600 IN NS ns1.service.example.
www.example.com.example.com. 600 IN A 192.0.2.3 ; line="a;b"
; not declared (a zone file has no type 显性URL; a Record may declare it, id 43): go 600 IN 显性URL https://example.net/x
key 600 IN TXT "${"\\195\\188".repeat(127)}" "${"\\195\\188".repeat(3)}\\""
; not declared (disabled, id 42): old 600 IN CNAME www.example.com.
www 600 IN A 192.0.2.1
www 60 IN A 192.0.2.2 ; line=电信
`,
    );
  });

  it("shows a text that cannot be declared as a comment", () => {
    const strips = "the service strips quotes and white space";
    for (const [each, reason] of [
      [record("a", "TXT", '"a" and "b"'), strips],
      [record("a", "TXT", "hello "), strips],
      [
        record("b", "CNAME", "-x.example.org."),
        '"-x.example.org." is not a host name: it has an invalid label, number 1',
      ],
    ] as const) {
      const text = written([each]);
      ok(text.includes(`; not declared (${reason}`), text);
      deepEqual(read(text).records, []);
    }
  });

  it("stays harmless with any live records", () => {
    const text = written([
      record("a b", "A", "192.0.2.1"),
      record("$TTL", "A", "192.0.2.1"),
      record("x\nwww A 192.0.2.9\n", "A", "192.0.2.1"),
      record("u", "显性URL", "http://x\nwww A 192.0.2.9"),
      record("p", "HINFO", "a ; line=b"),
      record("q", "HINFO", "a ( b"),
      record("r", "A", "no address"),
      record("s", "A", "192.0.2.1", { ttl: 0 }),
      record("t", "TXT", "\ud800"),
      record("v", "TXT", "same"),
      record("v", "TXT", "same", { ttl: 5 }),
    ]);
    deepEqual(shown(read(text)), ['600 v.example.com. TXT "same"']);
    equal(text.split("\n").filter((line) => line.startsWith("; not declared")).length, 10);
  });

  it("shows invisible characters, in records and in comments", () => {
    const hidden = "\u009b\u061c\u200b\u202e\u2066\ufeff\u{e0001}";
    const file = written([
      record("a", "TXT", `a${hidden}b`, { line: `l${hidden}` }),
      record(`b${hidden}`, "TXT", `a${hidden}b`),
      record("c", "TXT", `a${hidden}b`, { enabled: false }),
    ]);
    doesNotMatch(file, /[\p{Cf}\u007f-\u009f]/u);
    deepEqual(
      read(file).records.map(({ value, line }) => [value, line]),
      [[`a${hidden}b`, `l${hidden}`]],
    );
  });

  it("of an empty zone reads back as one", () => {
    deepEqual(read(written([])), { records: [], problems: [], notes: [] });
  });
});
