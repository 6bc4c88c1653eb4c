/** False answers: refusals of executed calls, and messages that repeat the request. */
import assert from "node:assert/strict";
import { a, code, create, each, example, friend, get, inLab, pick, type Lab, type Params } from "./lab";
import { asIs, on } from "./undocumented";

const writes: readonly (readonly [operation: string, params: Params])[] = [
  ["Batch.Record.Create", { domain_id: example, records: JSON.stringify([a("lie")]) }],
  ["Domainshare.Modify", { email: friend, mode: "rw" }],
  ["Record.Remove", { record_id: "501" }],
  ["Record.Modify", { ...asIs, value: "192.0.2.200" }],
];

const post = (lab: Lab, fault: object): Promise<Response> =>
  fetch(`${lab.emulator.adminUrl}/faults`, { method: "POST", body: JSON.stringify(fault) });

describe("emulator lies", () => {
  it("are by default code 3 and unknown error of every write, and do not affect reads", () =>
    inLab(on(), async (lab) => {
      assert.equal((await post(lab, { kind: "lie" })).status, 200);
      for (const [operation, params] of writes) {
        const answer = await lab.call(operation, params);
        assert.deepEqual(pick(answer, "status.code", "status.message"), ["3", "Unknown error"], operation);
      }
      for (const operation of ["Domain.List", "Record.List"])
        assert.equal(code(await lab.call(operation)), "1");
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
        assert.equal(code(await lab.call(operation)), "104", operation);
      }
      assert.equal(code(await lab.call("Domainshare.Modify", { email: friend })), "1");
      admin.clearFaults(id);
      admin.addFault({ kind: "lie", operation: "Record.List", code: "-42" });
      assert.equal(code(await lab.call("Record.List")), "-42");
      assert.equal(code(await lab.call("Domain.Info")), "1");
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
      const answer = await create(lab, [txt("x", secret), txt("y", secret)]);
      assert.equal(get(answer, "status.message"), `No: ${secret}, ${secret}.`);
    }));

  it("have the values of a job in the error of its record", () =>
    inLab({ settings: { refuse: [{ name: "y", message: "{sent}!" }] } }, async (lab) => {
      const answer = await lab.batch([txt("y", secret)]);
      assert.deepEqual(each(answer, "detail.0.records", "err_msg"), [`${secret}!`]);
    }));

  it("have the value of a single call", () =>
    inLab(on(), async (lab) => {
      lab.emulator.admin.addFault({ kind: "code", code: "34", message: "{sent}" });
      const answer = await lab.call("Record.Modify", { value: secret });
      assert.equal(get(answer, "status.message"), secret);
    }));
});
