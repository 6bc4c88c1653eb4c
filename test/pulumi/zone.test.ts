import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { settingsOf, startService, zoneLines } from "../support/service";
import { Stack } from "../support/stack";
import { problem, must, fails } from "../support/story";

const master = `$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1 hostmaster ( 1 7200 3600 1209600 3600 ) ; the service's own
        IN NS  ns1.hosting.example.
@       IN A   192.0.2.1
        IN MX  10 mx1.example.org.
www     600 IN A 192.0.2.1
txt     IN TXT ( "v=spf1 "
                 "-all" )
$INCLUDE machines.zone
`;

describe("a zone from a file, through the real engine", () => {
  let service: Emulator;
  let stack: Stack;
  const file = (name: string, text: string): void => {
    mkdirSync(join(stack.folder, "zones"), { recursive: true });
    writeFileSync(join(stack.folder, "zones", name), text);
  };

  before(async () => {
    service = await startService();
    stack = await Stack.create({ program: "", env: settingsOf(service) });
    file("example.com.zone", master);
    file("machines.zone", "m1 300 A 192.0.2.11\nm2 300 A 192.0.2.12\n");
  });
  after(async () => {
    stack.dispose();
    await service.close();
  });

  it("is created from a master file without SOA and apex NS, and a second up makes no call", async () => {
    stack.program(`new dns.Zone("example.com", { domain: "example.com", file: "zones/example.com.zone" });`);
    const run = await must(stack.up());
    assert.match(run.output, /SOA/);
    assert.match(run.output, /apexNs/);
    assert.deepEqual(zoneLines(service, "example.com"), [
      "@ A 192.0.2.1 3600",
      "@ MX 10 mx1.example.org. 3600",
      "m1 A 192.0.2.11 300",
      "m2 A 192.0.2.12 300",
      "txt TXT v=spf1 -all 3600",
      "www A 192.0.2.1 600",
    ]);
    service.admin.clearCalls();
    await must(stack.up());
    assert.deepEqual(service.admin.counts(), {});
  });

  it("reports unmanaged records, except ignored and sibling records", async () => {
    service.admin.addRecord(
      "example.com",
      { name: "stranger", type: "A", value: "192.0.2.99" },
      { indexed: true },
    );
    service.admin.addRecord(
      "example.com",
      { name: "_acme-challenge", type: "TXT", value: "token" },
      { indexed: true },
    );
    stack.program(`
      new dns.Zone("example.com", { domain: "example.com", file: "zones/example.com.zone", undeclared: "report", ignore: ["_acme-challenge*"] });
      new dns.Record("side", { domain: "example.com", name: "side", type: "A", value: "192.0.2.50", ttl: 600 });`);
    for (const run of [await stack.up(), await stack.refresh()]) {
      assert.equal(run.code, 0, run.output);
      assert.match(run.output, /\[live\.undeclared\]\s+stranger\.example\.com\. A 192\.0\.2\.99/);
    }
    stack.program(
      `new dns.Zone("example.com", { domain: "example.com", file: "zones/example.com.zone", undeclared: "remove", ignore: ["a b c"] });`,
    );
    const wrong = await fails(stack.preview());
    assert.match(wrong.output, problem('Zone "example.com"', 'ignore\\[0\\]: "a b c" is no pattern'));
    stack.program(
      `new dns.Zone("example.com", { domain: "example.com", file: "zones/example.com.zone", undeclared: "remove" });`,
    );
    const refused = await fails(stack.preview());
    assert.match(refused.output, /undeclared: "remove" needs the service's undocumented operations/);
  });

  it("changes the domain's shares with it", async () => {
    service.admin.addAccount({ email: "agency@example.org" });
    service.admin.addShare("example.net", { email: "agency@example.org", mode: "r" });
    stack.program(
      `new dns.Zone("net", { domain: "example.net", records: ["@ 600 A 192.0.2.1"], shares: [{ email: "agency@example.org", mode: "rw" }] });`,
    );
    await must(stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "up", "--yes", "--skip-preview"));
    assert.equal(service.admin.shares("example.net")[0]?.mode, "rw");
    assert.deepEqual(zoneLines(service, "example.net"), ["@ A 192.0.2.1 600"]);
  });
});
