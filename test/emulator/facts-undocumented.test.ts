import assert from "node:assert/strict";
import { Service, type FaultSpec } from "../../emulator";
import { facts, type Fact } from "./facts";
import { code, domains, get, inLab, start, token } from "./lab";
import { act, calls, everything, on } from "./undocumented";

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
      assert.equal(code(await act(lab, "Domainshare.List", {})), "1");
      assert.equal(lab.emulator.admin.snapshot().settings.undocumented, true);
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

  it("gives the same answers for the same seed", () => assert.equal(run(7), run(7)));

  it("gives other answers for another seed", () => assert.notEqual(run(7), run(8)));
});

const kinds: readonly FaultSpec[] = [
  { kind: "refused" },
  { kind: "dropped" },
  { kind: "http", status: 503 },
  { kind: "code", code: "-2" },
  { kind: "garbage", form: "html" },
  { kind: "slow", ms: 5 },
];

describe("emulator faults, before and after the effect of each operation outside api.md:", () => {
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
              executed && operation !== "Domainshare.List",
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
