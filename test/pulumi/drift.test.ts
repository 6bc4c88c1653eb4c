/** Console edits: refresh names exactly these, and an up repairs the repairable ones. */
import assert from "node:assert/strict";
import { countsOf, writesOf, zoneLines } from "../support/service";
import { byBothFrontEnds, noStack, says, sentRecords, story } from "../support/story";

const program = `
  new dns.RecordBatch("com", { domains: "example.com", records: [
    { name: ["gone", "value", "ttl", "line", "off", "still1", "still2"], type: "A", value: "192.0.2.1", ttl: 600 },
    { name: "line", type: "A", value: "192.0.2.7", ttl: 600 },
  ] });
  new dns.RecordBatch("net", { domains: "example.net", records: ["www 600 A 192.0.2.1"] });
  new dns.Record("rgone", { domain: "example.com", name: "rgone", type: "A", value: "192.0.2.2", ttl: 600 });
  new dns.Record("rttl", { domain: "example.com", name: "rttl", type: "A", value: "192.0.2.2", ttl: 600 });
  new dns.Record("rvalue", { domain: "example.com", name: "rvalue", type: "A", value: "192.0.2.2", ttl: 600 });
  new dns.Record("roff", { domain: "example.com", name: "roff", type: "A", value: "192.0.2.2", ttl: 600 });
  new dns.Record("still", { domain: "example.com", name: "still", type: "A", value: "192.0.2.2", ttl: 600 });`;

/** The changed lines of zones that a detailed diff shows: `+ gone.example.com. 600 A 192.0.2.1`. */
function changedLines(output: string): string[] {
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^[-+] \S+\.example\.(?:com|net)\. /.test(line))
    .sort();
}

/** The batch's console edits as a refresh shows them, and as the next up would undo them. */
const drifted = [
  "+ line.example.com. 600 A 192.0.2.7 ; line=电信; not declared",
  "+ off.example.com. 600 A 192.0.2.1 ; disabled",
  "+ ttl.example.com. 60 A 192.0.2.1 ; drifted, declared 600",
  "+ value.example.com. 600 A 203.0.113.9 ; not declared",
  "- gone.example.com. 600 A 192.0.2.1",
  "- line.example.com. 600 A 192.0.2.7",
  "- off.example.com. 600 A 192.0.2.1",
  "- ttl.example.com. 600 A 192.0.2.1",
  "- value.example.com. 600 A 192.0.2.1",
];
const undone = drifted
  .map((line) => (line.startsWith("+") ? `-${line.slice(1)}` : `+${line.slice(1)}`))
  .sort();

describe("drift", () => {
  byBothFrontEnds(
    "is named line by line by one listing a domain; a missing record comes back, the rest is explained, nothing else is touched",
    (frontEnd) =>
      story({ frontEnd, program }, async ({ emulator, stack, up, quietUp }) => {
        await up();
        const { admin } = emulator;
        const before = zoneLines(emulator, "example.com");
        admin.removeRecord("example.com", { name: "gone", type: "A" });
        admin.removeRecord("example.com", { name: "rgone", type: "A" });
        admin.setRecord("example.com", { name: "value", type: "A" }, { value: "203.0.113.9" });
        admin.setRecord("example.com", { name: "ttl", type: "A" }, { ttl: 60 });
        admin.setRecord("example.com", { name: "line", type: "A", value: "192.0.2.7" }, { line: "电信" });
        admin.disableRecord("example.com", { name: "off", type: "A" });
        admin.setRecord("example.com", { name: "rttl", type: "A" }, { ttl: 60 });
        admin.disableRecord("example.com", { name: "roff", type: "A" });
        admin.setRecord("example.com", { name: "rvalue", type: "A" }, { value: "203.0.113.8" });
        const edited = zoneLines(emulator, "example.com");

        admin.clearCalls();
        const preview = await stack.preview("--refresh", "--diff", "--expect-no-changes");
        assert.notEqual(preview.code, 0, preview.output);
        noStack(preview);
        assert.equal(writesOf(emulator), 0);
        // The findings of the refresh, and the changes of the up.
        assert.deepEqual(changedLines(preview.output), [...drifted, ...undone].sort(), preview.output);
        assert.doesNotMatch(preview.output, /::still|example\.net|ledger/);
        // The batch and the single record have the same ways out.
        says(
          preview,
          /or change (?:it|them) back in the service's console/,
          /Meanwhile (?:it is|they are|the \w+ enabled ones are) still answered[^.]*\. The ways out are the same as for Record(?:Batch "com"| "rvalue")/,
        );

        admin.clearCalls();
        const refreshed = await stack.refresh("--diff");
        assert.equal(refreshed.code, 0, refreshed.output);
        assert.deepEqual(changedLines(refreshed.output), drifted, refreshed.output);
        assert.doesNotMatch(refreshed.output, /600 => 600|ledger|__declared/);
        says(
          refreshed,
          /~ ttl *: 600 => "60 \(drifted\)"/,
          /~ ttl *: 600 => "600 \(disabled\)"/,
          /~ value *: "192\.0\.2\.2" => "203\.0\.113\.8"/,
        );
        assert.deepEqual(countsOf(emulator), { "Record.List": 2 });
        assert.deepEqual(zoneLines(emulator, "example.com"), edited);

        admin.clearCalls();
        // Without it the engine starts nothing new after the first failure, whichever resource that is.
        const repaired = await stack.up("--continue-on-error");
        noStack(repaired);
        assert.notEqual(repaired.code, 0, "what cannot be repaired fails the up");
        assert.deepEqual(
          sentRecords(emulator).flat().sort(),
          [
            "gone A 192.0.2.1",
            "line A 192.0.2.7",
            "rgone A 192.0.2.2",
            "rvalue A 192.0.2.2",
            "value A 192.0.2.1",
          ],
          repaired.output,
        );
        says(repaired, "live with TTL 60, and 600 is declared", "exists but is disabled", "203.0.113.9");

        // The console undoes the other edits.
        admin.setRecord("example.com", { name: "ttl", type: "A" }, { ttl: 600 });
        admin.setRecord("example.com", { name: "rttl", type: "A" }, { ttl: 600 });
        admin.enableRecord("example.com", { name: "off", type: "A" });
        admin.enableRecord("example.com", { name: "roff", type: "A" });
        admin.removeRecord("example.com", { name: "value", type: "A", value: "203.0.113.9" });
        admin.removeRecord("example.com", { name: "rvalue", type: "A", value: "203.0.113.8" });
        const stray = admin.zone("example.com").find((record) => record.line === "电信");
        admin.removeRecord("example.com", stray?.id ?? 0);
        const mended = await stack.up("--refresh");
        assert.equal(mended.code, 0, mended.output);
        assert.deepEqual(zoneLines(emulator, "example.com"), before);
        await quietUp();
        const none = await stack.preview("--refresh", "--expect-no-changes");
        assert.equal(none.code, 0, none.output);
      }),
  );

  byBothFrontEnds(
    "of a Record's value is an error of every up, also after a refresh, until it is settled",
    (frontEnd) =>
      story(
        {
          frontEnd,
          service: { settings: { undocumented: true } },
          program:
            'new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.1" });',
        },
        async ({ emulator, stack, up, failing, quietUp }) => {
          await up();
          emulator.admin.setRecord("example.com", { name: "one", type: "A" }, { value: "192.0.2.9" });
          for (let time = 0; time < 3; time += 1) {
            says(
              await failing("--refresh"),
              /one\.example\.com\. A 192\.0\.2\.9 \(record \d+\) still live, though not declared; /,
            );
            assert.equal(writesOf(emulator), time === 0 ? 1 : 0);
          }
          const preview = await stack.preview("--refresh", "--diff");
          says(
            preview,
            '"default (another is live)"',
            /an up will end with an error until this is settled: one\.example\.com\. A 192\.0\.2\.9/,
          );
          const refresh = await stack.run("refresh", "--yes");
          assert.equal(refresh.code, 0, refresh.output);
          says(
            await failing(),
            /one\.example\.com\. A 192\.0\.2\.9 \(record \d+\) still live, though not declared; /,
          );
          // The way out that it names, in the same command.
          const full = await stack.runWith(
            { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
            "up",
            "--yes",
            "--skip-preview",
            "--refresh",
          );
          assert.equal(full.code, 0, full.output);
          assert.deepEqual(
            zoneLines(emulator, "example.com").map((line) => line.replace(/ \d+$/, "")),
            ["one A 192.0.2.1"],
          );
          await quietUp();
        },
      ),
  );

  it("stays as it is where the program ignores it, and where somebody else's record is no business of ours", () =>
    story(
      {
        program: `
          new dns.RecordBatch("com", { domains: "example.com", records: ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] }, { ignoreChanges: ["records"] });
          new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.1", ttl: 600 }, { ignoreChanges: ["ttl"] });
          new dns.Record("two", { domain: "example.com", name: "two", type: "A", value: "192.0.2.1", ttl: 600 }, { ignoreChanges: ["value"] });`,
      },
      async ({ emulator, up, quietUp }) => {
        await up();
        emulator.admin.setRecord("example.com", { name: "a", type: "A" }, { ttl: 60 });
        emulator.admin.setRecord("example.com", { name: "one", type: "A" }, { ttl: 60 });
        emulator.admin.setRecord("example.com", { name: "two", type: "A" }, { value: "192.0.2.9" });
        emulator.admin.addRecord("example.com", { name: "other", type: "A", value: "192.0.2.99" });
        const run = await up("--refresh");
        assert.equal(writesOf(emulator), 0, run.output);
        await quietUp();
      },
    ));
});

describe("a domain that has left the account", () => {
  const batch = (...domains: string[]): string =>
    `new dns.RecordBatch("web", { domains: ${JSON.stringify(domains)}, records: ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"] });`;
  const single = `new dns.Record("mx", { domain: "example.net", type: "MX", value: "10 mx1.example.org.", ttl: 600 });`;

  byBothFrontEnds(
    "is named once; the other domain is refreshed and repaired, and an up without it succeeds",
    (frontEnd) =>
      story(
        { frontEnd, program: batch("example.com", "example.net") + single },
        async ({ emulator, stack, up, failing, deploy, quietUp }) => {
          await up();
          const before = zoneLines(emulator, "example.com");
          emulator.admin.removeDomain("example.net");
          emulator.admin.removeRecord("example.com", { name: "www", type: "A" });

          const refreshed = await stack.refresh("--diff");
          assert.equal(refreshed.code, 0, refreshed.output);
          assert.deepEqual(
            changedLines(refreshed.output),
            ["- www.example.com. 600 A 192.0.2.1"],
            refreshed.output,
          );
          assert.equal(
            refreshed.output.split("does not hold this domain any more").length,
            2,
            refreshed.output,
          );
          says(refreshed, "remove the domain from the program", "LEGACYDNS_REMOVAL=retain");
          assert.doesNotMatch(refreshed.output, /did you mean/);

          says(await failing(), "example.net: the account does not hold this domain any more");
          assert.deepEqual(zoneLines(emulator, "example.com"), before);

          says(await deploy(batch("example.com")), /example\.net: .* lets go of it/);
          assert.deepEqual(zoneLines(emulator, "example.com"), before);
          await quietUp();
        },
      ),
  );
});
