import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { anchorsOf } from "./support/page";
import { settingsOf, startService } from "./support/service";

const root = resolve(__dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocksIn = (page: string) =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
const blocks = blocksIn(readme);
/** The page that goes on from the README's demo: its commands are run here, its text is held by pictures.test.ts. */
const further = blocksIn(readFileSync(join(root, "docs/demo.md"), "utf8"));
const run = promisify(execFile);

function block(language: string, word: string): string {
  const found = [...blocks, ...further].filter(
    (each) => each.language === language && each.text.includes(word),
  );
  assert.equal(found.length, 1, `one ${language} block of the README and docs/demo.md has ${word}`);
  return found[0]?.text ?? "";
}

describe("the README", () => {
  it("has no command or program but those that a test runs, and neither has docs/demo.md", () => {
    const begin = ({ language, text }: { language: string; text: string }): string =>
      `${language} ${text.split("\n")[0] ?? ""}`;
    assert.deepEqual(further.map(begin), [
      "text == The real engine, and the service in a box",
      "sh npm run --silent emulator -- --domain example.com --domain example.net --port 8053 --dns-port 5353 --token demo-token --index-delay 2",
      'sh export PATH="$(npm run --silent engine | tail -n 1):$PATH"',
      "sh LEGACYDNS_REMOVAL=retain pulumi destroy --yes",
    ]);
    assert.deepEqual(blocks.map(begin), [
      'ts import { Record, RecordBatch } from "pulumi-legacydns";',
      'json { "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "skipLibCheck": true, "useDefineForClassFields": false } }',
      "sh npm install pulumi-legacydns @pulumi/pulumi typescript@5",
      "sh npm ci && npm run demo",
      'sh curl -s https://dns.example.org/Record.List -A "check/1.0 (you@example.org)" -d login_token=TOKEN -d format=json -d domain=example.com',
      "sh npm ci && npm test",
    ]);
    assert.match(readFileSync(join(root, ".ci", "run"), "utf8"), /npm ci && npm test/);
  });

  it("has a proof for each line of what it does: a test or a page", () => {
    const [table = ""] = /^\| it \| proof \| others \|\n[^]*?\n\n/m.exec(readme) ?? [];
    const rows = table.trim().split("\n").slice(2);
    assert.ok(rows.length > 5);
    for (const row of rows) assert.match(row.split("|")[2] ?? "", /\]\(docs\/[\w/.-]+|\btest: "/, row);
  });

  it("names proofs that there are: pages and headings by links, and tests, which the package does not hold, by their titles", () => {
    for (const [link, path = "", anchor] of readme.matchAll(/\]\((docs\/[\w/.-]+)(?:#([^)\s]+))?[^)]*\)/g)) {
      assert.ok(existsSync(join(root, path)), link);
      if (anchor !== undefined) assert.ok(anchorsOf(path).has(anchor), link);
    }
    // That each title is a test's, docs.test.ts holds for every page.
    assert.ok([...readme.matchAll(/\btest: "[^"]+"/g)].length > 7);
  });

  it("tells by one read whether it is for a service", async () => {
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
