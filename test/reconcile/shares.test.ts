/** Shares without labels, as in the service's recorded answers. The emulator returns labels. */
import assert from "node:assert/strict";
import { ServiceError, type Client, type DomainShareEntry } from "../../provider/api";
import { Shares } from "../../provider/reconcile/shares";

const email = "agency@example.org";

/**
 * The calls beside the listing for these shares. @param at the scopes that a change finds shared. Default:
 * all
 */
async function asked(
  listed: readonly DomainShareEntry[],
  work: (shares: Shares) => Promise<unknown>,
  explicit = false,
  at?: readonly (string | undefined)[],
): Promise<string[]> {
  const called: string[] = [];
  const call = (
    operation: string,
    request: { readonly oldSubDomain?: string; readonly newSubDomain?: string },
  ): Promise<unknown> => {
    if (operation === "Domainshare.List") return Promise.resolve({ shares: structuredClone(listed) });
    const { oldSubDomain, newSubDomain } = request;
    called.push(
      operation === "Domainshare.Modify"
        ? `${operation} ${oldSubDomain ?? "@"} ${newSubDomain ?? "@"}`
        : operation,
    );
    const isRefused = operation === "Domainshare.Modify" && at?.includes(oldSubDomain) === false;
    return isRefused
      ? Promise.reject(
          new ServiceError({
            operation,
            code: "9",
            meaning: "there is no such share",
            hint: "",
            outcome: "refused",
            about: "share",
            absent: true,
          }),
        )
      : Promise.resolve({});
  };
  await work(
    new Shares({ call } as unknown as Client, { indexDelay: 0, explicit, undocumentedOperations: true }),
  );
  return called;
}

/** Ends a share of a service that lists these. */
function end(
  listed: readonly DomainShareEntry[],
  scope: string | undefined,
  explicit = false,
): Promise<string[]> {
  return asked(listed, (shares) => shares.end({ domain: "example.com", email, mode: "r", scope }), explicit);
}

const unlabelled: DomainShareEntry = { email, mode: "r", pending: false };

describe("making a share", () => {
  /** @param before the earlier share. Default: a new one */
  const make = (
    listed: readonly DomainShareEntry[],
    scope: string | undefined,
    at: readonly (string | undefined)[],
    before?: { readonly scope: string | undefined },
  ): Promise<string[]> =>
    asked(
      listed,
      (shares) =>
        shares.create(
          { domain: "example.com", email, mode: "r", scope },
          [before === undefined ? scope : before.scope],
          before !== undefined || scope === undefined,
        ),
      false,
      at,
    );

  it("finds the share by a change if the listing has no labels", async () => {
    assert.deepEqual(await make([unlabelled], "shop", ["shop"]), ["Domainshare.Modify shop shop"]);
    assert.deepEqual(await make([unlabelled], "shop", [undefined]), [
      "Domainshare.Modify shop shop",
      "Domainshare.Create",
    ]);
    assert.deepEqual(await make([unlabelled], undefined, [undefined]), []);
    assert.deepEqual(await make([], "shop", []), ["Domainshare.Create"]);
  });

  it("changes the scope alone, from its former scope", async () => {
    assert.deepEqual(await make([unlabelled], "shop", [undefined], { scope: undefined }), [
      "Domainshare.Modify @ shop",
    ]);
    assert.deepEqual(await make([unlabelled], undefined, ["shop"], { scope: "shop" }), [
      "Domainshare.Modify shop @",
    ]);
    // After a lost answer it may be there already.
    assert.deepEqual(await make([unlabelled], "shop", ["shop"], { scope: "blog" }), [
      "Domainshare.Modify blog shop",
      "Domainshare.Modify shop shop",
    ]);
    assert.deepEqual(
      await make([{ ...unlabelled, subDomain: "blog" }], "shop", ["blog"], { scope: "blog" }),
      ["Domainshare.Modify blog shop"],
    );
    assert.deepEqual(
      await make([{ ...unlabelled, subDomain: "shop" }], "shop", ["shop"], { scope: "blog" }),
      [],
    );
  });

  it("of a person with several changes the one at the scope that it had", async () => {
    assert.deepEqual(
      await make([unlabelled, { ...unlabelled, mode: "rw" }], "blog", ["shop"], { scope: "shop" }),
      ["Domainshare.Modify shop blog"],
    );
    assert.deepEqual(await make([unlabelled, unlabelled], "shop", ["shop"], { scope: "shop" }), [
      "Domainshare.Modify shop shop",
    ]);
  });

  it("creates it again if none of these scopes is shared any more", async () => {
    assert.deepEqual(await make([{ ...unlabelled, mode: "rw" }], "shop", [undefined], { scope: "shop" }), [
      "Domainshare.Modify shop shop",
      "Domainshare.Create",
    ]);
    assert.deepEqual(await make([unlabelled], "shop", [], { scope: "blog" }), [
      "Domainshare.Modify blog shop",
      "Domainshare.Modify shop shop",
      "Domainshare.Create",
    ]);
  });
});

describe("a share that another resource declares", () => {
  const taken = async (
    listed: readonly DomainShareEntry[],
    declared: string | undefined,
    given: string | undefined,
  ): Promise<string | undefined> => {
    let taker: string | undefined;
    await asked(listed, async (shares) => {
      shares.declare(
        { domain: "example.com", email: "Agency@example.org", mode: "rw", scope: declared },
        'DomainShare "new"',
      );
      taker = await shares.newOwnerOf({ domain: "example.com", email, mode: "r", scope: given });
    });
    return taker;
  };

  it("belongs to that resource, at its scope or without labels", async () => {
    const [shop, blog] = ["shop", "blog"].map((subDomain) => ({ ...unlabelled, subDomain }));
    assert.equal(await taken([], "shop", "shop"), 'DomainShare "new"');
    assert.equal(await taken([unlabelled], "shop", undefined), 'DomainShare "new"');
    assert.equal(await taken([unlabelled], undefined, "shop"), 'DomainShare "new"');
    assert.equal(await taken(blog ? [blog] : [], "blog", "shop"), 'DomainShare "new"');
    // Both are there: neither can be ended alone.
    assert.equal(await taken(shop && blog ? [shop, blog] : [], "blog", "shop"), undefined);
  });
});

describe("ending a share", () => {
  it("ends a person's only share, even without a label in the listing", async () => {
    assert.deepEqual(await end([unlabelled], "shop"), ["Domainshare.Remove"]);
    assert.deepEqual(await end([unlabelled], undefined), ["Domainshare.Remove"]);
  });

  it("does not end one of several shares, with and without labels", async () => {
    for (const scope of [undefined, "shop"])
      await assert.rejects(end([unlabelled, { ...unlabelled }], scope), /\[share\.with-others\]/);
    await assert.rejects(
      end([unlabelled, { ...unlabelled, subDomain: "shop" }], "shop"),
      /would end the whole of example\.com as well/,
    );
  });

  it("names the place of the setting `removal`, because no variable reaches a Provider", async () => {
    const two = [unlabelled, { ...unlabelled }];
    await assert.rejects(end(two, "shop"), /help: leave it there: LEGACYDNS_REMOVAL=retain pulumi up$/);
    await assert.rejects(
      end(two, "shop", true),
      /help: leave it there: set removal: "retain" on the Provider, then run `pulumi up`$/,
    );
  });

  it("one that is not there is ended", async () => {
    assert.deepEqual(await end([], "shop"), []);
    assert.deepEqual(await end([{ ...unlabelled, subDomain: "dev" }], "shop"), []);
  });

  it("is not kept by that of another person, which ends at the same time", async () => {
    const [other, both] = ["other@example.org", [unlabelled, { ...unlabelled, email: "other@example.org" }]];
    const asks = await asked(both, async (shares) => {
      await Promise.all(
        [email, other].map((each) =>
          shares.end({ domain: "example.com", email: each, mode: "r", scope: undefined }),
        ),
      );
    });
    assert.deepEqual(asks, ["Domainshare.Remove", "Domainshare.Remove"]);
  });
});
