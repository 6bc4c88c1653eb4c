/** docs/incident.md as a story: its files, its commands with their output, and the edits between them. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, commandsOf, root, shows, type Block } from "../support/page";
import { byBothFrontEnds, story, zoneLines, type FrontEnd, type Stack } from "../support/story";

const page = "docs/incident.md";

/** By the native plugin each message stands under its resource: the same lines, in another place. */
function saysAsWell(command: string, prints: readonly string[], output: string): void {
  const wanted = prints
    .map((line) => line.replaceAll("pulumi-nodejs:dynamic/legacydns:", "legacydns:index:").trim())
    .filter((line) => line !== "" && line !== "…");
  const missing = wanted.filter((line) => !line.split("…").every((part) => output.includes(part.trim())));
  assert.deepEqual(missing, [], `${command}\n${output}`);
}

async function runBlock(
  console: Block,
  frontEnd: FrontEnd,
  stack: Stack,
  dnsPort: number | null,
): Promise<void> {
  for (const { command, prints } of commandsOf(console)) {
    const { output } = await stack.shell(
      command
        .replace("pulumi up", "pulumi up --color never")
        .replace(/^pulumi-legacydns/, `node ${join(root, "dist/cli/main.js")}`)
        .replace(" verify", ` verify --server 127.0.0.1:${String(dnsPort)}`),
    );
    if (frontEnd === "dynamic") shows(page, command, prints, output);
    else saysAsWell(command, prints, output);
  }
}

describe("the page of a zone that was edited at night", () => {
  byBothFrontEnds("shows what each command prints, and ends with the zone as it is declared", (frontEnd) => {
    const blocks = blocksOf(page);
    const [zone, program, see, served, keep, undo, done] = blocks;
    assert.ok(zone && program && see && served && keep && undo && done && blocks.length === 7);
    return story({ frontEnd, main: "index.ts", service: { dnsPort: 0 } }, async ({ emulator, stack, up }) => {
      const { admin } = emulator;
      const file = join(stack.folder, "zones", "example.com.zone");
      const runs = (console: Block): Promise<void> => runBlock(console, frontEnd, stack, emulator.dnsPort);
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

      // The command reads the address from the stack's configuration, and the domains from its state.
      const account = await stack.shell(
        `pulumi config set legacydns:baseUrl ${emulator.url} && env -u LEGACYDNS_BASE_URL node ${join(root, "dist/cli/main.js")} account`,
      );
      assert.equal(account.code, 0, account.output);
      assert.match(account.output, new RegExp(`^${emulator.url} is a supported service$`, "m"));
      assert.match(account.output, /^example\.com .* fine .* \w+$/m);
      assert.match(account.output, /^example\.net .* fine .* none$/m);
    });
  });
});
