import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { patternMatcher } from "../../provider/dns";
import { planProblem } from "../../provider/lifecycle/plan-file";
import { renderAll } from "../../provider/problems";
import type { Declaration } from "../../provider/reconcile/declaration";
import { full, fullLabs, hosts, processAtWait, saved, wwwLine, type Lab, type Update } from "./lab";

const { it, start } = fullLabs({ confirmedDomains: "" });
/** A process whose settings confirm the domain. */
const confirmed = (lab: Lab) =>
  lab.process({ settings: { ...lab.settings, confirmedDomains: ["example.com"] } });
const ran = (lab: Lab, programRan: boolean, settings = lab.settings) =>
  lab.process({ settings, programRan: () => Promise.resolve(programRan) });

async function gatesOf(lab: Lab, after: Declaration, before: Update, by = lab.process()) {
  const { refusals } = await by.preview(after, before);
  const lines = refusals.flatMap(({ code, records = [] }) => records.map(({ text }) => `${code} ${text}`));
  return lines.filter((line) => !/^zone\.gated [-~] /.test(line));
}

describe("the safety gates", () => {
  const mail = "@ 600 MX 10 mx.example.net.";
  const apex = "@ 600 A 192.0.2.1";

  it("refuse a large share in the preview and in the update, unless the domain is named", async (lab) => {
    const before = await lab.must(full([...hosts(12), mail]));
    const after = full([...hosts(7), mail]);
    const share =
      /5 to delete, 0 to update, 13 live: at least 38 %.*LEGACYDNS_CONFIRMED_DOMAINS=example\.com/s;
    match((await lab.refusals(after, before)).join(), share);
    await rejects(lab.up(after, before), share);
    equal(lab.size, 13);
    const done = await confirmed(lab).must(after, before);
    await lab.must(full([...hosts(7, 600, 1), mail]), done);
  });

  it("are reported once for all resources of a domain, with the sum of their changes", async (lab, by) => {
    const four = (ttl: number, i: number) =>
      full(["a", "b", "c", "d"].map((name, n) => `${name}${i} ${n < 2 ? ttl : 600} A 192.0.2.1`));
    const before: Update[] = [];
    for (const i of [0, 1, 2]) before.push(await lab.must(four(600, i)));
    const told = [];
    for (const [i, each] of before.entries())
      told.push((await by.preview(four(300, i), each)).refusals.map(planProblem));
    const key = "zone.gated example.com";
    deepEqual(
      told.map((problems) => problems.map((problem) => problem.key)),
      [[], [key], [key]],
    );
    match(told[2]?.[0]?.records[0]?.text ?? "", /^0 to delete, 6 to update, 12 live: at least 50 %/);
  });

  it("name the changed records, and give a lower bound if other resources may change more", async (lab) => {
    const half = (ttl: number, i: number) => full(hosts(20, ttl, 0, 20 * i));
    const before = [await lab.must(half(600, 0)), await lab.must(half(600, 1))];
    const text = async (more: Partial<Declaration>) =>
      renderAll((await lab.preview({ ...half(300, 0), ...more }, before[0])).refusals).join();
    match(
      await text({ isAlone: true }),
      /0 to delete, 20 to update, 40 live: 50 %.*\n {2}~ h0\.example\.com\. A 10\.0\.0\.0 +record \d+\n.*… and 11 more\n {2}help: [^\n]*$/s,
    );
    match(await text({}), /40 live: at least 50 %.*help: the whole run's changes: pulumi-legacydns plan$/s);
    const secret = (word: string) =>
      full(
        hosts(25).map((line) => line.replace("A 10.0.0.", `TXT ${word}-`)),
        { sensitive: true },
      );
    const hidden = await confirmed(lab).must(secret("hush"));
    const found = await lab.preview(secret("whisper"), hidden);
    match(renderAll(found.refusals).join(), /~ h0\.example\.com\. TXT /);
    doesNotMatch(JSON.stringify(found.refusals), /hush|whisper/);
  });

  const [www, api] = ["www 600 A 192.0.2.2", "api 600 A 192.0.2.3"];
  const sub = "sub 600 MX 10 mx.example.net.";
  const lastMail = ["the last MX record of the apex: mx.example.net."];
  type Row = [what: string, before: string[], after: string[], gates: string[], console?: string[]];
  const rows: Row[] = [
    ["an address of the apex beside one of the console", [apex, www], [www], [], ["@ 600 A 192.0.2.50"]],
    ["every record but one of the console", [www], [], [], ["api 600 A 192.0.2.50"]],
    [
      "every record but name servers",
      [www],
      [],
      ["every record of the zone: 1 to delete"],
      ["@ 600 NS ns.example.net."],
    ],
    ["the apex's mail beside a subdomain's", [mail, www], [www], lastMail, ["sub 600 MX mx2.example.net."]],
    ["a subdomain's mail, the last", [sub, www], [www], ["the last MX record: mx.example.net."]],
    ["a subdomain's mail beside another's", [sub, www], [www], [], ["lists 600 MX mx2.example.net."]],
    ["the last address of the apex", [apex, www], [www], ["the last address of the apex: 192.0.2.1"]],
    ["one of two addresses of the apex", [apex, "@ 600 AAAA 2001:db8::1"], [apex], []],
    ["an address of the apex for an alias", [apex, www], ["@ 600 CNAME example.net.", www], []],
    ["an address of the apex for another", [apex], ["@ 600 A 192.0.2.2"], []],
    ["every record", [www, api], [], ["every record of the zone: 2 to delete"]],
    ["every record for another one", [www], [api], []],
    ["all records but one", [www, api], [www], []],
  ];
  for (const [what, before, after, gates, console = []] of rows)
    it(`of a small zone ${gates.length > 0 ? "refuse" : "let pass"} the loss of ${what}`, async () => {
      const lab = await start({}, { maxChangeShare: 100 });
      const made = await lab.must(full(before));
      for (const line of console) lab.add(line, line.includes("MX") ? { mx: 20 } : {});
      const wanted = full(after);
      deepEqual(
        await gatesOf(lab, wanted, made),
        gates.map((each) => `zone.gated ${each}`),
      );
      if (gates.length > 0) await rejects(lab.up(wanted, made), /\[zone\.gated\]/);
      await confirmed(lab).must(wanted, made);
    });

  it("count an address of the apex that another resource declares, also one with an unknown value", async (lab) => {
    const made = await lab.must(full([apex]));
    const unknown = lab.process();
    const record = { domain: "example.com", name: "@", type: "A", value: "" };
    unknown.siblings.declared.addUnknown([{ record, ttl: 600, what: "value" }]);
    for (const by of [lab.process().declares(full(["@ 600 AAAA 2001:db8::1"])), unknown])
      deepEqual(await gatesOf(lab, full([]), made, by), []);
  });

  it("count an address of the apex that a resource declares after the plan of the loss", async (lab) => {
    const made = await lab.must(full([apex, www]));
    const by = processAtWait(lab, (late) => late.declares(full(["@ 600 AAAA 2001:db8::1"])));
    deepEqual(await gatesOf(lab, full([www]), made, by), []);
  });

  it("refuse the removal of the apex's last MX record, unless another resource declares one", async (lab) => {
    const before = await lab.must(full([...hosts(3), mail, sub]));
    await rejects(lab.up(full(hosts(3)), before), /the last MX record of the apex: mx\.example\.net\./);
    await lab
      .process()
      .declares(full(["@ 600 MX 20 mx2.example.net."]))
      .must(full(hosts(3)), before);
  });

  it("refuse an up without a zone's last resource, and no destroy of a small zone", async (lab) => {
    const all = full([apex, www]);
    const made = await lab.must(all);
    await rejects(ran(lab, true).release(all, made), /every record of the zone: 2 to delete/);
    equal(lab.size, 2);
    await ran(lab, false).release(all, saved(made));
    lab.has();
  });

  it("let pass a share that is the limit, and the destroy of a zone that may lose all", async (lab) => {
    const made = await lab.must(full(hosts(10)));
    deepEqual(await gatesOf(lab, full(hosts(7)), made), []);
    match((await gatesOf(lab, full(hosts(10, 300)), made)).join(), /10 live: 100 %$/);
    await ran(lab, false, { ...lab.settings, maxChangeShare: 100 }).release(full(hosts(10)), made);
    lab.has();
  });

  it("count what a destroy has deleted before, also once few records are left", async (lab) => {
    const [three, nine] = [full(hosts(3)), full(hosts(9, 600, 0, 3))];
    const made = [await lab.must(three), await lab.must(nine)] as const;
    const by = ran(lab, false);
    await by.release(three, made[0]);
    await rejects(by.release(nine, made[1]), /12 to delete, 0 to update, 12 live: 100 %/);
    equal(lab.size, 9);
  });

  it("show no secret value among the losses", async (lab) => {
    const made = await lab.must(full(["@ 600 MX 10 hush.example.net."], { sensitive: true }));
    const { refusals } = await lab.preview(full([wwwLine], { sensitive: true }), made);
    match(JSON.stringify(refusals), /the last MX record of the apex: \(secret\)/);
    doesNotMatch(JSON.stringify(refusals), /hush/);
  });

  it("use the smallest share that a resource of the domain sets, and else the setting", async (lab, by) => {
    const made = await lab.must(full([...hosts(12), mail]));
    const domains = ["example.com"];
    const gates = (maxChangeShare: number) => ({ domains, maxChangeShare, isProtected: () => false });
    const after = full([...hosts(7), mail], gates(40));
    deepEqual(await gatesOf(lab, after, made), []);
    by.reconciler.gates.obey(gates(20), "beside");
    match((await gatesOf(lab, after, made, by)).join(), /5 to delete, 0 to update, 13 live/);
    by.reconciler.gates.obey(gates(60), "beside");
    deepEqual(await gatesOf(lab, after, made, by), []);
  });

  it("refuse the change and the deletion of a protected record by any resource and a destroy", async (lab) => {
    const [spf, ...rest] = ["@ 600 TXT v=spf1 -all", wwwLine, api] as const;
    const all = full([spf, ...rest, www]);
    const made = await lab.must(all);
    const gates = {
      domains: ["example.com"],
      isProtected: patternMatcher(["@ TXT v=spf1*", "www A 192.0.2.1"]),
    };
    const after = (...lines: readonly string[]) => full(lines, gates);
    const none = "zone.gated protected: ";
    deepEqual(await gatesOf(lab, after(spf, ...rest), made), []);
    deepEqual(await gatesOf(lab, after(...rest), made), [`${none}example.com. TXT`]);
    deepEqual(await gatesOf(lab, after("www 300 A 192.0.2.1", spf), made), [`${none}www.example.com. A`]);
    const by = ran(lab, false);
    by.reconciler.gates.obey(gates, "beside");
    await rejects(by.release(all, made), /protected: example\.com\. TXT; www\.example\.com\. A/);
    equal(lab.size, 4);
    await confirmed(lab).must(after(api), made);
  });

  it("do not count a disabled record that stays as one that answers", async (lab) => {
    const before = await lab.must(full([...hosts(3), mail]));
    lab.add("@ 600 MX mx2.example.net.", { mx: 20, enabled: false });
    await rejects(
      lab.up(full(hosts(3)), before),
      /^Refusal: example\.com: stopped by a safety gate: the last MX record of the apex \[zone\.gated\]\n/,
    );
  });
});
