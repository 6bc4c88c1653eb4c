/** Digests of other resources' records in a manifest. */
import assert from "node:assert/strict";
import { digest, expandSpecs, recordKey } from "../../provider/dns";
import { DomainClaims } from "../../provider/lifecycle/claims";
import { readDeclared } from "../../provider/lifecycle/manifest";

const recordsOf = (...lines: string[]) => expandSpecs("example.com", lines, { defaultLine: "默认" }).records;

/** The claims of a resource `own` and of another resource with these records. The name `secret` is a secret. */
function claimsOf(...lines: string[]) {
  const claims = new DomainClaims();
  const beside = recordsOf(...lines).map((record) =>
    record.name === "secret" ? { ...record, secret: true as const } : record,
  );
  claims.add("own", recordsOf("www 600 A 192.0.2.1"));
  claims.add("beside", beside);
  return {
    claims,
    digests: beside.map((record) => digest(recordKey(record))),
    found: (name?: string) => readDeclared(claims.textOfOthers("own", name)).map((each) => each.digest),
  };
}

describe("the digests in a manifest", () => {
  it("are all others for a batch", () => {
    const { claims, found, digests } = claimsOf("www 600 TXT x", "other 600 A 192.0.2.2");
    assert.deepEqual(found(), digests);
    for (let n = 0; n < 30; n++) claims.textOfOthers("own", "www");
    assert.deepEqual(found(), digests);
  });

  it("are all others for 25 single records, and then those at its name, secrets and MX", () => {
    const { found, digests } = claimsOf(
      "www 600 TXT x",
      "@ 600 MX 10 mx1.example.org.",
      "secret 600 TXT y",
      "other 600 A 192.0.2.2",
    );
    for (let n = 0; n < 25; n++) assert.deepEqual(found("www"), digests);
    assert.deepEqual(found("www"), digests.slice(0, 3));
  });

  it("of a thousand single records are three quarters of a megabyte at most", () => {
    const claims = new DomainClaims();
    const names = [...Array(1000).keys()].map((n) => `h${n}`);
    for (const name of names) claims.add(name, recordsOf(`${name} 600 A 192.0.2.1`, `${name} 600 TXT x`));
    const size = names.reduce((sum, name) => sum + claims.textOfOthers(name, name).length, 0);
    assert.ok(size <= 750_000, String(size));
  });
});
