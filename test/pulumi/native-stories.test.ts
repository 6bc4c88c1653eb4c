/** The life of records of a program that knows only the resources' types, as in any language, in both modes. */
import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { bare } from "../support/native";
import {
  countsOf,
  fails,
  idsOf,
  must,
  type Run,
  says,
  type Stack,
  story,
  writesOf,
  zoneLines,
} from "../support/story";

type Item =
  | { readonly type: "wait" }
  | { readonly type: "Record" | "RecordBatch"; readonly name: string; readonly inputs: object };

const batch = (name: string, records: readonly string[], domain = "example.com"): Item => ({
  type: "RecordBatch",
  name,
  inputs: { domains: [domain], records },
});
const record = (value: string, ttl: number): Item => ({
  type: "Record",
  name: "one",
  inputs: { domain: "example.com", name: "one", type: "A", value, ttl },
});
const moved = "moved 600 A 192.0.2.3";
const other = ["x 600 A 192.0.2.9"];
/** Every program of the stories. The batch in example.net is renamed. `wait` is long enough for an update of `zone`. */
const programs = {
  first: [
    batch("zone", ["www 600 A 192.0.2.1", "old 600 A 192.0.2.2", "ttl 600 A 192.0.2.5", moved]),
    batch("before", other, "example.net"),
    record("192.0.2.4", 600),
  ],
  edited: [
    batch("zone", ["www 600 A 192.0.2.11", "ttl 300 A 192.0.2.5"]),
    { type: "wait" },
    batch("late", [moved]),
    batch("after", other, "example.net"),
    record("192.0.2.14", 300),
  ],
  documented: [
    batch("zone", ["www 600 A 192.0.2.11", "ttl 600 A 192.0.2.5", moved]),
    batch("after", other, "example.net"),
    record("192.0.2.4", 600),
  ],
  ttl: [
    batch("zone", ["www 600 A 192.0.2.11", "ttl 300 A 192.0.2.5", moved]),
    batch("after", other, "example.net"),
    record("192.0.2.4", 600),
  ],
} as const satisfies Record<string, readonly Item[]>;

type RunProgram = (command: string, program: readonly Item[], env?: Record<string, string>) => Promise<Run>;

const runOn =
  (stack: Stack): RunProgram =>
  (command, program, env = {}) => {
    stack.program(`${bare}
      module.exports = async () => {
        for (const { type, name, inputs } of ${JSON.stringify(program)})
          if (type === "wait") await invoke("getDomains", {});
          else new { Record, RecordBatch }[type](name, inputs);
      };`);
    const words = command === "repair" ? ["up", "--refresh"] : [command];
    return stack.runWith(env, ...words, "--yes", "--skip-preview");
  };

async function created(emulator: Emulator, run: RunProgram): Promise<void> {
  await must(run("up", programs.first));
  assert.deepEqual(zoneLines(emulator, "example.com"), [
    "moved A 192.0.2.3 600",
    "old A 192.0.2.2 600",
    "one A 192.0.2.4 600",
    "ttl A 192.0.2.5 600",
    "www A 192.0.2.1 600",
  ]);
}

async function full(emulator: Emulator, run: RunProgram): Promise<void> {
  await created(emulator, run);
  const renamed = idsOf(emulator, "example.net");
  emulator.admin.addFault({ operation: "Domain.List", when: "before", kind: "slow", ms: 4_000, count: 1 });
  await must(run("up", programs.edited));
  const after = [
    "moved A 192.0.2.3 600",
    "one A 192.0.2.14 300",
    "ttl A 192.0.2.5 300",
    "www A 192.0.2.11 600",
  ];
  assert.deepEqual(zoneLines(emulator, "example.com"), after);
  assert.deepEqual(idsOf(emulator, "example.net"), renamed);

  emulator.admin.setRecord("example.com", { name: "ttl", type: "A" }, { ttl: 60 });
  emulator.admin.removeRecord("example.com", { name: "www", type: "A" });
  await must(run("repair", programs.edited));
  assert.deepEqual(zoneLines(emulator, "example.com"), after);
  await must(run("destroy", programs.edited));
  assert.deepEqual([zoneLines(emulator, "example.com"), zoneLines(emulator, "example.net")], [[], []]);
}

async function documented(emulator: Emulator, run: RunProgram): Promise<void> {
  await created(emulator, run);
  const renamed = idsOf(emulator, "example.net");
  const edited = await fails(run("up", programs.documented));
  says(edited, "www.example.com. A 192.0.2.1 ", "old.example.com. A 192.0.2.2 ");
  const both = zoneLines(emulator, "example.com").filter((line) => /^(old|www) /.test(line));
  assert.deepEqual(both, ["old A 192.0.2.2 600", "www A 192.0.2.1 600", "www A 192.0.2.11 600"]);
  assert.deepEqual(idsOf(emulator, "example.net"), renamed);

  emulator.admin.removeRecord("example.com", { name: "old", type: "A" });
  emulator.admin.removeRecord("example.com", { name: "www", type: "A", value: "192.0.2.1" });
  emulator.admin.clearCalls();
  await fails(run("up", programs.ttl));
  assert.equal(writesOf(emulator), 0);

  emulator.admin.removeRecord("example.com", { name: "www", type: "A" });
  await must(run("repair", programs.documented));
  const after = zoneLines(emulator, "example.com");
  assert.deepEqual(after, [
    "moved A 192.0.2.3 600",
    "one A 192.0.2.4 600",
    "ttl A 192.0.2.5 600",
    "www A 192.0.2.11 600",
  ]);
  await must(run("destroy", programs.documented, { LEGACYDNS_REMOVAL: "retain" }));
  assert.deepEqual(zoneLines(emulator, "example.com"), after);
  assert.equal(countsOf(emulator)["Record.Remove"], undefined);
}

describe("records of bare types", () => {
  for (const [mode, way, undocumented] of [
    ["full mode", full, true],
    ["documented mode", documented, false],
  ] as const)
    it(`are made, edited, moved, renamed, repaired and destroyed in ${mode}`, () => {
      const env = {
        LEGACYDNS_UNDOCUMENTED_OPERATIONS: String(undocumented),
        LEGACYDNS_MAX_CHANGE_SHARE: "100",
      };
      const options = { plugin: true, env, service: { settings: { undocumented } } };
      return story(options, async ({ emulator, stack }) => {
        await way(emulator, runOn(stack));
        assert.deepEqual(stack.resources(), []);
      });
    });
});
