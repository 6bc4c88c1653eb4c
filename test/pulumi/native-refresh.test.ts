/** Drift without a flag: the setting `refresh`, through the real engine. */
import assert from "node:assert/strict";
import { bare } from "../support/native";
import { commandOn } from "../support/page";
import { countsOf, writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";

const program = `${bare}
  new RecordBatch("zone", { domains: ["example.com"], records: ["www 600 A 192.0.2.1", "gone 600 A 192.0.2.2"] });
  new Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.9", ttl: 300 });`;

describe("the setting refresh", () => {
  it("has every preview and update of the native plugin find drift and repair it, from its next update on, until it is taken back", () =>
    story({ plugin: true, program }, async ({ emulator, stack, up }) => {
      await up();
      const declared = zoneLines(emulator, "example.com");
      const set = async (to: string, shown: string): Promise<void> => {
        const done = await stack.shell(
          commandOn("docs/native.md", /^pulumi config set legacydns:refresh always$/).replace(
            "always",
            JSON.stringify(to),
          ),
        );
        assert.equal(done.code, 0, done.output);
        says(await up(), shown);
        assert.equal(writesOf(emulator), 0);
      };
      await set("always", "2 updated");
      says(await up(), "3 unchanged");
      assert.deepEqual(countsOf(emulator), { "Record.List": 1 });

      for (const name of ["gone", "one"]) emulator.admin.removeRecord("example.com", { name, type: "A" });
      const preview = await stack.preview("--diff");
      says(preview, "+ gone.example.com. 600 A 192.0.2.2", "+ legacydns:index:Record: (create)");
      assert.equal(writesOf(emulator), 0);
      await up();
      assert.deepEqual(zoneLines(emulator, "example.com"), declared);

      // The engine reads with the provider as the state has it, and asks the one that the program has afterwards.
      await set("on request", "2 updated");
      emulator.admin.removeRecord("example.com", { name: "gone", type: "A" });
      emulator.admin.clearCalls();
      const unaware = await stack.preview("--expect-no-changes");
      assert.equal(unaware.code, 0, unaware.output);
      assert.deepEqual(countsOf(emulator), {});
    }));

  it("is one that a dynamic provider cannot keep: it says so, once, and what to do", () =>
    story(
      {
        program: `new dns.Record("one", { domain: "example.com", type: "A", value: "192.0.2.9" });`,
        env: { LEGACYDNS_REFRESH: "always" },
      },
      async ({ stack }) => {
        const up = await stack.upWithPreview("--suppress-progress");
        assert.equal(up.code, 0, up.output);
        const [preview = "", update = ""] = up.output.split("Updating (test)");
        const told = 'warning: refresh is "always", which a dynamic provider cannot ask of the engine';
        assert.ok(preview.includes(told) && !update.includes(told), up.output);
        says(up, "options: { refresh: always }");
      },
    ));
});
