/** docs/incident.md as a story: its files, its commands with their output, and the edits between them. */
import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, type Block } from "../support/page";
import { byBothFrontEnds, story, type Story } from "../support/story";
import { runBlock } from "../support/told-page";

const page = "docs/incident.md";

describe("the page of a zone that was edited at night", () => {
  const blocks = blocksOf(page);
  const [zone, program, see, served, keep, undo, done, beside, gone] = blocks;
  ok(zone && program && see && served && keep && undo && done && beside && gone);
  equal(blocks.length, 9);
  /** An unmanaged address beside the declared one. */
  async function old({ admin, stack, up, add }: Story, runs: (console: Block) => Promise<unknown>) {
    ok(program && beside && gone);
    const plain = program.text.replace(', undeclared: "report"', "");
    notEqual(plain, program.text);
    writeFileSync(join(stack.folder, "index.ts"), plain);
    await up();
    const id = add("www A 198.51.100.199");
    await runs(beside);
    const { output } = await stack.refresh();
    const [, diagnostics = ""] = output.split("Diagnostics:");
    equal(diagnostics.split("[live.beside]").length, 2, output);
    admin.removeRecord("example.com", id);
    await runs(gone);
  }

  byBothFrontEnds("shows what each command prints, and ends with the zone as it is declared", (frontEnd) =>
    story({ frontEnd, main: "index.ts", service: { dnsPort: 0 } }, async (told) => {
      const { stack, up, add, edit, erase, lines } = told;
      const file = join(stack.folder, "zones", "example.com.zone");
      const runs = (console: Block) => runBlock(console, told, true);
      mkdirSync(join(stack.folder, "zones"));
      writeFileSync(file, zone.text);
      writeFileSync(join(stack.folder, "index.ts"), program.text);
      await up();
      stack.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";

      edit("www", { value: "203.0.113.9" });
      erase("status", { type: "CNAME" });
      edit("mail", { ttl: 60 });
      add("maintenance A 192.0.2.99");
      await runs(see);
      await runs(served);

      const [removed = "", added = ""] = keep.text
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(1));
      ok(zone.text.includes(`${removed}\n`));
      writeFileSync(file, zone.text.replace(removed, added));
      await runs(undo);

      edit("mail", { ttl: 600 });
      erase("maintenance");
      await runs(done);
      deepEqual(lines(), [
        "@ MX 10 mail.example.com. 600",
        "mail A 192.0.2.25 600",
        "status CNAME status.example.net. 600",
        "www A 203.0.113.9 600",
      ]);
      await old(told, runs);
    }),
  );
});
