import { deepEqual, equal, ok } from "node:assert/strict";
import { digest } from "../../provider/dns";
import type { Operate } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { Refusal } from "../../provider/problems/refusal";
import { create, fullService, fullSettings, hostOf, labs, modify, remove, type Lab } from "../support/lab";
import { collectingReporter } from "../support/reporter";

const urn = digest("urn:own");

const recordProvider = (operate: Operate): Lifecycle => recordsProvider(recordForm, operate);
const batchProvider = (operate: Operate): Lifecycle => recordsProvider(recordBatchForm, operate);

interface Resource {
  readonly inputs: Props;
  readonly outs: Props;
}

function processOf(lab: Lab, lifecycleOf = recordProvider): { provider: Lifecycle; said: () => string } {
  const reporter = collectingReporter();
  const host = hostOf(lab, reporter);
  return {
    provider: lifecycleOf((work) => work(host)),
    said: () => reporter.lines.map(({ text }) => text).join("\n"),
  };
}

async function checked(provider: Lifecycle, olds: Props, news: Props): Promise<Props> {
  const { inputs = {}, failures } = await provider.check(olds, { ...news, __program: { urn } });
  equal(failures, undefined);
  return inputs;
}

async function made(provider: Lifecycle, news: Props): Promise<Resource> {
  const inputs = await checked(provider, {}, news);
  return { inputs, ...(await provider.create(inputs, urn)) };
}

type Knows = "diff" | "refresh" | "nothing";

/** The engine's calls if it replaces a resource by itself. @param knows the call that shows the state */
async function replaced(
  provider: Lifecycle,
  old: Resource,
  news: Props,
  knows: Knows,
  deletesFirst = false,
): Promise<Resource> {
  if (knows === "refresh") await provider.read("id", old.outs);
  if (knows === "diff") await provider.diff("id", old.outs, await checked(provider, old.inputs, news));
  const inputs = await checked(provider, {}, news);
  if (deletesFirst) await provider.delete("id", old.outs, urn);
  const { outs } = await provider.create(inputs, urn);
  if (!deletesFirst) await provider.delete("id", old.outs, urn);
  return { inputs, outs };
}

const cname = (value: string) => ({ domain: "example.com", name: "own", type: "CNAME", value, ttl: 600 });
const address = (value: string) => ({ ...cname(value), type: "A" });
const [first, second] = ["a.example.net.", "b.example.net."] as const;

/** The reasons against the replacement of a CNAME by another. */
async function codesOfReplaced(lab: Lab, knows: Knows): Promise<string[]> {
  const old = await made(processOf(lab).provider, cname(first));
  const failed = await replaced(processOf(lab).provider, old, cname(second), knows).catch(
    (error: unknown) => error,
  );
  ok(failed instanceof Refusal);
  return failed.causes.map(({ code }) => code);
}

describe("a resource that the engine replaces in full mode", () => {
  const start = labs(fullService, { ...fullSettings, LEGACYDNS_REMOVAL: "delete" });

  for (const knows of ["diff", "refresh"] as const)
    for (const [news, line] of [
      [cname(second), `own CNAME ${second} 600`],
      [address("192.0.2.1"), "own A 192.0.2.1 600"],
    ] as const)
      it(`changes its CNAME to the new ${news.type}, known by a ${knows}`, async () => {
        const lab = await start();
        const old = await made(processOf(lab).provider, cname(first));
        const id = old.outs["recordId"];
        lab.admin.clearCalls();
        const { provider, said } = processOf(lab);
        const { outs } = await replaced(provider, old, news, knows);
        lab.has(line);
        deepEqual([lab.calls(modify), lab.calls(create), lab.calls(remove)], [1, 0, 0]);
        equal(outs["recordId"], id);
        equal(said().includes("[live."), false, said());
        await processOf(lab).provider.delete("id", outs, urn);
        lab.has();
      });

  it("deletes first if the program asks for it, and the preview names no obstacle", async () => {
    const lab = await start();
    const old = await made(processOf(lab).provider, cname(first));
    const { provider, said } = processOf(lab);
    await replaced(provider, old, cname(second), "diff", true);
    lab.has(`own CNAME ${second} 600`);
    equal(said().includes("[live."), false, said());
  });

  it("changes and deletes the records of a batch as an update does", async () => {
    const lab = await start();
    const batch = (...lines: string[]) => ({ domains: ["example.com"], records: lines });
    const old = await made(
      processOf(lab, batchProvider).provider,
      batch(`own 600 CNAME ${first}`, "gone 600 A 192.0.2.1", "kept 600 A 192.0.2.2"),
    );
    const { provider, said } = processOf(lab, batchProvider);
    const news = batch(`own 600 CNAME ${second}`, "kept 60 A 192.0.2.2");
    const { outs } = await replaced(provider, old, news, "diff");
    lab.has("kept A 192.0.2.2 60", `own CNAME ${second} 600`);
    equal(said().includes("[live."), false, said());
    await processOf(lab, batchProvider).provider.delete("id", outs, urn);
    lab.has();
  });

  it("with `--replace` alone, is told which options name its record", async () => {
    const lab = await start();
    deepEqual(await codesOfReplaced(lab, "nothing"), ["live.in-the-way"]);
    lab.has(`own CNAME ${first} 600`);
  });
});

describe("a resource that the engine replaces in documented mode", () => {
  const start = labs();

  it("is blocked by its own CNAME, because the service cannot change it", async () => {
    const lab = await start();
    deepEqual(await codesOfReplaced(lab, "diff"), ["live.blocked"]);
    lab.has(`own CNAME ${first} 600`);
  });
});
