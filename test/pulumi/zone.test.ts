import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { batch, record, zone } from "../support/programs";
import { type Run, byBothFrontEnds, fails, fullMode, must, problem, says, story } from "../support/story";

const files = {
  "example.com.zone": `$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1 hostmaster ( 1 7200 3600 1209600 3600 ) ; the service's own
        IN NS  ns1.hosting.example.
@       IN A   192.0.2.1
txt     IN TXT ( "v=spf1 "
                 "-all" )
$INCLUDE machines.zone
`,
  "machines.zone": "m1 300 A 192.0.2.11\n",
};
const fromFile = (more: object = {}) => zone(undefined, { file: "zones/example.com.zone", ...more });
const side = record("side", "192.0.2.50");

describe("a zone from a file, through the real engine", () => {
  it("is created without SOA and apex NS, and reports unmanaged records, except ignored and sibling records", () =>
    story({}, async ({ stack, deploy, quietUp, add, lines }) => {
      mkdirSync(join(stack.folder, "zones"));
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(stack.folder, "zones", name), text);
      stack.program(fromFile());
      says(await must(stack.preview()), "SOA", "apexNs");
      says(await deploy(fromFile()), "SOA", "apexNs");
      deepEqual(lines(), ["@ A 192.0.2.1 3600", "m1 A 192.0.2.11 300", "txt TXT v=spf1 -all 3600"]);
      await quietUp();

      add("stranger A 192.0.2.99");
      add("_acme-challenge TXT token");
      stack.program(fromFile({ undeclared: "report", ignore: ["_acme-challenge* TXT tok*"] }) + side);
      for (const run of [await must(stack.up()), await must(stack.refresh())]) {
        says(run, /\[live\.undeclared\]\s+stranger\.example\.com\. A 192\.0\.2\.99/);
        doesNotMatch(run.output, /_acme-challenge|live\.undeclared\][^[]* side\./);
      }
      for (const [more, text] of [
        [
          { ignore: ["keep 600"] },
          problem('Zone "example.com"', 'ignore\\[0\\]: "keep 600" is not a pattern'),
        ],
        [{}, 'undeclared: "remove" needs undocumented operations [option.not-allowed]'],
      ] as const) {
        stack.program(fromFile({ undeclared: "remove", ...more }));
        says(await fails(stack.preview()), text);
      }
    }));

  const program = (more: object = {}) => batch("zone", ["www 600 A 192.0.2.1"], more) + side;
  byBothFrontEnds(
    'deletes unmanaged records with the first `up --refresh` that has undeclared: "remove"',
    { program: program(), ...fullMode },
    async ({ stack, up, quietUp, add, lines }) => {
      await up();
      add("old A 192.0.2.99");
      stack.program(program({ undeclared: "remove" }));
      says(await must(stack.preview("--refresh")), /- old\.example\.com\. A 192\.0\.2\.99 \(record \d+\)/);
      const { output } = await up("--refresh");
      deepEqual(lines(), ["side A 192.0.2.50 600", "www A 192.0.2.1 600"]);
      doesNotMatch(output, /live\.undeclared/);
      await quietUp();
    },
  );
});

const codesIn = (run: Run) =>
  [...(run.output.split(/^Diagnostics:$/m)[1] ?? "").matchAll(/\[([a-z]+-[a-z]+)\]$/gm)].map(
    ([, code = ""]) => code,
  );

const faulty =
  "@ 600 MX 10 mail.example.com\nmail 600 CNAME www.example.com\nwww 600 A 10.0.0.1\nold 600 CNAME gone.example.com";

describe("zone checks, through the real engine", () => {
  it("warn once with a code, in the order of the zone, or refuse before any write; an unchanged up prints and calls nothing", () =>
    story({ program: zone(faulty) }, async ({ admin, stack, up, deploy, failing, add, lines, writes }) => {
      const preview = await must(stack.preview());
      const codes = ["mx-cname", "cname-dangling", "private-address"];
      deepEqual(codesIn(preview), codes, preview.output);
      says(
        preview,
        "example.com: a mail server is a CNAME",
        "example.com. MX 10 mail.example.com.  mail.example.com.",
      );
      deepEqual(codesIn(await up()), codes);
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
