import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writesOf } from "../support/service";
import type { Run } from "../support/stack";
import { ours, says, story, must } from "../support/story";

const codesIn = (run: Run): string[] =>
  [...(run.output.split(/^Diagnostics:$/m)[1] ?? "").matchAll(/\[([a-z]+-[a-z]+)\]$/gm)].map(
    ([, code = ""]) => code,
  );

const zone = (records: string, more = ""): string =>
  `new dns.Zone("com", { domain: "example.com", records: ${JSON.stringify(records)}${more} });`;
const faulty =
  "@ 600 MX 10 mail.example.com\nmail 600 CNAME www.example.com\nwww 600 A 10.0.0.1\nold 600 CNAME gone.example.com";

describe("zone checks, through the real engine", function () {
  this.timeout(240_000);

  it("warn once with a code, in the order of the zone; an unchanged up prints and calls nothing", () =>
    story({ program: zone(faulty) }, async ({ stack, up, deploy, emulator }) => {
      const preview = await must(stack.preview());
      assert.deepEqual(codesIn(preview), ["mx-cname", "cname-dangling", "private-address"], preview.output);
      says(
        preview,
        "example.com: a mail server is a CNAME",
        "example.com. MX 10 mail.example.com.  mail.example.com.",
      );
      assert.deepEqual(codesIn(await up()), ["mx-cname", "cname-dangling", "private-address"]);
      const again = await up();
      assert.deepEqual(codesIn(again), []);
      assert.deepEqual(emulator.admin.counts(), {}, again.output);
      emulator.admin.addRecord(
        "example.com",
        { name: "gone", type: "A", value: "192.0.2.9" },
        { indexed: true },
      );
      emulator.admin.addRecord("example.com", { name: "*", type: "TXT", value: "x" }, { indexed: true });
      const more = await deploy(zone(`${faulty}\nmore 600 A 192.0.2.2`));
      assert.deepEqual(codesIn(more), ["mx-cname", "private-address", "wildcard-hidden"]);
      assert.match(more.output, /^ +(?!warning)\S*example\.com: a new name hides a wildcard/m);
      assert.equal(emulator.admin.counts()["Record.List"], 1);
    }));

  it("refuse before any write the codes of the setting, unless the resource's input allows them", () =>
    story(
      { program: zone(faulty), config: { "legacydns:checks": "warn, mx-cname=refuse" } },
      async ({ stack, failing, up, emulator }) => {
        const refused = await failing();
        assert.equal(writesOf(emulator), 0);
        assert.deepEqual([...new Set(codesIn(refused))].sort(), [
          "cname-dangling",
          "mx-cname",
          "private-address",
        ]);
        stack.program(zone(faulty, ', checks: { "mx-cname": "off" }'));
        assert.deepEqual(codesIn(await up()), ["cname-dangling", "private-address"]);
      },
    ));

  it("are all shown by `plan`, with their codes, as text, Markdown and JSON", () =>
    story(
      { program: zone(Array.from({ length: 30 }, (_, i) => `a${i} 600 A 10.0.0.${i}`).join("\n")) },
      async (told) => {
        const preview = await told.stack.preview();
        assert.deepEqual(codesIn(preview), ["private-address"], preview.output);
        says(preview, "… and 20 more");
        const files = ["plan.json", "plan.md"].map((name) => join(told.stack.folder, name));
        const text = await ours(told, "plan", ...files.flatMap((file) => ["--out", file]));
        assert.equal(text.code, 0, text.err);
        assert.equal(text.out.match(/\[private-address\]$/gm)?.length, 1, text.out);
        assert.doesNotMatch(text.out, /… and \d+ more/);
        const [json = "", markdown = ""] = files.map((file) => readFileSync(file, "utf8"));
        const { checks } = JSON.parse(json) as { checks: { code: string; level: string; domain: string }[] };
        assert.equal(checks.length, 30);
        const [{ code, level, domain } = assert.fail()] = checks;
        assert.deepEqual([code, level, domain], ["private-address", "warn", "example.com"]);
        assert.match(markdown, /<summary>Checks: 1<\/summary>/);
        told.stack.env["LEGACYDNS_CHECKS"] = "refuse";
        const refused = await ours(told, "plan", "--json");
        assert.equal(refused.code, 1);
        assert.match(refused.out, /"level": "refuse"/);
      },
    ));
});
