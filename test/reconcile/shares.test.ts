/** Shares without labels, as in the service's recorded answers. The emulator returns labels. */
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { ServiceError, type Client, type DomainShareEntry } from "../../provider/api";
import { Shares } from "../../provider/reconcile/shares";

const email = "agency@example.org";

async function asked(
  listed: readonly DomainShareEntry[],
  work: (shares: Shares) => Promise<unknown>,
  explicit = false,
  at?: readonly (string | undefined)[],
) {
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
            help: [],
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

function end(listed: readonly DomainShareEntry[], scope: string | undefined, explicit = false) {
  return asked(listed, (shares) => shares.end({ domain: "example.com", email, mode: "r", scope }), explicit);
}

const unlabelled: DomainShareEntry = { email, mode: "r", pending: false };

describe("making a share", () => {
  type Scope = string | undefined;
  type Row = [
    listed: DomainShareEntry[],
    scope: Scope,
    at: Scope[],
    calls: string[],
    before?: { readonly scope: Scope },
  ];
  const [create, modify] = ["Domainshare.Create", "Domainshare.Modify"];
  const labelled = (subDomain: string): DomainShareEntry => ({ ...unlabelled, subDomain });
  const rw: DomainShareEntry = { ...unlabelled, mode: "rw" };
  const cases: Record<string, Row[]> = {
    "finds the share by a change if the listing has no labels": [
      [[unlabelled], "shop", ["shop"], [`${modify} shop shop`]],
      [[unlabelled], "shop", [undefined], [`${modify} shop shop`, create]],
      [[unlabelled], undefined, [undefined], []],
      [[], "shop", [], [create]],
    ],
    "changes the scope alone, from its former scope": [
      [[unlabelled], "shop", [undefined], [`${modify} @ shop`], { scope: undefined }],
      [[unlabelled], undefined, ["shop"], [`${modify} shop @`], { scope: "shop" }],
      // After a lost answer it may be there already.
      [[unlabelled], "shop", ["shop"], [`${modify} blog shop`, `${modify} shop shop`], { scope: "blog" }],
      [[labelled("blog")], "shop", ["blog"], [`${modify} blog shop`], { scope: "blog" }],
      [
        [labelled("shop")],
        "shop",
        ["shop"],
        [`${modify} blog shop`, `${modify} shop shop`],
        { scope: "blog" },
      ],
      [[labelled("shop")], "shop", ["shop"], []],
    ],
    "changes one of several shares of a person, at its scope": [
      [[unlabelled, rw], "blog", ["shop"], [`${modify} shop blog`], { scope: "shop" }],
      [[unlabelled, unlabelled], "shop", ["shop"], [`${modify} shop shop`], { scope: "shop" }],
    ],
    "creates it again if none of these scopes is shared any more": [
      [[rw], "shop", [undefined], [`${modify} shop shop`, create], { scope: "shop" }],
      [[unlabelled], "shop", [], [`${modify} blog shop`, `${modify} shop shop`, create], { scope: "blog" }],
    ],
  };
  for (const [title, rows] of Object.entries(cases))
    it(title, async () => {
      for (const [listed, scope, at, calls, before] of rows) {
        const make = (shares: Shares): Promise<unknown> =>
          shares.create({ domain: "example.com", email, mode: "r", scope }, [
            before === undefined ? scope : before.scope,
          ]);
        deepEqual(await asked(listed, make, false, at), calls);
      }
    });
});

describe("a share that another resource declares", () => {
  const taken = async (
    listed: readonly DomainShareEntry[],
    declared: string | undefined,
    given: string | undefined,
  ) => {
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
    equal(await taken([], "shop", "shop"), 'DomainShare "new"');
    equal(await taken([unlabelled], "shop", undefined), 'DomainShare "new"');
    equal(await taken([unlabelled], undefined, "shop"), 'DomainShare "new"');
    equal(await taken(blog ? [blog] : [], "blog", "shop"), 'DomainShare "new"');
    equal(await taken(shop && blog ? [shop, blog] : [], "blog", "shop"), undefined);
    equal(await taken([unlabelled, unlabelled], "blog", "shop"), 'DomainShare "new"');
  });
});

describe("a person's share in a listing without labels", () => {
  const query = { domain: "example.com", email, scope: "test" };
  const listing = [unlabelled, { ...unlabelled, mode: "rw" as const }];

  it("is the one with the same mode, else the first", async () => {
    await asked(listing, async (shares) => {
      equal((await shares.find({ ...query, mode: "rw" }))?.mode, "rw");
      equal((await shares.find(query))?.mode, "r");
    });
  });

  it("is there even if the listing has no mode", async () => {
    await asked([{ email, pending: false }], async (shares) => {
      equal((await shares.entry(query))?.email, email);
      await rejects(shares.find(query), /share\.mode/);
    });
  });
});

describe("ending a share", () => {
  it("ends a person's only share, even without a label in the listing", async () => {
    deepEqual(await end([unlabelled], "shop"), ["Domainshare.Remove"]);
    deepEqual(await end([unlabelled], undefined), ["Domainshare.Remove"]);
  });

  it("does not end one of several shares, with and without labels", async () => {
    for (const scope of [undefined, "shop"])
      await rejects(end([unlabelled, { ...unlabelled }], scope), /\[share\.with-others\]/);
    await rejects(
      end([unlabelled, { ...unlabelled, subDomain: "shop" }], "shop"),
      /\[share\.with-others\]\n {2}the whole of example\.com\n/,
    );
  });

  it("lists ten of the person's other shares", async () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ ...unlabelled, subDomain: `host-${n}` }));
    await rejects(end([...many, { ...unlabelled, subDomain: "shop" }], "shop"), (error: Error) => {
      equal(error.message.split("\n").length, 14);
      ok(error.message.length < 1_000);
      return true;
    });
  });

  it("names the place of the setting `removal`, because no variable reaches a Provider", async () => {
    const two = [unlabelled, { ...unlabelled }];
    await rejects(end(two, "shop"), /help: leave it there: LEGACYDNS_REMOVAL=retain pulumi up$/);
    await rejects(
      end(two, "shop", true),
      /help: leave it there: set removal: "retain" on the Provider, then run `pulumi up`$/,
    );
  });

  it("one that is not there is ended", async () => {
    deepEqual(await end([], "shop"), []);
    deepEqual(await end([{ ...unlabelled, subDomain: "dev" }], "shop"), []);
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
    deepEqual(asks, ["Domainshare.Remove", "Domainshare.Remove"]);
  });
});
