/** Ending a share where the service tells no labels, as its recorded answers do not (the emulator tells them). */
import assert from "node:assert/strict";
import type { Client, DomainShareEntry } from "../../provider/api";
import { Shares } from "../../provider/shares";

const email = "agency@example.org";

/** Ends a share of a service that lists these; the operations that were called beside the listing. */
async function end(listed: readonly DomainShareEntry[], scope: string | undefined, explicit = false): Promise<string[]> {
  const called: string[] = [];
  const call = (operation: string): Promise<unknown> => {
    if (operation !== "Domainshare.List") called.push(operation);
    return Promise.resolve(operation === "Domainshare.List" ? { shares: listed } : {});
  };
  await new Shares({ call } as unknown as Client, { indexDelay: 0, explicit }).end({ domain: "example.com", email, mode: "r", scope });
  return called;
}

describe("ending a share", () => {
  const unlabelled: DomainShareEntry = { email, mode: "r", pending: false };

  it("the person's only one is ended, though the service does not tell its label", async () => {
    assert.deepEqual(await end([unlabelled], "shop"), ["Domainshare.Remove"]);
    assert.deepEqual(await end([unlabelled], undefined), ["Domainshare.Remove"]);
  });

  it("one of several is not, whether the service tells their labels or not", async () => {
    for (const scope of [undefined, "shop"]) await assert.rejects(end([unlabelled, { ...unlabelled }], scope), /all shares of a person at once/);
    await assert.rejects(end([unlabelled, { ...unlabelled, subDomain: "shop" }], "shop"), /the whole of example\.com would go with it/);
  });

  it("names the way to leave it where the removal is set: no environment variable reaches a Provider", async () => {
    const two = [unlabelled, { ...unlabelled }];
    await assert.rejects(end(two, "shop"), /or leave it there: put LEGACYDNS_REMOVAL=retain before the same command$/);
    await assert.rejects(end(two, "shop", true), /or leave it there: set `removal: "retain"` on the Provider and run `pulumi up`, then destroy again where a destroy failed$/);
  });

  it("one that is not there is ended", async () => {
    assert.deepEqual(await end([], "shop"), []);
    assert.deepEqual(await end([{ ...unlabelled, subDomain: "dev" }], "shop"), []);
  });
});
