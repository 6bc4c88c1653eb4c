/** Live records that a resource's `absent` names. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { mock } from "node:test";
import { patternMatcher } from "../../provider/dns";
import { createOnly } from "../../provider/reconcile/declaration";
import { renderAll } from "../../provider/problems";
import { collectingReporter } from "../support/reporter";
import { create, full, fullLabs, processBefore, remove, staleOf, www, wwwLine, wwwLive } from "./lab";

const { it, start } = fullLabs();
const named = (...patterns: readonly string[]) => patternMatcher(patterns);
const unwanted = (...patterns: readonly string[]) => full([wwwLine], { isUnwanted: named(...patterns) });
const limited = { removal: "verify", may: createOnly } as const;

describe("a live record that `absent` names", () => {
  const withStranger = async () => {
    const lab = await start();
    return { lab, id: lab.add("old 600 A 192.0.2.99") };
  };

  it("is deleted by an up without a refresh, and the preview shows it", async () => {
    const { lab } = await withStranger();
    const wanted = unwanted("old");
    const { plan, failures } = await lab.preview(wanted);
    deepEqual([plan.removals.map(({ live }) => live.record.name), failures], [["old"], []]);
    const done = await lab.must(wanted);
    lab.has(wwwLive);
    deepEqual(staleOf(done), []);
  });

  for (const [mode, more] of [
    ["documented mode", limited],
    ["full mode with `removal: retain`", { removal: "retain", may: { ...createOnly, change: true } }],
  ] as const)
    it(`is an error with its id in ${mode}, after all other changes, until it is gone`, async () => {
      const { lab, id } = await withStranger();
      const wanted = full([wwwLine], { ...more, isUnwanted: named("* A 192.0.2.9*") });
      const { failures, refusals } = await lab.preview(wanted);
      deepEqual([failures.map(({ code }) => code), refusals], [["live.unwanted"], []]);
      match(renderAll(failures).join(), new RegExp(`record ${id}`));
      const done = await lab.up(wanted);
      deepEqual([done.codes, done.held.length], [["live.unwanted"], 1]);
      lab.has("old A 192.0.2.99 600", wwwLive);
      deepEqual((await lab.up(wanted, done)).codes, ["live.unwanted"]);
      lab.erase("old");
      await lab.must(wanted, done);
    });

  it("is made again by a resource that declares it and is checked during the deletion", async (lab) => {
    const before = await lab.must(www);
    let later: Promise<unknown> | undefined;
    const by = processBefore(lab, remove, () => (later = by.must(www, before)));
    by.withoutManifest();
    await by.must(full(["api 600 A 192.0.2.2"], { isUnwanted: named("www") }));
    await later;
    lab.has("api A 192.0.2.2 600", wwwLive);
    equal(lab.calls(remove), 1);
  });

  it("stays if a resource that is checked before the deletion ignores it", async () => {
    const { lab } = await withStranger();
    const by = processBefore(lab, create, () => by.ignores(named("old")));
    await by.must(unwanted("old"));
    lab.has("old A 192.0.2.99 600", wwwLive);
    equal(lab.calls(remove), 0);
  });

  it("stays if the resource that owns it is checked before the deletion is sent again", async (lab) => {
    const before = await lab.must(full(["old 600 A 192.0.2.99"]));
    lab.answer(remove, "8", { count: 1 });
    let later: Promise<unknown> | undefined;
    const client = lab.clientWith((operation, call) => {
      if (lab.calls(remove) > 0) later ??= by.must(full(["old 600 A 192.0.2.77"]), before);
      return call();
    });
    const reporter = collectingReporter();
    const by = lab.process({ client, reporter });
    by.withoutManifest();
    await by.must(unwanted("old"));
    await later;
    lab.has("old A 192.0.2.77 600", wwwLive);
    equal(lab.calls(remove), 1);
    doesNotMatch(reporter.lines.map(({ text }) => text).join(), /taken over/);
  });

  it("is no error if a resource that declares it is checked during the wait for all resources", async () => {
    const { lab } = await withStranger();
    const by = lab.process();
    const late = full(["old 600 A 192.0.2.99"]);
    mock.method(by.siblings.declared, "complete", () => Promise.resolve(void by.declares(late)));
    const wanted = full([wwwLine], { ...limited, isUnwanted: named("old") });
    deepEqual((await by.preview(wanted)).failures, []);
    await by.must(wanted);
  });

  it("is drift for a refresh", async () => {
    const { lab } = await withStranger();
    const made = await lab.must(www);
    for (const more of [{}, limited]) {
      const found = await lab.observe(full([wwwLine], { ...more, isUnwanted: named("old") }), made);
      deepEqual(
        found.undeclared.map(({ record }) => record.name),
        ["old"],
      );
    }
  });

  it("stays if another resource declares, owns or ignores it, or if it is a system record", async (lab) => {
    for (const name of ["declared", "owned", "ignored"]) lab.add(`${name} 600 A 192.0.2.99`);
    const owned = full(["owned 600 A 192.0.2.99"]);
    const by = lab.process().declares(full(["declared 600 A 192.0.2.99"]));
    await by.must(owned, await lab.must(owned));
    by.ignores(named("ignored"));
    await by.must(unwanted("*"));
    equal(lab.calls(remove), 0);
    equal(lab.size, 4);
  });

  it("shows no value of a TXT record, which may be a secret of somebody else", async (lab) => {
    lab.add("old 600 TXT hush");
    const { failures } = await lab.preview(full([wwwLine], { ...limited, isUnwanted: named("* TXT hus*") }));
    match(JSON.stringify(failures), /live\.unwanted.*old\.example\.com\. TXT/);
    doesNotMatch(JSON.stringify(failures), /hush/);
  });
});
