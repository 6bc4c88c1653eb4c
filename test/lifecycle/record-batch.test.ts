/** `check` of a batch, and the messages of its preview and update. */
import { deepEqual, equal, match } from "node:assert/strict";
import { textDigest } from "../../provider/lifecycle/batch-text";
import { manifestInput } from "../../provider/lifecycle/manifest";
import {
  batchOf,
  checked,
  labTests,
  processOf,
  unknownValue,
  watched,
  type Lifecycle,
  type Props,
} from "./lab";

const { it, start } = labTests();

/** As the program's class sends it. A transform may edit `more` afterwards. */
const sent = (canonical: ReturnType<typeof batchOf>, more: Props = {}, manifest: Props = {}) => ({
  ...canonical,
  [manifestInput]: { ...manifest, text: textDigest(canonical) },
  ...more,
});

async function refused(news: Props, olds: Props = {}) {
  const { failures = [] } = await processOf(await start()).check(olds, news);
  return failures.map(({ reason }) => reason).join("\n");
}

describe("check of a batch's text", () => {
  const base = batchOf(["www 600 A 192.0.2.1"]);

  for (const [what, line, code] of [
    ["a wrong address", "x.example.com. A 999.1.1.1\n", /\[address\.unfit\]/],
    ["a single label as a target", "x.example.com. CNAME web\n", /\[host\.unfit\]/],
    ["a record twice", "www.example.com. 600 A 192.0.2.1\n", /\[record\.twice\]/],
    ["a CNAME beside an A", "www.example.com. CNAME web.example.net.\n", /\[cname\.beside\]/],
    ["a name outside the zone", "www.example.org. A 192.0.2.1\n", /\[name\.outside\]/],
  ] as const)
    it(`refuses ${what} that a transform has added to the canonical text`, async () => {
      match(await refused(sent(base, { records: base.records + line })), code);
    });

  it("refuses a text with secret records that a transform has edited", async () => {
    const hidden = batchOf([{ name: "s", type: "TXT", value: "hush" }], {}, [0]);
    const edited = sent(hidden, { records: `${hidden.records}x A 192.0.2.3\n` });
    match(await refused(edited), /^(?!.*hush).*\[records\.rewritten\]/);
  });

  it("makes a transform's text canonical", async () => {
    const records = "www.example.com. 600 AAAA 2001:DB8:0::1\nexample.com. MX 10 MX1.example.com.\n";
    const inputs = await checked(processOf(await start()), sent(base, { records }));
    equal(
      inputs["records"],
      "; ttl=default\nexample.com. MX 10 mx1.example.com.\nwww.example.com. 600 AAAA 2001:db8::1\n",
    );
  });

  for (const olds of [undefined, { ...base }])
    it(`reads the records again if a transform changes only the domains of ${olds ? "an old" : "a new"} batch`, async () => {
      const reasons = await refused(sent(base, { domains: ["example.net"] }), olds);
      match(reasons, /"www\.example\.com\." is outside example\.net \[name\.outside\]/);
    });

  it("lowers every TTL to maxTtl, also an omitted and a secret record's, and changes it no more", async () => {
    const records = [
      "a 3600 A 192.0.2.1",
      "b 60 A 192.0.2.1",
      "c A 192.0.2.1",
      { name: "s", type: "TXT", value: "hush", ttl: "1d" },
    ];
    const lifecycle = processOf(await start());
    const limited = sent(batchOf(records, {}, [3]), { maxTtl: 300 });
    const inputs = await checked(lifecycle, limited);
    deepEqual(
      [...String(inputs["records"]).matchAll(/^.+$/gm)].map(([line]) => line.replace(/ \(secret .*/, "")),
      [
        "a.example.com. 300 A 192.0.2.1",
        "b.example.com. 60 A 192.0.2.1",
        "c.example.com. 300 A 192.0.2.1",
        "; s.example.com. 300 TXT",
      ],
    );
    match(String(inputs["secrets"]), /hush/);
    deepEqual(await checked(lifecycle, limited, inputs), inputs);
    match(await refused(sent(batchOf(records), { maxTtl: 0 })), /^maxTtl: .*\[number\.unfit\]/);
  });

  it("keeps unknown records of a text that a transform has edited", async () => {
    const later = batchOf(["www 600 A 192.0.2.1", { name: "late", type: "A", value: unknownValue }]);
    const edited = sent(later, { records: `${later.records}x A 192.0.2.9\n` });
    const { inputs } = await processOf(await start()).check({}, edited);
    equal(inputs?.["records"], unknownValue);
  });

  it("accepts the state's text from a program that ignores changes", async () => {
    const olds = { ...base, records: "www.example.com. 60 A 192.0.2.1 ; drifted, declared 600\n" };
    const news = { ...batchOf(["other A 192.0.2.2"]), records: olds.records };
    deepEqual(await checked(processOf(await start()), news, olds), olds);
  });
});

describe("check of a batch with unknown records", () => {
  const late = { name: "late", type: "A", value: unknownValue };

  for (const [what, records] of [
    ["some records", ["www 600 A 192.0.2.1", late]],
    ["a list that is unknown as a whole", unknownValue],
  ] as const)
    it(`answers unknown properties for ${what}, as a saved plan needs them`, async () => {
      const { inputs } = await processOf(await start()).check({}, sent(batchOf(records)));
      deepEqual(inputs, { domains: ["example.com"], records: unknownValue, secrets: unknownValue });
    });

  it("previews each of two batches of one zone whose inputs look alike", async () => {
    const { provider, reporter } = watched(await start());
    const names = ["one", "two"];
    const given = (name: string, ...more: readonly unknown[]) =>
      sent(batchOf([`${name} A 192.0.2.1`, ...more]), {}, { urn: name, resource: name });
    const states: Props[] = [];
    for (const name of names) states.push((await provider.create(await checked(provider, given(name)))).outs);
    const before = reporter.lines.length;
    const news: Props[] = [];
    for (const [i, name] of names.entries()) {
      const { records, domains } = states[i] ?? {};
      const { inputs = {} } = await provider.check(
        { records, domains },
        given(name, late, `${name} TXT new`),
      );
      news.push(inputs);
    }
    for (const [i, inputs] of news.entries()) await provider.diff("id", states[i] ?? {}, inputs);
    deepEqual(
      reporter.lines
        .slice(before)
        .map(({ text }) => /^(\w+).*\+ (\w+)\.example\.com\. TXT/s.exec(text)?.slice(1)),
      [
        ["one", "one"],
        ["two", "two"],
      ],
    );
  });
});

it("the summary of a batch's preview says what a diff compares, and lists the effects in the zone", async (lab) => {
  const earlier = processOf(lab);
  const before = ["www 600 A 192.0.2.1", "gone 600 A 192.0.2.9", "same 600 A 192.0.2.3"];
  const olds = await checked(earlier, sent(batchOf(before)));
  const { outs } = await earlier.create(olds);
  lab.add("live 600 A 192.0.2.2");
  const changed = [
    "www 300 A 192.0.2.1",
    "same 600 A 192.0.2.3",
    "live 600 A 192.0.2.2",
    "new 60 A 192.0.2.7",
  ];
  const { provider, reporter } = watched(lab);
  await provider.diff("id", outs, await checked(provider, sent(batchOf(changed)), olds));
  const summary = reporter.lines.at(-1)?.text.replace(/record \d+/g, "record N");
  deepEqual(summary?.split("\n").slice(1), [
    "  A diff of `records` compares declarations. In the zone:",
    "  + new.example.com. 60 A 192.0.2.7",
    "  = live.example.com. A 192.0.2.2 (record N), live already",
    "  ! gone.example.com. A 192.0.2.9 (record N), blocked: stays as it is",
    "  ! www.example.com. A 192.0.2.1 (record N), blocked: stays as it is, TTL 600",
  ]);
});

describe("the notes about a zone file", () => {
  const [one, two] = [["www 600 A 192.0.2.1"], ["www 600 A 192.0.2.1", "new 600 A 192.0.2.2"]];
  const noted = (provider: Lifecycle, lines: readonly string[], olds: Props = {}) =>
    checked(provider, sent(batchOf(lines), {}, { problems: { notes: ["the SOA is skipped"] } }), olds);

  it("appear in each check that changes the resource, and in no other call", async () => {
    const { provider, reporter } = watched(await start());
    const noteCount = () => reporter.lines.filter(({ text }) => text === "note: the SOA is skipped").length;
    const first = await noted(provider, one);
    equal(noteCount(), 1);
    const { outs } = await provider.create(first);
    equal(noteCount(), 1);
    const same = await noted(provider, one, first);
    await provider.diff("id", outs, same);
    equal(noteCount(), 1);
    const changed = await noted(provider, two, first);
    await provider.diff("id", outs, changed);
    await provider.update("id", outs, changed);
    equal(noteCount(), 2);
  });
});
