/** Records that move from one resource to another: nothing is written, nothing lost, no id changes. */
import assert from "node:assert/strict";
import { bare } from "../support/native";
import { byBothFrontEnds, idsOf, must, says, story, type Story } from "../support/story";

const fullMode = {
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
  service: { settings: { undocumented: true } },
};
const [kept, other, moved] = [
  "kept 600 A 192.0.2.8",
  "other 600 A 192.0.2.9",
  "moved 600 A 192.0.2.1",
] as const;

/** @returns whether the preview warns that the record may have a gap */
async function warns({ emulator, stack }: Story, program: string): Promise<boolean> {
  const id = emulator.admin.zone("example.com").find(({ name }) => name === "moved")?.id;
  stack.program(program);
  const { output } = await must(stack.preview());
  const isNamed = new RegExp(
    `\\[live\\.moves\\]\\n +moved\\.example\\.com\\. A 192\\.0\\.2\\.1 +record ${id}\\n`,
  );
  assert.equal(isNamed.test(output), output.includes("live.moves"), output);
  return isNamed.test(output);
}

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
      const five = Array.from({ length: 5 }, (_, i) => `v${i} 600 A 192.0.2.${i}`);
      const batches = (one: readonly string[], two: readonly string[]): string =>
        Object.entries({ one, two })
          .map(
            ([name, lines]) =>
              `new dns.RecordBatch("${name}", { domains: "example.com", records: ${JSON.stringify(lines)} });\n`,
          )
          .join("");
      return story(
        {
          frontEnd,
          program: batches([kept, ...five], [other]),
          ...fullMode,
        },
        async ({ emulator, stack, up, deploy, quietUp }) => {
          await up();
          const ids = idsOf(emulator, "example.com");
          const released = await deploy(batches([kept], [other, ...five]), "--target", "**one");
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

  byBothFrontEnds(
    "have no answer for a moment if the program awaits something before it constructs the receiver, and the preview says so",
    (frontEnd) => {
      const batch = (name: string, ...lines: string[]): string =>
        `const ${name} = new dns.RecordBatch("${name}", { domains: "example.com", records: ${JSON.stringify(lines)} });`;
      const pause = "await new Promise((done) => one.id.apply(done));";
      const main = (...steps: readonly string[]): string =>
        `module.exports = async () => { ${steps.join(" ")} };`;
      const before = main(batch("one", kept, moved), batch("two", other));
      return story({ frontEnd, ...fullMode, program: before }, async (told) => {
        await told.up();
        const ids = idsOf(told.emulator, "example.com");
        const late = main(batch("one", kept), pause, batch("two", other, moved));
        assert.equal(await warns(told, late), true);
        const { output } = await told.up();
        assert.doesNotMatch(output, /live\.moves/);
        const after = idsOf(told.emulator, "example.com");
        assert.deepEqual([after.length, after.filter((id) => ids.includes(id)).length], [3, 2]);
        const early = main(batch("one", kept, moved), batch("two", other), pause);
        assert.equal(await warns(told, early), false);
        await told.up();
        assert.deepEqual(idsOf(told.emulator, "example.com"), after);
      });
    },
  );

  it("stay in a language without a manifest if the resource that loses them depends on the receiver", () => {
    const batch = (name: string, records: string, options = ""): string =>
      `new RecordBatch("${name}", { domains: ["example.com"], records: ${records} }, { ${options} });`;
    const list = (...lines: string[]): string => JSON.stringify(lines);
    // An SDK registers a resource as soon as its inputs are there, in any order.
    const late = (begin: (work: string) => string): string =>
      batch("two", `new Promise((done) => ${begin(`() => done(${list(other, moved)})`)})`);
    const alone = `${bare} const loser = ${batch("one", list(kept))} ${late((work) => `loser.id.apply(${work})`)}`;
    const depending = `${bare} const receiver = ${late((work) => `setTimeout(${work}, 1_000)`)} ${batch("one", list(kept), "dependsOn: [receiver]")}`;
    const before = `${bare} ${batch("one", list(kept, moved))} ${batch("two", list(other))}`;
    return story({ plugin: true, ...fullMode, program: before }, async (told) => {
      await told.up();
      const ids = idsOf(told.emulator, "example.com");
      assert.equal(await warns(told, alone), true);
      assert.equal(await warns(told, depending), false);
      await told.up();
      assert.deepEqual(idsOf(told.emulator, "example.com"), ids);
    });
  });
});
