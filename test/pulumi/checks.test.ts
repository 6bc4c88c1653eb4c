import assert from "node:assert/strict";
import { must, type Run, says, story, writesOf, zoneLines } from "../support/story";

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

  it("warn once with a code, in the order of the zone, or refuse before any write; an unchanged up prints and calls nothing", () =>
    story({ program: zone(faulty) }, async ({ stack, up, deploy, failing, emulator }) => {
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
      const longer = `${faulty}\nmore 600 A 192.0.2.2`;
      const more = await deploy(zone(longer));
      assert.deepEqual(codesIn(more), ["mx-cname", "private-address", "wildcard-hidden"]);
      assert.match(more.output, /^ +note: example\.com: a new name hides a wildcard/m);
      assert.equal(emulator.admin.counts()["Record.List"], 1);

      stack.env["LEGACYDNS_CHECKS"] = "warn, mx-cname=refuse";
      stack.program(zone(`${longer}\nlast 600 A 192.0.2.3`));
      assert.deepEqual(codesIn(await failing()).sort(), ["mx-cname", "private-address", "wildcard-hidden"]);
      assert.equal(writesOf(emulator), 0);
      const off = await deploy(zone(`${longer}\nlast 600 A 192.0.2.3`, ', checks: { "mx-cname": "off" }'));
      assert.deepEqual(codesIn(off), ["private-address", "wildcard-hidden"]);

      const account =
        '{ issuer: "ca.example", accountUri: "https://ca.example/a", persistUntil: "2026-01-01" }';
      const built = `dns.spf({ all: "-all" }), dns.txt("_dmarc", "v=DMARC1; p=none; pct=50"), dns.acmePersist(${account})`;
      const mail = `new dns.Zone("net", { domain: "example.net", records: [${built}, dns.acmeDelegate("c.example.org")].flat() });`;
      const later = await deploy(
        `${zone(`${longer}\nlast 600 A 192.0.2.3`, ', checks: { "mx-cname": "off" }')}\n${mail}`,
      );
      assert.deepEqual(codesIn(later).sort(), ["acme-expiry", "dmarc-tags"], later.output);
      assert.ok(zoneLines(emulator, "example.net").includes("_acme-challenge CNAME c.example.org. 600"));
    }));
});
