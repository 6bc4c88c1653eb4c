import assert from "node:assert/strict";
import { facts, type Fact } from "./facts";
import { code, get } from "./lab";
import { act, calls, everything } from "./undocumented";

facts("operations outside api.md: the switch", [
  ...Object.entries(calls).map(([operation, params]): Fact => [
    `${operation} is as unknown as any word by default, and answered when the setting is on`,
    async (lab) => {
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
  ]),
  [
    "the admin interface switches it over HTTP, and a snapshot keeps it",
    async (lab) => {
      const body = JSON.stringify({ undocumented: true });
      await fetch(`${lab.emulator.adminUrl}/settings`, { method: "POST", body });
      assert.equal(code(await act(lab, "Domainshare.List", {})), "1");
      assert.equal(lab.emulator.admin.snapshot().settings.undocumented, true);
    },
  ],
]);
