import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { settingsOf, startService } from "./support/service";

const root = resolve(__dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocksIn = (page: string) =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
const blocks = blocksIn(readme);
/** test/pulumi/readme.test.ts runs its commands, and test/browser/demo.test.ts compares the demo's output in it. */
const further = blocksIn(readFileSync(join(root, "docs/get-started.md"), "utf8"));
const run = promisify(execFile);

function block(language: string, word: string): string {
  const found = [...blocks, ...further].filter(
    (each) => each.language === language && each.text.includes(word),
  );
  assert.equal(found.length, 1, `one ${language} block of the README and docs/get-started.md has ${word}`);
  return found[0]?.text ?? "";
}

describe("the README", () => {
  it("and docs/get-started.md contain only programs and commands that a test runs", () => {
    const begin = ({ language, text }: { language: string; text: string }): string =>
      `${language} ${text.split("\n")[0] ?? ""}`;
    assert.deepEqual(further.map(begin), [
      'sh curl -s https://dns.example.org/Record.List -A "check/1.0 (you@example.org)" -d login_token=TOKEN -d format=json -d domain=example.com',
      'json { "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "skipLibCheck": true, "useDefineForClassFields": false } }',
      "sh npm run --silent emulator -- --domain example.com --domain example.net --port 8053 --dns-port 5353 --token demo-token --index-delay 2",
      'sh export PATH="$(npm run --silent engine | tail -n 1):$PATH"',
      "sh LEGACYDNS_REMOVAL=retain pulumi destroy --yes",
      "text == The Pulumi engine and the emulator",
    ]);
    assert.deepEqual(blocks.map(begin), [
      "sh npm install pulumi-legacydns @pulumi/pulumi typescript@5",
      'ts import { RecordBatch } from "pulumi-legacydns";',
      'text       RecordBatch "zone": example.com: 1 to create, 2 blocked, 154 unchanged',
      "sh npm ci && npm run demo",
    ]);
    const preview = blocks.find(({ language }) => language === "text")?.text ?? assert.fail();
    assert.ok(further.at(-1)?.text.includes(preview));
    assert.ok(readme.includes("`npm ci && npm test`"));
    assert.match(readFileSync(join(root, ".ci", "run"), "utf8"), /npm ci && npm test/);
  });

  it("has at most 900 words, 15 lines of program and eight differences with pages", () => {
    assert.ok(readme.split(/\s+/).length <= 901);
    assert.ok(block("ts", "new RecordBatch").trimEnd().split("\n").length <= 15);
    const [table = ""] = /^\| this provider \| other tools \|\n[^]*?\n\n/m.exec(readme) ?? [];
    const rows = table.trim().split("\n").slice(2);
    assert.ok(rows.length > 5 && rows.length <= 8);
    for (const row of rows) assert.match(row.split("|")[1] ?? "", /\]\(docs\/[\w/.-]+/, row);
  });

  it("has a command that checks whether a service is supported", async () => {
    const service = await startService();
    try {
      const { LEGACYDNS_BASE_URL: baseUrl = "", LEGACYDNS_LOGIN_TOKEN: token = "" } = settingsOf(service);
      const check = block("sh", "curl").replace("https://dns.example.org", baseUrl);
      const { stdout } = await run("bash", ["-ec", check.replace("TOKEN", token)]);
      assert.match(stdout, /^\{"status":\{"code":"1"/);
      assert.match((await run("bash", ["-ec", check])).stdout, /^\{"status":\{"code":"-?\d+","message":"/);
    } finally {
      await service.close();
    }
  });
});
