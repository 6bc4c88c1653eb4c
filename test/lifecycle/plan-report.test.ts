/** The report of a plan: the answers of names before and after the up, and a refused resource. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOf, type StackPlan } from "../../cli/plan/report";
import { textOf } from "../../cli/plan/text";
import { plain } from "../../cli/terminal";
import { readEntries, requestText } from "../../provider/lifecycle/plan-file";
import { batchOf, fullLabs, labs, processOf, type Lab, type Props } from "./lab";

const { it, start } = fullLabs({ removal: "delete" });
const documented = labs();
const folder = mkdtempSync(join(tmpdir(), "legacydns-report-"));
after(() => rmSync(folder, { recursive: true }));

/** @param before undefined if the resource is new */
async function entriesOf(lab: Lab, before: Props | undefined, now: Props, domains: readonly string[] = []) {
  const outs = before && (await processOf(lab).create(before)).outs;
  const file = join(folder, "report");
  writeFileSync(file, requestText({ urns: [], domains, drift: false }));
  const provider = processOf(lab, file);
  const { inputs = {} } = await provider.check(before ?? {}, now);
  if (outs !== undefined) await provider.diff("id", outs, inputs);
  return readEntries(readFileSync(file, "utf8"));
}

describe("The answers of a plan", () => {
  async function planned(lab: Lab, before: readonly string[], now: readonly string[]) {
    const olds = before.length === 0 ? undefined : batchOf(before);
    return reportOf({ steps: [], warnings: [], errors: [] }, await entriesOf(lab, olds, batchOf(now)));
  }
  const answersIn = ({ domains }: StackPlan) =>
    domains.flatMap(({ answers }) =>
      answers.map(({ name, before, after }) => `${name}: ${before.join(", ")} → ${after.join(", ")}`),
    );

  it("contain unmanaged records, before the first up as well", async (lab) => {
    lab.add("host09 900 A 198.51.100.199");
    lab.add("host09 900 A 198.51.100.198", { enabled: false });
    lab.add("host09 900 AAAA 2001:db8::1");
    const plan = await planned(lab, [], ["host09 600 A 198.51.100.9", "new 600 A 198.51.100.1"]);
    deepEqual(textOf(plan, plain).map(String), [
      "example.com  2 to create, 0 unchanged",
      "  + host09.example.com. A 198.51.100.9  600",
      "  + new.example.com. A 198.51.100.1     600",
      "    host09 A: 198.51.100.199 → 198.51.100.9, 198.51.100.199",
      "",
      "2 to create, 0 unchanged. Caches can keep old answers for 900 s after the change.",
    ]);
    deepEqual(answersIn(plan)[1], "new A:  → 198.51.100.1");
  });

  it("of a blocked TTL stay in caches for the live TTL", async () => {
    const lab = await documented();
    lab.add("www 86400 A 192.0.2.1");
    const plan = await planned(lab, [], ["www 300 A 192.0.2.1", "new 300 A 192.0.2.2"]);
    deepEqual([plan.domains[0]?.blocked, plan.cacheSeconds], [1, 86_400]);
  });

  it("are whole at a name with several records; caches keep the longest changed TTL", async () => {
    const plan = await planned(
      await start(),
      ["www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "api 400 A 192.0.2.3", "far 9000 A 192.0.2.4"],
      ["www 300 A 192.0.2.1", "www 300 A 192.0.2.9", "api 500 A 192.0.2.3", "far 9000 A 192.0.2.4"],
    );
    deepEqual(answersIn(plan), [
      "api A: 192.0.2.3 → 192.0.2.3",
      "www A: 192.0.2.1, 192.0.2.2 → 192.0.2.9, 192.0.2.1",
    ]);
    equal(plan.cacheSeconds, 400);
  });

  it("show what an alias replaces, and name the line", async (lab) => {
    const plan = await planned(lab, ["www 600 A 192.0.2.1"], ["www 600 CNAME web.example.net."]);
    deepEqual(answersIn(plan), ["www CNAME:  → web.example.net.", "www A: 192.0.2.1 → "]);
    lab.add("cn 600 A 192.0.2.6");
    lab.add("cn 600 A 192.0.2.7", { line: "电信" });
    const more = await planned(lab, [], ["cn 600 A 192.0.2.8", "cn 600 A 192.0.2.5 [电信]"]);
    deepEqual(answersIn(more), [
      "cn A [电信]: 192.0.2.7 → 192.0.2.5, 192.0.2.7",
      "cn A: 192.0.2.6 → 192.0.2.8, 192.0.2.6",
    ]);
  });

  it("hide what may be a secret of the program", async (lab) => {
    lab.add("key 600 TXT hush");
    const plan = await planned(lab, [], ["key 600 TXT public"]);
    deepEqual(answersIn(plan), ['key TXT: (secret) → "public", (secret)']);
    doesNotMatch(JSON.stringify(plan), /hush/);
  });

  it("hide a text in the place of a deleted one, which may be a secret known later", async (lab) => {
    const { outs } = await processOf(lab).create(batchOf(["key 600 TXT one"]), "own");
    lab.edit("key", { value: "hush" }, "TXT");
    const file = join(folder, "held");
    writeFileSync(file, requestText({ urns: ["own"], domains: [], drift: false }));
    await processOf(lab, file).read("id", outs);
    const report = readFileSync(file, "utf8");
    match(report, /"data":"\(secret\)"/);
    doesNotMatch(report, /hush/);
  });
});

it("a refused resource in a plan still reports its former and its declared records, which may have moved", async () => {
  const [old, domain] = [batchOf(["www 600 A 192.0.2.1"]), "nowhere.example"];
  const news = { domains: [domain], records: `new.${domain}. 600 A 192.0.2.1\n` };
  const entries = await entriesOf(await documented(), old, news, [domain]);
  deepEqual(
    entries.map((each) =>
      each.kind === "declared" ? [each.errors.length, each.declares.length, each.given.length] : each.kind,
    ),
    [[1, 1, 1]],
  );
});
