import { deepEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messages, read } from "./support";

describe("the reference of zone files", () => {
  const text = readFileSync(join(__dirname, "../../docs/zone-files.md"), "utf8");
  const blocks = [...text.matchAll(/```(\w*)\n([^]*?)```/g)].map(([, kind = "", body = ""]) => ({
    kind,
    body,
  }));

  it("shows zone files that read", () => {
    const files = blocks
      .filter(({ body }) => body.includes("$ORIGIN"))
      .map(({ body }) =>
        read(body, { include: () => ({ file: "hosts/office.zone", text: "printer A 192.0.2.9" }) }),
      );
    deepEqual(files.map(messages), [[]]);
    deepEqual(
      files.map(({ records }) => records.length),
      [8],
    );
  });
});
