import assert from "node:assert/strict";
import { Service, type FaultSpec } from "../../emulator";
import { facts, type Fact } from "./facts";
import { code, domains, get, inLab, list, start, token } from "./lab";
import { act, asIs, calls, everything, live, on } from "./undocumented";

facts("operations outside api.md: the switch", [
  ...Object.entries(calls).map(([operation, params]): Fact => ({
    says: `${operation} is as unknown as any word by default, and answered when the setting is on`,
    check: async (lab) => {
      const before = everything(lab);
      const { status } = (await lab.call(operation, params)) as { status: object };
      assert.deepEqual(status, {
        ...(get(await lab.call("No.Such"), "status") as object),
        message: `Unknown operation ${operation}`,
      });
      assert.equal(get(status, "code"), "3");
      assert.equal(everything(lab), before);
      lab.emulator.admin.set({ undocumented: true });
      assert.equal(code(await lab.call(operation, params)), "1");
      assert.deepEqual(
        lab.emulator.admin.calls(operation).map((call) => call.code),
        ["3", "1"],
      );
      lab.emulator.admin.set({ undocumented: false });
      assert.equal(code(await lab.call(operation, params)), "3");
    },
  })),
  {
    says: "the admin interface switches it over HTTP, and a snapshot keeps it",
    check: async (lab) => {
      const body = JSON.stringify({ undocumented: true });
      await fetch(`${lab.emulator.adminUrl}/settings`, { method: "POST", body });
      assert.equal(code(await lab.call("Record.Type", { domain_grade: "DP_Free" })), "1");
      assert.equal(lab.emulator.admin.snapshot().settings.undocumented, true);
    },
  },
]);

facts("Record.Create", [
  {
    says: "enters a record at once; record {id string, name, status, weight}",
    options: on(),
    check: async (lab) => {
      const answer = await act(lab, "Record.Create", { ...calls["Record.Create"], ttl: "900" });
      const id = get(answer, "record.id");
      assert.deepEqual(get(answer, "record"), { id, name: "new", status: "enabled", weight: null });
      assert.match(String(id), /^\d+$/);
      assert.equal(typeof id, "string");
      assert.deepEqual(live(lab, "new"), ["new 900 A 192.0.2.77"]);
    },
  },
  {
    says: "sub_domain omitted is the apex, ttl the domain's; mx, status, weight and a line's id are taken",
    options: on(),
    check: async (lab) => {
      await act(lab, "Record.Create", {
        record_type: "MX",
        record_line_id: "0",
        value: "mx2.example.com",
        mx: "7",
        status: "disable",
      });
      assert.ok(live(lab, "@").includes("@ 600 MX 7 mx2.example.com. (disabled)"));
      const line = {
        sub_domain: "geo",
        record_type: "A",
        record_line: "默认",
        record_line_id: "10=1",
        value: "192.0.2.22",
        weight: "50",
      };
      assert.equal(get(await act(lab, "Record.Create", line), "record.weight"), 50);
      assert.ok(live(lab, "geo").includes("geo 600 A 192.0.2.22 [联通]"));
    },
  },
  ...(
    [
      ["17", "value", { value: "192.0.2.300" }],
      ["17", "no value", { value: "" }],
      ["22", "host label", { sub_domain: "a b" }],
      ["23", "levels", { sub_domain: "a.b.c.d.e.f.g.h.i.j.k" }],
      ["26", "line", { record_line: "火星" }],
      ["26", "no line", { record_line: "" }],
      ["26", "line id", { record_line_id: "9=9" }],
      ["27", "no type", { record_type: "" }],
      ["30", "an MX without a priority", { record_type: "MX", value: "mx.example.com" }],
      ["31", "a CNAME beside others", { sub_domain: "geo", record_type: "CNAME", value: "example.org" }],
      ["31", "no default-line record first", { record_line: "电信" }],
      ["32", "TTL", { ttl: "59" }],
      ["34", "status", { status: "off" }],
      ["34", "weight", { weight: "101" }],
      ["104", "the record exists already", { sub_domain: "@", value: "192.0.2.1" }],
      ["-15", "domain banned", { domain: "banned.example" }],
      ["7", "not the owner", { domain: "foreign.example" }],
      ["13", "domain wrong", { domain: "nowhere.example" }],
      ["21", "domain locked", { domain: "locked.example" }],
    ] as const
  ).map(([refused, says, params]): Fact => ({
    says: `${refused}: ${says}, as in a job`,
    options: on(),
    check: async (lab) => {
      const before = everything(lab);
      assert.equal(code(await act(lab, "Record.Create", { ...calls["Record.Create"], ...params })), refused);
      assert.equal(everything(lab), before);
    },
  })),
  {
    says: "an identical record is taken where the switch says so",
    options: on({ identical: "accept" }),
    check: async (lab) => {
      await act(lab, "Record.Create", { ...asIs, record_id: "" });
      assert.deepEqual(
        live(lab, "@").filter((line) => line.includes(" A ")),
        ["@ 600 A 192.0.2.1", "@ 600 A 192.0.2.1"],
      );
    },
  },
]);

facts("Record.Line and Record.Type", [
  {
    says: "line_ids by name: the default line's is the integer 0, the others are strings; the grade decides which",
    options: on(),
    check: async (lab) => {
      const free = await lab.call("Record.Line", { domain_grade: "DP_Free" });
      assert.deepEqual(
        [get(free, "line_ids.默认"), get(free, "line_ids.国内"), get(free, "line_ids.百度")],
        [0, "7=0", undefined],
      );
      assert.equal(list(free, "lines")[0], "默认");
      assert.equal(get(await lab.call("Record.Line", { domain_grade: "DP_Ultra" }), "line_ids.亚洲"), "3=2");
      assert.equal(
        get(await act(lab, "Record.Line", { domain_grade: "DP_Plus" }), "line_ids.office"),
        "100=0",
      );
      assert.equal(code(await lab.call("Record.Line", { domain_grade: "Gold" })), "6");
    },
  },
  {
    says: "types: the record types; 6 for a grade that is none",
    options: on(),
    check: async (lab) => {
      const types = list(await lab.call("Record.Type", { domain_grade: "D_Free" }), "types");
      for (const type of ["A", "CNAME", "MX", "TXT", "NS", "AAAA", "SRV", "CAA"])
        assert.ok(types.includes(type), type);
      assert.equal(code(await lab.call("Record.Type")), "6");
    },
  },
]);

describe("emulator seed: the operations outside api.md", () => {
  const run = (seed: number): string => {
    let now = start;
    const service = new Service({
      domains: [domains[0] ?? "example.com"],
      token,
      seed,
      now: () => now,
      settings: { undocumented: true },
    });
    const answers = Object.entries(calls).map(([operation, params]) => {
      now += 1_000;
      return service.answer(operation, { login_token: token, ...params });
    });
    return JSON.stringify(answers);
  };

  it("gives the same answers again", () => assert.equal(run(7), run(7)));

  it("gives others for another seed", () => assert.notEqual(run(7), run(8)));
});

const kinds: readonly FaultSpec[] = [
  { kind: "refused" },
  { kind: "dropped" },
  { kind: "http", status: 503 },
  { kind: "code", code: "-2" },
  { kind: "garbage", form: "html" },
  { kind: "slow", ms: 5 },
];
const reads = ["Domainshare.List", "Record.Line", "Record.Type"];

describe("emulator faults: each kind, before and after it took effect, on each operation outside api.md", () => {
  for (const when of ["before", "after"] as const) {
    for (const kind of kinds) {
      it(`${kind.kind}, ${when}`, async () => {
        for (const [operation, params] of Object.entries(calls)) {
          await inLab(on(), async (lab) => {
            const before = everything(lab);
            lab.emulator.admin.addFault({ ...kind, operation, when, count: 1 });
            await lab.call(operation, params).catch(() => undefined);
            const executed = when === "after" || kind.kind === "slow";
            assert.equal(
              everything(lab) !== before,
              executed && !reads.includes(operation),
              `${operation}: the effect`,
            );
            const [logged] = lab.emulator.admin.calls();
            assert.deepEqual(
              [logged?.fault, logged?.code],
              [`${when} ${kind.kind}`, executed ? "1" : null],
              operation,
            );
          });
        }
      });
    }
  }
});
