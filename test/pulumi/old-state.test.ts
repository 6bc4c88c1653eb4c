import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { idsOf, settingsOf, startService, zoneLines } from "../support/service";
import { Stack } from "../support/stack";

const program = `
new dns.RecordBatch("zone", { domains: ["example.com"], records: ["@ 600 A 192.0.2.1", "www CNAME example.com", "txt 600 TXT v=spf1 -all", "@ 600 MX 10 mx1.example.org"] });
new dns.Record("api", { domain: "example.com", name: "api", type: "A", value: "192.0.2.9", ttl: 60 });
new dns.DomainShare("agency", { domain: "example.net", email: "agency@example.org", mode: "rw" });`;

/** fixtures/state-1.json is a state as version 0.1.0 wrote it: never to be written again, only added to. */
type Props = Record<string, unknown>;

const fixture = join(__dirname, "fixtures", "state-1.json");

describe("a state that an older version wrote", () => {
  let service: Emulator;
  let stack: Stack;

  before(async () => {
    service = await startService({
      accounts: [{ email: "owner@example.com" }, { email: "agency@example.org" }],
    });
    service.admin.addShare("example.net", { email: "agency@example.org", mode: "rw" });
    for (const record of [
      { id: 479427882, name: "@", type: "A", value: "192.0.2.1" },
      { id: 479427885, name: "@", type: "MX", value: "mx1.example.org.", mx: 10 },
      { id: 479427887, name: "api", type: "A", value: "192.0.2.9", ttl: 60 },
      { id: 479427891, name: "txt", type: "TXT", value: "v=spf1 -all" },
      { id: 479427894, name: "www", type: "CNAME", value: "example.com." },
    ]) {
      service.admin.addRecord("example.com", { ttl: 600, ...record }, { indexed: true });
    }
    stack = await Stack.create({ program, env: settingsOf(service) });
    await stack.must("stack", "import", "--file", fixture);
  });
  after(async () => {
    stack.dispose();
    await service.close();
  });

  it("moves into today's form by one update without a call, which says so in a line; then nothing is left to do", async () => {
    service.admin.clearCalls();
    const run = await stack.up();
    assert.equal(run.code, 0, run.output);
    assert.match(
      run.output,
      /^\s*example\.com: the state keeps its records as one text from now on; nothing else changes, and no call is made$/m,
    );
    assert.match(run.output, /1 updated/);
    assert.deepEqual(service.admin.counts(), {});
    const batch = stack.resources().find(({ type }) => type.endsWith(":RecordBatch"));
    const text = [
      "; ttl=default",
      "example.com. 600 A 192.0.2.1",
      "example.com. 600 MX 10 mx1.example.org.",
      'txt.example.com. 600 TXT "v=spf1 -all"',
      "www.example.com. CNAME example.com.",
      "",
    ].join("\n");
    assert.deepEqual(
      [batch?.inputs?.["records"], batch?.outputs?.["records"], batch?.outputs?.["ledger"]],
      [text, text, undefined],
    );
    assert.match(String(batch?.outputs?.["__ledger"]), /^ledger 1\n\+ .*:479427882/);
    const again = await stack.up();
    assert.match(again.output, /4 unchanged/);
    assert.deepEqual(service.admin.counts(), {});
  });

  it("is refreshed before it has moved, and finds by its ids what somebody changed", async () => {
    await stack.must("stack", "import", "--file", fixture);
    service.admin.setRecord("example.com", 479427882, { value: "192.0.2.77" });
    const run = await stack.refresh("--diff");
    assert.equal(run.code, 0, run.output);
    const preview = await stack.preview("--diff");
    assert.match(preview.output, /- example\.com\. 600 A 192\.0\.2\.77 ; not declared/);
    assert.match(preview.output, /\+ example\.com\. 600 A 192\.0\.2\.1$/m);
    service.admin.setRecord("example.com", 479427882, { value: "192.0.2.1" });
    assert.equal((await stack.refresh()).code, 0);
    const up = await stack.up();
    assert.equal(up.code, 0, up.output);
  });

  it("that is secret as a whole stays secret: a refresh, and the update that takes the secret records apart, show none", async () => {
    const state = JSON.parse(readFileSync(fixture, "utf8")) as {
      deployment: {
        secrets_providers?: unknown;
        resources: { type: string; inputs?: Props; outputs?: Props }[];
      };
    };
    const { deployment } = JSON.parse(await stack.state()) as { deployment: { secrets_providers?: unknown } };
    state.deployment.secrets_providers = deployment.secrets_providers;
    for (const { type, inputs, outputs } of state.deployment.resources) {
      if (!type.endsWith(":RecordBatch")) continue;
      for (const props of [inputs, outputs]) {
        if (props === undefined) continue;
        const records = JSON.stringify(props["records"]);
        Object.assign(props, {
          records: {
            "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            plaintext: records,
          },
          sensitive: true,
        });
      }
    }
    const file = join(stack.folder, "secret.json");
    writeFileSync(file, JSON.stringify(state));
    await stack.must("stack", "import", "--file", file);
    rmSync(file);
    const hidden = /spf1|192\.0\.2\.7/;
    service.admin.setRecord("example.com", 479427882, { value: "192.0.2.77" });
    const refreshed = await stack.refresh("--diff");
    assert.equal(refreshed.code, 0, refreshed.output);
    assert.doesNotMatch(refreshed.output + (await stack.state()), hidden);
    service.admin.setRecord("example.com", 479427882, { value: "192.0.2.1" });
    await stack.must("refresh", "--yes", "--skip-preview");
    stack.program(
      program.replace(
        '"txt 600 TXT v=spf1 -all"',
        '{ name: "txt", type: "TXT", value: pulumi.secret("v=spf1 -all"), ttl: 600 }',
      ),
    );
    const run = await stack.up("--diff");
    assert.equal(run.code, 0, run.output);
    assert.doesNotMatch(run.output + (await stack.state()), hidden);
    const batch = stack.resources().find(({ type }) => type.endsWith(":RecordBatch"));
    assert.match(
      String(batch?.outputs?.["records"]),
      /^example\.com\. 600 A 192\.0\.2\.1\n[^]*^; txt\.example\.com\. 600 TXT \(secret [\w-]{8}\)$/m,
    );
    service.admin.clearCalls();
    assert.match((await stack.up()).output, /4 unchanged/);
    assert.deepEqual(service.admin.counts(), {});
    stack.program(program);
    await stack.must("stack", "import", "--file", fixture);
    assert.equal((await stack.up()).code, 0);
  });

  it("is refreshed, and finds by its ids what somebody changed", async () => {
    service.admin.setRecord("example.com", 479427882, { value: "192.0.2.77" });
    const run = await stack.preview("--refresh", "--diff");
    assert.equal(run.code, 0, run.output);
    assert.match(run.output, /- example\.com\. 600 A 192\.0\.2\.77 ; not declared/);
    assert.match(run.output, /\+ example\.com\. 600 A 192\.0\.2\.1$/m);
    service.admin.setRecord("example.com", 479427882, { value: "192.0.2.1" });
    assert.equal((await stack.refresh()).code, 0);
  });

  it("is added to without making anything anew, and let go of", async () => {
    const before = idsOf(service, "example.com");
    stack.program(
      `${program}\nnew dns.Record("new", { domain: "example.com", name: "new", type: "A", value: "192.0.2.10", ttl: 600 });`,
    );
    const run = await stack.up();
    assert.equal(run.code, 0, run.output);
    assert.equal(zoneLines(service, "example.com").length, 6);
    for (const id of before) assert.ok(idsOf(service, "example.com").includes(id));
    const gone = await stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "destroy", "--yes", "--skip-preview");
    assert.equal(gone.code, 0, gone.output);
  });
});
