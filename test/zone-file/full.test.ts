import { deepEqual, equal } from "node:assert/strict";
import { registeredTypes } from "../../provider/dns/types";
import { isError } from "../../provider/problems";
import { expand } from "../dns/expand";
import { messages, notes, read, shown } from "./support";

describe("an SOA record, which the service makes itself,", () => {
  it("is read in full, and passed over with a note", () => {
    for (const soa of [
      "ns1 hostmaster 1 2h 15m 1w2d 5m",
      "ns1.example.net. john\\.doe.example.com. ( 2026010101\n 7200 ; refresh\n 900 1209600\n 0 )",
      ". . 4294967295 0 0 0 0",
    ]) {
      const result = read(`@ SOA ${soa}\nwww A 192.0.2.1`);
      deepEqual(messages(result), [], soa);
      deepEqual(shown(result), ["default www.example.com. A 192.0.2.1"]);
      deepEqual(notes(result), ["a.zone:1:1: the SOA record is passed over: the service makes it itself"]);
    }
  });

  it("hides no record: missing and surplus fields are reported at their positions", () => {
    const fields = "a name server, a mailbox, a serial number, three times and a TTL";
    const table: [string, string][] = [
      // The parenthesis of another record closes that of this one.
      [
        "@ SOA ns1 host ( 1 2 3 4 5\nwww A 192.0.2.1\nmail A 192.0.2.2 )",
        `a.zone:2:1: data.form "ns1 host 1 2 3 4 5 ww..." SOA ${fields}`,
      ],
      ["@ SOA ns1 host 1 2 3", `a.zone:1:3: data.form "ns1 host 1 2 3" SOA ${fields}`],
      ["@ SOA", `a.zone:1:3: the data is field.missing ${fields}`],
      ['@ SOA ns1 "host" 1 2 3 4 5', 'a.zone:1:11: word.quoted "host"'],
      ["@ SOA ns1 host ( 1 2 3 4 5\nwww A 192.0.2.1", "a.zone:1:16: parenthesis.alone"],
    ];
    for (const [text, message] of table) deepEqual(messages(read(text)), [message], text);
  });
});

describe("an NS record of the apex, which the service keeps itself,", () => {
  it("is read in full", () => {
    deepEqual(messages(read("@ NS ns1\n@ NS ns2 www A 192.0.2.1\n@ NS\n@ NS 192.0.2.1")), [
      'a.zone:2:10: data.form "ns2 www A 192.0.2.1" NS a host name',
      "a.zone:3:3: the data is field.missing a host name",
      'a.zone:4:6: host.address "192.0.2.1" NS A',
    ]);
  });
});

describe("line ends", () => {
  it("of a carriage return alone are an error, and end the reading", () => {
    // Within a comment the records behind it would be lost without a word.
    const mixed = read("a A 192.0.2.1\r\n; note\rb A 192.0.2.2\n");
    deepEqual(messages(mixed), ["a.zone:2:7: file.carriage-return"]);
    equal(mixed.records.length, 1);
  });
});

describe("a string of a text", () => {
  it("of more than 255 octets is reported, because other name servers refuse it", () => {
    const told = (data: string) => messages(read(`a TXT ${data}`));
    deepEqual(told(`"${"a".repeat(255)}" "${"ü".repeat(127)}" "${"\\228\\184\\173".repeat(85)}"`), []);
    deepEqual(told(`"x" "${"a".repeat(256)}"`), ["a.zone:1:11: text.string 256"]);
    deepEqual(told(`"${"ü".repeat(128)}"`), ["a.zone:1:7: text.string 256"]);
  });
});

const registered =
  "A6 AFSDB AMTRELAY APL ATMA AVC BRID CDNSKEY CDS CERT CLA CSYNC DHCID DLV DNAME DNSKEY DOA DS DSYNC EID EUI48 " +
  "EUI64 GPOS HHIT HINFO HIP HTTPS IPN IPSECKEY ISDN KEY KX L32 L64 LOC LP MB MD MF MG MINFO MR NAPTR NID NIMLOC " +
  "NINFO NSAP NSAP-PTR NSEC NSEC3 NSEC3PARAM NULL NXT OPENPGPKEY PTR PX RESINFO RKEY RP RRSIG RT SIG SINK SMIMEA " +
  "SPF SSHFP SVCB TA TALINK TLSA URI WALLET WKS X25 ZONEMD";

describe("the types of IANA's registry", () => {
  it("are all there", () => deepEqual([...registeredTypes.keys()].sort(), registered.split(" ").sort()));

  it("are accepted in files, lines and specs, in any case", () => {
    for (const type of registeredTypes.keys()) {
      const lower = type.toLowerCase();
      const records = [
        ...read(`a ${lower} 1 2 . . 5 6 7 8`).records,
        ...expand([`a ${lower} x`, { name: "b", type, value: "x" }]).records,
      ];
      deepEqual(
        records.map((record) => record.type),
        [type, type, type],
      );
    }
  });

  it("have their names made absolute", () => {
    const value = (text: string) => read(text).records[0]?.value;
    equal(value("a AMTRELAY 10 0 3 relay"), "10 0 3 relay.example.com.");
    equal(value("a AMTRELAY 10 0 1 192.0.2.1"), "10 0 1 192.0.2.1");
    equal(value("a IPSECKEY 10 0 2 . key"), "10 0 2 . key");
    equal(value("a DSYNC CDS NOTIFY 5359 scanner"), "CDS NOTIFY 5359 scanner.example.com.");
  });

  it("allow a CNAME's signatures at its name", () => {
    const { problems } = read("a CNAME b\na RRSIG CNAME 13 3 60 1 1 1 example.com. x\na NSEC b A");
    deepEqual(problems.filter(isError), []);
  });

  it("and directives, classes and types have letters of ASCII alone", () => {
    const texts = ["$\u0131NCLUDE x", "a \u0131N A 192.0.2.1", "a \u017fRV 1 1 1 b"];
    deepEqual(
      texts.map((text) => read(`${text}\nz A 192.0.2.9`).problems[0]?.code),
      ["word.unknown", "type.unknown", "type.unknown"],
    );
  });
});
