/**
 * Snapshots: the whole output of a command, in a file for reviewers. They are written only if
 * UPDATE_SNAPSHOTS=1 is set. A missing or different one fails.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const folder = join(__dirname, "..", "pulumi", "snapshots");

/** Compares a text with `test/pulumi/snapshots/NAME.txt`. */
export function matchesSnapshot(name: string, text: string): void {
  const file = join(folder, `${name}.txt`);
  if (process.env["UPDATE_SNAPSHOTS"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
    return;
  }
  assert.ok(
    existsSync(file),
    `${file} is missing: run the test with UPDATE_SNAPSHOTS=1 and read what it writes. Now:\n${text}`,
  );
  assert.equal(`${text}\n`, readFileSync(file, "utf8"), `${name} differs from its snapshot`);
}
