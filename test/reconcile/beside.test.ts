/** Unmanaged live records with the name, type and line of a declared record. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { patternMatcher } from "../../provider/dns";
import { renderAll } from "../../provider/problems";
import { createOnly, type Declaration } from "../../provider/reconcile/declaration";
import {
  declare,
  fresh,
  full,
  fullService,
  fullSettings,
  labs,
  labTests,
  of,
  saidIn,
  warningsOf,
  type Lab,
  type Process,
} from "./lab";

const { it } = labTests(fullService);
const startFull = labs(fullService, fullSettings);
const hostLine = "host09 600 A 198.51.100.9";
const host = of(hostLine);
const old = "host09 300 A 198.51.100.199";
const single: Partial<Declaration> = { may: { ...createOnly, single: true } };

/** The addresses that `live.beside` names, by message. */
function besides(process: Process) {
  const texts = warningsOf(process).filter((text) => text.includes("[live.beside]"));
  return texts.map((text) =>
    [...text.matchAll(/(\S+)\. A 198\.51\.100\.(\d+)/g)].map(([, name, n]) => `${name} ${n}`).join(),
  );
}

async function besidesIn(lab: Lab, work: (by: Process) => Promise<unknown>) {
  const process = lab.process();
  await work(process);
  return besides(process);
}

describe("An unmanaged record beside a declared one", () => {
  it("is reported by the preview, the up and each refresh, with its id, until it is gone", async (lab) => {
    const id = lab.add(old);
    const { unmanaged } = await lab.preview(host);
    const [text = "", ...others] = renderAll(unmanaged());
    deepEqual(others, []);
    match(
      text,
      new RegExp(
        `^example\\.com: .*\\[live\\.beside\\]\\n {2}host09\\.example\\.com\\. A 198\\.51\\.100\\.199 {2}record ${id}\\n`,
      ),
    );

    let made = fresh;
    const up = async (by: Process) => (made = await by.must(host));
    const refresh = (by: Process) => by.observe(host, made);
    for (const work of [up, refresh]) deepEqual(await besidesIn(lab, work), ["host09.example.com 199"]);
    lab.eraseId(id);
    deepEqual(await besidesIn(lab, refresh), []);
  });

  it("is reported once per process", async (lab) => {
    lab.add(old);
    const process = lab.process();
    const made = await process.must(host);
    const { ledger } = await process.observe(host, made);
    const { unmanaged } = await process.preview(host, { ...made, ledger });
    deepEqual([besides(process).length, unmanaged()], [1, []]);
  });

  it("is none on another line, of another type, disabled, ignored or of the service", async (lab) => {
    lab.add("host09 600 AAAA 2001:db8::1");
    lab.add("host10 600 A 198.51.100.199");
    lab.add("host09 600 A 198.51.100.198", { line: "电信" });
    lab.add("host09 600 A 198.51.100.197", { enabled: false });
    lab.add("_acme 600 TXT token");
    const isIgnored = patternMatcher(["_acme"]);
    const ns = { ...of(hostLine, "_acme 600 TXT own", "@ 86400 NS ns1.emulator.example."), isIgnored };
    const { unmanaged } = await lab.preview(ns);
    const ignoring = (by: Process) => {
      by.siblings.owned.ignore(ns);
      return by.up(ns);
    };
    deepEqual(await besidesIn(lab, ignoring), []);
    doesNotMatch(renderAll(unmanaged()).join(), / A /);
  });

  it("is none if another resource of the refresh owns it, in any order", async (lab) => {
    const values = [1, 2, 3, 4].map((n) => declare("example.com", [`mail 600 A 198.51.100.${n}`], single));
    const first = lab.process();
    const states = await Promise.all(values.map((each) => first.must(each)));
    lab.add("mail 600 A 198.51.100.5");
    // Like an engine with two workers.
    const left = values.map((each, i) => ({ each, state: states[i] ?? fresh }));
    const worker = async (by: Process) => {
      for (let next = left.shift(); next; next = left.shift()) await by.observe(next.each, next.state);
    };
    const refresh = (by: Process) => Promise.all([worker(by), worker(by)]);
    deepEqual(await besidesIn(lab, refresh), ["mail.example.com 5"]);
  });

  it("is named only once if a deletion, an obstacle or `undeclared` names it", async () => {
    const lab = await startFull();
    lab.add(old);
    const reporting = full([hostLine], { undeclared: "report" });
    const said = await saidIn(lab, (by) => by.must(reporting));
    match(said, /\[live\.undeclared\]\n {2}host09\.example\.com\. A 198\.51\.100\.199/);
    doesNotMatch(said, /live\.beside/);
    const again = lab.process();
    await again.observe(full([]));
    const { plan, unmanaged } = await again.preview(full([hostLine], { undeclared: "remove" }));
    deepEqual([plan.removals.length, unmanaged()], [1, []]);
  });

  it("hides what may be a secret of the program", async (lab) => {
    lab.add("key 600 TXT hidden-text");
    lab.add(old);
    const { unmanaged } = await lab.preview(of("key 600 TXT own"));
    const secret = await lab.preview(declare("example.com", [hostLine], { sensitive: true }));
    const texts = [unmanaged(), secret.unmanaged()].flatMap(renderAll);
    equal(texts.length, 2);
    for (const text of texts) match(text, /\n {2}(key|host09)\.example\.com\. \w+ \(secret\) +record \d+/);
  });

  it("of an unchanged Record is not reported if a later resource may declare it", async (lab, by) => {
    for (const n of [1, 2]) lab.add(`mail 600 A 198.51.100.${n}`);
    by.withoutManifest();
    const unmanaged = async (n: number) => {
      const wanted = declare("example.com", [`mail 600 A 198.51.100.${n}`], single);
      return renderAll((await by.preview(wanted)).unmanaged());
    };
    deepEqual(await unmanaged(1), []);
    match((await unmanaged(3)).join(), /nothing, if a later resource/);
  });
});

it('`undeclared: "report"` lists all unmanaged records before the first up', async (lab) => {
  for (const line of [old, "stranger 600 A 198.51.100.7"]) lab.add(line);
  const { unmanaged } = await lab.preview({ ...host, undeclared: "report" });
  deepEqual(
    unmanaged().map(({ code, records = [] }) => [code, records.map(({ text }) => text)]),
    [["live.undeclared", ["host09.example.com. A 198.51.100.199", "stranger.example.com. A 198.51.100.7"]]],
  );
});
