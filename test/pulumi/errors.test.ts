/**
 * Whole error outputs of the command line (snapshots/*.txt). No message has a stack trace or the token. Each
 * names the operation or the place in the program, the fault and the remedy.
 */
import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { settingsOf, startService } from "../support/service";
import { matchesSnapshot } from "../support/snapshot";
import { chosenFrontEnd, frontEnds, Stack, steady, type Run } from "../support/stack";
import { problem, says } from "../support/story";

const www =
  'new dns.Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 });';

/**
 * Differences of the native plugin: configuration errors are on the provider, progress is under its resource,
 * and output of Node.js is hidden. Otherwise only the types differ.
 */
const ownOfNative: ReadonlySet<string> = new Set(["unknown-setting", "http-500"]);

for (const frontEnd of chosenFrontEnd === undefined ? frontEnds : [chosenFrontEnd])
  describe(`the command line on a failure (${frontEnd})`, () => {
    /** One that a run with both front ends repeats by the native plugin; `npm run test:all` runs the others with it. */
    const repeated = it;
    const once = frontEnd === "native" && chosenFrontEnd === undefined ? (): void => undefined : it;
    let emulator: Emulator;
    let stack: Stack;

    before(async () => {
      emulator = await startService({
        accounts: [{ email: "owner@example.com" }, { email: "other@example.com" }],
        domains: ["example.com", "example.net", { name: "example.org", owner: "other@example.com" }],
      });
      stack = await Stack.create({ frontEnd, program: www, env: settingsOf(emulator) });
    });

    after(async () => {
      stack.dispose();
      await emulator.close();
    });

    afterEach(() => emulator.admin.clearFaults());

    /** A preview that must fail, kept whole. */
    async function fails(name: string, program: string, env: Record<string, string> = {}): Promise<void> {
      stack.program(program);
      emulator.admin.clearCalls();
      const run: Run = await stack.runWith(
        // Each failure has a process of its own, because a failed login stops later calls.
        { LEGACYDNS_STATE_DIR: `${stack.folder}/state/${name}`, ...env },
        "preview",
        "--suppress-permalink",
        "--suppress-progress",
      );
      assert.notEqual(run.code, 0, run.output);
      assert.doesNotMatch(run.output, /^\s+at /m, run.output);
      for (const secret of [emulator.token, env["LEGACYDNS_LOGIN_TOKEN"]]) {
        if (secret !== undefined && secret !== "")
          assert.ok(!run.output.includes(secret), `the token is in:\n${run.output}`);
      }
      assert.equal(emulator.admin.counts()["Batch.Record.Create"] ?? 0, 0);
      // All resources of such a program are refused with one list. The engine shows the one that it checks first.
      const text = settled(run, stack)
        .replace(/\S+ \w+(?=  error: .* has a problem: .*":)/g, "<type> <first>")
        .replace(/^\S+ \(\w+\):(?=\n.* has a problem: .*":)/gm, "<type> (<first>):")
        .replace(/\S+ resource '\w+'(?= has a problem: .*":)/g, "<type> resource '<first>'");
      if (frontEnd === "native" && ownOfNative.has(name)) matchesSnapshot(`native-${name}`, text);
      else matchesSnapshot(name, text.replaceAll("legacydns:index:", "pulumi-nodejs:dynamic/legacydns:"));
    }

    once("names inputs whose outputs hold nothing, and inputs that are missing", async () => {
      stack.program(`
      const nothing = pulumi.output({ address: undefined, zero: null });
      new dns.Record("a", { domain: "example.com", name: "a", type: "A", value: nothing.address });
      new dns.Record("b", { domain: "example.com", name: "b", type: "A", value: pulumi.interpolate\`\${nothing.address}\` });
      new dns.Record("c", { domain: "example.com", name: nothing.apply(() => "c"), type: "A" });
      new dns.RecordBatch("d", { domains: "example.com", records: [
        { name: "d0", type: "A", value: ["192.0.2.1", nothing.address] },
        pulumi.interpolate\`d1 A \${nothing.address}\`,
        { name: "d2", type: "A", value: nothing.zero } ] });`);
      const run = await stack.preview();
      const empty = (nothing: string): string => `its output holds nothing (${nothing}) [output.empty]`;
      says(
        run,
        problem('Record "c"', "value: missing \\[field.missing\\]"),
        ...["[0].value[1]", "[2].value"].map((path) => `records${path}: ${empty("undefined or null")}`),
        `records[1]: ${empty("undefined")}`,
      );
      const diagnostics = run.output.split("Diagnostics:")[1] ?? "";
      assert.equal(diagnostics.split(`value: ${empty("undefined")}`).length - 1, 2, run.output);
      assert.doesNotMatch(run.output, /"undefined"/);
    });

    repeated("names every problem of every resource in one preview", () =>
      fails(
        "all-problems",
        `
      new dns.RecordBatch("web", { domains: "example.com", records: [
        { name: "www.example.com", type: "A", value: "192.0.2.1" },
        { name: "a", type: "A", value: "192.0.2.256", ttl: 0 },
        { name: "b", tpye: "A", type: "B A D", value: "x" },
        { name: "c", type: "CNAME", value: "www.example.net" }, { name: "c", type: "A", value: "192.0.2.3" } ] });
      new dns.RecordBatch("mail", { domains: ["example.com", "bad domain"], records: [
        { type: "MX", value: "mx1", priority: 70000 }, "txt TXT", { name: "-bad-.x", type: "A", value: "192.0.2.1" } ] });
      new dns.Record("one", { domain: "example.com", name: ["a", "b"], type: "AAAA", value: "192.0.2.1", ttl: "600" });`,
      ),
    );

    repeated("says that the token is wrong", () =>
      fails("wrong-token", www, { LEGACYDNS_LOGIN_TOKEN: "12345,0123456789abcdef0123456789abcdef" }),
    );

    repeated("suggests the setting that was meant", async () => {
      await stack.must("config", "set", "legacydns:removel", "retain");
      try {
        await fails("unknown-setting", www);
      } finally {
        await stack.must("config", "rm", "legacydns:removel");
      }
    });

    repeated("reports a service that answers HTTP 500", () => {
      emulator.admin.addFault({ kind: "http", status: 500 });
      return fails("http-500", www);
    });
  });

/**
 * Steady output: no waits, and sorted if the order depends on the engine's threads: live rows with a message,
 * and the resources under Diagnostics.
 */
function settled(run: Run, stack: Stack): string {
  const text = steady(run.output, stack)
    .replace(/^Permalink: .*$/m, "")
    .replace(/^@ previewing update\.*$/gm, "")
    .replace(/\(node:\d+\)/g, "(node:<pid>)")
    .replace(/login-stopped-\w+/g, "login-stopped-<hash>")
    // How many right ones it has come to until then hangs on its threads.
    .replace(/^(\s*)\+ \d+ to create$/m, "$1+ <some> to create")
    .replace(/Trying again in \d+ s/g, "Trying again in <time>")
    .replace(/127\.0\.0\.1:1\b/g, "127.0.0.1:<port>");
  const [live = "", rest = ""] = text.split(/^Diagnostics:$/m);
  const [diagnostics = "", resources = ""] = rest.split(/^Resources:$/m);
  const rows = live.split("\n").filter((line) => /error: |Trying again/.test(line));
  const sections = diagnostics
    .trim()
    .split(/\n\n+(?=  \S)/)
    .map((section) => section.trim().replace(/^.*:\n(?=.*<first>)/, "<type> (<first>):\n"))
    .sort();
  return [
    "# live",
    ...rows.sort(),
    "",
    "# diagnostics",
    ...sections,
    "",
    "# resources",
    resources.trim(),
  ].join("\n");
}
