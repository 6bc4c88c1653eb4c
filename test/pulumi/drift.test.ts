import { equal } from "node:assert/strict";
import { batch, record } from "../support/programs";
import { story } from "../support/story";

describe("drift", () => {
  it("is not repaired if the program ignores the change", () =>
    story(
      {
        program:
          batch("com", ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"], {}, '{ ignoreChanges: ["records"] }') +
          record("one", "192.0.2.1", {}, '{ ignoreChanges: ["ttl"] }') +
          record("two", "192.0.2.1", {}, '{ ignoreChanges: ["value"] }'),
      },
      async ({ up, quietUp, add, edit, writes }) => {
        await up();
        edit("a", { ttl: 60 });
        edit("one", { ttl: 60 });
        edit("two", { value: "192.0.2.9" });
        add("other A 192.0.2.99");
        const run = await up("--refresh");
        equal(writes(), 0, run.output);
        await quietUp();
      },
    ));
});
