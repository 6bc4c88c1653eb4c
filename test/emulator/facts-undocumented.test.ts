import assert from "node:assert/strict";
import { facts, type Fact } from "./facts";
import { code, everything, get } from "./lab";
import { calls } from "./undocumented";

facts(
  "operations outside api.md: the switch",
  Object.entries(calls).map(([operation, params]): Fact => [
    `${operation} is as unknown as any word by default, and answered when the setting is on`,
    async (lab) => {
      const before = everything(lab);
      const unknown = get(await lab.call("No.Such"), "status") as object;
      const { status } = (await lab.call(operation, params)) as { status: object };
      assert.deepEqual(status, { ...unknown, code: "3", message: `Unknown operation ${operation}` });
      assert.equal(everything(lab), before);
      const body = JSON.stringify({ undocumented: true });
      await fetch(`${lab.emulator.adminUrl}/settings`, { method: "POST", body });
      assert.equal(lab.emulator.admin.snapshot().settings.undocumented, true);
      assert.equal(code(await lab.call(operation, params)), "1");
      lab.emulator.admin.set({ undocumented: false });
      assert.equal(code(await lab.call(operation, params)), "3");
    },
  ]),
);
