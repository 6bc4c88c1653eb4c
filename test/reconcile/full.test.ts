import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  both,
  bothLines,
  create,
  full,
  fullLabs,
  hosts,
  modify,
  modifyMany,
  other,
  processBefore,
  refusing,
  remove,
  run,
  short,
  www,
  wwwLine,
  type Lab,
} from "./lab";

const { it, start } = fullLabs();

function callsOf(lab: Lab) {
  const { "Batch.Detail": _polls, "Domain.Purview": _purview, ...calls } = lab.admin.counts();
  return calls;
}

describe("changes and removals", () => {
  it("another TTL for 300 records: one call of Batch.Record.Modify", async (lab) => {
    await run(lab, full(hosts(300)), full(hosts(300, 300)));
    deepEqual(callsOf(lab), { "Record.List": 1, [modifyMany]: 1 });
    ok(lab.lines().every((line) => line.endsWith(" 300")));
  });

  it("other values of 10 of 100 records: ten calls of Record.Modify, each with the whole record", async (lab) => {
    await run(lab, full(hosts(100)), full([...hosts(10, 600, 1), ...hosts(100).slice(10)]));
    deepEqual(callsOf(lab), { "Record.List": 1, [modify]: 10 });
    const [first] = lab.admin.calls(modify);
    const { login_token: _token, format: _format, record_id: id, ...sent } = first?.params ?? {};
    match(String(id), /^\d+$/);
    const i = /10\.1\.0\.(\d+)/.exec(String(sent["value"]))?.[1] ?? "";
    deepEqual(sent, {
      domain: "example.com",
      sub_domain: `h${i}`,
      record_type: "A",
      record_line: "默认",
      value: `10.1.0.${i}`,
      ttl: "600",
      status: "enable",
    });
  });

  it("another address of 60 names: one job; the removal of 30: 30 calls of Record.Remove", async (lab) => {
    const at = (address: string) => Array.from({ length: 60 }, (_, i) => `h${i} 600 A ${address}`);
    const moved = await run(lab, full(at("192.0.2.1")), full(at("192.0.2.2")));
    deepEqual(callsOf(lab), { "Record.List": 1, [modifyMany]: 1 });
    lab.clearCalls();
    const { ledger } = await lab.must(full(at("192.0.2.2").slice(30)), moved);
    deepEqual([lab.admin.counts(), ledger.removed], [{ "Record.List": 1, [remove]: 30 }, []]);
  });

  it("keep the priority of an SRV record in mx if the service has it there", async () => {
    const names = ["_a._tcp", "_b._tcp", "_c._tcp"];
    const srv = (name: string, value: string, ttl: number) => ({ name, type: "SRV", value, mx: 10, ttl });
    const records = [
      ...names.map((name) => srv(name, "5 5060 old.example.net.", 600)),
      srv("_t._tcp", "5 5060 sip.example.net.", 300),
    ];
    const lab = await start({ domains: [{ name: "example.com", records }] });
    const lines = (host: string, ttl: number) =>
      full([
        ...names.map((name) => `${name} 600 SRV 10 5 5060 ${host}.`),
        `_t._tcp ${ttl} SRV 10 5 5060 sip.example.net.`,
      ]);
    const after = lines("new.example.net", 600);
    const done = await run(lab, lines("old.example.net", 300), after);
    deepEqual(callsOf(lab), { "Record.List": 1, [modify]: 4 });
    deepEqual(
      lab.records.map(({ value, mx, ttl }) => [value, mx, ttl]),
      [...names.map(() => ["5 5060 new.example.net.", 10, 600]), ["5 5060 sip.example.net.", 10, 600]],
    );
    await lab.must(after, done);
    equal(lab.calls(modify), 4);
  });
});

for (const removal of ["delete", "retain"] as const)
  it(`a TTL that is set back while the index shows the former one is changed back (removal: ${removal})`, async () => {
    const lab = await start({}, { indexDelay: 2 });
    const made = await lab.must({ ...www, removal });
    await lab.clock.sleep(2_500);
    const by = lab.process();
    const changed = await by.must({ ...short, removal }, made);
    by.close();
    await lab.must({ ...www, removal }, changed);
    lab.has("www A 192.0.2.1 600");
  });

describe("the order of steps", () => {
  const writes = (lab: Lab) =>
    lab.admin.calls().flatMap(({ operation }) => (/Create|Modify|Remove/.test(operation) ? [operation] : []));

  const withTwins = async () => {
    const lab = await start({ settings: { identical: "accept" } });
    return { lab, ids: [1, 2].map(() => lab.add(wwwLine)) };
  };

  it("removes the twin of a record before it changes the record", async () => {
    const { lab } = await withTwins();
    lab.admin.set({ identical: "refuse" });
    await run(lab, short);
    deepEqual([writes(lab), lab.lines()], [[remove, modify], ["www A 192.0.2.1 300"]]);
  });

  it("with adopt: false keeps each twin that the resource does not own", async () => {
    const { lab } = await withTwins();
    const { codes } = await lab.up({ ...www, adopt: false });
    deepEqual([codes, writes(lab), lab.size], [["live.exists"], [], 2]);
  });

  it("keeps a twin whose record a later listing does not show any more", async () => {
    const { lab, ids } = await withTwins();
    lab.lose(create, "after");
    await processBefore(lab, create, () => lab.eraseId(ids[0])).must(both);
    deepEqual([lab.lines(), writes(lab)], [bothLines, [create]]);
  });

  it("removes nothing at the name of a blocked record until nothing is in its way", async (lab) => {
    const first = await lab.must(full([wwwLine, "www 600 A 192.0.2.2"]));
    const id = lab.add("www 600 A 192.0.2.77", { enabled: false });
    const alias = full(["www 600 CNAME example.net."]);
    const blocked = await lab.up(alias, first);
    deepEqual([blocked.codes, lab.size], [["live.in-the-way"], 3]);
    lab.eraseId(id);
    await lab.must(alias, blocked);
    lab.has("www CNAME example.net. 600");
  });

  it("removes nothing at the name of a disabled record that may not be adopted", async (lab) => {
    const first = await lab.must(other);
    lab.add(wwwLine, { enabled: false });
    const refused = await lab.up({ ...www, adopt: false }, first);
    deepEqual([refused.codes, lab.size], [["live.exists"], 2]);
  });

  it("creates before it removes, unless the package has room for one of them only", async () => {
    const lab = await start({ domains: [{ name: "example.com", purview: { aaaa: 2 } }] });
    await run(
      lab,
      full(["a 600 AAAA 2001:db8::1", "b 600 AAAA 2001:db8::2", "c 600 A 192.0.2.1"]),
      full(["x 600 AAAA 2001:db8::1", "y 600 AAAA 2001:db8::2", "z 600 A 192.0.2.1"]),
    );
    deepEqual(writes(lab), [remove, remove, create, remove]);
  });

  it("removes nothing from a domain after a failure there; the next run does", async (lab) => {
    const first = await lab.must(full(["old 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    lab.answer(create, "34", { count: 1 });
    const after = full(["new 600 A 192.0.2.1", "www 600 A 192.0.2.2"]);
    const failed = await lab.up(after, first);
    match(
      failed.text,
      /not sent, so not deleted; old\.example\.com\. A 192\.0\.2\.1 \(record \d+\); it waits/,
    );
    lab.has("old A 192.0.2.1 600", "www A 192.0.2.2 600");
    await lab.must(after, failed);
    lab.has("new A 192.0.2.1 600", "www A 192.0.2.2 600");
  });

  it("a refused creation keeps back the deletions of its own resource only", async (lab, by) => {
    const one = await lab.must(full(["old 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    const two = await lab.must(full(["mail 600 A 192.0.2.3", "gone 600 A 192.0.2.4"]));
    lab.admin.set(refusing("new").settings);
    const [failed, done] = await Promise.all([
      by.up(full(["new 600 A 192.0.2.5", "www 600 A 192.0.2.2"]), one),
      by.up(full(["mail 600 A 192.0.2.3"]), two),
    ]);
    deepEqual([failed.codes, done.codes], [["write.refused", "write.not-sent"], []]);
    lab.has("mail A 192.0.2.3 600", "old A 192.0.2.1 600", "www A 192.0.2.2 600");
  });
});
