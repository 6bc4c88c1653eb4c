import { deepEqual } from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expandSpecs } from "../../provider/dns";
import { canonicalInputs } from "../../provider/lifecycle/batch-text";
import { requestText, type DeclaredEntry } from "../../provider/lifecycle/plan-file";
import { labs, processOf } from "../support/lab";

describe("a refused resource in a plan", () => {
  const start = labs();
  const folder = mkdtempSync(join(tmpdir(), "legacydns-plan-"));
  after(() => rmSync(folder, { recursive: true }));

  it("still says what it declares and has declared, so that a moved record does not count as deleted", async () => {
    const lab = await start();
    const inputs = (domain: string, name: string) =>
      canonicalInputs(expandSpecs(domain, [`${name} 600 A 192.0.2.1`], { defaultLine: "默认" }));
    const old = inputs("example.com", "www");
    const { outs = {} } = await processOf(lab).create({ ...old });
    const file = join(folder, "report");
    writeFileSync(file, requestText({ urns: [], domains: ["nowhere.example"], drift: false }));
    const provider = processOf(lab, file);
    const checked = await provider.check({ ...old }, { ...inputs("nowhere.example", "new") });
    await provider.diff("id", outs, checked.inputs ?? {});
    const written = readFileSync(file, "utf8").trim().split("\n").slice(1);
    const entries = written.map((each) => JSON.parse(each) as DeclaredEntry);
    deepEqual(
      entries.map(({ errors, declares, given }) => [errors.length, declares.length, given.length]),
      [[1, 1, 1]],
    );
  });
});
