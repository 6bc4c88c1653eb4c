import assert from "node:assert/strict";
import { idsOf, writesOf, zoneLines } from "../support/service";
import { byBothFrontEnds, says, story, type Story } from "../support/story";

const full = {
  service: { settings: { undocumented: true } },
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
};

/** A batch in example.com of presentation lines. */
function zone(...lines: string[]): string {
  return `new dns.RecordBatch("zone", { domains: "example.com", records: ${JSON.stringify(lines)} });`;
}

/** The calls of a run, without polls and package limits. */
function called({ emulator }: Story): Record<string, number> {
  const { "Batch.Detail": _polls, "Domain.Purview": _purview, ...rest } = emulator.admin.counts();
  return rest;
}

describe("with the undocumented operations, an up brings the zone there, whatever is edited", () => {
  byBothFrontEnds(
    "a RecordBatch: values, TTLs, new and dropped records, a CNAME that becomes addresses and back",
    async (frontEnd) => {
      await story(
        {
          frontEnd,
          ...full,
          program: zone(
            "www 600 A 192.0.2.1",
            "www 600 A 192.0.2.2",
            "mail 600 MX 10 mx1.example.net.",
            "blog 600 CNAME www.example.com.",
            "old 600 TXT bye",
            "@ 600 A 192.0.2.1",
          ),
        },
        async (told) => {
          const { emulator, deploy, quietUp, up } = told;
          await up();
          const ids = idsOf(emulator, "example.com");
          const edited = await deploy(
            zone(
              "www 300 A 192.0.2.1",
              "www 600 A 192.0.2.9",
              "mail 600 MX 10 mx2.example.net.",
              "blog 600 A 192.0.2.5",
              "blog 600 A 192.0.2.6",
              "new 600 TXT hello",
              "@ 600 A 192.0.2.1",
            ),
          );
          says(
            edited,
            /example\.com: 2 records to add, 4 records to change, 1 record to remove\n +- old\.example\.com\. TXT \S+ \(record \d+\)\n/,
          );
          says(
            edited,
            /\n +~ www\.example\.com\. A 192\.0\.2\.1 \(record \d+\) => TTL 300\n/,
            /\n +~ mail\.example\.com\. MX 10 mx1\.example\.net\. \(record \d+\) => mail\.example\.com\. MX 10 mx2\.example\.net\.\n/,
          );
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "@ A 192.0.2.1 600",
            "blog A 192.0.2.5 600",
            "blog A 192.0.2.6 600",
            "mail MX 10 mx2.example.net. 600",
            "new TXT hello 600",
            "www A 192.0.2.1 300",
            "www A 192.0.2.9 600",
          ]);
          assert.deepEqual(called(told), {
            "Record.List": 1,
            "Record.Modify": 4,
            "Batch.Record.Create": 1,
            "Record.Remove": 1,
          });
          assert.equal(idsOf(emulator, "example.com").filter((id) => ids.includes(id)).length, 5);
          await quietUp();
          await deploy(
            zone(
              "www 300 A 192.0.2.1",
              "blog 600 CNAME www.example.com.",
              "mail 600 MX 10 mx2.example.net.",
              "@ 600 A 192.0.2.1",
            ),
          );
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "@ A 192.0.2.1 600",
            "blog CNAME www.example.com. 600",
            "mail MX 10 mx2.example.net. 600",
            "www A 192.0.2.1 300",
          ]);
          await quietUp();
          emulator.admin.clearCalls();
          const gone = await told.stack.destroy();
          assert.equal(gone.code, 0, gone.output);
          assert.deepEqual(zoneLines(emulator, "example.com"), []);
        },
      );
    },
  );

  it("a Record: its value, TTL, priority, line, label and type in place; another domain is a replacement", async () => {
    type Fields = Readonly<Record<string, string | number>>;
    const [a, alias, mail] = [
      { type: "A", value: "192.0.2.1", ttl: 600 },
      { type: "CNAME", value: "a.example.net", ttl: 600 },
      { type: "MX", priority: 10, value: "a.example.net", ttl: 600 },
    ];
    /** A record each: before and after the edit, and as the zone then has it. */
    const edits: readonly (readonly [Fields, Fields, string])[] = [
      [{ name: "value", ...a }, { name: "value", ...a, value: "192.0.2.2" }, "value A 192.0.2.2 600"],
      [{ name: "ttl", ...a }, { name: "ttl", ...a, ttl: 300 }, "ttl A 192.0.2.1 300"],
      [{ name: "label", ...a }, { name: "other", ...a }, "other A 192.0.2.1 600"],
      [{ name: "line", ...a }, { name: "line", ...a, line: "电信" }, "line A 192.0.2.1 600 [电信]"],
      [{ name: "to-alias", ...a }, { name: "to-alias", ...alias }, "to-alias CNAME a.example.net. 600"],
      [{ name: "to-mail", ...alias }, { name: "to-mail", ...mail }, "to-mail MX 10 a.example.net. 600"],
      [
        { name: "priority", ...mail },
        { name: "priority", ...mail, priority: 20 },
        "priority MX 20 a.example.net. 600",
      ],
      [
        { name: "to-text", ...mail },
        { name: "to-text", type: "TXT", value: "moving", ttl: 600 },
        "to-text TXT moving 600",
      ],
    ];
    const records = (side: 0 | 1, domain = "example.com"): string =>
      edits
        .map(
          (edit, i) =>
            `new dns.Record("r${i}", ${JSON.stringify({ domain: i === 0 ? domain : "example.com", ...edit[side] })});`,
        )
        .join("\n");
    const service = {
      domains: [
        {
          name: "example.com",
          records: [
            { name: "@", type: "MX", value: "mx.example.net.", mx: 5 },
            { name: "line", type: "A", value: "192.0.2.9" },
            { name: "ttl", type: "A", value: "192.0.2.1", ttl: 900 },
          ],
        },
        "example.net",
      ],
      settings: { undocumented: true },
    };
    await story(
      {
        ...full,
        env: { ...full.env, LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
        service,
        program: records(0),
      },
      async (told) => {
        const { emulator, deploy, quietUp, up } = told;
        // A live record changes though the resource is new: the engine's own row shows `create` alone.
        says(
          await up(),
          /Record "r1": example\.com: 1 record to change\n +~ ttl\.example\.com\. A 192\.0\.2\.1 \(record \d+\) => TTL 600\n/,
        );
        const ids = idsOf(emulator, "example.com");
        const run = await deploy(records(1));
        assert.doesNotMatch(run.output, /to change/);
        // Another line needs a record on the default line, and here there is none.
        const after = [
          "@ MX 5 mx.example.net. 600",
          "line A 192.0.2.9 600",
          ...edits.map(([, , line]) => line),
        ].sort();
        assert.deepEqual(zoneLines(emulator, "example.com"), after, run.output);
        assert.deepEqual(idsOf(emulator, "example.com"), ids);
        assert.equal(called(told)["Record.Modify"], edits.length);
        await quietUp();
        await deploy(records(1, "example.net"));
        assert.deepEqual(
          [zoneLines(emulator, "example.com"), zoneLines(emulator, "example.net")],
          [after.filter((line) => !line.startsWith("value ")), ["value A 192.0.2.2 600"]],
        );
        await quietUp();
      },
    );
  });

  it("drift: what was changed, disabled or removed in the console is put right; a service that lacks the operations is named", async () => {
    const program =
      zone("www 600 A 192.0.2.1", "api 600 A 192.0.2.2", "ftp 600 A 192.0.2.3", "mx 600 A 192.0.2.4") +
      `new dns.Record("one", { domain: "example.net", name: "one", type: "A", value: "192.0.2.1", ttl: 600 });`;
    await story({ ...full, program }, async (told) => {
      const { emulator, failing, up, quietUp, stack } = told;
      await up();
      emulator.admin.setRecord("example.com", { name: "www", type: "A" }, { value: "192.0.2.99" });
      emulator.admin.disableRecord("example.com", { name: "api", type: "A" });
      emulator.admin.removeRecord("example.com", { name: "ftp", type: "A" });
      emulator.admin.setRecord("example.com", { name: "mx", type: "A" }, { ttl: 60 });
      emulator.admin.setRecord("example.net", { name: "one", type: "A" }, { value: "192.0.2.98" });
      const preview = await stack.preview("--refresh", "--diff");
      assert.equal(preview.code, 0, preview.output);
      await up("--refresh");
      assert.deepEqual(zoneLines(emulator, "example.com"), [
        "api A 192.0.2.2 600",
        "ftp A 192.0.2.3 600",
        "mx A 192.0.2.4 600",
        "www A 192.0.2.1 600",
      ]);
      assert.deepEqual(zoneLines(emulator, "example.net"), ["one A 192.0.2.1 600"]);
      await quietUp();
      emulator.admin.set({ undocumented: false });
      stack.program(program.replace("www 600", "www 60"));
      says(await failing(), /The service may lack this operation, which its documents do not name/);
      assert.equal(emulator.admin.counts()["Record.Modify"], 1);
    });
  });

  it("undeclared: remove takes what a refresh has found, and nothing that is ignored, declared elsewhere or the service's own", async () => {
    const program = `new dns.RecordBatch("zone", { domains: "example.com", undeclared: "remove", ignore: ["_acme-challenge*"], records: ["www 600 A 192.0.2.1"] });
new dns.Record("beside", { domain: "example.com", name: "beside", type: "A", value: "192.0.2.7", ttl: 600 });`;
    const records = [
      { name: "stray", type: "A", value: "192.0.2.66" },
      { name: "_acme-challenge", type: "TXT", value: "token" },
    ];
    await story(
      {
        ...full,
        service: { domains: [{ name: "example.com", records }], settings: { undocumented: true } },
        program,
      },
      async (told) => {
        const { emulator, up, quietUp, stack } = told;
        const first = await up();
        says(
          first,
          "1 record live that nobody declares: stray.example.com. A 192.0.2.66",
          "`pulumi up --refresh` removes it",
        );
        await quietUp();
        const preview = await stack.preview("--refresh", "--diff");
        says(preview, /- stray\.example\.com\. 600 A 192\.0\.2\.66 ; not declared/);
        assert.doesNotMatch(preview.output, /- .*beside|- .*acme/);
        says(await up("--refresh"), "stray.example.com. A 192.0.2.66");
        assert.deepEqual(zoneLines(emulator, "example.com"), [
          "_acme-challenge TXT token 600",
          "beside A 192.0.2.7 600",
          "www A 192.0.2.1 600",
        ]);
        await quietUp();
      },
    );
  });

  it("the safety gates: a large share, the apex's NS and the last MX are refused in the preview, unless the domain is named", async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `h${i} 600 A 192.0.2.${i}`);
    await story(
      { ...full, program: zone(...lines, "@ 600 MX 10 mx.example.net.", "sub 600 MX 10 mx3.example.net.") },
      async (told) => {
        const { emulator, failing, stack, up } = told;
        await up();
        stack.program(zone(...lines));
        says(await stack.preview(), "it would remove the last MX record of the apex (mx.example.net.).");
        stack.program(zone(...lines, "@ 600 MX 10 mx.example.net."));
        await up();
        const before = zoneLines(emulator, "example.com");
        stack.program(zone(...lines.slice(0, 7), "@ 600 MX 10 mx.example.net."));
        const preview = await stack.preview();
        says(
          preview,
          "this run would remove 5 and change 0 of its 13 records (38 %), more than 30 % (maxChangeShare)",
          "LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi up",
        );
        await failing();
        assert.deepEqual(zoneLines(emulator, "example.com"), before);
        assert.equal(writesOf(emulator), 0);
        stack.program(zone(...lines));
        says(await stack.preview(), "it would remove the last MX record of the apex (mx.example.net.).");
        // Another resource declares one, about which the engine asks afterwards.
        stack.program(
          `const web = ${zone(...lines)} new dns.Record("mail", { domain: "example.com", type: "MX", value: "mx2.example.net.", priority: 20 }, { dependsOn: web });`,
        );
        assert.equal((await stack.preview()).code, 0);
        await up();
        assert.deepEqual(
          zoneLines(emulator, "example.com").filter((line) => line.includes("MX")),
          ["@ MX 20 mx2.example.net. 600"],
        );
        stack.program(zone(...lines.slice(0, 7)));
        const run = await stack.runWith(
          { LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
          "up",
          "--yes",
          "--skip-preview",
        );
        assert.equal(run.code, 0, run.output);
        assert.equal(zoneLines(emulator, "example.com").length, 7);
        // A zone of fewer than ten records has no share: all of it may change.
        stack.program(zone(...lines.slice(0, 7).map((line) => line.replace("192.0.2.", "198.51.100."))));
        await up();
        assert.equal(
          zoneLines(emulator, "example.com").filter((line) => line.includes("198.51.100.")).length,
          7,
        );
      },
    );
  });

  it("a DomainShare is made, read, changed and ended", async () => {
    const share = (mode: string, subDomain?: string): string =>
      `new dns.DomainShare("agency", ${JSON.stringify({ domain: "example.com", email: "agency@example.org", mode, subDomain })});`;
    const service = {
      accounts: [
        { email: "owner@example.com" },
        { email: "agency@example.org" },
        { email: "other@example.org" },
      ],
      settings: { undocumented: true },
    };
    await story({ ...full, service, program: share("r") }, async (told) => {
      const { emulator, deploy, quietUp, stack, up } = told;
      const shares = (): unknown =>
        emulator.admin.shares("example.com").map(({ email, mode, subDomain }) => [email, mode, subDomain]);
      await up();
      assert.deepEqual(called(told), { "Domainshare.List": 1, "Domainshare.Create": 1 });
      await quietUp();
      await deploy(share("rw", "shop"));
      assert.deepEqual(shares(), [["agency@example.org", "rw", "shop"]]);
      emulator.admin.addShare("example.com", { email: "other@example.org", mode: "r" });
      await up("--refresh");
      assert.deepEqual(called(told), { "Domainshare.List": 1 }, "nobody else's share is our business");
      const gone = await stack.destroy();
      assert.equal(gone.code, 0, gone.output);
      assert.deepEqual(shares(), [["other@example.org", "r", ""]]);
    });
  });

  it("a move takes nothing away: renamed, from Records into a RecordBatch, into a Zone, and from stack to stack", async () => {
    const records = ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2", "c 600 MX 10 mx.example.net."];
    const singles = (suffix: string): string =>
      `for (const [name, type, value] of [["a", "A", "192.0.2.1"], ["b", "A", "192.0.2.2"]]) new dns.Record(name + "${suffix}", { domain: "example.com", name, type, value, ttl: 600 });
new dns.Record("c${suffix}", { domain: "example.com", name: "c", type: "MX", priority: 10, value: "mx.example.net", ttl: 600 });`;
    await story({ ...full, program: singles("1") }, async ({ emulator, deploy, quietUp, stack, up }) => {
      await up();
      const ids = idsOf(emulator, "example.com");
      for (const program of [
        singles("2"),
        zone(...records),
        `new dns.Zone("example.com", { domain: "example.com", records: ${JSON.stringify(records)} });`,
      ]) {
        await deploy(program);
        assert.equal(writesOf(emulator), 0);
        assert.deepEqual(idsOf(emulator, "example.com"), ids);
      }
      await quietUp();
      // The hand-over of docs/moving.md: the new stack adopts, then the old one releases, with any setting.
      await stack.must("stack", "init", "other");
      await deploy(zone(...records));
      assert.equal(writesOf(emulator), 0);
      await stack.must("stack", "select", "test");
      stack.program("");
      const letGo = await stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "up", "--yes", "--skip-preview");
      assert.equal(letGo.code, 0, letGo.output);
      assert.equal(writesOf(emulator), 0);
      assert.deepEqual(idsOf(emulator, "example.com"), ids);
    });
  });
});
