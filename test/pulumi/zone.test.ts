import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { byBothFrontEnds, fails, must, problem, says, story, zoneLines } from "../support/story";

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
const zone = (more = ""): string =>
  `new dns.Zone("example.com", { domain: "example.com", file: "zones/example.com.zone"${more} });`;

describe("a zone from a file, through the real engine", () => {
  it("is created without SOA and apex NS, and reports unmanaged records, except ignored and sibling records", () =>
    story({}, async ({ emulator, stack, deploy, quietUp }) => {
      mkdirSync(join(stack.folder, "zones"));
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(stack.folder, "zones", name), text);
      stack.program(zone());
      const preview = await must(stack.preview());
      assert.doesNotMatch(preview.output, /SOA|apexNs/);
      says(await deploy(zone()), "SOA", "apexNs");
      assert.deepEqual(zoneLines(emulator, "example.com"), [
        "@ A 192.0.2.1 3600",
        "m1 A 192.0.2.11 300",
        "txt TXT v=spf1 -all 3600",
      ]);
      await quietUp();

      for (const [name, type, value] of [
        ["stranger", "A", "192.0.2.99"],
        ["_acme-challenge", "TXT", "token"],
      ] as const)
        emulator.admin.addRecord("example.com", { name, type, value }, { indexed: true });
      stack.program(`${zone(', undeclared: "report", ignore: ["_acme-challenge* TXT tok*"]')}
        new dns.Record("side", { domain: "example.com", name: "side", type: "A", value: "192.0.2.50", ttl: 600 });`);
      for (const run of [await must(stack.up()), await must(stack.refresh())]) {
        says(run, /\[live\.undeclared\]\s+stranger\.example\.com\. A 192\.0\.2\.99/);
        assert.doesNotMatch(run.output, /SOA|apexNs|_acme-challenge|live\.undeclared\][^[]* side\./);
      }
      for (const [more, text] of [
        [', ignore: ["keep 600"]', 'ignore\\[0\\]: "keep 600" is not a pattern'],
        ["", 'undeclared: "remove" needs undocumented operations [option.not-allowed]'],
      ] as const) {
        stack.program(zone(`, undeclared: "remove"${more}`));
        says(await fails(stack.preview()), more === "" ? text : problem('Zone "example.com"', text));
      }
    }));

  byBothFrontEnds(
    'deletes unmanaged records with the first `up --refresh` that has undeclared: "remove"',
    (frontEnd) => {
      const program = (more: string): string =>
        `new dns.RecordBatch("zone", { domains: "example.com", records: ["www 600 A 192.0.2.1"]${more} });
       new dns.Record("side", { domain: "example.com", name: "side", type: "A", value: "192.0.2.50", ttl: 600 });`;
      const service = { settings: { undocumented: true } };
      const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };
      return story(
        { frontEnd, program: program(""), env, service },
        async ({ emulator, stack, up, quietUp }) => {
          await up();
          emulator.admin.addRecord(
            "example.com",
            { name: "old", type: "A", value: "192.0.2.99" },
            { indexed: true },
          );
          stack.program(program(', undeclared: "remove"'));
          says(
            await must(stack.preview("--refresh")),
            /- old\.example\.com\. A 192\.0\.2\.99 \(record \d+\)/,
          );
          const { output } = await up("--refresh");
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "side A 192.0.2.50 600",
            "www A 192.0.2.1 600",
          ]);
          assert.doesNotMatch(output, /live\.undeclared/);
          await quietUp();
        },
      );
    },
  );

  it("changes the domain's shares with it", () => {
    const email = "agency@example.org";
    const program = `new dns.Zone("net", { domain: "example.net", records: ["@ 600 A 192.0.2.1"], shares: [{ email: "${email}", mode: "rw" }] });`;
    const service = { accounts: [{ email: "owner@example.com" }, { email }] };
    return story({ program, service }, async ({ emulator, up }) => {
      emulator.admin.addShare("example.net", { email, mode: "r" });
      await up();
      assert.equal(emulator.admin.shares("example.net")[0]?.mode, "rw");
      assert.deepEqual(zoneLines(emulator, "example.net"), ["@ A 192.0.2.1 600"]);
    });
  });
});
