/** The package as it is published: packed, unpacked in an empty project outside the checkout, and used from TypeScript. */
import { deepEqual } from "node:assert/strict";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inFolder } from "../cli/run";
import { root } from "../support/page";
import { installPackage, story } from "../support/story";

/** Links the dependencies: no network is needed. */
function install(folder: string): void {
  const text = readFileSync(join(installPackage(folder), "package.json"), "utf8");
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  for (const name of [...Object.keys(dependencies), "@pulumi/pulumi", "@types/node", "typescript"]) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
}

describe("the npm package", () => {
  it("the packed package works in an empty project: up, and nothing to do", () =>
    inFolder(async (temporary) => {
      const folder = join(realpathSync(temporary), "empty");
      mkdirSync(folder);
      install(folder);
      writeFileSync(join(folder, "package.json"), '{ "name": "empty", "private": true }');
      const compilerOptions = { strict: true, module: "commonjs", target: "es2022" };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
      writeFileSync(
        join(folder, "index.ts"),
        `import * as pulumi from "@pulumi/pulumi";
         import { Record, RecordBatch, type RecordSpec } from "pulumi-legacydns";
         const specs: RecordSpec[] = [{ name: ["@", "www"], type: "A", value: "192.0.2.1", ttl: 600 }];
         const zone = new RecordBatch("zone", { domains: ["example.com"], records: specs });
         const mx = new Record("mx", { domain: "example.com", type: "MX", value: "mx1.example.org", priority: 10, ttl: 600 });
         const names: pulumi.Output<string[]> = zone.entries.apply((all) => all.map(({ name, ttl }) => name + " " + ttl));
         export const [text, hosts]: [pulumi.Output<string>, pulumi.Output<string[]>] = [zone.zoneText, names];
         export const mxRecord = mx.recordId;`,
      );
      await story({ folder, main: "index.ts" }, async ({ stack, up, quietUp, lines }) => {
        await up();
        deepEqual(lines(), ["@ A 192.0.2.1 600", "@ MX 10 mx1.example.org. 600", "www A 192.0.2.1 600"]);
        await quietUp();
        const outputs = await stack.outputs();
        deepEqual(
          [outputs["text"], outputs["hosts"]],
          ["example.com. 600 A 192.0.2.1\nwww.example.com. 600 A 192.0.2.1\n", ["@ 600", "www 600"]],
        );
      });
    }));
});
