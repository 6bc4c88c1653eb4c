/** Records that move from one resource to another: nothing is written, nothing lost, no id changes. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { bare } from "../support/native";
import { batch, provider, record } from "../support/programs";
import { byBothFrontEnds, fullMode, must, says, story, type Story } from "../support/story";

const [kept, other, moved] = [
  "kept 600 A 192.0.2.8",
  "other 600 A 192.0.2.9",
  "moved 600 A 192.0.2.1",
] as const;

/** @returns whether the preview warns that the record may have a gap */
async function warns({ admin, stack }: Story, program: string): Promise<boolean> {
  const id = admin.zone("example.com").find(({ name }) => name === "moved")?.id;
  stack.program(program);
  const { output } = await must(stack.preview());
  const isNamed = new RegExp(
    `\\[live\\.moves\\]\\n +moved\\.example\\.com\\. A 192\\.0\\.2\\.1 +record ${id}\\n`,
  );
  equal(isNamed.test(output), output.includes("live.moves"), output);
  return isNamed.test(output);
}

describe("records that move between resources", () => {
  for (const mode of ["full", "documented"]) {
    const settings = `stateDir: process.env.LEGACYDNS_STATE_DIR, undocumentedOperations: ${mode === "full"}`;
    const providers = provider("p", settings) + provider("q", settings);
    const secret = '{ name: "vs", type: "TXT", value: pulumi.secret("hush-one") }';
    const resources = (name: string, options = "{}") =>
      `new dns.RecordBatch("${name}", { domains: "example.com", records: ["v1 A 192.0.2.1", "v2 A 192.0.2.2", ${secret}] }, ${options});` +
      record("one", "192.0.2.3", { ttl: undefined }, options);
    byBothFrontEnds(
      `keep their ids if their resource gets another provider of the same account, in ${mode} mode`,
      { ...(mode === "full" ? fullMode : {}), program: providers + resources("one", "{ provider: p }") },
      async ({ up, deploy, quietUp, ids }) => {
        await up();
        const before = ids();
        equal(before.length, 4);
        for (const moved of [
          providers + resources("two"),
          providers + resources("three", "{ provider: q }"),
          resources("four"),
        ]) {
          const { output } = await deploy(moved);
          deepEqual(ids(), before, output);
          match(output, /taken over by another resource of this program/);
          doesNotMatch(output, /hush/);
        }
        await quietUp();
      },
    );
  }

  const five = Array.from({ length: 5 }, (_, i) => `v${i} 600 A 192.0.2.${i}`);
  byBothFrontEnds(
    "stay live if `--target` leaves out the resource that receives them, and are all listed",
    { program: batch("one", [kept, ...five]) + batch("two", [other]), ...fullMode },
    async ({ stack, up, deploy, quietUp, ids }) => {
      await up();
      const before = ids();
      const after = batch("one", [kept]) + batch("two", [other, ...five]);
      const released = await deploy(after, "--target", "**one");
      says(
        released,
        /5 records taken over by another resource of this program:(\n +v\d\.example\.com\. A .* \(record \d+\)){5}\n/,
      );
      deepEqual(ids(), before);
      await up();
      deepEqual(ids(), before);
      await quietUp();
      await must(stack.destroy());
      deepEqual(ids(), []);
    },
  );

  const one = (...records: string[]) => `const one = ${batch("one", records)}`;
  const main = (...steps: readonly string[]) => `module.exports = async () => { ${steps.join(" ")} };`;
  byBothFrontEnds(
    "have no answer for a moment if the program awaits something before it constructs the receiver, and the preview says so",
    { ...fullMode, program: main(one(kept, moved), batch("two", [other])) },
    async (told) => {
      const pause = "await new Promise((done) => one.id.apply(done));";
      await told.up();
      const before = told.ids();
      const late = main(one(kept), pause, batch("two", [other, moved]));
      equal(await warns(told, late), true);
      const { output } = await told.up();
      doesNotMatch(output, /live\.moves/);
      const after = told.ids();
      deepEqual([after.length, after.filter((id) => before.includes(id)).length], [3, 2]);
      const early = main(one(kept, moved), batch("two", [other]), pause);
      equal(await warns(told, early), false);
      await told.up();
      deepEqual(told.ids(), after);
    },
  );

  it("stay in a language without a manifest if the resource that loses them depends on the receiver", () => {
    const bareBatch = (name: string, records: string, options = "") =>
      `new RecordBatch("${name}", { domains: ["example.com"], records: ${records} }, { ${options} });`;
    const list = (...lines: string[]) => JSON.stringify(lines);
    // An SDK registers a resource as soon as its inputs are there, in any order.
    const late = (begin: (work: string) => string) =>
      bareBatch("two", `new Promise((done) => ${begin(`() => done(${list(other, moved)})`)})`);
    const alone = `${bare} const loser = ${bareBatch("one", list(kept))} ${late((work) => `loser.id.apply(${work})`)}`;
    const depending = `${bare} const receiver = ${late((work) => `setTimeout(${work}, 1_000)`)} ${bareBatch("one", list(kept), "dependsOn: [receiver]")}`;
    const program = `${bare} ${bareBatch("one", list(kept, moved))} ${bareBatch("two", list(other))}`;
    return story({ plugin: true, ...fullMode, program }, async (told) => {
      await told.up();
      const before = told.ids();
      equal(await warns(told, alone), true);
      equal(await warns(told, depending), false);
      await told.up();
      deepEqual(told.ids(), before);
    });
  });
});
