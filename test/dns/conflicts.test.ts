import { deepEqual, match } from "node:assert/strict";
import { Places } from "../../provider/dns";
import { expand, problemsOf } from "./expand";

const told = (...lines: string[]) => problemsOf(lines);

describe("conflicts between records", () => {
  it("the same record twice is a conflict", () => {
    deepEqual(told("www A 192.0.2.1", "WWW a 192.0.2.1"), [
      "records[1]: record.twice www.example.com. A 192.0.2.1 at records[0]",
    ]);
    for (const again of ["www 300 A 192.0.2.1", "www A 192.0.2.1 [默认]"])
      deepEqual(told("www 600 A 192.0.2.1", again), [
        "records[1]: record.twice www.example.com. A 192.0.2.1 at records[0], with TTL 600,",
      ]);
  });

  it("equal combinations of one spec are a conflict", () => {
    const spec = { name: ["a", "A"], type: "A", value: ["192.0.2.1"] };
    deepEqual(
      expand([spec]).problems.map(({ path }) => path),
      ["records[0].name[1], value[0]"],
    );
  });

  it("a CNAME conflicts with other data at its name and line", () => {
    deepEqual(told("www CNAME a.example.net.", "www A 192.0.2.1", 'www TXT "x"', "mail A 192.0.2.1"), [
      'records[0]: cname.beside www.example.com. www.example.com. A 192.0.2.1 www.example.com. TXT "x"',
    ]);
    deepEqual(told("www CNAME a.example.net. [电信]", "www A 192.0.2.1 [电信]", "www A 192.0.2.1"), [
      "records[0]: cname.beside www.example.com. on line 电信 www.example.com. A 192.0.2.1 [电信]",
    ]);
    const many = Array.from({ length: 7 }, (_, i) => `w A 192.0.2.${i}`);
    match(told("w CNAME a.example.net", ...many).join(""), /w\.example\.com\. A 192\.0\.2\.6$/);
  });

  it("two CNAMEs of one name and line are a conflict", () => {
    deepEqual(told("www CNAME a.example.net.", "www CNAME b.example.net."), [
      "records[1]: cname.beside www.example.com. www.example.com. CNAME a.example.net.",
    ]);
  });

  it("a CNAME at the apex conflicts with MX and TXT; alone or beside NS it is a warning", () => {
    const warning = "records[0]: cname.apex example.com";
    deepEqual(told("@ CNAME a.example.net."), [warning]);
    deepEqual(told("@ CNAME a.example.net.", "@ NS ns1.example.net"), [warning]);
    deepEqual(told("@ CNAME a.example.net.", "@ MX 10 mx1.example.net.", '@ TXT "x"'), [
      'records[0]: cname.beside example.com. example.com. MX 10 mx1.example.net. example.com. TXT "x"',
    ]);
  });

  it("a CNAME does not conflict with RRSIG and NSEC (RFC 4035 §2.5)", () => {
    deepEqual(
      told("www CNAME a.example.net.", "www RRSIG x", "www NSEC y", "www DS z").filter(
        (line) => !line.includes("type.unchecked"),
      ),
      ["records[0]: cname.beside www.example.com. www.example.com. DS z"],
    );
  });

  it("a CNAME does not conflict with data on another line", () =>
    deepEqual(
      told("www CNAME a.example.net. [电信]", "www A 192.0.2.1", "www CNAME b.example.net. [境外]"),
      [],
    ));
});

describe("Places", () => {
  const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
  const alias = { ...record, type: "CNAME", value: "a.example.net." };
  const against = (...records: (typeof record & { readonly line?: string })[]) => {
    const places = new Places<{ readonly record: typeof record }>();
    return records.map((each) => places.add({ record: each }).length);
  };

  it("reports a CNAME beside other data, in either order", () => {
    deepEqual(against(record, { ...record, type: "TXT" }, alias), [0, 0, 2]);
    deepEqual(against(alias, record, { ...alias, value: "b.example.net." }), [0, 1, 2]);
  });

  it("keeps domains, names and lines apart", () => {
    deepEqual(
      against(
        alias,
        { ...record, domain: "example.net" },
        { ...record, name: "w" },
        { ...record, line: "电信" },
      ),
      [0, 0, 0, 0],
    );
    deepEqual(against({ ...alias, domain: "sub.example.com" }, { ...record, name: "www.sub" }), [0, 0]);
  });

  it("allows NS records beside a CNAME at the apex", () => {
    deepEqual(
      against(
        { ...record, name: "@", type: "NS" },
        { ...alias, name: "@" },
        { ...record, name: "@", type: "NS" },
      ),
      [0, 0, 0],
    );
    deepEqual(against({ ...record, type: "NS" }, alias), [0, 1]);
  });
});
