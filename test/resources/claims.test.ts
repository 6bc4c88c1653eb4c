import { deepEqual, ok } from "node:assert/strict";
import { DomainClaims } from "../../provider/resources/claims";
import { declaredText, readDeclared } from "../../provider/lifecycle/manifest";
import { digestOf } from "../../provider/reconcile/memory/ledger";
import { of } from "../support/lab";

function claimsOf(...lines: string[]) {
  const claims = new DomainClaims();
  const beside = of(...lines).records.map((record) =>
    record.name === "secret" ? { ...record, secret: true as const } : record,
  );
  claims.add("own", of("www 600 A 192.0.2.1").records);
  claims.add("beside", beside);
  return {
    claims,
    digests: beside.map(digestOf),
    found: (name?: string) => readDeclared(claims.textOfOthers("own", name)).map((each) => each.digest),
  };
}

describe("the digests in a manifest", () => {
  it("are all others for a batch", () => {
    const { claims, found, digests } = claimsOf("www 600 TXT x", "other 600 A 192.0.2.2");
    deepEqual(found(), digests);
    for (let n = 0; n < 30; n++) claims.textOfOthers("own", "www");
    deepEqual(found(), digests);
  });

  it("are all others for 25 single records, and then those at its name, secrets and MX", () => {
    const { found, digests } = claimsOf(
      "www 600 TXT x",
      "@ 600 MX 10 mx1.example.org.",
      "secret 600 TXT y",
      "other 600 A 192.0.2.2",
    );
    for (let n = 0; n < 25; n++) deepEqual(found("www"), digests);
    deepEqual(found("www"), digests.slice(0, 3));
  });

  it("carry the role of each record", () => {
    const lines = [
      "@ 600 NS ns1.example.net.",
      "@ 600 MX 10 mx.example.net.",
      "sub 600 MX 10 mx.example.net.",
    ];
    const { records } = of(...lines, "@ 600 A 192.0.2.1", "www 600 A 192.0.2.1");
    deepEqual(
      readDeclared(declaredText(records)).map(({ role }) => role),
      ["apex NS", "apex MX", "MX", "apex address", "other"],
    );
  });

  it("say which records are secret", () => {
    const { claims } = claimsOf("www 600 TXT x", "secret 600 TXT y");
    deepEqual(
      readDeclared(claims.textOfOthers("own")).map(({ secret }) => secret),
      [false, true],
    );
  });

  it("of 400 single records are 300,000 characters at most", () => {
    const claims = new DomainClaims();
    const names = [...Array(400).keys()].map((n) => `h${n}`);
    for (const name of names) claims.add(name, of(`${name} 600 A 192.0.2.1`, `${name} 600 TXT x`).records);
    const size = names.reduce((sum, name) => sum + claims.textOfOthers(name, name).length, 0);
    ok(size <= 300_000, String(size));
  });
});
