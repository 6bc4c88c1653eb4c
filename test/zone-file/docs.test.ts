import { deepEqual } from "node:assert/strict";
import { blocksOf } from "../support/page";
import { messages, read } from "./support";

describe("the reference of zone files", () => {
  it("shows zone files that read", () => {
    const include = () => ({ file: "hosts/office.zone", text: "printer A 192.0.2.9" });
    const files = blocksOf("docs/zone-files.md").filter(({ text }) => text.includes("$ORIGIN"));
    const results = files.map(({ text }) => read(text, { include }));
    deepEqual(
      results.map((result) => [messages(result), result.records.length]),
      [[[], 8]],
    );
  });
});
