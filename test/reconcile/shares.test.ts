import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { Client, DomainShareEntry } from "../../provider/api";
import { Shares, type Scope } from "../../provider/reconcile/shares";

const email = "agency@example.org";
const person = { domain: "example.com", email, mode: "r" } as const;

interface Requested {
  readonly oldSubDomain?: string;
  readonly newSubDomain?: string;
}

/** The calls of `work` beside listings. */
async function asked(
  listed: readonly DomainShareEntry[],
  work: (shares: Shares) => Promise<unknown>,
  settings: { readonly explicit?: boolean; readonly undocumentedOperations?: boolean } = {},
): Promise<string[]> {
  const called: string[] = [];
  const call = (operation: string, request: Requested): Promise<unknown> => {
    if (operation === "Domainshare.List") return Promise.resolve({ shares: structuredClone(listed) });
    const { oldSubDomain = "@", newSubDomain = "@" } = request;
    called.push(
      operation === "Domainshare.Modify" ? `${operation} ${oldSubDomain} ${newSubDomain}` : operation,
    );
    return Promise.resolve({});
  };
  const given = { indexDelay: 0, explicit: false, undocumentedOperations: true, ...settings };
  await work(new Shares({ call } as unknown as Client, given));
  return called;
}

function end(listed: readonly DomainShareEntry[], scope: Scope, explicit = false): Promise<string[]> {
  return asked(listed, (shares) => shares.end({ ...person, scope }), { explicit });
}

const whole: DomainShareEntry = { email, mode: "r", pending: false };
const labelled = (subDomain: string): DomainShareEntry => ({ ...whole, subDomain });
const [shop, blog] = [labelled("shop"), labelled("blog")];

describe("making a share", () => {
  const [create, modify] = ["Domainshare.Create", "Domainshare.Modify"];
  type Row = [listed: DomainShareEntry[], former: Scope, scope: Scope, calls: string[]];
  const cases: Record<string, Row[]> = {
    "changes the mode at its scope": [
      [[{ ...whole, mode: "rw" }], undefined, undefined, [`${modify} @ @`]],
      [[{ ...shop, mode: "rw" }], "shop", "shop", [`${modify} shop shop`]],
    ],
    "changes the scope, from its former scope": [
      [[whole], undefined, "shop", [`${modify} @ shop`]],
      [[shop], "shop", undefined, [`${modify} shop @`]],
      [[blog], "blog", "shop", [`${modify} blog shop`]],
      [[whole, blog], "blog", "shop", [`${modify} blog shop`]],
    ],
    "makes no call if the share is as declared": [
      [[whole], undefined, undefined, []],
      [[shop], "shop", "shop", []],
      // A lost answer was a success.
      [[shop], "blog", "shop", []],
    ],
    "creates it if neither scope is shared": [
      [[], "shop", "shop", [create]],
      [[whole], "shop", "shop", [create]],
      [[blog], undefined, "shop", [create]],
    ],
  };
  for (const [title, rows] of Object.entries(cases))
    it(title, async () => {
      for (const [listed, former, scope, calls] of rows)
        deepEqual(await asked(listed, (shares) => shares.create({ ...person, scope }, [former])), calls);
    });

  it("needs no mode in the listing to know that it is there", async () => {
    await asked([{ email, pending: false }], async (shares) => {
      const query = { ...person, scope: undefined };
      equal((await shares.entry(query))?.email, email);
      await rejects(shares.find(query), /share\.mode/);
    });
  });
});

describe("a share that another resource declares", () => {
  const declared = (scope: Scope) => (shares: Shares) => {
    shares.declare({ ...person, email: "Agency@example.org", mode: "rw", scope }, 'DomainShare "new"');
    return shares;
  };

  it("belongs to that resource at its scope, and in documented mode at any", async () => {
    for (const [undocumentedOperations, scope, taker] of [
      [true, "shop", 'DomainShare "new"'],
      [true, undefined, undefined],
      [false, undefined, 'DomainShare "new"'],
    ] as const)
      await asked(
        [],
        (shares) => {
          equal(declared("shop")(shares).declarerOf({ ...person, scope }), taker);
          return Promise.resolve();
        },
        { undocumentedOperations },
      );
  });

  it("is not ended by the resource of its former scope, even if the listing is old", async () => {
    const calls = await asked([whole], (shares) =>
      declared("shop")(shares).end({ ...person, scope: undefined }),
    );
    deepEqual(calls, []);
  });
});

describe("ending a share", () => {
  it("ends a person's only share", async () => {
    deepEqual(await end([whole], undefined), ["Domainshare.Remove"]);
    deepEqual(await end([shop], "shop"), ["Domainshare.Remove"]);
  });

  it("does not end one of several shares", async () => {
    await rejects(end([whole, shop], "shop"), /\[share\.with-others\]\n {2}the whole of example\.com\n/);
    await rejects(end([whole, shop], undefined), /\[share\.with-others\]/);
  });

  it("lists ten of the person's other shares", async () => {
    const many = Array.from({ length: 200 }, (_, n) => labelled(`host-${n}`));
    await rejects(end([...many, shop], "shop"), (error: Error) => {
      equal(error.message.split("\n").length, 14);
      ok(error.message.length < 1_000);
      return true;
    });
  });

  it("names the place of the setting `removal`, because no variable reaches a Provider", async () => {
    const two = [whole, shop];
    await rejects(end(two, "shop"), /help: leave it there: LEGACYDNS_REMOVAL=retain pulumi up$/);
    await rejects(
      end(two, "shop", true),
      /help: leave it there: set removal: "retain" on the Provider, then run `pulumi up`$/,
    );
  });

  it("one that is not there is ended", async () => {
    deepEqual(await end([], "shop"), []);
    deepEqual(await end([blog], "shop"), []);
  });

  it("is not kept by that of another person, which ends at the same time", async () => {
    const other = "other@example.org";
    const calls = await asked([whole, { ...whole, email: other }], (shares) =>
      Promise.all([email, other].map((each) => shares.end({ ...person, email: each, scope: undefined }))),
    );
    deepEqual(calls, ["Domainshare.Remove", "Domainshare.Remove"]);
  });
});
