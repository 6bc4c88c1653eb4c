import { ok } from "node:assert/strict";
import { read } from "../support/page";

describe("the guide to many zones", () => {
  it("shows the program of the example, which a test deploys", () => {
    const program = read("examples/shards/index.ts").replace(/^\/\*\*.*\n/, "");
    ok(read("docs/many-zones.md").includes(`\`\`\`ts\n${program}\`\`\`\n`));
  });
});
