/** Digests of other resources' records in a manifest. */
import assert from "node:assert/strict";
import { digest, expandSpecs, recordKey } from "../../provider/dns";
import { DomainClaims } from "../../provider/lifecycle/claims";
import { readDeclared } from "../../provider/lifecycle/manifest";

const recordsOf = (...lines: string[]) => expandSpecs("example.com", lines, { defaultLine: "默认" }).records;

describe("the digests in a manifest", () => {
  it("are all others for a batch, and those at its name, secrets and MX for a single record", () => {
    const claims = new DomainClaims();
    const [same, other, mail, secret] = recordsOf(
      "www 600 TXT x",
      "other 600 A 192.0.2.2",
      "@ 600 MX 10 mx1.example.org.",
      "hidden 600 TXT y",
    );
    assert.ok(same && other && mail && secret);
    claims.add("own", recordsOf("www 600 A 192.0.2.1"));
    claims.add("beside", [same, other, mail, { ...secret, secret: true }]);
    const found = (name?: string): string[] =>
      readDeclared(claims.textBeside("own", name)).map((each) => each.digest);
    const digests = (records: (typeof same)[]): string[] =>
      records.map((record) => digest(recordKey(record)));
    assert.deepEqual(found(), digests([same, other, mail, secret]));
    assert.deepEqual(found("www"), digests([same, mail, secret]));
  });

  it("of a thousand single records are a tenth of a megabyte at most", () => {
    const claims = new DomainClaims();
    const names = [...Array(1000).keys()].map((n) => `h${n}`);
    for (const name of names) claims.add(name, recordsOf(`${name} 600 A 192.0.2.1`, `${name} 600 TXT x`));
    const size = names.reduce((sum, name) => sum + claims.textBeside(name, name).length, 0);
    assert.ok(size <= 100_000, String(size));
  });
});
