/** docs/incident.md as a story: its files, its commands with their output, and the edits between them. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, type Block } from "../support/page";
import { byBothFrontEnds, story, zoneLines, type FrontEnd, type Story } from "../support/story";
import { runBlock } from "../support/told-page";

const page = "docs/incident.md";

describe("the page of a zone that was edited at night", () => {
  const blocks = blocksOf(page);
  const [zone, program, see, served, keep, undo, done, beside, gone] = blocks;
  assert.ok(zone && program && see && served && keep && undo && done && beside && gone);
  assert.equal(blocks.length, 9);
  const runner =
    (frontEnd: FrontEnd, told: Story) =>
    (console: Block): Promise<unknown> =>
      runBlock(console, frontEnd, told);

  /** An unmanaged address beside the declared one. */
  async function old({ emulator: { admin }, stack, up }: Story, runs: (console: Block) => Promise<unknown>) {
    assert.ok(program && beside && gone);
    const plain = program.text.replace(', undeclared: "report"', "");
    assert.notEqual(plain, program.text);
    writeFileSync(join(stack.folder, "index.ts"), plain);
    await up();
    const record = { name: "www", type: "A", value: "198.51.100.199" };
    const { id } = admin.addRecord("example.com", record, { indexed: true });
    await runs(beside);
    const { output } = await stack.refresh();
    const [, diagnostics = ""] = output.split("Diagnostics:");
    assert.equal(diagnostics.split("[live.beside]").length, 2, output);
    admin.removeRecord("example.com", id);
    await runs(gone);
  }

  byBothFrontEnds("shows what each command prints, and ends with the zone as it is declared", (frontEnd) =>
    story({ frontEnd, main: "index.ts", service: { dnsPort: 0 } }, async (told) => {
      const { emulator, stack, up } = told;
      const { admin } = emulator;
      const file = join(stack.folder, "zones", "example.com.zone");
      const runs = runner(frontEnd, told);
      mkdirSync(join(stack.folder, "zones"));
      writeFileSync(file, zone.text);
      writeFileSync(join(stack.folder, "index.ts"), program.text);
      await up();
      stack.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";

      admin.setRecord("example.com", { name: "www", type: "A" }, { value: "203.0.113.9" });
      admin.removeRecord("example.com", { name: "status", type: "CNAME" });
      admin.setRecord("example.com", { name: "mail", type: "A" }, { ttl: 60 });
      admin.addRecord("example.com", { name: "maintenance", type: "A", value: "192.0.2.99" });
      await runs(see);
      await runs(served);

      const [removed = "", added = ""] = keep.text
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(1));
      assert.ok(zone.text.includes(`${removed}\n`));
      writeFileSync(file, zone.text.replace(removed, added));
      await runs(undo);

      admin.setRecord("example.com", { name: "mail", type: "A" }, { ttl: 600 });
      admin.removeRecord("example.com", { name: "maintenance", type: "A" });
      await runs(done);
      assert.deepEqual(zoneLines(emulator, "example.com"), [
        "@ MX 10 mail.example.com. 600",
        "mail A 192.0.2.25 600",
        "status CNAME status.example.net. 600",
        "www A 203.0.113.9 600",
      ]);
      await old(told, runs);
    }),
  );
});
