/** The options of the safety gates through a resource's lifecycle. */
import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { batchOf, fullService, labTests, processOf, up, upOf } from "./lab";

const { it, start } = labTests(fullService, { undocumentedOperations: true });
const [www, api] = ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"];

describe("`protect` and `maxChangeShare` of a batch", () => {
  it("change without a call, and apply from then on", async (lab) => {
    const first = await upOf(lab, [www, api]);
    lab.clearCalls();
    const options = { protect: ["www"], maxChangeShare: 50 };
    const second = await upOf(lab, [www, api], options, first);
    deepEqual([lab.admin.counts(), second.outs["protect"]], [{}, ["www"]]);
    equal(second.outs["__ledger"], first.outs["__ledger"]);
    const changed = ["www 300 A 192.0.2.1", api];
    const isProtected = /protected: www\.example\.com\. A/;
    await rejects(upOf(lab, changed, options, second), isProtected);
    await upOf(lab, changed, {}, second);
    lab.has("api A 192.0.2.2 600", "www A 192.0.2.1 300");
  });

  it("of the state protect records from the resource's deletion and from other resources", async (lab) => {
    const zone = await upOf(lab, [www, api], { protect: ["www"] }, undefined, "zone");
    await rejects(processOf(lab).delete("id", zone.outs, "zone"), /protected: www/);
    const other = await upOf(lab, ["old 600 A 192.0.2.9"], {}, undefined, "other");
    const next = processOf(lab);
    await next.check({}, batchOf([www, api], { protect: ["old"], __program: { urn: "zone" } }));
    await rejects(up(next, batchOf(["new 600 A 192.0.2.9"]), other, "other"), /protected: old/);
    equal(lab.size, 3);
  });

  it("are refused if they are no patterns and no share", async () => {
    const wrong = batchOf([www, api], { protect: "www", maxChangeShare: 101 });
    const { failures = [] } = await processOf(await start()).check({}, wrong);
    deepEqual(
      failures.map(({ reason }) => /\[([a-z.-]+)\]/.exec(reason)?.[1]),
      ["field.kind", "number.unfit"],
    );
  });
});

describe("`absent` of a batch", () => {
  const absent = ["old", "* TXT x*"];

  it("names a record from the first up on, unless `ignore` or `protect` names it", async (lab) => {
    for (const name of ["old", "keep", "safe"]) lab.add(`${name} 600 TXT x1`);
    const first = await upOf(lab, [www], { ignore: ["keep"] });
    equal(lab.size, 4);
    const options = { absent, ignore: ["keep"], protect: ["safe"] };
    const second = await upOf(lab, [www], options, first);
    lab.has("keep TXT x1 600", "safe TXT x1 600", "www A 192.0.2.1 600");
    lab.add("old 600 A 192.0.2.9");
    const { inputs = {} } = await processOf(lab).read("id", second.outs);
    match(String(inputs["records"]), /^old\.example\.com\. 600 A 192\.0\.2\.9 ; not declared$/m);
  });

  it("is refused if the batch declares a match, without a secret value", async () => {
    const { failures = [] } = await processOf(await start()).check({}, batchOf(["a 600 TXT x1"], { absent }));
    match(String(failures[0]?.reason), /^absent: .*\[record\.unwanted\]\n {2}a\.example\.com\. TXT "x1"/);
  });
});
