import { deepEqual, fail, match, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { blocksOf, read, type Block } from "./support/page";
import { settingsOf, startService } from "./support/service";

const readme = read("README.md");
const blocks = blocksOf("README.md");
/** test/pulumi/readme.test.ts runs its commands, and test/browser/demo.test.ts compares the demo's output in it. */
const further = blocksOf("docs/get-started.md");
const run = promisify(execFile);
const begin = ({ language, text }: Block) => `${language} ${text.split("\n")[0] ?? ""}`;

describe("the README", () => {
  it("and docs/get-started.md contain only programs and commands that a test runs", () => {
    deepEqual(further.map(begin), [
      'sh curl -s https://dns.example.org/Record.List -A "check/1.0 (you@example.org)" -d login_token=TOKEN -d format=json -d domain=example.com',
      'json { "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "skipLibCheck": true, "useDefineForClassFields": false } }',
      "sh npm run --silent emulator -- --domain example.com --domain example.net --port 8053 --dns-port 5353 --token demo-token --index-delay 2",
      'sh export PATH="$(npm run --silent engine | tail -n 1):$PATH"',
      "sh LEGACYDNS_REMOVAL=retain pulumi destroy --yes",
      "text == The Pulumi engine and the emulator",
    ]);
    deepEqual(blocks.map(begin), [
      "sh npm install pulumi-legacydns @pulumi/pulumi typescript@5",
      'ts import { RecordBatch } from "pulumi-legacydns";',
      "text       - mail.example.com. 3600 A 192.0.2.25 ; disabled",
      "sh npm ci && npm run demo",
    ]);
    const preview = blocks.find(({ language }) => language === "text")?.text ?? fail();
    ok(further.at(-1)?.text.includes(preview));
    ok(readme.includes("`npm ci && npm test`"));
    match(read(".ci/run"), /npm ci && npm test/);
  });

  it("has a command that checks whether a service is supported", async () => {
    const service = await startService();
    try {
      const { LEGACYDNS_BASE_URL: baseUrl = "", LEGACYDNS_LOGIN_TOKEN: token = "" } = settingsOf(service);
      const check = (further[0]?.text ?? "").replace("https://dns.example.org", baseUrl);
      const { stdout } = await run("bash", ["-ec", check.replace("TOKEN", token)]);
      match(stdout, /^\{"status":\{"code":"1"/);
      match((await run("bash", ["-ec", check])).stdout, /^\{"status":\{"code":"-?\d+","message":"/);
    } finally {
      await service.close();
    }
  });
});
