import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../support/page";
import { zone } from "../support/programs";
import { byBothFrontEnds, fails, fullMode, must, noStack, type Run, says, story } from "../support/story";

const page = read("docs/pipelines.md");
const [save = "", deploy = ""] = [...page.matchAll(/^```sh\n(pulumi [^\n]*)\n```$/gm)].map(
  ([, command = ""]) => command,
);

const zoneWith = (...records: string[]): string => zone(["www 600 A 192.0.2.1", ...records]);
const [a, b, c, d] = [
  "a 600 A 192.0.2.2",
  "b 600 A 192.0.2.3",
  "c 600 A 192.0.2.4",
  "d 600 A 192.0.2.5",
] as const;
const env = { STACK: "test" };
const full = {
  service: fullMode.service,
  config: { "legacydns:undocumentedOperations": "true", "legacydns:removal": "delete" },
};

/** A resource whose outputs a preview never knows. */
const source = (address: string): string => {
  const outs = `{ value: "${address}", list: ["l1", "l2"].map((name) => ({ name, type: "A", value: "${address}", ttl: 600 })) }`;
  return `
    class Source extends pulumi.dynamic.Resource {
      constructor() {
        super({ create: async () => ({ id: "1", outs: ${outs} }), update: async () => ({ outs: ${outs} }) }, "source", { value: undefined, list: undefined });
      }
    }
    const source = new Source();`;
};

const later = (address: string): string => `${source(address)}
  new dns.Zone("com", { domain: "example.com", records: ["www 600 A 192.0.2.1", { name: "late", type: "A", value: source.value, ttl: 600 }] });
  new dns.RecordBatch("net", { domains: "example.net", records: source.list });
  new dns.RecordBatch("keys", { domains: "example.net", records: [
    { name: "k", type: "TXT", value: pulumi.secret("hunter2-hunter2"), ttl: 600 },
    { name: "s", type: "A", value: pulumi.secret(source.value), ttl: 600 },
  ] });`;

describe("a saved plan, through the real engine", function () {
  this.timeout(240_000);

  it("is deployed as reviewed; any difference is refused before a write", () =>
    story({ program: zoneWith(), env }, async ({ admin, stack, quietUp, up, add, erase, lines, writes }) => {
      await must(stack.shell(save));
      equal(writes(), 0);
      await must(stack.shell(deploy));
      deepEqual(lines(), ["www A 192.0.2.1 600"]);
      await quietUp();

      stack.program(zoneWith(a));
      await must(stack.shell(save));
      stack.program(zoneWith(a, b));
      const other = await fails(stack.shell(deploy));
      says(other, "violates plan: properties changed", "b.example.com. 600 A 192.0.2.3");

      // Records of others are adopted, with the plan as without one.
      stack.program(zoneWith(a));
      add(a);
      await must(stack.shell(deploy));

      stack.program(zoneWith(a, c));
      await must(stack.shell(save));
      add("c CNAME example.org.");
      says(await fails(stack.shell(deploy)), /c\.example\.com\. CNAME example\.org\./);
      equal(writes(), 0);
      // The stack was deployed from elsewhere since: the plan knows nothing of it.
      erase("c", { type: "CNAME" });
      await up();
      stack.program(zoneWith(a, d));
      admin.clearCalls();
      await fails(stack.shell(deploy));
      equal(writes(), 0);
    }));

  byBothFrontEnds("is followed for unknown values, an unknown list and first secrets", (frontEnd) =>
    story({ frontEnd, env, ...full }, async ({ stack, quietUp, lines }) => {
      const followed = async (program: string): Promise<Run> => {
        stack.program(program);
        const preview = await must(stack.shell(`${save} --diff`));
        for (const run of [preview, await must(stack.shell(deploy))]) {
          noStack(run);
          doesNotMatch(run.output, /hunter2|violates plan/);
        }
        doesNotMatch(readFileSync(join(stack.folder, "plan.json"), "utf8"), /hunter2/);
        return preview;
      };

      const first = await followed(later("192.0.2.50"));
      says(
        first,
        "  + k.example.net. 600 TXT (secret)\n",
        "  + late.example.com. 600 A (known after the update)\n",
      );
      const after = (address: string): void => {
        deepEqual(lines(), [`late A ${address} 600`, "www A 192.0.2.1 600"]);
        deepEqual(lines("example.net"), [
          "k TXT hunter2-hunter2 600",
          `l1 A ${address} 600`,
          `l2 A ${address} 600`,
          `s A ${address} 600`,
        ]);
      };
      after("192.0.2.50");

      // The values are unknown again, and records of the lists are live.
      const again = await followed(later("192.0.2.51"));
      says(again, /^ {2}\? late\.example\.com\. A 192\.0\.2\.50 \(record \d+\), stays, unless/m);
      after("192.0.2.51");

      await quietUp();
    }),
  );

  byBothFrontEnds("is followed for a value that only the update knows to be secret", (frontEnd) =>
    story({ frontEnd, env }, async ({ stack, quietUp, lines }) => {
      stack.program(`${source("192.0.2.50")}
        new dns.RecordBatch("b", { domains: "example.com", records: ["www A 192.0.2.1", source.value.apply((value) => pulumi.secret("k TXT hunter2-" + value))] });`);
      await must(stack.shell(save));
      doesNotMatch((await must(stack.shell(deploy))).output, /hunter2/);
      ok(lines().some((line) => line.startsWith("k TXT hunter2-")));
      doesNotMatch(await stack.state(), /hunter2/);
      await quietUp();
    }),
  );

  byBothFrontEnds(
    "shows no secret of a batch whose place differs, and refuses it before a write",
    (frontEnd) =>
      story({ frontEnd, env }, async ({ stack, writes }) => {
        const batch = (name: string): string =>
          `new dns.RecordBatch("b", { domains: "example.com", records: [{ name: "${name}", type: "TXT", value: pulumi.secret("hunter2") }] });`;
        stack.program(batch("one"));
        await must(stack.shell(save));
        stack.program(batch("two"));
        const other = await fails(stack.shell(deploy));
        says(other, "violates plan: properties changed", "two.example.com. TXT (secret 1)");
        doesNotMatch(other.output, /hunter2/);
        equal(writes(), 0);
      }),
  );
});
