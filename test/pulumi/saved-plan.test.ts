import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../support/page";
import { zone } from "../support/programs";
import { byBothFrontEnds, fails, fullMode, must, noStack, says, story, type Story } from "../support/story";

const page = read("docs/pipelines.md");
const [save = "", deploy = ""] = [...page.matchAll(/^```sh\n(pulumi [^\n]*)\n```$/gm)].map(
  ([, command = ""]) => command,
);

const zoneWith = (...records: string[]) => zone(["www 600 A 192.0.2.1", ...records]);
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
const source = (address: string) => {
  const outs = `{ value: "${address}", list: ["l1", "l2"].map((name) => ({ name, type: "A", value: "${address}", ttl: 600 })) }`;
  return `
    class Source extends pulumi.dynamic.Resource {
      constructor() {
        super({ create: async () => ({ id: "1", outs: ${outs} }), update: async () => ({ outs: ${outs} }) }, "source", { value: undefined, list: undefined });
      }
    }
    const source = new Source();`;
};

const later = (address: string) => `${source(address)}
  new dns.Zone("com", { domain: "example.com", records: ["www 600 A 192.0.2.1", { name: "late", type: "A", value: source.value, ttl: 600 }] });
  new dns.RecordBatch("net", { domains: "example.net", records: source.list });
  new dns.RecordBatch("keys", { domains: "example.net", records: [
    { name: "k", type: "TXT", value: pulumi.secret("hunter2-hunter2"), ttl: 600 },
    { name: "s", type: "A", value: pulumi.secret(source.value), ttl: 600 },
  ] });
  // Only the update knows that this one is secret.
  new dns.RecordBatch("later", { domains: "example.com", records: [source.value.apply((value) => pulumi.secret("key 600 TXT hunter2-" + value))] });`;

/** Saves a plan and deploys it. No output or file shows a secret. @returns the preview */
async function followed({ stack, lines }: Story, address: string) {
  stack.program(later(address));
  const preview = await must(stack.shell(`${save} --diff`));
  for (const run of [preview, await must(stack.shell(deploy))]) {
    noStack(run);
    doesNotMatch(run.output, /hunter2|violates plan/);
  }
  doesNotMatch(readFileSync(join(stack.folder, "plan.json"), "utf8"), /hunter2/);
  doesNotMatch(await stack.state(), /hunter2/);
  deepEqual(lines(), [`key TXT hunter2-${address} 600`, `late A ${address} 600`, "www A 192.0.2.1 600"]);
  deepEqual(lines("example.net"), [
    "k TXT hunter2-hunter2 600",
    `l1 A ${address} 600`,
    `l2 A ${address} 600`,
    `s A ${address} 600`,
  ]);
  return preview;
}

describe("a saved plan, through the real engine", () => {
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

  byBothFrontEnds(
    "is followed for unknown values, an unknown list and first secrets; a difference is refused without a secret",
    { env, ...full },
    async (told) => {
      const first = await followed(told, "192.0.2.50");
      says(
        first,
        "  + k.example.net. 600 TXT (secret)\n",
        "  + late.example.com. 600 A (known after the update)\n",
      );
      // The values are unknown again, and records of the lists are live.
      const again = await followed(told, "192.0.2.51");
      says(again, /^ {2}\? late\.example\.com\. A 192\.0\.2\.50 \(record \d+\), stays, unless/m);
      await told.quietUp();

      const { admin, stack, writes } = told;
      const place = (name: string): void =>
        stack.program(
          `${later("192.0.2.51")} new dns.RecordBatch("b", { domains: "example.com", records: [{ name: "${name}", type: "TXT", value: pulumi.secret("hunter2") }] });`,
        );
      place("one");
      await must(stack.shell(save));
      place("two");
      admin.clearCalls();
      const other = await fails(stack.shell(deploy));
      says(other, "violates plan: properties changed", "two.example.com. TXT (secret 1)");
      doesNotMatch(other.output, /hunter2/);
      equal(writes(), 0);
    },
  );
});
