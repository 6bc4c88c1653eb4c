import { deepEqual, equal, match } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expandSpecs } from "../../provider/dns";
import { problemLine } from "../support/problems";
import { scopeOf } from "../../provider/resources/program";

function told(batches: Readonly<Record<string, readonly string[]>>, sensitive = false) {
  // A provider of its own stands for a program of its own.
  const provider = {};
  return Object.entries(batches).map(([name, lines]) =>
    scopeOf(provider)
      .errorsOf(name, expandSpecs(["example.com"], lines, { defaultLine: "默认", sensitive }))
      .map(problemLine),
  );
}

describe("records of several resources", () => {
  it("are reported with the resources that declare them", () => {
    deepEqual(told({ a: ["www A 192.0.2.1"], b: ["www 60 A 192.0.2.1", "w A 192.0.2.1"] }), [
      [],
      ["record.twice www.example.com. A 192.0.2.1 by a"],
    ]);
    match(
      told({ a: ["www A 192.0.2.1"], b: ["www A 192.0.2.1"] }, true)[1]?.[0] ?? "",
      /^record\.twice www\.example\.com\. A \(secret\) by a$/,
    );
  });

  it("conflict with another resource's CNAME, in any order", () => {
    deepEqual(told({ a: ["www A 192.0.2.1"], c: ["www CNAME x.example.org."] })[1], [
      "cname.beside www.example.com. www.example.com. CNAME x.example.org. www.example.com. A 192.0.2.1",
    ]);
    deepEqual(
      told({ c: ["www CNAME x.example.org."], a: ["www A 192.0.2.1", "www A 192.0.2.2 [电信]"] })[1],
      ["cname.beside www.example.com. www.example.com. A 192.0.2.1 www.example.com. CNAME x.example.org."],
    );
  });

  it("may be the zone's NS records and a CNAME at its apex, as within one resource", () => {
    deepEqual(told({ ns: ["@ NS ns1.example.net."], c: ["@ CNAME x.example.org."] }), [[], []]);
  });

  it("do not include those of another run in the same process", () => {
    // In a process of its own: there is one connection to an engine per process.
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { scopeOf } = require("./dist/provider/resources/program.js");
      const { expandSpecs } = require("./dist/provider/dns/index.js");
      const connect = () => pulumi.runtime.setMocks({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
      const told = (name) => scopeOf(undefined).errorsOf(name, expandSpecs("example.com", ["www A 192.0.2.1"], { defaultLine: "默认" })).length;
      (async () => {
        await connect();
        const first = [told("before"), told("beside")];
        await connect();
        console.log(JSON.stringify([...first, told("after")]));
      })();`;
    equal(
      execFileSync(process.execPath, ["-e", program], { cwd: join(__dirname, "../.."), encoding: "utf8" }),
      "[0,1,0]\n",
    );
  });

  it("are reported once if one resource declares a record twice", () => {
    equal(told({ a: ["www CNAME x.example.org.", "www A 192.0.2.1"] })[0]?.length, 1);
    equal(
      told({ a: ["www A 192.0.2.1"], b: ["www A 192.0.2.1", "www A 192.0.2.1"] })[1]?.filter((text) =>
        text.endsWith("by a"),
      ).length,
      1,
    );
  });
});
