import { ok } from "node:assert/strict";
import { read } from "../support/page";

describe("the guide to", () => {
  for (const [page, example] of [
    ["many-zones", "shards"],
    ["several-accounts", "two-accounts"],
  ] as const)
    it(`${page} shows the program of the example ${example}, which a test deploys`, () => {
      const program = read(`examples/${example}/index.ts`).replace(/^\/\*\*.*\n/, "");
      ok(read(`docs/${page}.md`).includes(`\`\`\`ts\n${program}\`\`\`\n`));
    });
});
