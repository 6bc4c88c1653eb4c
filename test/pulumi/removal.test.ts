/**
 * Records that are no longer declared, or declared otherwise. A change that the service cannot make is
 * reported, and never half done.
 */
import assert from "node:assert/strict";
import { countsOf, idsOf, writesOf, zoneLines } from "../support/service";
import { byBothFrontEnds, noStack, says, story } from "../support/story";

const batch = (...lines: string[]): string =>
  `new dns.RecordBatch("zone", { domains: "example.com", records: ${JSON.stringify(lines)} });`;
const record = (fields: object): string =>
  `new dns.Record("one", ${JSON.stringify({ domain: "example.com", name: "one", type: "A", value: "192.0.2.1", ttl: 600, ...fields })});`;

describe("a record that is no longer declared", () => {
  byBothFrontEnds(
    "of a replaced Record goes by the `removal` that the program declares by then, as its ways out say",
    (frontEnd) => {
      const all = (end: number, own: string, more = ""): string => `
      const provider = new dns.Provider("p", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, contact: "ops@example.com"${more} });
      new dns.Record("own", { domain: "example.com", name: "own", type: "A", value: "192.0.2.${end}", ttl: 600${own === "" ? ', removal: "verify"' : own} });
      new dns.Record("explicit", { domain: "example.net", name: "explicit", type: "A", value: "192.0.2.${end}", ttl: 600${own} }, { provider });`;
      return story(
        { frontEnd, program: all(1, ""), service: { settings: { undocumented: true } } },
        async ({ emulator, stack, up, failing, quietUp }) => {
          await up();
          stack.program(all(2, ""));
          const way = (name: string, where: string): RegExp =>
            new RegExp(
              `${name}\\.example\\.\\w+\\. A 192\\.0\\.2\\.1 \\(record \\d+\\) still live, though not declared; .*set \`removal: "retain"\` ${where}, and run \`pulumi up\` again`,
            );
          for (let time = 0; time < 2; time += 1) {
            says(
              await failing("--continue-on-error"),
              way("own", "on this resource, which has a `removal` of its own"),
              way("explicit", "on the Provider, or on this resource"),
            );
          }
          stack.program(all(2, ', removal: "retain"'));
          says(
            await up(),
            /own\.example\.com\. A 192\.0\.2\.1 \(record \d+\): no longer declared, left in the zone/,
            /explicit\.example\.net\. A 192\.0\.2\.1 \(record \d+\): no longer declared, left in the zone/,
          );
          await quietUp();

          stack.program(all(3, ""));
          await failing("--continue-on-error");
          stack.program(all(3, ', removal: "delete"', ", undocumentedOperations: true"));
          const run = await stack.runWith(
            { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
            "up",
            "--yes",
            "--skip-preview",
          );
          assert.equal(run.code, 0, run.output);
          assert.deepEqual(
            ["com", "net"].flatMap((tld) => zoneLines(emulator, `example.${tld}`)),
            [
              "own A 192.0.2.1 600",
              "own A 192.0.2.3 600",
              "explicit A 192.0.2.1 600",
              "explicit A 192.0.2.3 600",
            ],
          );
        },
      );
    },
  );

  it("in a batch fails the up by its id while it lives; additions are made; the console's removal settles it", () =>
    story(
      { program: batch("a 600 A 192.0.2.1", "b 600 A 192.0.2.2") },
      async ({ emulator, stack, up, failing, quietUp }) => {
        await up();
        const b = emulator.admin.zone("example.com", { hold: false }).find(({ name }) => name === "b");
        stack.program(batch("a 600 A 192.0.2.1", "c 600 A 192.0.2.3"));
        const first = await failing();
        says(
          first,
          `b.example.com. A 192.0.2.2 (record ${b?.id})`,
          "still live",
          "console",
          "LEGACYDNS_REMOVAL=retain pulumi up",
        );
        assert.deepEqual(zoneLines(emulator, "example.com"), [
          "a A 192.0.2.1 600",
          "b A 192.0.2.2 600",
          "c A 192.0.2.3 600",
        ]);
        const again = await failing();
        says(again, `record ${b?.id}`);
        assert.equal(writesOf(emulator), 0);
        emulator.admin.removeRecord("example.com", { name: "b", type: "A" });
        await up();
        assert.equal(writesOf(emulator), 0);
        await quietUp();
      },
    ));

  byBothFrontEnds(
    "in a `Record` whose value changes stands as a pending deletion that every up names",
    (frontEnd) =>
      story({ frontEnd, program: record({}) }, async ({ emulator, stack, up, failing, quietUp }) => {
        await up();
        const [old] = idsOf(emulator, "example.com");
        stack.program(record({ value: "192.0.2.2" }));
        // As in the preview of the same edit.
        const beside =
          "Meanwhile it is still answered, old and new beside each other where another value is declared at the same name. Ways out: remove it in the service's console and run the same command again; or declare it; or leave it";
        says(await failing(), `one.example.com. A 192.0.2.1 (record ${old})`, "still live", beside);
        assert.deepEqual(zoneLines(emulator, "example.com"), ["one A 192.0.2.1 600", "one A 192.0.2.2 600"]);
        assert.deepEqual(
          stack
            .resources()
            .map((resource) => resource.delete === true)
            .sort(),
          [false, true],
        );
        says(await failing(), `record ${old}`, beside);
        assert.equal(writesOf(emulator), 0);
        emulator.admin.removeRecord("example.com", Number(old));
        await up();
        assert.equal(stack.resources().length, 1);
        await quietUp();
      }),
  );

  it("stays without an error under `retain`, for the whole stack or for one resource", () =>
    story(
      { program: batch("a 600 A 192.0.2.1", "b 600 A 192.0.2.2") + record({ removal: "retain" }) },
      async ({ emulator, stack, up, deploy, quietUp }) => {
        await up();
        const lines = zoneLines(emulator, "example.com");
        stack.program(batch("a 600 A 192.0.2.1") + record({ value: "192.0.2.9", removal: "retain" }));
        const preview = await stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "preview");
        assert.equal(preview.code, 0, preview.output);
        says(
          preview,
          /b\.example\.com\. A 192\.0\.2\.2 \(record \d+\): no longer declared, left in the zone \(removal: retain\)/,
          /one\.example\.com\. A 192\.0\.2\.1 \(record \d+\): no longer declared, left in the zone \(removal: retain\)/,
        );
        assert.doesNotMatch(preview.output, /example\.com: 1 record no longer declared/);
        stack.program(batch("a 600 A 192.0.2.1"));
        // The Record goes by its own option, the batch's record by the environment.
        const run = await stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "up", "--yes", "--skip-preview");
        assert.equal(run.code, 0, run.output);
        says(run, "b.example.com. A 192.0.2.2", "one.example.com. A 192.0.2.1", "removal: retain");
        assert.deepEqual(zoneLines(emulator, "example.com"), lines);
        await quietUp();
        const own = await deploy(
          'new dns.RecordBatch("zone", { domains: "example.com", removal: "retain", records: ["c 600 A 192.0.2.3"] });',
        );
        says(own, "a.example.com. A 192.0.2.1", "removal: retain");
        await quietUp();
      },
    ));

  it("is verified by destroy, which names every id; `LEGACYDNS_REMOVAL=retain pulumi destroy` lets go", () =>
    story(
      {
        service: {
          domains: [{ name: "example.com", records: [{ name: "live", type: "A", value: "192.0.2.7" }] }],
        },
        program: batch("a 600 A 192.0.2.1", "b 600 A 192.0.2.2") + record({}),
      },
      async ({ emulator, stack, up }) => {
        await up();
        assert.equal(countsOf(emulator)["Batch.Record.Create"], 1);
        stack.program(batch("a 600 A 192.0.2.1", "b 600 A 192.0.2.2", "live A 192.0.2.7") + record({}));
        await up();
        const ids = idsOf(emulator, "example.com");
        const refused = await stack.destroy();
        assert.notEqual(refused.code, 0);
        noStack(refused);
        says(refused, "LEGACYDNS_REMOVAL=retain pulumi destroy");
        assert.ok(
          ids.some((id) => refused.output.includes(`record ${id}`)),
          refused.output,
        );
        const continued = await stack.destroy("--continue-on-error");
        for (const id of ids) says(continued, `record ${id}`);
        // The remedies appear once, though both resources fail.
        const told = continued.output.slice(continued.output.indexOf("Diagnostics:"));
        assert.equal(told.split("Ways out:").length, 2, continued.output);
        assert.doesNotMatch(continued.output, /declared/);
        says(
          { ...continued, output: told },
          /still live, and not removed\. The ways out are the same as for \S+ A \S+ \(record \d+\)/,
          "unless you gave `--continue-on-error`",
          /A record stays in the zone anyway, since the stack adopted it: live\.example\.com\. A 192\.0\.2\.7 \(record \d+\)/,
        );
        const retained = await stack.runWith(
          { LEGACYDNS_REMOVAL: "retain" },
          "destroy",
          "--yes",
          "--skip-preview",
        );
        assert.equal(retained.code, 0, retained.output);
        assert.equal(stack.resources().length, 0);
        assert.deepEqual(idsOf(emulator, "example.com"), ids);
        assert.equal(countsOf(emulator)["Batch.Record.Create"], undefined);
      },
    ));

  it("of a Record with `retainOnDelete` is left by the engine, if the last up had the option", () => {
    const one = (value: string): string =>
      `new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "${value}" }, { retainOnDelete: true });`;
    return story({ program: one("192.0.2.1") }, async ({ emulator, deploy, up }) => {
      await up();
      await deploy(one("192.0.2.2"));
      assert.deepEqual(zoneLines(emulator, "example.com"), ["one A 192.0.2.1 600", "one A 192.0.2.2 600"]);
    });
  });
});

describe("a change that the service cannot make", () => {
  it("is refused in the preview and before any write: TTL of both kinds of resource, a CNAME against other data", () =>
    story(
      { program: batch("a 600 A 192.0.2.1") + record({}) },
      async ({ emulator, stack, up, quietUp, failing }) => {
        await up();
        const id = (name: string): number =>
          emulator.admin.zone("example.com").find((each) => each.name === name)?.id ?? 0;
        const lines = zoneLines(emulator, "example.com");
        const programs: [string, (string | RegExp)[]][] = [
          [
            batch("a 60 A 192.0.2.1", "new A 192.0.2.9") + record({}),
            [`record ${id("a")} is live with TTL 600, and 60 is declared`],
          ],
          [
            batch("a 600 A 192.0.2.1") + record({ ttl: 60 }),
            [`record ${id("one")} is live with TTL 600, and 60 is declared`],
          ],
          [
            batch("a 600 CNAME www.example.net") + record({}),
            ["a CNAME stands alone", `(record ${id("a")})`, "; meanwhile it is still answered. Ways out"],
          ],
          [
            batch("a 600 A 192.0.2.1") + record({ type: "CNAME", value: "www.example.net" }),
            ["a CNAME stands alone", `(record ${id("one")})`, "; meanwhile it is still answered. Ways out"],
          ],
        ];
        for (const [program, texts] of programs) {
          stack.program(program);
          emulator.admin.clearCalls();
          const preview = await stack.preview();
          assert.notEqual(preview.code, 0, preview.output);
          noStack(preview);
          says(preview, ...texts, "console");
          assert.equal(writesOf(emulator), 0);
        }
        await failing();
        assert.equal(writesOf(emulator), 0);
        assert.deepEqual(zoneLines(emulator, "example.com"), lines);
        stack.program(batch("a 600 A 192.0.2.1") + record({}));
        await quietUp();
      },
    ));
});
