/** `pulumi do` and the engine's list call, without a program and a state. */
import { deepEqual, equal } from "node:assert/strict";
import { installPlugin } from "../support/languages";
import { blocksOf } from "../support/page";
import { fails, must, type Run, says, story } from "../support/story";

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
    story({ service }, async ({ admin, stack, ids, writes }) => {
      await installPlugin(stack);
      const [block] = blocksOf("docs/native.md").filter(({ text }) => text.startsWith("pulumi do "));
      const [getDomain, zones, records, read] = (block?.text ?? "").trim().split("\n");
      const json = async (command = ""): Promise<unknown> =>
        JSON.parse((await must(stack.shell(command))).output) as unknown;
      const get = (await json(getDomain)) as { name: string };
      equal(get.name, "example.com");
      const names = ["example.com", "example.net"];
      deepEqual(
        await json(zones),
        names.map((name) => ({ id: name, name })),
      );
      const [www] = ids();
      const id = `example.com/${String(www)}`;
      deepEqual(await json(records), [{ id, name: "www.example.com. A 192.0.2.1" }]);
      const both = (await Promise.all([json(read), json(`pulumi do legacydns:Record read ${id}`)])) as {
        recordId: string;
      }[];
      deepEqual(
        both.map(({ recordId }) => recordId),
        [String(www), String(www)],
      );
      equal(writes(), 0);
      const make = "--domain example.com --name new --type A --value 192.0.2.3";
      await must(stack.shell(`pulumi do legacydns:Record create --stateless --yes ${make}`));
      admin.clearCalls();
      const gone = (): Promise<Run> =>
        stack.shell("pulumi do legacydns:Record delete --stateless --yes example.com/new/A/192.0.2.3");
      says(await fails(gone()), "not deleted, because no state shows", "[delete.stateless]");
      equal(writes(), 0);
      equal(ids().length, 3);
    }));
});
