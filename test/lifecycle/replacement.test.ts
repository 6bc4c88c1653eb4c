import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { Refusal } from "../../provider/problems/refusal";
import {
  batchProvider,
  checked,
  create,
  fullLabs,
  labTests,
  modify,
  recordProvider,
  remove,
  up,
  watched,
  type Lab,
  type Lifecycle,
  type Props,
  type Resource,
} from "./lab";

const urn = "own";
const batches = (lab: Lab) => watched(lab, batchProvider);
const singles = (lab: Lab) => watched(lab, recordProvider);

type Knows = "diff" | "refresh" | "nothing";

/** The engine's calls if it replaces a resource by itself. @param knows the call that shows the state */
async function replaced(
  provider: Lifecycle,
  old: Resource,
  props: Props,
  knows: Knows,
  deletesFirst = false,
) {
  const news = { ...props, __program: { urn } };
  if (knows === "refresh") await provider.read("id", old.outs);
  if (knows === "diff") await provider.diff("id", old.outs, await checked(provider, news, old.inputs));
  const inputs = await checked(provider, news);
  if (deletesFirst) await provider.delete("id", old.outs, urn);
  const { outs } = await provider.create(inputs, urn);
  if (!deletesFirst) await provider.delete("id", old.outs, urn);
  return outs;
}

const cname = (value: string) => ({ domain: "example.com", name: "own", type: "CNAME", value, ttl: 600 });
const address = (value: string) => ({ ...cname(value), type: "A" });
const [first, second] = ["a.example.net.", "b.example.net."] as const;
const made = (lab: Lab) => up(singles(lab).provider, cname(first));

/** The reasons against the replacement of a CNAME by another. */
async function codesOfReplaced(lab: Lab, knows: Knows) {
  const old = await made(lab);
  const replacing = replaced(singles(lab).provider, old, cname(second), knows);
  const failed = await replacing.catch((error: unknown) => error);
  ok(failed instanceof Refusal);
  lab.has(`own CNAME ${first} 600`);
  return failed.causes.map(({ code }) => code);
}

describe("a resource that the engine replaces in full mode", () => {
  const { it, start } = fullLabs({ removal: "delete" });

  for (const knows of ["diff", "refresh"] as const)
    for (const [news, line] of [
      [cname(second), `own CNAME ${second} 600`],
      [address("192.0.2.1"), "own A 192.0.2.1 600"],
    ] as const)
      it(`changes its CNAME to the new ${news.type}, known by a ${knows}`, async (lab) => {
        const old = await made(lab);
        lab.clearCalls();
        const { provider, said } = singles(lab);
        const outs = await replaced(provider, old, news, knows);
        lab.has(line);
        deepEqual([lab.calls(modify), lab.calls(create), lab.calls(remove)], [1, 0, 0]);
        equal(outs["recordId"], old.outs["recordId"]);
        doesNotMatch(said(), /\[live\./);
        await singles(lab).provider.delete("id", outs, urn);
        lab.has();
      });

  it("deletes first if the program asks for it, and the preview names no obstacle", async (lab) => {
    const old = await made(lab);
    const { provider, said } = singles(lab);
    await replaced(provider, old, cname(second), "diff", true);
    lab.has(`own CNAME ${second} 600`);
    doesNotMatch(said(), /\[live\./);
  });

  it("changes and deletes the records of a batch as an update does", async (lab) => {
    const batch = (...records: string[]) => ({ domains: ["example.com"], records });
    const before = batch(`own 600 CNAME ${first}`, "gone 600 A 192.0.2.1", "kept 600 A 192.0.2.2");
    const old = await up(batches(lab).provider, before);
    const { provider, said } = batches(lab);
    const news = batch(`own 600 CNAME ${second}`, "kept 60 A 192.0.2.2");
    const outs = await replaced(provider, old, news, "diff");
    lab.has("kept A 192.0.2.2 60", `own CNAME ${second} 600`);
    doesNotMatch(said(), /\[live\./);
    await batches(lab).provider.delete("id", outs, urn);
    lab.has();
  });

  it("with `--replace` alone, is told which options name its record", async () => {
    deepEqual(await codesOfReplaced(await start(), "nothing"), ["live.in-the-way"]);
  });
});

describe("a resource that the engine replaces in documented mode", () => {
  const { it, start } = labTests();

  it("is blocked by its own CNAME, because the service cannot change it", async () => {
    deepEqual(await codesOfReplaced(await start(), "diff"), ["live.blocked"]);
  });
});
