import { deepEqual, equal } from "node:assert/strict";
import {
  each,
  facts,
  friend,
  list,
  noSuchDomain,
  on,
  owner,
  refusals,
  stranger,
  unwritable,
  withMate,
  type Fact,
  type Lab,
  type Params,
} from "./lab";

const mate = "mate@example.com";
const shares = (lab: Lab) =>
  lab.admin
    .shares("example.com")
    .map(({ email, mode, subDomain }) => `${email} ${subDomain === "" ? "(whole)" : subDomain} ${mode}`)
    .sort();
const [whole, dev] = [`${friend} (whole) r`, `${friend} dev r`];
const keysOf = (answer: unknown) => Object.keys(answer as object);

const useCase = (says: string, params: Params, after: readonly string[]): Fact => [
  says,
  async (lab) => {
    deepEqual(keysOf(await lab.call("Domainshare.Modify", { email: friend, ...params })), ["status"]);
    deepEqual(shares(lab), after);
  },
];

facts("Domainshare.Modify", [
  useCase("changes the mode of the main-domain share: mode", { mode: "rw" }, [`${friend} (whole) rw`, dev]),
  useCase(
    "changes the mode of a subdomain share: mode, old_sub_domain, new_sub_domain (same label)",
    { mode: "rw", old_sub_domain: "dev", new_sub_domain: "dev" },
    [whole, `${friend} dev rw`],
  ),
  useCase(
    "changes a main-domain share into a subdomain share: mode, new_sub_domain",
    { mode: "rw", new_sub_domain: "www" },
    [dev, `${friend} www rw`],
  ),
  [
    "changes a subdomain share into a main-domain share: mode, old_sub_domain",
    async (lab) => {
      lab.admin.removeShare("example.com", friend);
      lab.admin.addShare("example.com", { email: friend, subDomain: "dev" });
      await lab.call("Domainshare.Modify", { email: friend, mode: "rw", old_sub_domain: "dev" });
      deepEqual(shares(lab), [`${friend} (whole) rw`]);
    },
  ],
  useCase(
    "changes one shared subdomain to another: mode, old_sub_domain, new_sub_domain (different label)",
    { mode: "r", old_sub_domain: "dev", new_sub_domain: "test" },
    [whole, `${friend} test r`],
  ),
  [
    "mode defaults to r: a share loses its write right when it is left out",
    async (lab) => {
      await lab.call("Domainshare.Modify", { email: friend, mode: "rw" });
      await lab.call("Domainshare.Modify", { email: friend });
      deepEqual(shares(lab), [whole, dev]);
    },
  ],
  [
    "has a code for each refusal: e-mail, scope, levels, verification, mode and domain",
    refusals(
      "Domainshare.Modify",
      [
        ...unwritable,
        ...noSuchDomain,
        ["8", { email: "nobody@example.org" }],
        ["8", { email: "nobody" }],
        ["9", { old_sub_domain: "absent", new_sub_domain: "dev2" }],
        ["9", { new_sub_domain: "dev" }],
        ["23", { new_sub_domain: "a.b.c.d.e.f.g.h.i.j.k" }],
        ["24", { new_sub_domain: "*.b.c.d.e.f" }],
        ["25", { email: stranger }],
        ["34", { mode: "x" }],
      ],
      { email: friend, mode: "r" },
    ),
  ],
  [
    "share_out counts the shares of the caller, so a missing share can be seen",
    async (lab) => {
      equal(await lab.code("Domain.List", { type: "share_out" }), "1");
      lab.admin.removeShare("example.com", friend);
      equal(await lab.code("Domain.List", { type: "share_out" }), "9");
    },
  ],
]);

facts("Domainshare.Create", [
  [
    "shares the domain with an e-mail and answers status only; mode defaults to r; a host label with sub_domain",
    async (lab) => {
      deepEqual(keysOf(await lab.call("Domainshare.Create", { email: mate })), ["status"]);
      await lab.call("Domainshare.Create", { email: mate, mode: "rw", sub_domain: "WWW" });
      deepEqual(shares(lab), [whole, dev, `${mate} (whole) r`, `${mate} www rw`]);
    },
    withMate,
  ],
  [
    "has a code for each refusal: e-mail, owner, existing share, levels, mode and domain",
    refusals(
      "Domainshare.Create",
      [
        ...unwritable,
        ["7", { email: "mate" }],
        ["7", { email: "" }],
        ["7", { email: owner }],
        ["8", { email: "nobody@example.org" }],
        ["9", { email: friend, mode: "rw" }],
        ["9", { email: friend, sub_domain: "dev" }],
        ["23", { sub_domain: "a.b.c.d.e.f.g.h.i.j.k" }],
        ["34", { mode: "w" }],
      ],
      { email: mate },
    ),
    withMate,
  ],
  [
    "10: the package's number of shares is reached; 99999 is no limit",
    async (lab) => {
      for (const [limit, sub_domain, expected] of [
        [3, "", "1"],
        [3, "www", "10"],
        [99999, "www", "1"],
      ] as const) {
        lab.admin.setDomain("example.com", { purview: { shares: limit } });
        equal(await lab.code("Domainshare.Create", { email: mate, sub_domain }), expected);
      }
    },
    withMate,
  ],
]);

facts("Domainshare.List", [
  [
    "share holds share_to, mode and status, and sub_domain for a host label; pending for an account that is not verified",
    async (lab) => {
      await lab.call("Domainshare.Create", { email: stranger, mode: "rw" });
      deepEqual(list(await lab.call("Domainshare.List"), "share"), [
        { share_to: friend, mode: "r", status: "enabled" },
        { share_to: friend, mode: "r", status: "enabled", sub_domain: "dev" },
        { share_to: stranger, mode: "rw", status: "pending" },
      ]);
    },
    on(),
  ],
  [
    "7 if nothing is shared, and for a caller who is not the owner; 8 and 13 for a missing domain",
    refusals("Domainshare.List", [
      ["7", { domain: "plan.example" }],
      ["7", { domain: "foreign.example" }],
      ["13", { domain: "nowhere.example" }],
      ["8", { domain_id: "999999999" }],
    ]),
    on(),
  ],
]);

facts("Domainshare.Remove", [
  [
    "ends every share of the e-mail, the host labels' too: an e-mail is all that it takes",
    async (lab) => {
      await lab.call("Domainshare.Create", { email: mate });
      deepEqual(keysOf(await lab.call("Domainshare.Remove", { email: friend })), ["status"]);
      deepEqual(each(await lab.call("Domainshare.List"), "share", "share_to"), [mate]);
    },
    withMate,
  ],
  [
    "has a code for each refusal: no share, e-mail and domain",
    refusals(
      "Domainshare.Remove",
      [...unwritable, ["9", {}], ["8", { email: "nobody@example.org" }], ["7", { email: "x" }]],
      { email: mate },
    ),
    withMate,
  ],
]);
