/** Records that one resource loses, in an update or with its deletion, beside other resources of the run. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { DomainClaims } from "../../provider/resources/claims";
import {
  batchOf,
  checked,
  create,
  hosts,
  labTests,
  of,
  processOf,
  remove,
  watched,
  type Lab,
  type Lifecycle,
  type Props,
  type Resource,
} from "./lab";

const { it, start } = labTests({}, { undocumentedOperations: true });
const [gone, kept, api] = ["gone 600 A 192.0.2.1", "kept 600 A 192.0.2.2", "api 600 A 192.0.2.3"] as const;

/** As a program without a manifest does, and as the engine, which updates only what differs. */
async function deploy(provider: Lifecycle, lines: readonly string[], old?: Resource) {
  const inputs = await checked(provider, batchOf(lines), old?.inputs);
  if (old === undefined) return { inputs, ...(await provider.create(inputs)) };
  const { changes } = await provider.diff("id", old.outs, inputs);
  const isSame = changes !== true && inputs["records"] === old.inputs["records"];
  return isSame ? old : { inputs, ...(await provider.update("id", old.outs, inputs)) };
}

it("a record of an unchanged resource that a person has edited stays, although another resource's `absent` names it", async (lab) => {
  const own = await deploy(processOf(lab), [api]);
  lab.edit("api", { value: "192.0.2.8" });
  const provider = processOf(lab);
  await deploy(provider, [api], own);
  const other = await checked(provider, batchOf([kept], { absent: ["api A"] }));
  await provider.create(other);
  lab.has("api A 192.0.2.8 600", "kept A 192.0.2.2 600");
});

describe("a record that one resource loses and another declares", () => {
  it("is made again in the same update if the other is checked later", async (lab) => {
    const first = processOf(lab);
    const [a, b] = [await deploy(first, [gone, kept]), await deploy(first, [gone])];
    const second = processOf(lab);
    const after = await deploy(second, [kept], a);
    equal(lab.calls(remove), 1);
    await deploy(second, [gone], b);
    lab.has("gone A 192.0.2.1 600", "kept A 192.0.2.2 600");
    lab.clearCalls();
    await deploy(processOf(lab), [kept], after);
    deepEqual(lab.admin.counts(), {});
  });

  it("stays without a write if the loser depends on the other", async (lab) => {
    const before = await deploy(processOf(lab), [gone, kept]);
    lab.clearCalls();
    const second = processOf(lab);
    await deploy(second, [gone]);
    await deploy(second, [kept], before);
    deepEqual([lab.calls(remove), lab.calls(create)], [0, 0]);
    lab.has("gone A 192.0.2.1 600", "kept A 192.0.2.2 600");
  });
});

it("a deleted resource has its own removal, although another resource declared the same record later", async (lab) => {
  const checkedAs = async (by: Lifecycle, urn: string, line: string, removal: string) =>
    (await by.check({}, batchOf([line], { removal, __program: { urn } }))).inputs ?? {};
  const first = processOf(lab);
  const own = await checkedAs(first, "own", kept, "delete");
  await checkedAs(first, "other", kept, "retain");
  const { outs } = await first.create(own, "own");
  const second = processOf(lab);
  await checkedAs(second, "other", api, "retain");
  await second.delete("id", outs);
  lab.has();
});

describe("a record that a transform drops", () => {
  const given = (claims: DomainClaims, resource: string, lines: readonly string[]) =>
    batchOf(lines, {
      __program: {
        resource,
        constructed: claims.textOfOwn(resource),
        declared: { "example.com": claims.textOfOthers(resource) },
      },
    });

  /** Updates "zone" without its dropped record. @param others the lines of "beside" after the transform */
  async function updated(lab: Lab, order: readonly ("zone" | "beside")[], others: readonly string[]) {
    const claims = new DomainClaims();
    claims.add("zone", of(kept, gone).records);
    claims.add("beside", of(api).records);
    const { outs, inputs } = await deploy(processOf(lab), [kept, gone]);
    const { provider, said } = watched(lab);
    let news: Props = {};
    for (const resource of order) {
      if (resource === "beside") await provider.check({}, given(claims, "beside", others));
      else {
        ({ inputs: news = {} } = await provider.check(inputs, given(claims, "zone", [kept])));
        await provider.diff("id", outs, news);
      }
    }
    await provider.update("id", outs, news);
    return said();
  }

  for (const order of [
    ["zone", "beside"],
    ["beside", "zone"],
  ] as const) {
    it(`is deleted as no longer declared, if ${order[0]} is checked first`, async (lab) => {
      doesNotMatch(await updated(lab, order, [api]), /taken over/);
      lab.has("kept A 192.0.2.2 600");
    });

    it(`stays if it gives the record to another resource, and ${order[0]} is checked first`, async (lab) => {
      match(await updated(lab, order, [api, gone]), /1 record taken over by beside/);
      lab.has("gone A 192.0.2.1 600", "kept A 192.0.2.2 600");
    });
  }

  it("is deleted as no longer declared, also from a large zone that was alone when it was sent", async () => {
    const lab = await start({}, { limits: "off" });
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
    equal(lab.size, 1_000);
  });
});
