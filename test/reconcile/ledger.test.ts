import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { emptyLedger, formatLedger, parseLedger, type Ledger } from "../../provider/reconcile/memory/ledger";

const plain = { noNullPrototype: true };
const digest = fc.stringMatching(/^[\w-]{12}$/);
const domain = fc.constantFrom("example.com", "example.net");
const id = fc.oneof(fc.nat().map(String), fc.string({ minLength: 1 }));
const since = fc.nat({ max: 4_000_000_000 });
const ledgers: fc.Arbitrary<Ledger> = fc.record({
  owned: fc
    .dictionary(digest, fc.record({ domain, id, since, made: fc.boolean() }, plain))
    .map((o) => new Map(Object.entries(o))),
  stale: fc.array(
    fc.record(
      {
        domain,
        id,
        since,
        made: fc.boolean(),
      },
      { ...plain, requiredKeys: ["domain", "id", "made"] },
    ),
  ),
  removed: fc.array(fc.record({ domain, id, since }, plain)),
  missing: fc.array(fc.record({ domain, digest }, plain)),
  openWrites: fc.array(
    fc.record(
      { domain, job: id, since, digests: fc.array(digest, { minLength: 1 }) },
      { ...plain, requiredKeys: ["domain", "since", "digests"] },
    ),
  ),
});

describe("the ledger", () => {
  it("is read back as written", () => {
    fc.assert(
      fc.property(ledgers, (ledger) => {
        const back = parseLedger(formatLedger(ledger));
        deepEqual(new Map(back.owned), new Map(ledger.owned));
        deepEqual(back.openWrites, ledger.openWrites);
        for (const part of ["stale", "removed", "missing"] as const) {
          const order = (l: Ledger) =>
            l[part].map((each) => JSON.stringify(Object.entries(each).sort())).sort();
          deepEqual(order(back), order(ledger));
        }
      }),
    );
  });

  it("is empty for a resource without one", () => {
    deepEqual(parseLedger(undefined), emptyLedger);
    deepEqual(parseLedger(formatLedger(emptyLedger)), emptyLedger);
  });

  const lines =
    "\n+ 1700000000 example.com k3j9x2m1abcd:101 Zz_-x2m1abcd:102\n= 0 example.com aaaabbbbcccc:7\n- example.com 55 56:1700000300\n_ example.com 57\n@ 900 1700000100 example.com k3j9x2m1abce\n? 1700000200 example.com k3j9x2m1abcf k3j9x2m1abcg";

  it("of this version has a line per group, for created and adopted records", () => {
    const ledger = parseLedger(`ledger 3${lines}`);
    deepEqual(
      [...ledger.owned],
      [
        ["k3j9x2m1abcd", { domain: "example.com", id: "101", since: 1700000000, made: true }],
        ["Zz_-x2m1abcd", { domain: "example.com", id: "102", since: 1700000000, made: true }],
        ["aaaabbbbcccc", { domain: "example.com", id: "7", since: 0, made: false }],
      ],
    );
    deepEqual(ledger.stale, [
      { domain: "example.com", id: "55", made: true },
      { domain: "example.com", id: "56", since: 1700000300, made: true },
      { domain: "example.com", id: "57", made: false },
    ]);
    deepEqual(ledger.openWrites, [
      { domain: "example.com", job: "900", since: 1700000100, digests: ["k3j9x2m1abce"] },
      { domain: "example.com", since: 1700000200, digests: ["k3j9x2m1abcf", "k3j9x2m1abcg"] },
    ]);
    equal(formatLedger(ledger), `ledger 3${lines}`);
  });

  it("of another version is refused with a remedy", () => {
    for (const version of [2, 4])
      throws(() => parseLedger(`ledger ${version}\n…`), /"ledger \d".*deploy with the version/s);
  });
});
