/** False answers: refusals of executed calls, and messages that repeat the request. */
import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { a, code, friend, get, ids, inLab, list, type Lab } from "./lab";

const undocumented = { settings: { undocumented: true, indexDelay: 0 } };

/** Writes, and the trace of each if it was executed. */
const writes: readonly (readonly [
  operation: string,
  params: Record<string, string>,
  done: (emulator: Emulator) => boolean,
])[] = [
  [
    "Batch.Record.Create",
    { domain_id: String(ids.example), records: JSON.stringify([a("lie")]) },
    ({ admin }) => admin.jobs().length === 1,
  ],
  [
    "Domainshare.Modify",
    { domain: "example.com", email: friend, mode: "rw" },
    ({ admin }) => admin.shares("example.com")[0]?.mode === "rw",
  ],
  [
    "Record.Remove",
    { domain: "example.com", record_id: "501" },
    ({ admin }) => !admin.zone("example.com").some(({ id }) => id === 501),
  ],
  [
    "Record.Modify",
    { domain: "example.com", record_id: "501", record_type: "A", record_line: "默认", value: "192.0.2.200" },
    ({ admin }) => admin.zoneText("example.com").includes("@ 600 A 192.0.2.200"),
  ],
];

const post = (lab: Lab, fault: object): Promise<Response> =>
  fetch(`${lab.emulator.adminUrl}/faults`, { method: "POST", body: JSON.stringify(fault) });

describe("emulator lies", () => {
  for (const [operation, params, done] of writes) {
    it(`${operation} is carried out and answered with another code, once`, async () => {
      for (const lie of ["3", "2", "8", "10", "-99", "987654"])
        await inLab(undocumented, async (lab) => {
          lab.emulator.admin.addFault({ kind: "lie", code: lie, message: "Something", count: 1 });
          const answer = await lab.call(operation, params);
          assert.deepEqual(
            [code(answer), get(answer, "status.message"), Object.keys(answer as object)],
            [lie, "Something", ["status"]],
          );
          assert.ok(done(lab.emulator), "it was carried out");
          assert.deepEqual(
            lab.emulator.admin.calls().map((call) => [call.code, call.fault]),
            [["1", "after lie"]],
          );
          assert.equal(code(await lab.call("Domain.List")), "1");
        });
    });

    it(`${operation} is answered with the same lie before its effect, and not carried out`, () =>
      inLab(undocumented, async (lab) => {
        lab.emulator.admin.addFault({ kind: "lie", when: "before" });
        assert.equal(code(await lab.call(operation, params)), "3");
        assert.ok(!done(lab.emulator));
      }));
  }

  it("are by default code 3 and unknown error of every write, and do not affect reads", () =>
    inLab(undocumented, async (lab) => {
      assert.equal((await post(lab, { kind: "lie" })).status, 200);
      for (const [operation, params] of writes) {
        const answer = await lab.call(operation, params);
        assert.deepEqual([code(answer), get(answer, "status.message")], ["3", "Unknown error"], operation);
      }
      for (const operation of ["Domain.List", "Record.List"])
        assert.equal(code(await lab.call(operation, { domain: "example.com" })), "1");
    }));

  it("give reads a foreign code, for the operation `reads` or an operation's name", () =>
    inLab({}, async (lab) => {
      const { admin } = lab.emulator;
      const id = admin.addFault({
        kind: "lie",
        operation: "reads",
        code: 104,
        message: "Domain record already exists",
      });
      for (const operation of ["Record.List", "Domain.Info", "Batch.Detail"]) {
        assert.equal(code(await lab.call(operation, { domain: "example.com" })), "104", operation);
      }
      assert.equal(code(await lab.call("Domainshare.Modify", { domain: "example.com", email: friend })), "1");
      admin.clearFaults(id);
      admin.addFault({ kind: "lie", operation: "Record.List", code: "-42" });
      assert.equal(code(await lab.call("Record.List", { domain: "example.com" })), "-42");
      assert.equal(code(await lab.call("Domain.Info", { domain: "example.com" })), "1");
    }));

  it("are refused if the code is invalid", () =>
    inLab({}, async (lab) => {
      assert.equal((await post(lab, { kind: "lie", code: "" })).status, 400);
      assert.equal((await post(lab, { kind: "lie", code: 1.5 })).status, 400);
      assert.equal((await post(lab, { kind: "lie", status: 500 })).status, 400);
    }));
});

const secret = 'pä"ss/w\\rd +1';
const txt = (name: string, value: string): object => a(name, value, { record_type: "TXT" });

describe("emulator messages that repeat the request's values", () => {
  it("have the values of a job in a fault's message", () =>
    inLab({}, async (lab) => {
      lab.emulator.admin.addFault({ kind: "lie", message: "No: {sent}." });
      const answer = await lab.call("Batch.Record.Create", {
        domain_id: String(ids.example),
        records: JSON.stringify([txt("x", secret), txt("y", secret)]),
      });
      assert.equal(get(answer, "status.message"), `No: ${secret}, ${secret}.`);
    }));

  it("have the values of a job in the error of its record", () =>
    inLab({ settings: { refuse: [{ name: "y", message: "{sent}!" }] } }, async (lab) => {
      const answer = await lab.batch(String(ids.example), [txt("y", secret)]);
      assert.deepEqual(
        list(answer, "detail.0.records").map((record) => get(record, "err_msg")),
        [`${secret}!`],
      );
    }));

  it("have the value of a single call", () =>
    inLab(undocumented, async (lab) => {
      lab.emulator.admin.addFault({ kind: "code", code: "34", message: "{sent}" });
      const answer = await lab.call("Record.Modify", { domain: "example.com", value: secret });
      assert.equal(get(answer, "status.message"), secret);
    }));
});
