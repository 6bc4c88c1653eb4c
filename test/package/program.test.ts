import { deepEqual, equal } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

function loaded(code: string) {
  const program = `
    require("@pulumi/pulumi");
    const before = new Set(Object.keys(require.cache));
    const dns = require("./dist/provider/index.js");
    ${code}
    const names = Object.keys(require.cache).filter((file) => !before.has(file)).map((file) => /.*node_modules\\/([^/]+)/.exec(file)?.[1]);
    console.log(JSON.stringify([...new Set(names.filter(Boolean))].sort()));`;
  return JSON.parse(
    execFileSync(process.execPath, ["-e", program], { cwd: join(__dirname, "../.."), encoding: "utf8" }),
  ) as string[];
}

describe("a program", () => {
  it("loads neither the schemas nor the YAML parser nor the HTTP client before it needs them", () => {
    deepEqual(loaded(""), ["ipaddr.js"]);
  });

  it("does not load the SDK's index unless it imports it itself", () => {
    const program =
      'require("./dist/provider/index.js"); console.log(Object.keys(require.cache).filter((file) => /@pulumi.pulumi.(index|automation|dynamic|runtime.closure)/.test(file)).join());';
    equal(
      execFileSync(process.execPath, ["-e", program], {
        cwd: join(__dirname, "../.."),
        encoding: "utf8",
      }).trim(),
      "",
    );
  });

  it("loads the schemas with the first look-up", () => {
    deepEqual(loaded('dns.getDomain({ domain: "example.com" }).catch(() => undefined);'), [
      "ipaddr.js",
      "zod",
    ]);
  });
});
