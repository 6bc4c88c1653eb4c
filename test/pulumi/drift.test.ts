/** Console edits: refresh names exactly these, and an up repairs the repairable ones. */
import assert from "node:assert/strict";
import { story, writesOf } from "../support/story";

describe("drift", () => {
  it("is not repaired if the program ignores the change", () =>
    story(
      {
        program: `
          new dns.RecordBatch("com", { domains: "example.com", records: ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] }, { ignoreChanges: ["records"] });
          new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.1", ttl: 600 }, { ignoreChanges: ["ttl"] });
          new dns.Record("two", { domain: "example.com", name: "two", type: "A", value: "192.0.2.1", ttl: 600 }, { ignoreChanges: ["value"] });`,
      },
      async ({ emulator, up, quietUp }) => {
        await up();
        emulator.admin.setRecord("example.com", { name: "a", type: "A" }, { ttl: 60 });
        emulator.admin.setRecord("example.com", { name: "one", type: "A" }, { ttl: 60 });
        emulator.admin.setRecord("example.com", { name: "two", type: "A" }, { value: "192.0.2.9" });
        emulator.admin.addRecord("example.com", { name: "other", type: "A", value: "192.0.2.99" });
        const run = await up("--refresh");
        assert.equal(writesOf(emulator), 0, run.output);
        await quietUp();
      },
    ));
});
