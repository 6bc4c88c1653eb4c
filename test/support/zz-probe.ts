import assert from "node:assert/strict";
import { idsOf, writesOf, zoneLines, startService } from "./service";
import { says, story } from "./story";
const record = (fields: object, name = "one"): string =>
  `new dns.Record("${name}", ${JSON.stringify({ domain: "example.com", name, type: "A", value: "192.0.2.1", ttl: 600, ...fields })});`;
const show = (s: string) => console.log(s.split("Diagnostics:")[1] ?? s);
describe("probe", () => {
  it("pending deletion holds nothing up; reverting", () => story({ program: record({}) }, async ({ emulator, stack, up, failing, quietUp }) => {
    await up();
    const [old] = idsOf(emulator, "example.com");
    stack.program(record({ value: "192.0.2.2" }));
    await failing();
    stack.program(record({ value: "192.0.2.2" }) + record({}, "two"));
    const f = await failing();
    console.log(zoneLines(emulator, "example.com"));
    stack.program(record({}) + record({}, "two"));
    const back = await stack.up();
    console.log(back.code); show(back.output);
    console.log((await stack.resources()).map((r) => `${r.urn.split("::").at(-1)} ${r.delete} ${r.outputs?.value} ${r.outputs?.recordId}`));
    console.log(zoneLines(emulator, "example.com"), old);
    emulator.admin.removeRecord("example.com", { name: "one", type: "A", value: "192.0.2.2" });
    await up(); await quietUp();
  }));
  it("left over, refresh, up", () => story({ program: `new dns.RecordBatch("z", {domains:"example.com", records:["a 600 A 192.0.2.1","b 600 A 192.0.2.2"]});` }, async ({ emulator, stack, up, failing, quietUp }) => {
    await up();
    stack.program(`new dns.RecordBatch("z", {domains:"example.com", records:["a 600 A 192.0.2.1"]});`);
    await failing();
    const r = await stack.refresh(); console.log(r.code); show(r.output);
    const f = await failing(); show(f.output);
    emulator.admin.removeRecord("example.com", { name: "b", type: "A" });
    await up(); await quietUp();
  }));
  it("explicit provider, verify", async () => {
    const second = await startService({ seed: 7 });
    try {
    await story({ env: { OTHER: second.token }, program: `const o = new dns.Provider("o", { baseUrl: "${second.url}", loginTokenEnv: "OTHER", indexDelay: 0 });
      new dns.RecordBatch("z", {domains:"example.com", records:["a 600 A 192.0.2.1"]}, { provider: o });` }, async ({ stack, up }) => {
      await up();
      const d = await stack.destroy(); show(d.output);
      const e = await stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "destroy", "--yes", "--skip-preview"); console.log(e.code); show(e.output);
    }); } finally { await second.close(); }
  });
  it("lost answer, slow job", () => story({ program: `new dns.RecordBatch("z", {domains:"example.com", records:["a 600 A 192.0.2.1"]});`, env: { LEGACYDNS_INDEX_DELAY: "1" }, service: { settings: { indexDelay: 1, jobStartMs: 9000, identical: "accept" } } }, async ({ emulator, stack, failing }) => {
    emulator.admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
    await failing();
    const u = await stack.up(); console.log(u.code, emulator.admin.counts(), zoneLines(emulator, "example.com"));
    emulator.admin.advanceClock(20000);
    console.log(zoneLines(emulator, "example.com"));
  }));
});
