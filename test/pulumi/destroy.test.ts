/** What `pulumi destroy` takes and what it leaves. */
import assert from "node:assert/strict";
import { zoneLines } from "../support/service";
import { byBothFrontEnds, says, story } from "../support/story";

const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };

function zone(name: string, ...lines: string[]): string {
  return `new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: ${JSON.stringify(lines)} });`;
}

describe("a destroy", () => {
  byBothFrontEnds(
    "of 24 single records is stopped by the gate however often it is repeated, and says what it had begun",
    (frontEnd) => {
      const program =
        'for (let i = 0; i < 24; i += 1) new dns.Record(`r${i}`, { domain: "example.com", name: `r${i}`, type: "A", value: `192.0.2.${i}` });';
      return story(
        { frontEnd, env, service: { settings: { undocumented: true } }, program },
        async ({ emulator, stack, up }) => {
          await up();
          const first = await stack.destroy("--parallel", "4");
          assert.notEqual(first.code, 0, first.output);
          const left = zoneLines(emulator, "example.com").length;
          assert.ok(left >= 16 && left < 24, `${left} are left`);
          says(
            first,
            /this run would remove at least \d+ and change 0 of its 24 records \(\d+ %\)/,
            /The run had begun \d+ of these before it knew of the others, and does nothing further/,
          );
          for (let run = 0; run < 2; run += 1) {
            const again = await stack.destroy("--parallel", "4");
            assert.notEqual(again.code, 0, again.output);
          }
          // A share below the limit may still go, never more.
          assert.ok(
            zoneLines(emulator, "example.com").length >= 16,
            `${zoneLines(emulator, "example.com").length} are left`,
          );
          const named = await stack.runWith(
            { LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
            "destroy",
            "--yes",
            "--skip-preview",
          );
          assert.equal(named.code, 0, named.output);
          assert.deepEqual(zoneLines(emulator, "example.com"), []);
        },
      );
    },
  );

  byBothFrontEnds(
    "with --run-program counts as an up: the gate stands, and says that without the option what was adopted stays",
    async (frontEnd) => {
      const records = Array.from({ length: 12 }, (_, i) => ({
        name: `h${i}`,
        type: "A",
        value: `192.0.2.${i}`,
      }));
      await story(
        {
          frontEnd,
          env,
          service: { domains: [{ name: "example.com", records }], settings: { undocumented: true } },
          program: zone("live", ...records.map(({ name, value }) => `${name} 600 A ${value}`)),
        },
        async ({ emulator, stack, up }) => {
          await up();
          const refused = await stack.destroy("--run-program");
          assert.notEqual(refused.code, 0, refused.output);
          says(
            refused,
            "this run would remove 12 and change 0 of its 12 records (100 %)",
            "A `pulumi destroy --run-program` counts as an up and takes what was adopted as well; without that option it stays",
          );
          assert.equal(zoneLines(emulator, "example.com").length, 12);
          const run = await stack.destroy();
          assert.equal(run.code, 0, run.output);
          assert.equal(zoneLines(emulator, "example.com").length, 12);
        },
      );
    },
  );

  byBothFrontEnds("that fails names ten adopted records and counts the rest", async (frontEnd) => {
    const live = Array.from({ length: 12 }, (_, i) => ({
      name: `a${i}`,
      type: "A",
      value: `192.0.2.${i + 1}`,
      ttl: 600,
    }));
    const lines = (some: typeof live): string[] => some.map(({ name, value }) => `${name} 600 A ${value}`);
    await story(
      {
        frontEnd,
        service: { domains: [{ name: "example.com", records: live }] },
        program: zone("all", "new 600 A 192.0.2.99", ...lines(live)),
      },
      async ({ deploy, stack, up }) => {
        await up();
        const many = await stack.destroy();
        assert.notEqual(many.code, 0);
        says(
          many,
          /new\.example\.com\. A 192\.0\.2\.99 \(record \d+\) still live, and not removed; .* 12 records stay in the zone anyway, since the stack adopted them: (?:a\d+\.example\.com\. A \S+ \(record \d+\); ){10}and 2 more/,
        );
        await deploy(
          zone("all", "new 600 A 192.0.2.99", ...lines(live.slice(0, 5))).replace(
            "] });",
            '], removal: "retain" });',
          ),
        );
        await deploy(zone("all", "new 600 A 192.0.2.99", ...lines(live.slice(0, 5))));
        const few = await stack.destroy();
        says(
          few,
          /5 records stay in the zone anyway, since the stack adopted them: (?:a\d+\.example\.com\. A \S+ \(record \d+\)(?:; |\n)){5}/,
        );
      },
    );
  });

  byBothFrontEnds(
    "says nothing false of what an up that failed has taken over: it goes with the resource that made it",
    (frontEnd) => {
      const common = `const p = new dns.Provider("p", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, requestsPerSecond: 1000, stateDir: process.env.LEGACYDNS_STATE_DIR, undocumentedOperations: true });
      class Broken extends pulumi.dynamic.Resource { constructor(opts) { super({ create: async () => { throw new Error("broken"); } }, "broken", {}, opts); } }`;
      const taker = (...lines: string[]): string =>
        `const taker = new dns.RecordBatch("taker", { domains: "example.com", records: ${JSON.stringify(["k1 A 192.0.2.1", "live A 192.0.2.9", ...lines])} }, { provider: p });`;
      const giver = (lines: readonly string[], rest = ""): string =>
        `new dns.Zone("giver", { domain: "example.com", records: ${JSON.stringify(lines)} }${rest});`;
      const dup =
        'new dns.Record("dup", { domain: "example.com", name: "dup", type: "A", value: "192.0.2.2" });';
      const service = {
        domains: [{ name: "example.com", records: [{ name: "live", type: "A", value: "192.0.2.9" }] }],
        settings: { undocumented: true },
      };
      return story(
        {
          frontEnd,
          env,
          service,
          program: common + taker() + dup + giver(["z1 A 192.0.2.3", "z2 A 192.0.2.4"]),
        },
        async ({ emulator, stack, up, failing }) => {
          await up();
          stack.program(
            `${common}${taker("dup A 192.0.2.2", "z1 A 192.0.2.3")} const broken = new Broken({ dependsOn: [taker] }); ${giver(["z2 A 192.0.2.4"], ", { dependsOn: [broken] }")}`,
          );
          await failing();
          const run = await stack.destroy();
          assert.equal(run.code, 0, run.output);
          assert.deepEqual(zoneLines(emulator, "example.com"), ["live A 192.0.2.9 600"]);
          says(
            run,
            /live\.example\.com\. A 192\.0\.2\.9 \(record \d+\).*: adopted, not made, by the deleted resource, and left in the zone\. A destroy removes each record with the resource that made it/,
          );
          assert.doesNotMatch(run.output, /by this stack/);
        },
      );
    },
  );
});
