import { deepEqual, doesNotMatch, equal, match, ok, throws } from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { expandSpecs } from "../../provider/dns";
import { canonicalInputs, readSecrets, sealed, textDigest } from "../../provider/lifecycle/batch-text";
import type { Props } from "../../provider/lifecycle/lifecycle";
import { manifestInput } from "../../provider/lifecycle/manifest";
import { mark, open } from "../../provider/support/secret-marks";
import { labs, processOf, type Lab } from "../support/lab";

const { domains, records, secrets } = canonicalInputs(
  expandSpecs("example.com", ["a 600 A 192.0.2.1", "k 600 TXT hush", "k 600 A 10.0.0.1"], {
    defaultLine: "默认",
    secrets: new Set([1, 2]),
  }),
);
const given = { domains, records, secrets };

const nothing = { domains };
const sent = <T extends Parameters<typeof textDigest>[0]>(inputs: T): Props => ({
  ...inputs,
  [manifestInput]: { text: textDigest(inputs) },
});
const inState = (sealedText: ReturnType<typeof sealed>) => ({ domains, ...sealedText });

describe("the secrets of a batch", () => {
  it("are sent separately from the text, which has numbers", () => {
    equal(
      records,
      "a.example.com. 600 A 192.0.2.1\n; k.example.com. 600 A (secret p1)\n; k.example.com. 600 TXT (secret p2)\n",
    );
    deepEqual(secrets?.split("\n"), ["p1 10.0.0.1", 'p2 "hush"']);
  });

  it("get the same numbers in a preview and its update, whatever their values are", () => {
    const [one, again] = [sealed(given, nothing), sealed(given, nothing)];
    deepEqual(one, again);
    deepEqual(one, {
      records:
        "a.example.com. 600 A 192.0.2.1\n; k.example.com. 600 A (secret 1)\n; k.example.com. 600 TXT (secret 2)\n",
      secrets: '1 10.0.0.1\n2 "hush"',
    });
    const other = sealed({ ...given, secrets: 'p1 10.9.9.9\np2 "other"' }, nothing);
    equal(other.records, one.records);
  });

  it("keep their numbers from run to run, and get a new number for another value", () => {
    const before = inState(sealed(given, nothing));
    deepEqual(inState(sealed(given, before)), before);
    const changed = inState(sealed({ ...given, secrets: 'p1 10.0.0.2\np2 "hush"' }, before));
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
    deepEqual(inState(sealed({ ...given, secrets: 'p1 10.0.0.2\np2 "hush"' }, changed)), changed);
  });

  it("keep the number of the record, not of the line, if a secret record is added before them", () => {
    const before = inState(sealed(given, nothing));
    const more = canonicalInputs(
      expandSpecs("example.com", ["b 600 TXT new", "k 600 TXT hush", "k 600 A 10.0.0.1"], {
        defaultLine: "默认",
        secrets: new Set([0, 1, 2]),
      }),
    );
    const { records: text } = sealed(more, before);
    equal(
      text,
      "; b.example.com. 600 TXT (secret 3)\n; k.example.com. 600 A (secret 1)\n; k.example.com. 600 TXT (secret 2)\n",
    );
  });

  it("come back unchanged if the program ignores changes", () => {
    const before = inState(sealed(given, nothing));
    deepEqual(inState(sealed(before, before)), before);
    deepEqual(inState(sealed({ ...given, records: before.records }, before)), before);
    throws(
      () => sealed({ ...given, secrets: before.secrets }, before),
      /write both: ignoreChanges: \["records", "secrets"\]/,
    );
    throws(() => sealed({ ...before, secrets }, nothing), /write both/);
  });

  it("leave no trace in a batch without any", () => {
    const open = canonicalInputs(expandSpecs("example.com", "a 600 A 192.0.2.1", { defaultLine: "默认" }));
    deepEqual(open, { domains: ["example.com"], records: "a.example.com. 600 A 192.0.2.1\n" });
    deepEqual(sealed({ domains, records: open.records, secrets: undefined }, nothing), {
      records: open.records,
    });
  });
});

describe("a secret of an earlier program", () => {
  const start = labs({ settings: { stickAfter: 0 } }, { LEGACYDNS_JOB_TIMEOUT: "1" });

  it("that a job creates later stays hidden in the text, although the program has no secrets now", async () => {
    const lab = await start();
    const checked = async (olds: Props, news: Props) => {
      const { inputs = {}, failures } = await processOf(lab).check(olds, news);
      equal(failures, undefined);
      return inputs;
    };
    const halfDone = async (work: Promise<unknown>): Promise<Props> => {
      const error: unknown = await work.catch((reason: unknown) => reason);
      ok(error instanceof Error && "properties" in error && error.properties instanceof Object);
      return { ...error.properties };
    };
    const before = await checked({}, sent({ ...given, sensitive: true }));
    const created = await halfDone(processOf(lab).create(before));
    const after = await checked(before, sent({ domains, records: "a.example.com. 600 A 192.0.2.1\n" }));
    const updated = await halfDone(processOf(lab).update("id", created, after));
    lab.finishJobs();
    const { inputs, props } = await processOf(lab).read("id", updated);
    match(String(props?.["records"]), /^; k\.example\.com\. 600 TXT \(secret\) ; not declared$/m);
    doesNotMatch(JSON.stringify([inputs, props]), /hush|10\.0\.0\.1/);
  });
});

describe("a refresh of a batch with secrets", () => {
  const start = labs();

  it("shows the values of its own public records, and no others", async () => {
    const lab = await start();
    const { inputs = {} } = await processOf(lab).check({}, sent(given));
    const { outs } = await processOf(lab).create(inputs);
    lab.edit("a", { ttl: 60 });
    const drifted = await processOf(lab).read("id", outs);
    match(
      String(drifted.props?.["records"]),
      /^a\.example\.com\. 60 A 192\.0\.2\.1 ; drifted, declared 600$/m,
    );
    lab.edit("a", { value: "203.0.113.9" });
    const changed = await processOf(lab).read("id", outs);
    match(String(changed.props?.["records"]), /^; a\.example\.com\. 60 A \(secret 3\) ; not declared$/m);
  });
});

describe("a refresh of a batch without secrets", () => {
  const start = labs();
  const of = (...lines: string[]) =>
    sent(canonicalInputs(expandSpecs("example.com", lines, { defaultLine: "默认" })));
  const checked = async (lab: Lab, olds: Props, news: Props): Promise<Props> =>
    (await processOf(lab).check(olds, news)).inputs ?? {};

  it("hides the new text of its own record, which may be the secret of a killed run", async () => {
    const lab = await start();
    const { outs } = await processOf(lab).create(await checked(lab, {}, of("k 600 TXT open")));
    lab.edit("k", { value: "hush" }, "TXT");
    const { inputs, props } = await processOf(lab).read("id", outs);
    match(String(props?.["records"]), /^; k\.example\.com\. 600 TXT \(secret\) ; not declared$/m);
    doesNotMatch(JSON.stringify([inputs, props]), /hush/);
  });

  it("shows the text of a record that its last program declared", async () => {
    const lab = await start();
    const before = await checked(lab, {}, of("a 600 A 192.0.2.1", "k 600 TXT open"));
    const { outs } = await processOf(lab).create(before);
    const { props } = await processOf(lab).read("id", {
      ...outs,
      ...(await checked(lab, before, of("a 600 A 192.0.2.1"))),
    });
    match(String(props?.["records"]), /k\.example\.com\. 600 TXT "open" ; not declared$/m);
  });
});

describe("the engine's marks of secrets", () => {
  const secret = (value: unknown): object => ({ [mark.key]: mark.secret, value });

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
