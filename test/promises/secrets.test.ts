/**
 * Promise 8: no state, output, message or file contains a secret value, even if its record fails or goes
 * stale.
 */
import { deepEqual, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { batch } from "../support/programs";
import { byBothFrontEnds, fails, must, noStack, type Run, says, type Story } from "../support/story";

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
  exports.records = batch.zoneText;`;

const plain = '{ name: "gone", type: "A", value: "192.0.2.9", ttl: 600 },';

/** All files below a folder except the program and the engine's home. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === "home" || name === "index.js") return [];
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** Marks that a guess of a secret could produce: plain hashes of its text and of its record. */
const guesses = secrets.flatMap((secret, i) => {
  const owner = `${["one", "two", "three", "four"][i]}.example.com.`;
  const text = /^[\d.]+$/.test(secret) ? `${owner} A ${secret}` : `${owner} TXT "${secret}"`;
  return [secret, text, `example.com ${text}`].map((guess) =>
    createHash("sha256").update(guess).digest("base64url").slice(0, 8),
  );
});

async function hidden(running: Promise<Run>): Promise<Run> {
  const run = await running;
  noStack(run);
  for (const secret of [...secrets, ...guesses])
    ok(!run.output.includes(secret), `${secret} is in:\n${run.output}`);
  return run;
}

const drifted = /\[live\.ttl\]\s+plain\.example\.com\. A 192\.0\.2\.1 +TTL 60 live/;

/** Changes three records in the console, lets the service refuse one, and drops two. */
async function changes({ admin, stack, edit }: Story): Promise<void> {
  edit("one", { ttl: 60 }, "TXT");
  edit("two", { enabled: false }, "TXT");
  edit("plain", { ttl: 60 });
  await must(hidden(stack.refresh("--diff")));
  const value = new URLSearchParams({ value: secrets[3] ?? "" }).toString();
  admin.set({ refuse: [{ name: "four", message: `This name is not allowed: ${value}` }] });
  stack.program(
    program(`{ name: "four", type: "TXT", value: pulumi.secret("${secrets[3]}"), ttl: 600 },`).replace(
      /^.*"three".*$/m,
      "",
    ),
  );
  says(
    await fails(hidden(stack.upWithPreview("--diff", "--continue-on-error"))),
    /\[write\.refused\]\s+four\.example\.com\. TXT \(secret\)\s+not shown, because the call carries a secret value/,
    /three\.example\.com\. A \(secret\)/,
    drifted,
    /gone\.example\.com\. A 192\.0\.2\.9 +record \d+/,
  );
}

function filesAreClean(folder: string): void {
  for (const file of filesBelow(folder)) {
    for (const secret of [...secrets, ...guesses])
      ok(!readFileSync(file, "utf8").includes(secret), `${secret} is in ${file}`);
  }
}

describe("promise 8: secrets", () => {
  byBothFrontEnds(
    "secret values are in no state, output or file, even if a record is refused or stale",
    { program: program(plain) },
    async (told) => {
      const { stack, quietUp, ids, lines } = told;
      await must(hidden(stack.upWithPreview("--diff")));
      deepEqual(lines(), [
        "gone A 192.0.2.9 600",
        "one TXT s3cret-of-the-record 600",
        "plain A 192.0.2.1 600",
        "three A 198.51.100.77 600",
        "two TXT s3cret-of-the-batch 600",
      ]);
      await quietUp();

      await changes(told);
      // The next up knows the stale record by its number alone.
      const again = await hidden(stack.up("--continue-on-error"));
      says(again, drifted, /gone\.example\.com\. A \(secret\)/, /three\.example\.com\. A \(secret\)/);
      stack.program(batch("batch", ["plain 600 A 192.0.2.1"]));
      await fails(hidden(stack.up("--continue-on-error")));
      const destroyed = await fails(hidden(stack.destroy("--continue-on-error")));
      ok(
        ids().some((id) => destroyed.output.includes(String(id))),
        destroyed.output,
      );
      filesAreClean(stack.folder);
    },
  );
});
