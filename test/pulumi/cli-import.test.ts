import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { cli } from "../cli/run";
import { story } from "../support/story";
import { settingsOf, writesOf } from "../support/service";

describe("import, with the real engine", function () {
  this.timeout(180_000);

  it("writes files that a program declares, adopting every record without a write, then or later", async () => {
    const records = [
      { type: "MX", value: "mx.example.net.", mx: 10 },
      { name: "www", type: "A", value: "192.0.2.1", ttl: 900 },
      { name: "www", type: "A", value: "192.0.2.2", line: "电信" },
      { name: "off", type: "A", value: "192.0.2.3", enabled: false },
      { name: "t", type: "TXT", value: `say "hi"; ${"x".repeat(400)}` },
    ];
    await story(
      { service: { domains: [{ name: "example.com", records }] } },
      async ({ emulator, stack, up, quietUp }) => {
        for (const form of ["zone", "yaml"]) {
          const out = join(stack.folder, `example.com.${form}`);
          const run = await cli(["import", "example.com", "--out", out], settingsOf(emulator));
          assert.equal(run.code, 0, run.err);
          stack.program(
            `new dns.Zone("example.com", { domain: "example.com", file: ${JSON.stringify(out)} });`,
          );
          await up();
          assert.equal(writesOf(emulator), 0);
          await quietUp();
          const [batch] = stack.resources();
          const lines = String(batch?.inputs?.["records"])
            .split("\n")
            .filter((line) => line !== "" && !line.startsWith(";"));
          assert.equal(lines.length, 4, lines.join("\n"));
        }
        const all = await cli(
          ["import", "--all", "--out", join(stack.folder, "zones")],
          settingsOf(emulator),
        );
        assert.equal(all.code, 0, all.err);
        // The command ran in another folder than the program will.
        const program = all.out.replaceAll(`${relative(process.cwd(), stack.folder)}/`, "");
        stack.program(program.replace(/^import .*$/m, "").replaceAll("new Zone", "new dns.Zone"));
        await up();
        assert.equal(writesOf(emulator), 0);
      },
    );
  });
});
