import { deepEqual, equal } from "node:assert/strict";
import { DomainClaims } from "../../provider/resources/claims";
import { canonicalInputs } from "../../provider/lifecycle/batch-text";
import { expandSpecs } from "../../provider/dns";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { create, hostOf, hosts, labs, of, processOf, remove } from "../support/lab";
import { collectingReporter } from "../support/reporter";

interface Resource {
  readonly inputs: Props;
  readonly outs: Props;
}

async function deploy(provider: Lifecycle, lines: readonly string[], old?: Resource): Promise<Resource> {
  const news = canonicalInputs(expandSpecs("example.com", lines, { defaultLine: "默认" }));
  const { inputs = {}, failures } = await provider.check(old?.inputs ?? {}, { ...news });
  equal(failures, undefined);
  if (old === undefined) return { inputs, ...(await provider.create(inputs)) };
  const { changes } = await provider.diff("id", old.outs, inputs);
  const isSame = changes !== true && inputs["records"] === old.inputs["records"];
  return isSame ? old : { inputs, ...(await provider.update("id", old.outs, inputs)) };
}

describe("a record that one resource loses and another declares", () => {
  const start = labs({ settings: { undocumented: true } }, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });
  const [gone, kept] = ["gone 600 A 192.0.2.1", "kept 600 A 192.0.2.2"] as const;

  it("is made again in the same update if the other is checked later", async () => {
    const lab = await start();
    const first = processOf(lab);
    const [a, b] = [await deploy(first, [gone, kept]), await deploy(first, [gone])];
    const second = processOf(lab);
    const after = await deploy(second, [kept], a);
    equal(lab.calls(remove), 1);
    await deploy(second, [gone], b);
    lab.has("gone A 192.0.2.1 600", "kept A 192.0.2.2 600");
    lab.admin.clearCalls();
    await deploy(processOf(lab), [kept], after);
    deepEqual(lab.admin.counts(), {});
  });

  it("stays without a write if the loser depends on the other, so that the engine finishes that one first", async () => {
    const lab = await start();
    const before = await deploy(processOf(lab), [gone, kept]);
    lab.admin.clearCalls();
    const second = processOf(lab);
    await deploy(second, [gone]);
    await deploy(second, [kept], before);
    deepEqual([lab.calls(remove), lab.calls(create)], [0, 0]);
    lab.has("gone A 192.0.2.1 600", "kept A 192.0.2.2 600");
  });
});

describe("a deleted resource", () => {
  const start = labs({ settings: { undocumented: true } }, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });
  const checkedAs = async (provider: Lifecycle, urn: string, line: string, removal: string) => {
    const news = canonicalInputs(expandSpecs("example.com", [line], { defaultLine: "默认" }));
    const { inputs = {} } = await provider.check({}, { ...news, removal, __program: { urn } });
    return inputs;
  };

  it("has its own removal, although another resource declared the same record later", async () => {
    const lab = await start();
    const first = processOf(lab);
    const own = await checkedAs(first, "own", "www 600 A 192.0.2.1", "delete");
    await checkedAs(first, "other", "www 600 A 192.0.2.1", "retain");
    const { outs } = await first.create(own, "own");
    const second = processOf(lab);
    await checkedAs(second, "other", "api 600 A 192.0.2.2", "retain");
    await second.delete("id", outs);
    lab.has();
  });
});

describe("a record that a transform drops", () => {
  const start = labs({ settings: { undocumented: true } }, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });
  const [www, gone, api] = ["www 600 A 192.0.2.1", "gone 600 A 192.0.2.2", "api 600 A 192.0.2.3"] as const;
  const given = (claims: DomainClaims, resource: string, lines: readonly string[]): Props => ({
    ...canonicalInputs(expandSpecs("example.com", lines, { defaultLine: "默认" })),
    __program: {
      resource,
      constructed: claims.textOfOwn(resource),
      declared: { "example.com": claims.textOfOthers(resource) },
    },
  });

  for (const order of [
    ["zone", "beside"],
    ["beside", "zone"],
  ] as const)
    it(`is deleted as no longer declared, if ${order[0]} is checked first`, async () => {
      const lab = await start();
      const claims = new DomainClaims();
      claims.add("zone", of(www, gone).records);
      claims.add("beside", of(api).records);
      const reporter = collectingReporter();
      const { outs, inputs } = await deploy(processOf(lab), [www, gone]);
      const host = hostOf(lab, reporter);
      const second = recordsProvider(recordBatchForm, (work) => work(host));
      let news: Props = {};
      for (const resource of order) {
        if (resource === "beside") await second.check({}, given(claims, "beside", [api]));
        else ({ inputs: news = {} } = await second.check(inputs, given(claims, "zone", [www])));
      }
      await second.update("id", outs, news);
      lab.has("www A 192.0.2.1 600");
      deepEqual(
        reporter.lines.filter(({ text }) => text.includes("taken over")),
        [],
      );
    });

  it("is deleted as no longer declared, although its large zone was alone when it was sent", async () => {
    const lab = await start({}, { LEGACYDNS_LIMITS: "off" });
    const many = hosts(1_000);
    const { outs, inputs } = await deploy(processOf(lab), [...many, gone]);
    const claims = new DomainClaims();
    claims.add("zone", of(...many, gone).records);
    const zone = given(claims, "zone", many);
    claims.add("beside", of(api).records);
    const second = processOf(lab);
    const { inputs: news = {} } = await second.check(inputs, zone);
    await second.check({}, given(claims, "beside", [api]));
    await second.update("id", outs, news);
    equal(lab.lines().length, 1_000);
  });
});
