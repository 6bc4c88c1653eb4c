/** Records that move from one resource to another: nothing is written, nothing lost, no id changes. */
import assert from "node:assert/strict";
import { idsOf, writesOf, zoneLines } from "../support/service";
import { byBothFrontEnds, says, story, type Story } from "../support/story";

const fifty = (each: string): string => `const hosts = Array.from({ length: 50 }, (_, i) => i + 1);\n${each}`;
const batch = (name: string, from: number, to: number): string => `
  new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: Array.from({ length: ${to - from + 1} },
    (_, i) => ({ name: "host" + (i + ${from}), type: "A", value: "192.0.2." + (i + ${from}), ttl: 600 })) });`;
const single = fifty(
  'for (const n of hosts) new dns.Record("host" + n, { domain: "example.com", name: "host" + n, type: "A", value: "192.0.2." + n, ttl: 600 });',
);

/** Deploys another program over the same zone: one up, no write, every record as it was. */
async function moves({ emulator, deploy }: Story, program: string): Promise<void> {
  const ids = idsOf(emulator, "example.com");
  const lines = zoneLines(emulator, "example.com");
  const run = await deploy(program);
  assert.equal(writesOf(emulator), 0, run.output);
  assert.equal(emulator.admin.counts()["Record.List"] ?? 0, 1, `the zone is read once:\n${run.output}`);
  assert.deepEqual(idsOf(emulator, "example.com"), ids);
  assert.deepEqual(zoneLines(emulator, "example.com"), lines);
}

describe("records that move between resources", () => {
  it("go by fifty from `Record` into a `RecordBatch`, are split into two, joined and taken apart again", () =>
    story({ program: single }, async (told) => {
      // By default the engine runs four creations per core at a time. Only those can share a job.
      const first = await told.up("--parallel", "64");
      // One job if the machine asks for all of them within the quiet window.
      assert.ok((told.emulator.admin.counts()["Batch.Record.Create"] ?? 0) <= 10, first.output);
      await moves(told, batch("all", 1, 50));
      await moves(told, batch("all", 1, 20) + batch("rest", 21, 50));
      await told.quietUp();
      await moves(told, batch("all", 1, 50));
      await moves(told, single);
      await told.quietUp();
    }));

  byBothFrontEnds(
    "change hands between Records, or go to a new batch, without a warning of an error that will not come",
    (frontEnd) => {
      const record = (name: string, host: string, end: number): string =>
        `new dns.Record("${name}", { domain: "example.com", name: "${host}", type: "A", value: "192.0.2.${end}", ttl: 600 });`;
      return story(
        { frontEnd, program: record("a", "a", 1) + record("b", "b", 2) + record("c", "c", 3) },
        async (told) => {
          await told.up();
          const program =
            record("a", "b", 2) +
            record("b", "a", 1) +
            record("c", "c", 4) +
            'new dns.RecordBatch("new", { domains: "example.com", records: ["c 600 A 192.0.2.3"] });';
          told.stack.program(program);
          for (const run of [await told.stack.preview("--diff"), await told.up()]) {
            assert.equal(run.code, 0, run.output);
            assert.doesNotMatch(run.output, /an up will end with an error|still live/);
          }
          assert.deepEqual(zoneLines(told.emulator, "example.com"), [
            "a A 192.0.2.1 600",
            "b A 192.0.2.2 600",
            "c A 192.0.2.3 600",
            "c A 192.0.2.4 600",
          ]);
          await told.quietUp();
        },
      );
    },
  );

  it("change hands in the update that also drops one: the dropped one alone is named", () =>
    story({ program: batch("all", 1, 6) }, async ({ emulator, stack, up, failing, quietUp }) => {
      await up();
      const ids = idsOf(emulator, "example.com");
      stack.program(batch("all", 1, 2) + batch("rest", 3, 5));
      const run = await failing();
      says(run, /host6\.example\.com\. A 192\.0\.2\.6 \(record \d+\) still live, though not declared/);
      assert.doesNotMatch(run.output, /host[345]\.example\.com\. A .* still live, though not declared/);
      assert.deepEqual(idsOf(emulator, "example.com"), ids);
      assert.equal(writesOf(emulator), 0);
      emulator.admin.removeRecord("example.com", { name: "host6", type: "A" });
      await up();
      await quietUp();
    }));

  for (const mode of ["full", "documented"]) {
    byBothFrontEnds(
      `stay where they are when their resource gets another provider of the same account, in ${mode} mode`,
      (frontEnd) => {
        const full = mode === "full";
        const settings = `{ baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, requestsPerSecond: 1000, stateDir: process.env.LEGACYDNS_STATE_DIR, undocumentedOperations: ${full} }`;
        const providers = `const p = new dns.Provider("p", ${settings}); const q = new dns.Provider("q", ${settings});`;
        const batch = (name: string, options: string): string =>
          `new dns.RecordBatch("${name}", { domains: "example.com", records: ["v1 A 192.0.2.1", "v2 A 192.0.2.2", { name: "vs", type: "TXT", value: pulumi.secret("hush-one") }] }, ${options});`;
        const record = (options: string): string =>
          `new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.3" }, ${options});`;
        const env = full ? { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" } : {};
        return story(
          {
            frontEnd,
            program: providers + batch("one", "{ provider: p }") + record("{ provider: p }"),
            env,
            service: { settings: { undocumented: full } },
          },
          async (told) => {
            await told.up();
            const ids = idsOf(told.emulator, "example.com");
            assert.equal(ids.length, 4);
            for (const program of [
              providers + batch("two", "{}") + record("{}"),
              providers + batch("three", "{ provider: q }") + record("{ provider: q }"),
              batch("four", "{}") + record("{}"),
            ]) {
              const { output } = await told.deploy(program);
              assert.deepEqual(idsOf(told.emulator, "example.com"), ids, output);
              assert.match(output, /taken over by another resource of this program/);
              assert.doesNotMatch(output, /hush/);
            }
            await told.quietUp();
          },
        );
      },
    );
  }
});
