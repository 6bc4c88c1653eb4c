/** `pulumi do` and the engine's list call, without a program and a state. */
import assert from "node:assert/strict";
import { blocksOf } from "../support/page";
import { fails, must, pluginFolder, type Run, says, story, writesOf } from "../support/story";
import { idsOf } from "../support/service";

const service = {
  domains: [
    {
      name: "example.com",
      records: [
        { name: "www", type: "A", value: "192.0.2.1" },
        { name: "off", type: "A", value: "192.0.2.2", enabled: false },
      ],
    },
    "example.net",
  ],
};

describe("`pulumi do`", () => {
  it("reads and lists by the environment alone, creates, and refuses a deletion, as docs/native.md shows", () =>
    story({ service }, async ({ emulator, stack }) => {
      await stack.must("plugin", "install", "resource", "legacydns", "0.1.0", "-f", pluginFolder);
      const [block] = blocksOf("docs/native.md").filter(({ text }) => text.startsWith("pulumi do "));
      const [getDomain, zones, records, read] = (block?.text ?? "").trim().split("\n");
      const json = async (command = ""): Promise<unknown> =>
        JSON.parse((await must(stack.shell(command))).output) as unknown;
      const get = (await json(getDomain)) as { name: string };
      assert.equal(get.name, "example.com");
      const names = ["example.com", "example.net"];
      assert.deepEqual(
        await json(zones),
        names.map((name) => ({ id: name, name })),
      );
      const [www] = idsOf(emulator, "example.com");
      const id = `example.com/${String(www)}`;
      assert.deepEqual(await json(records), [{ id, name: "www.example.com. A 192.0.2.1" }]);
      const both = (await Promise.all([json(read), json(`pulumi do legacydns:Record read ${id}`)])) as {
        recordId: string;
      }[];
      assert.deepEqual(
        both.map(({ recordId }) => recordId),
        [String(www), String(www)],
      );
      assert.equal(writesOf(emulator), 0);
      const make = "--domain example.com --name new --type A --value 192.0.2.3";
      await must(stack.shell(`pulumi do legacydns:Record create --stateless --yes ${make}`));
      emulator.admin.clearCalls();
      const gone = (): Promise<Run> =>
        stack.shell("pulumi do legacydns:Record delete --stateless --yes example.com/new/A/192.0.2.3");
      says(await fails(gone()), "not deleted, because no state shows", "[delete.stateless]");
      assert.equal(writesOf(emulator), 0);
      assert.equal(emulator.admin.zone("example.com", { hold: false }).length, 3);
    }));
});
