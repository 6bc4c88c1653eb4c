/** Secret values and tokens: in no state, no output, no message and no file, whatever happens to the record. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planVariable, readEntries, requestText } from "../../provider/lifecycle/plan-file";
import { idsOf, zoneLines } from "../support/service";
import { byBothDoors, noStack, says, story } from "../support/story";
import type { Run } from "../support/stack";

const secrets = ["s3cret-of-the-record", "s3cret-of-the-batch", "198.51.100.77", "s3cret that/is+refused é"];
const program = (more = ""): string => `
  const one = new dns.Record("one", { domain: "example.com", name: "one", type: "TXT", value: pulumi.secret("${secrets[0]}"), ttl: 600 });
  const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [
    { name: "two", type: "TXT", value: pulumi.secret("${secrets[1]}"), ttl: 600 },
    { name: "three", type: "A", value: pulumi.secret("${secrets[2]}"), ttl: 600 },
    { name: "plain", type: "A", value: "192.0.2.1", ttl: 600 },
    ${more}
  ] });
  exports.value = one.value;
  exports.records = batch.records;`;

const plain = '{ name: "gone", type: "A", value: "192.0.2.9", ttl: 600 },';

/** What anybody can work out who guesses a secret: plain hashes of the text and of its record. */
const guesses = secrets.flatMap((secret, i) => {
  const owner = `${["one", "two", "three", "four"][i]}.example.com.`;
  const text = /^[\d.]+$/.test(secret) ? `${owner} A ${secret}` : `${owner} TXT "${secret}"`;
  return [secret, text, `example.com ${text}`].map((guess) =>
    createHash("sha256").update(guess).digest("base64url").slice(0, 8),
  );
});

/** Every text file below a folder, the program and the engine's own home left out. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === "home" || name === "index.js") return [];
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

describe("secrets", () => {
  byBothDoors(
    "in records stay out of the state, of what is printed and of every file, also when a record is refused or left over",
    (door) =>
      story({ door, program: program(plain) }, async ({ emulator, stack, up, quietUp }) => {
        const hidden = (run: Run): Run => {
          noStack(run);
          for (const secret of [...secrets, ...guesses])
            assert.ok(!run.output.includes(secret), `${secret} is in:\n${run.output}`);
          return run;
        };
        hidden(await stack.preview("--diff"));
        hidden(await up("--diff"));
        assert.deepEqual(zoneLines(emulator, "example.com"), [
          "gone A 192.0.2.9 600",
          "one TXT s3cret-of-the-record 600",
          "plain A 192.0.2.1 600",
          "three A 198.51.100.77 600",
          "two TXT s3cret-of-the-batch 600",
        ]);
        await quietUp();
        hidden(await stack.must("stack", "export"));

        // Somebody changes three of them, one is refused, two are dropped: what is secret is said without its value, and nothing else.
        emulator.admin.setRecord("example.com", { name: "one", type: "TXT" }, { ttl: 60 });
        emulator.admin.disableRecord("example.com", { name: "two", type: "TXT" });
        emulator.admin.setRecord("example.com", { name: "plain", type: "A" }, { ttl: 60 });
        hidden(await stack.preview("--refresh", "--diff"));
        const refreshed = hidden(await stack.refresh("--diff"));
        assert.equal(refreshed.code, 0, refreshed.output);
        hidden(await stack.must("stack", "export"));
        emulator.admin.set({
          refuse: [
            {
              name: "four",
              message: `This name is not allowed: ${new URLSearchParams({ value: secrets[3] ?? "" }).toString()}`,
            },
          ],
        });
        stack.program(
          program(`{ name: "four", type: "TXT", value: pulumi.secret("${secrets[3]}"), ttl: 600 },`).replace(
            /^.*"three".*$/m,
            "",
          ),
        );
        hidden(await stack.preview("--diff"));
        const failed = hidden(await stack.up("--continue-on-error"));
        assert.notEqual(failed.code, 0);
        says(
          failed,
          /four\.example\.com\. TXT #[\w-]+: refused by the service: not shown, because the call carries a secret value/,
          /three\.example\.com\. A #[\w-]+/,
        );
        const open = [
          /plain\.example\.com\. A 192\.0\.2\.1: record \d+ is live with TTL 60/,
          /gone\.example\.com\. A 192\.0\.2\.9 \(record \d+\)/,
        ];
        says(failed, ...open);
        // The next up knows what was left over by its number alone.
        const again = hidden(await stack.up("--continue-on-error"));
        says(again, ...open);
        const markOf = ({ output }: { readonly output: string }): string | undefined =>
          /three\.example\.com\. A (#[\w-]+)/.exec(output)?.[1];
        // One value has one mark in all runs.
        assert.match(markOf(again) ?? "", /^#[\w-]{8}$/);
        assert.equal(markOf(again), markOf(failed));
        hidden(await stack.must("stack", "export"));
        // A program that declares none of them any more: what is left of them is named, without a value.
        stack.program(
          'new dns.RecordBatch("batch", { domains: "example.com", records: [{ name: "plain", type: "A", value: "192.0.2.1", ttl: 600 }] });',
        );
        hidden(await stack.preview("--diff"));
        assert.notEqual(hidden(await stack.up("--continue-on-error")).code, 0);
        const destroyed = hidden(await stack.destroy("--continue-on-error"));
        assert.notEqual(destroyed.code, 0);
        assert.ok(
          idsOf(emulator, "example.com").some((id) => destroyed.output.includes(String(id))),
          destroyed.output,
        );
        for (const file of filesBelow(stack.folder)) {
          for (const secret of [...secrets, ...guesses])
            assert.ok(!readFileSync(file, "utf8").includes(secret), `${secret} is in ${file}`);
        }
      }),
  );

  byBothDoors("that are left over hide no open record beside them, nor the open one in their place", (door) =>
    story({ door }, async ({ stack, failing, up }) => {
      const of = (one: string, ...more: readonly string[]): string => `
        new dns.Record("one", { domain: "example.com", name: "one", type: "TXT", value: ${one}, ttl: 600 });
        new dns.RecordBatch("batch", { domains: "example.com", records: [${["'plain 600 A 192.0.2.1'", "'txt 600 TXT seen'", ...more].join()}] });`;
      const secret = (value = ""): string => `pulumi.secret("${value}")`;
      stack.program(
        of(secret(secrets[0]), `{ name: "two", type: "TXT", value: ${secret(secrets[1])}, ttl: 600 }`),
      );
      await up();
      stack.program(of('"open"'));
      const seen = [
        'one.example.com. TXT "open" (record ',
        "plain.example.com. A 192.0.2.1 (record ",
        'txt.example.com. TXT "seen" (record ',
      ];
      const marks = [
        /one\.example\.com\. TXT #[\w-]{8} \(record /,
        /two\.example\.com\. TXT #[\w-]{8} \(record /,
      ];
      for (const run of [
        () => failing("--continue-on-error"),
        () => stack.refresh(),
        () => failing("--continue-on-error"),
      ]) {
        const { output } = await run();
        for (const each of secrets) assert.ok(!output.includes(each), output);
      }
      for (const env of [{}, { LEGACYDNS_REMOVAL: "retain" }]) {
        const destroyed = await stack.runWith(
          env,
          "destroy",
          "--yes",
          "--skip-preview",
          "--continue-on-error",
        );
        says(destroyed, ...seen, ...marks);
        for (const each of secrets) assert.ok(!destroyed.output.includes(each), destroyed.output);
      }
    }),
  );

  byBothDoors("in wrong specs are not in the errors either", (door) =>
    story({ door }, async ({ stack }) => {
      stack.program(`
        new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: pulumi.secret("${secrets[0]}") });
        new dns.RecordBatch("batch", { domains: "example.com", records: [{ name: "two", type: "AAAA", value: pulumi.secret("${secrets[1]}") }, { name: "x", type: "TXT", value: pulumi.secret("${secrets[0]}") }, { name: "x", type: "TXT", value: pulumi.secret("${secrets[0]}") }] });`);
      const run = await stack.preview("--diff");
      assert.notEqual(run.code, 0);
      noStack(run);
      says(
        run,
        /resource 'one' has a problem|Record "one": /,
        /resource 'batch' has a problem|RecordBatch "batch": /,
      );
      for (const secret of secrets) assert.ok(!run.output.includes(secret), run.output);
    }),
  );

  it("that log in are in no state: from the environment not at all, from the configuration as ciphertext", () =>
    story(
      { program: 'new dns.RecordBatch("zone", { domains: "example.com", records: ["www A 192.0.2.1"] });' },
      async ({ emulator, stack, up, quietUp }) => {
        const [, half = ""] = emulator.token.split(",");
        await up();
        const shown = await stack.must("stack", "export", "--show-secrets");
        assert.ok(!shown.output.includes(half));
        await stack.must("config", "set", "--secret", "legacydns:loginToken", emulator.token);
        const run = await stack.runWith({ LEGACYDNS_LOGIN_TOKEN: "" }, "up", "--yes", "--diff");
        assert.equal(run.code, 0, run.output);
        for (const text of [run.output, await stack.state()]) assert.ok(!text.includes(half), text);
        await quietUp();
        for (const file of filesBelow(stack.folder))
          assert.ok(!readFileSync(file, "utf8").includes(half), file);
      },
    ));

  it("that log in and stand in plain text in the stack's file are warned of, once a run, with the command", () => {
    const program =
      'for (const name of ["a", "b"]) new dns.Record(name, { domain: "example.com", name, type: "A", value: "192.0.2.1" });';
    return story({ program, env: { LEGACYDNS_LOGIN_TOKEN: "" } }, async ({ emulator, stack }) => {
      const warnings = (run: Run): number =>
        (run.output.split("Diagnostics:")[1] ?? "").split(
          "warning: legacydns:loginToken stands in plain text",
        ).length - 1;
      await stack.must("config", "set", "--plaintext", "legacydns:loginToken", emulator.token);
      const plain = await stack.must("preview", "--suppress-progress");
      assert.equal(warnings(plain), 1, plain.output);
      says(
        plain,
        "in this stack's configuration file, and by the dynamic provider in its state as well. Make it a secret: pulumi config set --secret legacydns:loginToken TOKEN",
      );
      const up = await stack.must("up", "--yes", "--suppress-progress");
      assert.equal(
        up.output.match(/^ {4}warning: legacydns:loginToken stands in plain text/gm)?.length,
        1,
        up.output,
      );
      await stack.must("config", "set", "--secret", "legacydns:loginToken", emulator.token);
      const secret = await stack.must("preview", "--suppress-progress");
      assert.equal(warnings(secret), 0, secret.output);
    });
  });

  byBothDoors("never stand in the report file of a plan", (door) =>
    story({ door, program: program() }, async ({ emulator, stack, up }) => {
      await up();
      emulator.admin.setRecord("example.com", { name: "two", type: "TXT" }, { value: "hush-console" });
      stack.program(
        `new dns.RecordBatch("batch", { domains: "example.com", records: [${plain} { name: "two", type: "TXT", value: pulumi.secret("${secrets[1]}"), ttl: 600 }] });`,
      );
      const file = join(stack.folder, "entries");
      writeFileSync(file, requestText({ urns: [], domains: ["example.com"], drift: false }));
      const run = await stack.runWith({ [planVariable]: file }, "preview", "--refresh");
      assert.equal(run.code, 0, run.output);
      const text = readFileSync(file, "utf8");
      for (const secret of [...secrets, "hush-console"]) assert.ok(!text.includes(secret), text);
      assert.ok(
        readEntries(text).some(({ kind }) => kind === "declared"),
        text,
      );
    }),
  );
});
