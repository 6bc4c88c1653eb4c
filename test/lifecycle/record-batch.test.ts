/** `check` of a batch: the texts that it trusts, and unknown records. */
import { deepEqual, equal, match } from "node:assert/strict";
import { expandSpecs } from "../../provider/dns";
import { canonicalInputs, textDigest } from "../../provider/lifecycle/batch-text";
import { unknownValue, type Lifecycle, type Props } from "../../provider/lifecycle/lifecycle";
import { manifestInput } from "../../provider/lifecycle/manifest";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { hostOf, labs, processOf } from "../support/lab";
import { collectingReporter } from "../support/reporter";

const own = (records: readonly unknown[], secrets: readonly number[] = []) =>
  canonicalInputs(
    expandSpecs("example.com", records, {
      defaultLine: "默认",
      unknown: unknownValue,
      secrets: new Set(secrets),
    }),
  );

/** As the program's class sends it. A transform may edit `more` afterwards. */
const sent = (canonical: ReturnType<typeof own>, more: Props = {}, manifest: Props = {}): Props => ({
  ...canonical,
  [manifestInput]: { ...manifest, text: textDigest(canonical) },
  ...more,
});

async function refused(lifecycle: Lifecycle, news: Props, olds: Props = {}): Promise<string[]> {
  const { failures = [] } = await lifecycle.check(olds, news);
  return failures.map(({ reason }) => reason);
}

describe("check of a batch's text", () => {
  const start = labs();
  const base = own(["www 600 A 192.0.2.1"]);

  const wrong: readonly [says: string, text: string, code: RegExp][] = [
    ["a wrong address", "x.example.com. A 999.1.1.1\n", /\[address\.unfit\]/],
    ["a single label as a target", "x.example.com. CNAME web\n", /\[host\.unfit\]/],
    ["a record twice", "www.example.com. 600 A 192.0.2.1\n", /\[record\.twice\]/],
    ["a CNAME beside an A", "www.example.com. CNAME web.example.net.\n", /\[cname\.beside\]/],
    ["a name outside the zone", "www.example.org. A 192.0.2.1\n", /\[name\.outside\]/],
  ];
  for (const [says, line, code] of wrong)
    it(`refuses ${says} that a transform has added to the canonical text`, async () => {
      const lifecycle = processOf(await start());
      const reasons = await refused(lifecycle, sent(base, { records: base.records + line }));
      match(reasons.join("\n"), code);
    });

  it("refuses a text with secret records that a transform has edited", async () => {
    const hidden = own([{ name: "s", type: "TXT", value: "hush" }], [0]);
    const edited = sent(hidden, { records: `${hidden.records}x A 192.0.2.3\n` });
    const reasons = await refused(processOf(await start()), edited);
    match(reasons.join("\n"), /^(?!.*hush).*\[records\.rewritten\]/);
  });

  it("makes a transform's text canonical", async () => {
    const records = "www.example.com. 600 AAAA 2001:DB8:0::1\nexample.com. MX 10 MX1.example.com.\n";
    const { inputs, failures } = await processOf(await start()).check({}, sent(base, { records }));
    equal(failures, undefined);
    equal(
      inputs?.["records"],
      "; ttl=default\nexample.com. MX 10 mx1.example.com.\nwww.example.com. 600 AAAA 2001:db8::1\n",
    );
  });

  for (const olds of [undefined, { ...base }])
    it(`reads the records again if a transform changes only the domains of ${olds ? "an old" : "a new"} batch`, async () => {
      const lifecycle = processOf(await start());
      const reasons = await refused(lifecycle, sent(base, { domains: ["example.net"] }), olds);
      match(reasons.join("\n"), /"www\.example\.com\." is outside example\.net \[name\.outside\]/);
    });

  it("lowers every TTL to maxTtl, also an omitted and a secret record's, and changes it no more", async () => {
    const records = [
      "a 3600 A 192.0.2.1",
      "b 60 A 192.0.2.1",
      "c A 192.0.2.1",
      { name: "s", type: "TXT", value: "hush", ttl: "1d" },
    ];
    const lifecycle = processOf(await start());
    const { inputs = {} } = await lifecycle.check({}, sent(own(records, [3]), { maxTtl: 300 }));
    const lines = String(inputs["records"])
      .split("\n")
      .filter((line) => line !== "");
    deepEqual(
      lines.map((line) => line.replace(/ \(secret .*/, "")),
      [
        "a.example.com. 300 A 192.0.2.1",
        "b.example.com. 60 A 192.0.2.1",
        "c.example.com. 300 A 192.0.2.1",
        "; s.example.com. 300 TXT",
      ],
    );
    match(String(inputs["secrets"]), /hush/);
    const again = await lifecycle.check(inputs, sent(own(records, [3]), { maxTtl: 300 }));
    deepEqual(again.inputs, inputs);
    const wrongs = await refused(lifecycle, sent(own(records), { maxTtl: 0 }));
    match(wrongs.join(), /^maxTtl: .*\[number\.unfit\]/);
  });

  it("keeps unknown records of a text that a transform has edited", async () => {
    const later = own(["www 600 A 192.0.2.1", { name: "late", type: "A", value: unknownValue }]);
    const lifecycle = processOf(await start());
    const { inputs } = await lifecycle.check({}, sent(later, { records: `${later.records}x A 192.0.2.9\n` }));
    equal(inputs?.["records"], unknownValue);
  });

  it("accepts the state's text from a program that ignores changes", async () => {
    const lifecycle = processOf(await start());
    const { records: _made, ...rest } = own(["other A 192.0.2.2"]);
    const olds = { ...base, records: "www.example.com. 60 A 192.0.2.1 ; drifted, declared 600\n" };
    const { inputs, failures } = await lifecycle.check(olds, { ...rest, records: olds.records });
    deepEqual([inputs, failures], [olds, undefined]);
  });
});

describe("check of a batch with unknown records", () => {
  const start = labs();
  const late = { name: "late", type: "A", value: unknownValue };

  it("answers unknown properties, which a saved plan accepts with any later value or none", async () => {
    const { inputs = {} } = await processOf(await start()).check(
      {},
      sent(own(["www 600 A 192.0.2.1", late])),
    );
    const { domains, ...rest } = inputs;
    deepEqual(domains, ["example.com"]);
    deepEqual(new Set(Object.values(rest)), new Set([unknownValue]));
    deepEqual(Object.keys(rest).sort(), ["records", "secrets"]);
  });

  it("answers no other value for a list that is unknown as a whole", async () => {
    const whole = canonicalInputs(
      expandSpecs("example.com", unknownValue, { defaultLine: "默认", unknown: unknownValue }),
    );
    const { inputs } = await processOf(await start()).check({}, sent(whole));
    equal(inputs?.["records"], unknownValue);
  });

  it("previews each of two batches of one zone whose inputs look alike", async () => {
    const lab = await start();
    const reporter = collectingReporter();
    const host = hostOf(lab, reporter);
    const lifecycle = recordsProvider(recordBatchForm, (work) => work(host));
    const olds = new Map<string, Props>();
    for (const name of ["one", "two"]) {
      const manifest = { urn: name, resource: name };
      const { inputs = {} } = await lifecycle.check({}, sent(own([`${name} A 192.0.2.1`]), {}, manifest));
      const { outs } = await lifecycle.create(inputs);
      olds.set(name, outs);
    }
    const before = reporter.lines.length;
    const news = new Map<string, Props>();
    for (const [name, { records, domains }] of olds) {
      const later = sent(
        own([`${name} A 192.0.2.1`, late, `${name} TXT new`]),
        {},
        { urn: name, resource: name },
      );
      const { inputs = {} } = await lifecycle.check({ records, domains }, later);
      news.set(name, inputs);
    }
    for (const [name, inputs] of news) await lifecycle.diff("id", olds.get(name) ?? {}, inputs);
    const texts = reporter.lines.slice(before).map(({ text }) => text);
    deepEqual(
      texts.map((text) => [/^\w+/.exec(text)?.[0], /\+ (\w+)\.example\.com\. TXT/.exec(text)?.[1]]),
      [
        ["one", "one"],
        ["two", "two"],
      ],
    );
  });
});

describe("the summary of a batch's preview", () => {
  const start = labs();

  it("says what a diff compares, and lists what happens in the zone in documented mode", async () => {
    const lab = await start();
    const reporter = collectingReporter();
    const host = hostOf(lab, reporter);
    const earlier = processOf(lab);
    const lifecycle = recordsProvider(recordBatchForm, (work) => work(host));
    const lines = ["www 600 A 192.0.2.1", "gone 600 A 192.0.2.9", "same 600 A 192.0.2.3"];
    const { inputs: olds = {} } = await earlier.check({}, sent(own(lines)));
    const { outs } = await earlier.create(olds);
    lab.add("live 600 A 192.0.2.2");
    const changed = [
      "www 300 A 192.0.2.1",
      "same 600 A 192.0.2.3",
      "live 600 A 192.0.2.2",
      "new 60 A 192.0.2.7",
    ];
    const { inputs: news = {} } = await lifecycle.check(olds, sent(own(changed)));
    await lifecycle.diff("id", outs, news);
    const summary = reporter.lines
      .at(-1)
      ?.text.replace(/record \d+/g, "record N")
      .split("\n");
    deepEqual(summary?.slice(1), [
      "  A diff of `records` compares declarations. In the zone:",
      "  + new.example.com. 60 A 192.0.2.7",
      "  = live.example.com. A 192.0.2.2 (record N), live already",
      "  ! gone.example.com. A 192.0.2.9 (record N), blocked: stays as it is",
      "  ! www.example.com. A 192.0.2.1 (record N), blocked: stays as it is, TTL 600",
    ]);
  });
});

describe("the notes about a zone file", () => {
  const start = labs();

  it("appear in each check that changes the resource, and in no other call", async () => {
    const lab = await start();
    const reporter = collectingReporter();
    const host = hostOf(lab, reporter);
    const lifecycle = recordsProvider(recordBatchForm, (work) => work(host));
    const count = (): number =>
      reporter.lines.filter(({ text }) => text === "note: the SOA is skipped").length;
    const noted = (lines: readonly string[]): Props =>
      sent(own(lines), {}, { problems: { notes: ["the SOA is skipped"] } });
    const { inputs: first = {} } = await lifecycle.check({}, noted(["www 600 A 192.0.2.1"]));
    equal(count(), 1);
    const { outs } = await lifecycle.create(first);
    equal(count(), 1);
    const { inputs: same = {} } = await lifecycle.check(first, noted(["www 600 A 192.0.2.1"]));
    await lifecycle.diff("id", outs, same);
    equal(count(), 1);
    const more = noted(["www 600 A 192.0.2.1", "new 600 A 192.0.2.2"]);
    const { inputs: changed = {} } = await lifecycle.check(first, more);
    await lifecycle.diff("id", outs, changed);
    await lifecycle.update("id", outs, changed);
    equal(count(), 2);
  });
});
