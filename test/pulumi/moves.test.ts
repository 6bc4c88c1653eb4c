/** Records that move from one resource to another: nothing is written, nothing lost, no id changes. */
import assert from "node:assert/strict";
import { byBothFrontEnds, idsOf, must, says, story } from "../support/story";

describe("records that move between resources", () => {
  for (const mode of ["full", "documented"]) {
    byBothFrontEnds(
      `keep their ids if their resource gets another provider of the same account, in ${mode} mode`,
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

  byBothFrontEnds(
    "stay live if `--target` leaves out the resource that receives them, and are all listed",
    (frontEnd) => {
      const moved = Array.from({ length: 5 }, (_, i) => `v${i} 600 A 192.0.2.${i}`);
      const batches = (one: readonly string[], two: readonly string[]): string =>
        Object.entries({ one, two })
          .map(
            ([name, lines]) =>
              `new dns.RecordBatch("${name}", { domains: "example.com", records: ${JSON.stringify(lines)} });\n`,
          )
          .join("");
      const [kept, other] = ["kept 600 A 192.0.2.8", "other 600 A 192.0.2.9"] as const;
      return story(
        {
          frontEnd,
          program: batches([kept, ...moved], [other]),
          env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
          service: { settings: { undocumented: true } },
        },
        async ({ emulator, stack, up, deploy, quietUp }) => {
          await up();
          const ids = idsOf(emulator, "example.com");
          const released = await deploy(batches([kept], [other, ...moved]), "--target", "**one");
          says(
            released,
            /5 records taken over by another resource of this program:(\n +v\d\.example\.com\. A .* \(record \d+\)){5}\n/,
          );
          assert.deepEqual(idsOf(emulator, "example.com"), ids);
          await up();
          assert.deepEqual(idsOf(emulator, "example.com"), ids);
          await quietUp();
          await must(stack.destroy());
          assert.deepEqual(idsOf(emulator, "example.com"), []);
        },
      );
    },
  );
});
