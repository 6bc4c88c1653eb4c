import { deepEqual, equal, match, ok } from "node:assert/strict";
import { zone } from "../support/programs";
import { must, type Run, says, story } from "../support/story";

const codesIn = (run: Run): string[] =>
  [...(run.output.split(/^Diagnostics:$/m)[1] ?? "").matchAll(/\[([a-z]+-[a-z]+)\]$/gm)].map(
    ([, code = ""]) => code,
  );

const faulty =
  "@ 600 MX 10 mail.example.com\nmail 600 CNAME www.example.com\nwww 600 A 10.0.0.1\nold 600 CNAME gone.example.com";

describe("zone checks, through the real engine", function () {
  this.timeout(240_000);

  it("warn once with a code, in the order of the zone, or refuse before any write; an unchanged up prints and calls nothing", () =>
    story({ program: zone(faulty) }, async ({ admin, stack, up, deploy, failing, add, lines, writes }) => {
      const preview = await must(stack.preview());
      deepEqual(codesIn(preview), ["mx-cname", "cname-dangling", "private-address"], preview.output);
      says(
        preview,
        "example.com: a mail server is a CNAME",
        "example.com. MX 10 mail.example.com.  mail.example.com.",
      );
      deepEqual(codesIn(await up()), ["mx-cname", "cname-dangling", "private-address"]);
      const again = await up();
      deepEqual(codesIn(again), []);
      deepEqual(admin.counts(), {}, again.output);
      add("gone A 192.0.2.9");
      add("* TXT x");
      const longer = `${faulty}\nmore 600 A 192.0.2.2`;
      const more = await deploy(zone(longer));
      deepEqual(codesIn(more), ["mx-cname", "private-address", "wildcard-hidden"]);
      match(more.output, /^ +note: example\.com: a new name hides a wildcard/m);
      equal(admin.counts()["Record.List"], 1);

      stack.env["LEGACYDNS_CHECKS"] = "warn, mx-cname=refuse";
      const last = `${longer}\nlast 600 A 192.0.2.3`;
      const checks = { "mx-cname": "off" };
      stack.program(zone(last));
      deepEqual(codesIn(await failing()).sort(), ["mx-cname", "private-address", "wildcard-hidden"]);
      equal(writes(), 0);
      const off = await deploy(zone(last, { checks }));
      deepEqual(codesIn(off), ["private-address", "wildcard-hidden"]);

      const account =
        '{ issuer: "ca.example", accountUri: "https://ca.example/a", persistUntil: "2026-01-01" }';
      const built = `dns.spf({ all: "-all" }), dns.txt("_dmarc", "v=DMARC1; p=none; pct=50"), dns.acmePersist(${account})`;
      const mail = `new dns.Zone("net", { domain: "example.net", records: [${built}, dns.acmeDelegate("c.example.org")].flat() });`;
      const later = await deploy(zone(last, { checks }) + mail);
      deepEqual(codesIn(later).sort(), ["acme-expiry", "dmarc-tags"], later.output);
      ok(lines("example.net").includes("_acme-challenge CNAME c.example.org. 600"));
    }));
});
