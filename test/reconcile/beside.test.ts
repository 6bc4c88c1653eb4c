/** Unmanaged live records with the name, type and line of a declared record. */
import { deepEqual, doesNotMatch, match } from "node:assert/strict";
import type { Declaration } from "../../provider/reconcile/declaration";
import { messageOf } from "../../provider/problems";
import { createOnly } from "../../provider/reconcile/declaration";
import { declare, fresh, full, fullService, fullSettings, labs, of, type Process } from "../support/lab";

const start = labs(fullService);
const startFull = labs(fullService, fullSettings);
const host = of("host09 600 A 198.51.100.9");
const old = "host09 300 A 198.51.100.199";
const single: Partial<Declaration> = { may: { ...createOnly, single: true } };

/** The addresses that `live.beside` names, by message. */
function besides({ reporter }: Process): string[] {
  return reporter.lines.flatMap(({ level, text }) =>
    level === "warn" && text.includes("[live.beside]")
      ? [[...text.matchAll(/(\S+)\. A 198\.51\.100\.(\d+)/g)].map(([, name, n]) => `${name} ${n}`).join()]
      : [],
  );
}

describe("An unmanaged record beside a declared one", () => {
  it("is reported by the preview, the up and each refresh, with its id, until it is gone", async () => {
    const lab = await start();
    const id = lab.add(old);
    const { unmanaged } = await lab.preview(host);
    const [text = "", ...others] = unmanaged().map((each) => messageOf(each));
    deepEqual(others, []);
    match(
      text,
      /^example\.com: .*\[live\.beside\]\n {2}host09\.example\.com\. A 198\.51\.100\.199 {2}record /,
    );
    match(text, new RegExp(`record ${id}\n`));

    const up = lab.process();
    const made = await lab.must(host, fresh, up.reconciler);
    deepEqual(besides(up), ["host09.example.com 199"]);
    const refresh = lab.process();
    await lab.observe(host, made, refresh.reconciler);
    deepEqual(besides(refresh), ["host09.example.com 199"]);

    lab.admin.removeRecord("example.com", Number(id));
    const last = lab.process();
    await lab.observe(host, made, last.reconciler);
    deepEqual(besides(last), []);
  });

  it("is reported once per process", async () => {
    const lab = await start();
    lab.add(old);
    const process = lab.process();
    const made = await lab.must(host, fresh, process.reconciler);
    const { ledger } = await lab.observe(host, made, process.reconciler);
    const { unmanaged } = await lab.preview(host, { ...made, ledger }, process.reconciler);
    deepEqual([besides(process).length, unmanaged()], [1, []]);
  });

  it("is none on another line, of another type, disabled, ignored or of the service", async () => {
    const lab = await start();
    lab.add("host09 600 AAAA 2001:db8::1");
    lab.add("host10 600 A 198.51.100.199");
    lab.add("host09 600 A 198.51.100.198", { line: "电信" });
    lab.add("host09 600 A 198.51.100.197", { enabled: false });
    lab.add("_acme 600 TXT token");
    const isIgnored = ({ name }: { name: string }) => name === "_acme";
    const ns = of("host09 600 A 198.51.100.9", "_acme 600 TXT own", "@ 86400 NS ns1.emulator.example.");
    const { unmanaged } = await lab.preview({ ...ns, isIgnored });
    const up = lab.process();
    up.reconciler.siblings.owned.ignore({ ...ns, isIgnored });
    await lab.up({ ...ns, isIgnored }, fresh, up.reconciler);
    deepEqual(besides(up), []);
    doesNotMatch(
      unmanaged()
        .map((each) => messageOf(each))
        .join(),
      / A /,
    );
  });

  it("is none if another resource of the refresh owns it, in whatever order they are read", async () => {
    const lab = await start();
    const values = [1, 2, 3, 4].map((n) => declare("example.com", [`mail 600 A 198.51.100.${n}`], single));
    const first = lab.reconciler();
    const states = await Promise.all(values.map((each) => lab.must(each, fresh, first)));
    lab.add("mail 600 A 198.51.100.5");
    const process = lab.process();
    // Like an engine with two workers.
    const left = values.map((each, i) => ({ each, state: states[i] ?? fresh }));
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift())
        await lab.observe(next.each, next.state, process.reconciler);
    };
    await Promise.all([worker(), worker()]);
    deepEqual(besides(process), ["mail.example.com 5"]);
  });

  it("is named only once if a deletion, an obstacle or `undeclared` names it", async () => {
    const lab = await startFull();
    lab.add(old);
    const { reconciler, said } = lab.process();
    const reporting = full(["host09 600 A 198.51.100.9"], { undeclared: "report" });
    await lab.must(reporting, fresh, reconciler);
    match(said(), /\[live\.undeclared\]\n {2}host09\.example\.com\. A 198\.51\.100\.199/);
    doesNotMatch(said(), /live\.beside/);
    const again = lab.process();
    await lab.observe(full([]), fresh, again.reconciler);
    const removing = full(["host09 600 A 198.51.100.9"], { undeclared: "remove" });
    const { plan, unmanaged } = await lab.preview(removing, fresh, again.reconciler);
    deepEqual([plan.removals.length, unmanaged()], [1, []]);
  });

  it("hides what may be a secret of the program", async () => {
    const lab = await start();
    lab.add("key 600 TXT hidden-text");
    lab.add(old);
    const { unmanaged } = await lab.preview(of("key 600 TXT own"));
    const hidden = declare("example.com", ["host09 600 A 198.51.100.9"], { sensitive: true });
    const secret = await lab.preview(hidden);
    const texts = [...unmanaged(), ...secret.unmanaged()].map((each) => messageOf(each));
    deepEqual(texts.length, 2);
    for (const text of texts) match(text, /\n {2}(key|host09)\.example\.com\. \w+ \(secret\) +record \d+/);
  });

  it("of an unchanged Record is no matter of the preview if a later resource may declare it", async () => {
    const lab = await start();
    lab.add("mail 600 A 198.51.100.1");
    lab.add("mail 600 A 198.51.100.2");
    const { reconciler } = lab.process();
    reconciler.siblings.declared.add(() => [], { hasManifest: false });
    const adopts = await lab.preview(
      declare("example.com", ["mail 600 A 198.51.100.1"], single),
      fresh,
      reconciler,
    );
    deepEqual(adopts.unmanaged(), []);
    const creates = await lab.preview(
      declare("example.com", ["mail 600 A 198.51.100.3"], single),
      fresh,
      reconciler,
    );
    match(
      creates
        .unmanaged()
        .map((each) => messageOf(each))
        .join(),
      /nothing, if a later resource/,
    );
  });
});

describe('`undeclared: "report"`', () => {
  it("lists all unmanaged records before the first up", async () => {
    const lab = await start();
    for (const line of [old, "stranger 600 A 198.51.100.7"]) lab.add(line);
    const { unmanaged } = await lab.preview({ ...host, undeclared: "report" });
    deepEqual(
      unmanaged().map(({ code, records = [] }) => [code, records.map(({ text }) => text)]),
      [["live.undeclared", ["host09.example.com. A 198.51.100.199", "stranger.example.com. A 198.51.100.7"]]],
    );
  });
});
