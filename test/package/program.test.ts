import { deepEqual, equal } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const folder = join(__dirname, "../..");
const outputOf = (program: string) =>
  execFileSync(process.execPath, ["-e", program], { cwd: folder, encoding: "utf8" });

function loaded(code: string, file = "provider/index.js") {
  const program = `
    require("@pulumi/pulumi");
    const before = new Set(Object.keys(require.cache));
    const dns = require("./dist/${file}");
    ${code}
    const names = Object.keys(require.cache).filter((file) => !before.has(file)).map((file) => /.*node_modules\\/([^/]+)/.exec(file)?.[1]);
    console.log(JSON.stringify([...new Set(names.filter(Boolean))].sort()));`;
  return JSON.parse(outputOf(program)) as string[];
}

describe("a program", () => {
  it("loads neither the schemas nor the HTTP client before it needs them", () => {
    deepEqual(loaded(""), ["ipaddr.js"]);
  });

  it("does not load the SDK's index unless it imports it itself", () => {
    const program =
      'require("./dist/provider/index.js"); console.log(Object.keys(require.cache).filter((file) => /@pulumi.pulumi.(index|automation|dynamic|runtime.closure)/.test(file)).join());';
    equal(outputOf(program).trim(), "");
  });

  it("loads the schemas with the first look-up", () => {
    deepEqual(loaded('dns.getDomain({ domain: "example.com" }).catch(() => undefined);'), [
      "ipaddr.js",
      "zod",
    ]);
  });
});

describe("an offline command", () => {
  for (const name of ["check", "convert"])
    it(`loads neither the schemas nor the HTTP client: ${name}`, () => {
      const packages = loaded("", `cli/${name}.js`);
      deepEqual(
        packages.filter((each) => ["zod", "undici"].includes(each)),
        [],
      );
    });
});
