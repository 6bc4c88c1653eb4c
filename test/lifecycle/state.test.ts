/** The properties of the state: read into types, and written back as they were. */
import { deepEqual, equal } from "node:assert/strict";
import { emptyLedger, formatLedger } from "../../provider/reconcile/memory/ledger";
import type { Props } from "../../provider/lifecycle/lifecycle";
import {
  batchInputs,
  readShare,
  readState,
  recordInputs,
  shareProps,
  stateProps,
} from "../../provider/lifecycle/state";

const held = [{ digest: "digest", domain: "example.com", id: "17", since: 0, made: true }];
const __ledger = formatLedger({ ...emptyLedger, held, urn: "urn" });
const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
const batch = { domains: ["example.com"], records: "; www.example.com. 600 A (secret 1)\n" };
const options = { removal: "retain", adopt: false, __provider: "text" };
const batchOptions = { ...options, undeclared: "report", ignore: ["_acme*"], checks: { "*": "off" } };

type Rows = readonly (readonly [what: string, props: Props])[];
const records: Rows = [
  ["a record", { ...record, ...options, recordId: "17", __ledger }],
  ["a half-done record", { ...record, priority: 10, line: "电信", __ledger: `${__ledger}\nf` }],
  ["a secret record", { ...record, sensitive: true, __ledger }],
  ["a formerly secret record", { ...record, sensitive: true, secrets: "", __ledger }],
  [
    "a record of which a refresh found another",
    {
      ...record,
      ttl: "60 (drifted)",
      ...options,
      __declared: { ...record, removal: "retain", adopt: false },
      __ledger,
    },
  ],
];
const batches: Rows = [
  ["a batch", { ...batch, ...batchOptions, __ledger }],
  ["a batch with secrets", { ...batch, secrets: "1 192.0.2.1", __ledger }],
  [
    "a half-done batch with a former secret",
    { ...batch, secrets: "", sensitive: true, __ledger: `${__ledger}\nf` },
  ],
  ["a batch with an option that this version does not know", { ...batch, later: 1, __ledger }],
];

const share = { domain: "example.com", email: "partner@example.net", mode: "rw", __provider: "text" };
const shares: Rows = [
  ["a share", share],
  ["a share with another scope", { ...share, subDomain: "dev", from: "@" }],
  ["a share that may still have its former scope", { ...share, unconfirmedFrom: "@" }],
  ["a share that the stack made", { ...share, unconfirmedFrom: "dev", __made: true }],
];

describe("the state", () => {
  for (const [all, rewritten] of [
    [records, (props: Props) => stateProps(readState(recordInputs, props))],
    [batches, (props: Props) => stateProps(readState(batchInputs, props))],
    [shares, (props: Props) => shareProps(readShare(props))],
  ] as const)
    for (const [what, props] of all)
      it(`of ${what} is written as it was read`, () => deepEqual(rewritten(props), props));

  it("has the declared record and the found one", () => {
    const { inputs, found, ledger } = readState(recordInputs, records[4]?.[1] ?? {});
    deepEqual([inputs.fields.ttl, found.fields.ttl], [600, "60 (drifted)"]);
    equal(inputs.options.removal, "retain");
    deepEqual(ledger.held, held);
  });
});
