import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { withFound } from "../../provider/reconcile/account/observed";
import {
  digestOf,
  emptyLedger,
  formatLedger,
  heldByDigest,
  ledgerIn,
  type Ledger,
} from "../../provider/reconcile/memory/ledger";
import { of } from "../support/declarations";
import { liveEntry, zoneWith } from "../support/live";

const plain = { noNullPrototype: true };
const digest = fc.stringMatching(/^[\w-]{12}$/);
const domain = fc.constantFrom("example.com", "example.net");
const id = fc.oneof(fc.nat().map(String), fc.string({ minLength: 1 }));
const since = fc.nat({ max: 4_000_000_000 });
const ledgers: fc.Arbitrary<Ledger> = fc.record({
  held: fc.array(fc.record({ digest, domain, id, since, made: fc.boolean() }, plain)),
  removed: fc.array(fc.record({ domain, id, since }, plain)),
  openWrites: fc.array(
    fc.record(
      { domain, job: id, since, digests: fc.array(digest, { minLength: 1 }) },
      { ...plain, requiredKeys: ["domain", "since", "digests"] },
    ),
  ),
});

describe("the ledger of a refresh", () => {
  for (const [title, isOpen] of [
    ["calls a record created that appeared while its own job was open", true],
    ["calls a record adopted that appears without a job", false],
  ] as const)
    it(title, () => {
      const [record] = of("www 600 A 192.0.2.1").records;
      ok(record);
      const live = liveEntry(record);
      const openWrites = [{ domain: "example.com", job: "1", since: 0, digests: [digestOf(record)] }];
      const ledger = { ...emptyLedger, openWrites: isOpen ? openWrites : [] };
      const zones = new Map([["example.com", zoneWith([live])]]);
      const { held } = withFound(ledger, [{ live, record }], zones, () => false);
      deepEqual(
        held.map(({ made }) => made),
        [isOpen],
      );
    });
});

describe("the ledger", () => {
  it("is read back as written", () => {
    fc.assert(
      fc.property(ledgers, (ledger) => {
        const back = ledgerIn(formatLedger(ledger))();
        deepEqual(back.openWrites, ledger.openWrites);
        for (const part of ["held", "removed"] as const) {
          const order = (l: Ledger) =>
            l[part].map((each) => JSON.stringify(Object.entries(each).sort())).sort();
          deepEqual(order(back), order(ledger));
        }
      }),
    );
  });

  it("is empty for a resource without one", () => {
    deepEqual(ledgerIn(undefined)(), emptyLedger);
    deepEqual(ledgerIn(formatLedger(emptyLedger))(), emptyLedger);
  });

  const lines =
    "\n+ 1700000000 example.com k3j9x2m1abcd:101 Zz_-x2m1abcd:102\n= 0 example.com aaaabbbbcccc:7:ddddeeeeffff\n@ 900 1700000100 example.com k3j9x2m1abce\n? 1700000200 example.com k3j9x2m1abcf k3j9x2m1abcg";

  it("of this version has a line per group, for created and adopted records", () => {
    const ledger = ledgerIn(`ledger 4${lines}`)();
    const created = { domain: "example.com", since: 1700000000, made: true };
    deepEqual(ledger.held, [
      { digest: "k3j9x2m1abcd", id: "101", ...created },
      { digest: "Zz_-x2m1abcd", id: "102", ...created },
      { digest: "aaaabbbbcccc", domain: "example.com", id: "7", since: 0, made: false, form: "ddddeeeeffff" },
    ]);
    deepEqual(ledger.openWrites, [
      { domain: "example.com", job: "900", since: 1700000100, digests: ["k3j9x2m1abce"] },
      { domain: "example.com", since: 1700000200, digests: ["k3j9x2m1abcf", "k3j9x2m1abcg"] },
    ]);
    equal(formatLedger(ledger), `ledger 4${lines}`);
  });

  it("names the first of two equal records by their digest", () => {
    const first = { digest: "k3j9x2m1abcd", domain: "example.com", id: "1", since: 0, made: true };
    const ledger = { ...emptyLedger, held: [first, { ...first, id: "2" }] };
    equal(heldByDigest(ledger).get(first.digest)?.id, "1");
  });

  it("of another version is refused with a remedy", () => {
    for (const version of [3, 5])
      throws(() => ledgerIn(`ledger ${version}\n…`), /"ledger \d".*deploy with the version/s);
  });
});
