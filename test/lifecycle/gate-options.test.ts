/** The options of the safety gates through a resource's lifecycle. */
import { deepEqual, equal, match } from "node:assert/strict";
import { expandSpecs } from "../../provider/dns";
import { canonicalInputs } from "../../provider/lifecycle/batch-text";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { fullService, labs, processOf } from "../support/lab";

const start = labs(fullService, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });

const inputsOf = (lines: readonly string[], more: Props = {}): Props => ({
  ...canonicalInputs(expandSpecs("example.com", lines, { defaultLine: "默认" })),
  ...more,
});

interface Resource {
  readonly inputs: Props;
  readonly outs: Props;
}

async function up(provider: Lifecycle, news: Props, old?: Resource, urn = "zone"): Promise<Resource> {
  const { inputs = {}, failures = [] } = await provider.check(old?.inputs ?? {}, {
    ...news,
    __program: { urn },
  });
  deepEqual(failures, []);
  if (old === undefined) return { inputs, ...(await provider.create(inputs, urn)) };
  await provider.diff("id", old.outs, inputs);
  return { inputs, ...(await provider.update("id", old.outs, inputs, urn)) };
}

const refused = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => String(error),
  );

describe("`protect` and `maxChangeShare` of a batch", () => {
  const lines = ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"];

  it("change without a call, and apply from then on", async () => {
    const lab = await start();
    const first = await up(processOf(lab), inputsOf(lines));
    lab.admin.clearCalls();
    const options = { protect: ["www"], maxChangeShare: 50 };
    const second = await up(processOf(lab), inputsOf(lines, options), first);
    deepEqual([lab.admin.counts(), second.outs["protect"]], [{}, ["www"]]);
    equal(second.outs["__ledger"], first.outs["__ledger"]);
    const change = inputsOf(["www 300 A 192.0.2.1", "api 600 A 192.0.2.2"], options);
    match(await refused(up(processOf(lab), change, second)), /protected: www\.example\.com\. A/);
    await up(processOf(lab), inputsOf(["www 300 A 192.0.2.1", "api 600 A 192.0.2.2"]), second);
    lab.has("api A 192.0.2.2 600", "www A 192.0.2.1 300");
  });

  it("of the state protect records from the deletion of their resource, and from other resources", async () => {
    const lab = await start();
    const zone = await up(processOf(lab), inputsOf(lines, { protect: ["www"] }));
    match(await refused(processOf(lab).delete("id", zone.outs, "zone")), /protected: www/);
    const other = await up(processOf(lab), inputsOf(["old 600 A 192.0.2.9"]), undefined, "other");
    const next = processOf(lab);
    await next.check({}, { ...inputsOf(lines, { protect: ["old"] }), __program: { urn: "zone" } });
    match(await refused(up(next, inputsOf(["new 600 A 192.0.2.9"]), other, "other")), /protected: old/);
    equal(lab.lines().length, 3);
  });

  it("are refused if they are no patterns and no share", async () => {
    const lab = await start();
    const wrong = inputsOf(lines, { protect: "www", maxChangeShare: 101 });
    const { failures = [] } = await processOf(lab).check({}, wrong);
    deepEqual(
      failures.map(({ reason }) => /\[([a-z.-]+)\]/.exec(reason)?.[1]),
      ["field.kind", "number.unfit"],
    );
  });
});

describe("`absent` of a batch", () => {
  const absent = ["old", "* TXT x*"];

  it("names a record from the first up on, unless `ignore` or `protect` names it", async () => {
    const lab = await start();
    for (const name of ["old", "keep", "safe"]) lab.add(`${name} 600 TXT x1`);
    const first = await up(processOf(lab), inputsOf(["www 600 A 192.0.2.1"], { ignore: ["keep"] }));
    equal(lab.lines().length, 4);
    const options = { absent, ignore: ["keep"], protect: ["safe"] };
    const second = await up(processOf(lab), inputsOf(["www 600 A 192.0.2.1"], options), first);
    lab.has("keep TXT x1 600", "safe TXT x1 600", "www A 192.0.2.1 600");
    lab.add("old 600 A 192.0.2.9");
    const { inputs = {} } = await processOf(lab).read("id", second.outs);
    match(String(inputs["records"]), /^old\.example\.com\. 600 A 192\.0\.2\.9 ; not declared$/m);
  });

  it("is refused if the batch declares a match, without a secret value", async () => {
    const lab = await start();
    const { failures = [] } = await processOf(lab).check({}, inputsOf(["a 600 TXT x1"], { absent }));
    match(String(failures[0]?.reason), /^absent: .*\[record\.unwanted\]\n {2}a\.example\.com\. TXT "x1"/);
  });
});
