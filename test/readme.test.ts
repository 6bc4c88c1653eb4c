import { fail, match, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { blocksOf } from "./support/page";
import { settingsOf, startService } from "./support/service";

/** test/pulumi/readme.test.ts runs its commands, and test/browser/demo.test.ts compares the demo's output in it. */
const further = blocksOf("docs/get-started.md");
const run = promisify(execFile);

describe("the README", () => {
  it("shows a part of the demo's output as its preview", () => {
    const preview = blocksOf("README.md").find(({ language }) => language === "text")?.text ?? fail();
    ok(further.at(-1)?.text.includes(preview));
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
