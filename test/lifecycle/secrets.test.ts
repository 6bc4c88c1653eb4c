import { deepEqual, doesNotMatch, equal, match, throws } from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { readSecrets, sealed, textDigest } from "../../provider/lifecycle/batch-text";
import { manifestInput } from "../../provider/lifecycle/manifest";
import { mark, open } from "../../provider/support/secret-marks";
import {
  batchOf,
  batchProvider,
  checked,
  halfDone,
  labTests,
  processOf,
  recordProvider,
  watched,
  type Lab,
  type Props,
} from "./lab";

const given = batchOf(["a 600 A 192.0.2.1", "k 600 TXT hush", "k 600 A 10.0.0.1"], {}, [1, 2]);
const { domains, records, secrets } = given;

const hidden = (value: string) => ({ name: "s", type: "TXT", value });
const nothing = { domains };
const sent = <T extends Parameters<typeof textDigest>[0]>(inputs: T) => ({
  ...inputs,
  [manifestInput]: { text: textDigest(inputs) },
});
const inState = (...given: Parameters<typeof sealed>) => ({ domains, ...sealed(...given) });
const before = inState(given, nothing);
const textWith = (address: string, text: string) =>
  `a.example.com. 600 A 192.0.2.1\n; k.example.com. 600 A (secret ${address})\n; k.example.com. 600 TXT (secret ${text})\n`;

describe("the secrets of a batch", () => {
  it("are sent separately from the text, which has numbers", () => {
    equal(records, textWith("p1", "p2"));
    deepEqual(secrets?.split("\n"), ["p1 10.0.0.1", 'p2 "hush"']);
  });

  it("get the same numbers in a preview and its update, whatever their values are", () => {
    const one = sealed(given, nothing);
    deepEqual(sealed(given, nothing), one);
    deepEqual(one, { records: textWith("1", "2"), secrets: '1 10.0.0.1\n2 "hush"' });
    const other = sealed({ ...given, secrets: 'p1 10.9.9.9\np2 "other"' }, nothing);
    equal(other.records, one.records);
  });

  it("keep their numbers from run to run, and get a new number for another value", () => {
    deepEqual(inState(given, before), before);
    const other = { ...given, secrets: 'p1 10.0.0.2\np2 "hush"' };
    const changed = inState(other, before);
    deepEqual(
      readSecrets(changed.secrets),
      new Map([
        ["2", '"hush"'],
        ["3", "10.0.0.2"],
      ]),
    );
    const lines = before.records.split("\n");
    deepEqual(
      changed.records.split("\n").map((line, i) => line === lines[i]),
      [true, false, true, true],
    );
    deepEqual(inState(other, changed), changed);
  });

  it("keep the number of the record, not of the line, if a secret record is added before them", () => {
    const more = batchOf(["b 600 TXT new", "k 600 TXT hush", "k 600 A 10.0.0.1"], {}, [0, 1, 2]);
    const { records: text } = sealed(more, before);
    equal(
      text,
      "; b.example.com. 600 TXT (secret 3)\n; k.example.com. 600 A (secret 1)\n; k.example.com. 600 TXT (secret 2)\n",
    );
  });

  it("come back unchanged if the program ignores changes", () => {
    deepEqual(inState(before, before), before);
    deepEqual(inState({ ...given, records: before.records }, before), before);
    throws(
      () => sealed({ ...given, secrets: before.secrets }, before),
      /write both: ignoreChanges: \["records", "secrets"\]/,
    );
    throws(() => sealed({ ...before, secrets }, nothing), /write both/);
  });

  it("leave no trace in a batch without any", () => {
    const text = "a.example.com. 600 A 192.0.2.1\n";
    deepEqual(batchOf("a 600 A 192.0.2.1"), { domains: ["example.com"], records: text });
    deepEqual(sealed({ domains, records: text, secrets: undefined }, nothing), { records: text });
  });
});

describe("a secret of an earlier program", () => {
  const { it } = labTests({ settings: { stickAfter: 0 } }, { jobTimeout: 1 });

  it("that a job creates later stays hidden, although the program has no secrets now", async (lab) => {
    const before = await checked(processOf(lab), sent({ ...given, sensitive: true }));
    const created = await halfDone(processOf(lab).create(before));
    const open = sent({ domains, records: "a.example.com. 600 A 192.0.2.1\n" });
    const after = await checked(processOf(lab), open, before);
    const updated = await halfDone(processOf(lab).update("id", created, after));
    lab.finishJobs();
    const { inputs, props } = await processOf(lab).read("id", updated);
    match(String(props?.["records"]), /^; k\.example\.com\. 600 TXT \(secret\) ; not declared$/m);
    doesNotMatch(JSON.stringify([inputs, props]), /hush|10\.0\.0\.1/);
  });
});

describe("a former secret that stays in the zone", () => {
  const { it } = labTests();

  it("is hidden in the next preview, although the inputs have no secret any more", async (lab) => {
    const before = await checked(processOf(lab), sent(given));
    const { outs } = await processOf(lab).create(before);
    const after = await checked(processOf(lab), sent(batchOf("a 600 A 192.0.2.1")), before);
    const state = await halfDone(processOf(lab).update("id", outs, after));
    const { provider, said } = watched(lab);
    const next = await checked(provider, sent(batchOf("b 600 A 192.0.2.2")), after);
    await provider.diff("id", state, next);
    match(said(), /k\.example\.com\. TXT \(secret\)/);
    doesNotMatch(said(), /hush|10\.0\.0\.1/);
  });
});

describe("the id of a resource with a secret", () => {
  const { it } = labTests();

  for (const [what, providerBy, inputsOf] of [
    [
      "record",
      recordProvider,
      (value: string) => ({ ...hidden(value), domain: "example.com", sensitive: true }),
    ],
    ["batch", batchProvider, (value: string) => sent(batchOf([hidden(value)], {}, [0]))],
  ] as const)
    it(`is the same for every value of the ${what}`, async (lab) => {
      const idOf = async (value: string) => {
        const { provider } = watched(lab, providerBy);
        return (await provider.create(await checked(provider, inputsOf(value)))).id;
      };
      equal(await idOf("hush"), await idOf("other"));
    });
});

describe("a refresh of a batch with secrets", () => {
  const { it } = labTests();

  it("shows the values of its own public records, and no others", async (lab) => {
    const { outs } = await processOf(lab).create(await checked(processOf(lab), sent(given)));
    const shows = async (change: Parameters<typeof lab.edit>[1], line: RegExp) => {
      lab.edit("a", change);
      const { props } = await processOf(lab).read("id", outs);
      match(String(props?.["records"]), line);
    };
    await shows({ ttl: 60 }, /^a\.example\.com\. 60 A 192\.0\.2\.1 ; drifted, declared 600$/m);
    await shows({ value: "203.0.113.9" }, /^; a\.example\.com\. 60 A \(secret 3\) ; not declared$/m);
  });
});

describe("a refresh of a batch without secrets", () => {
  const { it } = labTests();
  const inputsOf = (lab: Lab, lines: readonly string[], olds?: Props) =>
    checked(processOf(lab), sent(batchOf(lines)), olds);

  it("hides the new text of its own record, which may be the secret of a killed run", async (lab) => {
    const { outs } = await processOf(lab).create(await inputsOf(lab, ["k 600 TXT open"]));
    lab.edit("k", { value: "hush" }, "TXT");
    const { inputs, props } = await processOf(lab).read("id", outs);
    match(String(props?.["records"]), /^; k\.example\.com\. 600 TXT \(secret\) ; not declared$/m);
    doesNotMatch(JSON.stringify([inputs, props]), /hush/);
  });

  it("shows the text of a record that its last program declared", async (lab) => {
    const before = await inputsOf(lab, ["a 600 A 192.0.2.1", "k 600 TXT open"]);
    const { outs } = await processOf(lab).create(before);
    const now = await inputsOf(lab, ["a 600 A 192.0.2.1"], before);
    const { props } = await processOf(lab).read("id", { ...outs, ...now });
    match(String(props?.["records"]), /k\.example\.com\. 600 TXT "open" ; not declared$/m);
  });
});

describe("the engine's marks of secrets", () => {
  const secret = (value: unknown) => ({ [mark.key]: mark.secret, value });

  it("are the SDK's", () => {
    const { specialSigKey: key, specialSecretSig } = pulumi.runtime;
    deepEqual(mark, { ...mark, key, secret: specialSecretSig });
  });

  it("are removed at every depth, and reported for the containing value", () => {
    const given = { list: ["a", secret({ deep: secret("b") })], none: null, open: 1 };
    const value = { list: ["a", { deep: "b" }], open: 1 };
    deepEqual(open(given, "kept"), { value: { ...value, none: null }, secret: true });
    deepEqual(open(given, "left out"), { value, secret: true });
    deepEqual(open({ [mark.key]: "an asset", value: "a" }, "kept").secret, false);
  });
});
