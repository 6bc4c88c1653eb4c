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

  it("a record whose data and TTL change is named with both", async () => {
    await story({ ...full, program: zone("www 600 A 192.0.2.1") }, async ({ emulator, stack, up }) => {
      await up();
      stack.program(zone("www 60 A 192.0.2.2"));
      says(
        await stack.preview(),
        /\n +~ www\.example\.com\. A 192\.0\.2\.1 \(record \d+\) => www\.example\.com\. A 192\.0\.2\.2, TTL 60\n/,
      );
      await up();
      assert.deepEqual(zoneLines(emulator, "example.com"), ["www A 192.0.2.2 60"]);
    });
  });

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
          "`pulumi up --refresh` shows it in its plan and removes it",
        );
        await quietUp();
        const preview = await stack.preview("--refresh", "--diff");
        says(preview, /- stray\.example\.com\. 600 A 192\.0\.2\.66 ; not declared/);
        assert.doesNotMatch(preview.output, /- .*beside|- .*acme/);
        says(
          await up("--refresh"),
          "stray.example.com. A 192.0.2.66",
          "`pulumi up --refresh` removes it in the same run, and after `pulumi refresh` the next `pulumi up` does, unless a resource of the program may declare it",
        );
        assert.deepEqual(zoneLines(emulator, "example.com"), [
          "_acme-challenge TXT token 600",
          "beside A 192.0.2.7 600",
          "www A 192.0.2.1 600",
        ]);
        await quietUp();
      },
    );
  });

  byBothFrontEnds(
    "a Record that is replaced gives up the old record as it is declared by then, whatever `removal` was before",
    async (frontEnd) => {
      const record = (value: string, more = "", domain = "example.com"): string =>
        `new dns.Record("www", { domain: "${domain}", name: "www", type: "A", value: "${value}", ttl: 600${more} });`;
      await story(
        { ...full, frontEnd, program: record("192.0.2.1") },
        async ({ deploy, emulator, failing, stack, up }) => {
          await up();
          const kept = await deploy(record("192.0.2.2", ', removal: "retain"'));
          says(kept, "www.example.com. A 192.0.2.1", "left in the zone (removal: retain)");
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "www A 192.0.2.1 600",
            "www A 192.0.2.2 600",
          ]);
          await deploy(record("192.0.2.2"));
          const moved = await deploy(record("192.0.2.2", ', removal: "retain"', "example.net"));
          says(moved, "www.example.com. A 192.0.2.2", "left in the zone (removal: retain)");
          assert.deepEqual(
            [zoneLines(emulator, "example.com").length, zoneLines(emulator, "example.net").length],
            [2, 1],
          );
          stack.program(record("192.0.2.3", ', removal: "verify"', "example.net"));
          says(await failing(), "www.example.net. A 192.0.2.2");
          assert.deepEqual(zoneLines(emulator, "example.net"), [
            "www A 192.0.2.2 600",
            "www A 192.0.2.3 600",
          ]);
        },
      );
    },
  );

  it("records that change hands all at once stay, of however many resources", async () => {
    const domains = Array.from({ length: 12 }, (_, i) => `e${i}.example`);
    const program = (one: string, two: string, third: string): string => `
      for (const domain of ${JSON.stringify(domains)}) {
        for (const name of ["${one}", "${two}"]) new dns.Record(\`\${domain} \${name === "${one}" ? 1 : 2}\`, { domain, name, type: "A", value: "192.0.2.1", ttl: 600 });
        new dns.RecordBatch(domain, { domains: domain, records: ["${third} 600 A 192.0.2.1"] });
      }`;
    await story(
      { ...full, service: { domains, settings: { undocumented: true } }, program: program("x", "y", "z") },
      async (told) => {
        await told.up();
        for (const [one, two, third] of [
          ["z", "y", "x"],
          ["y", "z", "x"],
          ["x", "z", "y"],
        ] as const) {
          await told.deploy(program(one, two, third));
          assert.deepEqual(called(told), { "Record.List": 12 });
        }
      },
    );
  });

  byBothFrontEnds(
    "a batch of two domains is split by domain without a refusal, whichever part is declared first",
    async (frontEnd) => {
      const batch = (name: string, ...domains: string[]): string =>
        `new dns.RecordBatch("${name}", { domains: ${JSON.stringify(domains)}, records: Array.from({ length: 12 }, (_, i) => "h" + i + " 600 A 192.0.2.1") });`;
      await story(
        { ...full, frontEnd, program: batch("keep", "example.com", "example.net") },
        async (told) => {
          await told.up();
          const parts = [batch("keep", "example.com"), batch("apart", "example.net")];
          for (const program of [parts.join("\n"), parts.reverse().join("\n")]) {
            told.stack.program(program);
            const preview = await told.stack.preview();
            assert.equal(preview.code, 0, preview.output);
            assert.doesNotMatch(preview.output, /to remove/);
          }
          await told.up();
          assert.deepEqual(writesOf(told.emulator), 0);
        },
      );
    },
  );

  byBothFrontEnds(
    "undeclared: remove that is new in the program counts from the next refresh on, and the update names nothing twice",
    async (frontEnd) => {
      const program = (undeclared: string): string =>
        `new dns.RecordBatch("zone", { domains: "example.com", undeclared: "${undeclared}", records: ["www 600 A 192.0.2.1"] });`;
      await story(
        {
          ...full,
          frontEnd,
          service: {
            domains: [{ name: "example.com", records: [{ name: "stray", type: "A", value: "192.0.2.66" }] }],
            settings: { undocumented: true },
          },
          program: program("report"),
        },
        async (told) => {
          const { emulator, deploy, up } = told;
          await up();
          const run = await deploy(program("remove"), "--refresh");
          says(
            run,
            "1 record live that nobody declares, as this run's refresh says. The next `pulumi up --refresh` shows it in its plan and removes it: a refresh goes by what the up before it has declared\n",
          );
          assert.equal(
            new Set(run.output.match(/1 record live that nobody declares: stray.*/g)).size,
            1,
            run.output,
          );
          await up("--refresh");
          assert.deepEqual(zoneLines(emulator, "example.com"), ["www A 192.0.2.1 600"]);
        },
      );
    },
  );

  it("undeclared: remove takes nothing where a resource may declare it that is known later, or is another provider's", async () => {
    const program = `new dns.RecordBatch("zone", { domains: "example.com", undeclared: "remove", records: ["www 600 A 192.0.2.1"] });
const other = new dns.Provider("other", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, undocumentedOperations: true });
new dns.Record("others", { domain: "example.com", name: "others", type: "A", value: "192.0.2.7", ttl: 600 }, { provider: other });
const late = pulumi.output(new Promise((resolve) => setTimeout(() => resolve("192.0.2.8"), 3000)));
new dns.Record("late", { domain: "example.com", name: "late", type: "A", value: late, ttl: 600 });`;
    await story({ ...full, program }, async ({ emulator, up, stack }) => {
      await up();
      emulator.admin.addRecord("example.com", { name: "stray", type: "A", value: "192.0.2.66", ttl: 600 });
      const before = zoneLines(emulator, "example.com");
      assert.equal(before.length, 4);
      const [urn] = stack
        .resources()
        .filter(({ urn: each }) => each.endsWith("::zone"))
        .map(({ urn: each }) => each);
      const refreshed = await stack.refresh("--target", String(urn));
      assert.equal(refreshed.code, 0, refreshed.output);
      // Records of another provider of the same account are known and excluded.
      says(
        await up(),
        "example.com: 1 record live that nobody declares: stray.example.com. A 192.0.2.66 ",
        'It is not removed, since Record "late", Record "others" may declare records there',
      );
      assert.deepEqual(zoneLines(emulator, "example.com"), before);
    });
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

  it("a single Record gives the last MX up once another declares one, in the update that makes it", async () => {
    const record = (name: string, args: object): string =>
      `new dns.Record("${name}", ${JSON.stringify({ domain: "example.com", ...args })});\n`;
    const web = record("first", { name: "www", type: "A", value: "192.0.2.1" });
    await story(
      { ...full, program: record("first", { type: "MX", value: "mx.example.net.", priority: 10 }) },
      async ({ emulator, stack, up }) => {
        await up();
        stack.program(web);
        says(await stack.preview(), "it would remove the last MX record of the apex (mx.example.net.).");
        stack.program(web + record("second", { type: "MX", value: "mx2.example.net.", priority: 20 }));
        assert.equal((await stack.preview()).code, 0);
        await up();
        assert.deepEqual(zoneLines(emulator, "example.com"), [
          "@ MX 20 mx2.example.net. 600",
          "www A 192.0.2.1 600",
        ]);
      },
    );
  });

  it("the safety gates stand before what is taken out of the program as well, even all of it, and before a destroy", async () => {
    const record = (i: number): string =>
      `new dns.Record("r${i}", { domain: "example.com", name: "h${i}", type: "A", value: "192.0.2.${i}", ttl: 600 });\n`;
    await story(
      { ...full, program: Array.from({ length: 12 }, (_, i) => record(i)).join("") },
      async ({ emulator, failing, stack, up }) => {
        await up();
        for (const program of ["", record(0)]) {
          stack.program(program);
          for (const _ of ["once", "and again"]) {
            const run = await failing();
            says(run, "of its 12 records", "LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi up");
            // After the last declaration the engine uses the settings in the state.
            assert.equal(
              run.output.includes(
                "Settings changed after the last up do not count here, because the program declares no resource of this provider any more: use the environment (LEGACYDNS_CONFIRMED_DOMAINS)",
              ),
              program === "",
              run.output,
            );
            // One resource has the whole message. The others of the domain refer to it.
            const told = run.output.slice(run.output.indexOf("Diagnostics:"));
            assert.equal(told.split("LEGACYDNS_CONFIRMED_DOMAINS=").length, 2, run.output);
            says(
              { ...run, output: told },
              /example\.com: its safety gate refuses this as well \(the run would now remove or change \d+ records there\): what to do stands in this run's first refusal for example\.com/,
            );
            assert.equal(writesOf(emulator), 0);
          }
        }
        const refused = await stack.destroy();
        assert.notEqual(refused.code, 0);
        says(
          refused,
          "of its 12 records",
          "If that is meant: `LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi destroy` (`pulumi config set` counts only after the next `pulumi up`)\n",
        );
        assert.equal(zoneLines(emulator, "example.com").length, 12);
        const gone = await stack.runWith(
          { LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
          "destroy",
          "--yes",
          "--skip-preview",
        );
        assert.equal(gone.code, 0, gone.output);
        assert.deepEqual(zoneLines(emulator, "example.com"), []);
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

  byBothFrontEnds(
    "a DomainShare that another resource declares is not ended, and a destroy leaves one that was adopted",
    async (frontEnd) => {
      const share = (name: string, more = "", options = ""): string =>
        `new dns.DomainShare("${name}", { domain: "example.com", email: "agency@example.org", mode: "r"${more} }${options});`;
      const service = {
        accounts: [{ email: "owner@example.com" }, { email: "agency@example.org" }],
        settings: { undocumented: true },
      };
      await story({ ...full, frontEnd, service, program: share("one") }, async (told) => {
        const { emulator, deploy, stack, up } = told;
        const shares = (): unknown =>
          emulator.admin.shares("example.com").map(({ mode, subDomain }) => `${mode} ${subDomain}`);
        await up();
        const renamed = await deploy(share("two"));
        assert.deepEqual(called(told), { "Domainshare.List": 1 });
        says(renamed, "the share of the whole of example.com with agency@example.org: taken over by ");
        await deploy(share("three", ', subDomain: "shop", from: "@"'));
        assert.deepEqual(shares(), ["r shop"]);
        // The old provider's process does not get the new one's declarations.
        const provider = `const other = new dns.Provider("other", { loginToken: process.env.LEGACYDNS_LOGIN_TOKEN, baseUrl: process.env.LEGACYDNS_BASE_URL, undocumentedOperations: true, contact: "you@example.com", stateDir: process.env.LEGACYDNS_STATE_DIR });`;
        const moved = await deploy(
          `${provider}${share("four", ', subDomain: "shop"', ", { provider: other }")}`,
        );
        says(moved, "taken over by another resource of this program");
        assert.deepEqual(shares(), ["r shop"]);
        const adopted = await stack.destroy();
        assert.equal(adopted.code, 0, adopted.output);
        says(
          adopted,
          "the share of shop.example.com with agency@example.org stays on the service: a destroy ends what the stack has made, and its state does not say so of this one. End it in the service's console if it is to go",
        );
        assert.deepEqual(shares(), ["r shop"]);
        // An update that drops it is an edit, even if it was adopted.
        await deploy(share("five", ', subDomain: "shop"'));
        await deploy("");
        assert.deepEqual(shares(), []);
        const retain = { LEGACYDNS_REMOVAL: "retain" };
        await deploy(share("six"));
        const kept = await stack.runWith(retain, "destroy", "--yes", "--skip-preview", "--suppress-progress");
        assert.equal(kept.code, 0, kept.output);
        says(
          kept,
          `stays on the service: removal: "retain" ends none. End it in the service's console if it is to go`,
        );
        assert.deepEqual(shares(), ["r "]);
      });
    },
  );

  it("a DomainShare that moves to another provider with another scope is not ended, where a refresh has listed the old one", async () => {
    const provider = `const other = new dns.Provider("other", { loginToken: process.env.LEGACYDNS_LOGIN_TOKEN, baseUrl: process.env.LEGACYDNS_BASE_URL, undocumentedOperations: true, contact: "you@example.com", stateDir: process.env.LEGACYDNS_STATE_DIR });`;
    const share = (name: string, more: string, options = ""): string =>
      `new dns.DomainShare("${name}", { domain: "example.com", email: "agency@example.org", mode: "r"${more} }${options});`;
    const service = {
      accounts: [{ email: "owner@example.com" }, { email: "agency@example.org" }],
      settings: { undocumented: true },
    };
    await story(
      { ...full, service, program: share("one", ', subDomain: "shop"') },
      async ({ deploy, emulator, up }) => {
        await up();
        const moved = await deploy(
          provider + share("two", ', from: "shop"', ", { provider: other }"),
          "--refresh",
        );
        says(
          moved,
          "the share of shop.example.com with agency@example.org: taken over by another resource of this program",
        );
        assert.deepEqual(
          emulator.admin.shares("example.com").map(({ subDomain }) => subDomain),
          [""],
        );
      },
    );
  });

  for (const when of ["before", "after"] as const) {
    it(`a DomainShare whose answer is lost ${when} it was carried out is at the declared scope in the end, once`, async () => {
      const share = (more: object): string =>
        `new dns.DomainShare("agency", ${JSON.stringify({ domain: "example.com", email: "agency@example.org", mode: "r", ...more })});`;
      const service = {
        accounts: [{ email: "owner@example.com" }, { email: "agency@example.org" }],
        settings: { undocumented: true },
      };
      await story(
        { ...full, service, program: share({}) },
        async ({ emulator: { admin }, failing, quietUp, stack, up }) => {
          const shares = (): string[] =>
            admin
              .shares("example.com")
              .map(({ mode, subDomain }) => `${mode} ${subDomain}`)
              .sort();
          const lost = async (
            operation: string,
            program: string,
            expected: readonly string[],
          ): Promise<void> => {
            admin.addFault({ operation, kind: "dropped", when, count: 1 });
            stack.program(program);
            // The listing shows an executed call.
            if (when === "before") says(await failing(), "It is not known whether the share was changed");
            await up();
            assert.deepEqual(shares(), expected);
            await quietUp();
          };
          await up();
          await lost("Domainshare.Modify", share({ subDomain: "shop" }), ["r shop"]);
          await lost("Domainshare.Modify", share({ mode: "rw" }), ["rw "]);
          await lost("Domainshare.Modify", share({ subDomain: "blog" }), ["r blog"]);
          await lost("Domainshare.Modify", share({ subDomain: "blog", mode: "rw" }), ["rw blog"]);
          stack.program("");
          await up();
          // The console has shared the whole domain with the same person.
          admin.addShare("example.com", { email: "agency@example.org", mode: "r" });
          await lost("Domainshare.Create", share({ subDomain: "shop" }), ["r ", "r shop"]);
        },
      );
    });
  }

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
