import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { Client, DomainShareEntry } from "../../provider/api";
import { Shares, type Scope } from "../../provider/reconcile/shares";

const email = "agency@example.org";
const person = { domain: "example.com", email, mode: "r" } as const;

interface Requested {
  readonly oldSubDomain?: string;
  readonly newSubDomain?: string;
}

/** Shares of an account whose service lists some, and the calls beside listings. */
function sharesOf(
  listed: readonly DomainShareEntry[],
  settings: { readonly explicit?: boolean; readonly undocumentedOperations?: boolean } = {},
) {
  const called: string[] = [];
  const call = (operation: string, request: Requested) => {
    if (operation === "Domainshare.List") return Promise.resolve({ shares: structuredClone(listed) });
    const { oldSubDomain = "@", newSubDomain = "@" } = request;
    called.push(
      operation === "Domainshare.Modify" ? `${operation} ${oldSubDomain} ${newSubDomain}` : operation,
    );
    return Promise.resolve({});
  };
  const given = { indexDelay: 0, explicit: false, undocumentedOperations: true, ...settings };
  return { shares: new Shares({ call } as unknown as Client, given), called };
}

async function end(listed: readonly DomainShareEntry[], scope: Scope, explicit = false): Promise<string[]> {
  const { shares, called } = sharesOf(listed, { explicit });
  await shares.end({ ...person, scope });
  return called;
}

const whole: DomainShareEntry = { email, mode: "r", pending: false };
const labelled = (subDomain: string) => ({ ...whole, subDomain });
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
      for (const [listed, former, scope, calls] of rows) {
        const { shares, called } = sharesOf(listed);
        await shares.create({ ...person, scope }, [former]);
        deepEqual(called, calls);
      }
    });

  it("needs no mode in the listing to know that it is there", async () => {
    const { shares } = sharesOf([{ email, pending: false }]);
    const query = { ...person, scope: undefined };
    equal((await shares.entry(query))?.email, email);
    await rejects(shares.find(query), /share\.mode/);
  });
});

describe("a share that another resource declares", () => {
  const taker = 'DomainShare "new"';
  const taken = (...given: Parameters<typeof sharesOf>) => {
    const { shares, called } = sharesOf(...given);
    shares.declare({ ...person, email: "Agency@example.org", mode: "rw", scope: "shop" }, taker);
    return { shares, called };
  };

  it("belongs to that resource at its scope, and in documented mode at any", () => {
    for (const [undocumentedOperations, scope, owner] of [
      [true, "shop", taker],
      [true, undefined, undefined],
      [false, undefined, taker],
    ] as const) {
      const { shares } = taken([], { undocumentedOperations });
      equal(shares.declarerOf({ ...person, scope }), owner);
    }
  });

  it("is not ended by the resource of its former scope, even if the listing is old", async () => {
    const { shares, called } = taken([whole]);
    await shares.end({ ...person, scope: undefined });
    deepEqual(called, []);
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
    const { shares, called } = sharesOf([whole, { ...whole, email: other }]);
    await Promise.all([email, other].map((each) => shares.end({ ...person, email: each, scope: undefined })));
    deepEqual(called, ["Domainshare.Remove", "Domainshare.Remove"]);
  });
});
