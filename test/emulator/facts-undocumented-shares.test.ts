import assert from "node:assert/strict";
import { facts, type Fact } from "./facts";
import { code, friend, list, owner, stranger, type Lab } from "./lab";
import { act, on, withMate } from "./undocumented";

const mate = "mate@example.com";
const shares = (lab: Lab): string[] =>
  lab.emulator.admin
    .shares("example.com")
    .map(({ email, mode, subDomain }) => `${email} ${subDomain === "" ? "(whole)" : subDomain} ${mode}`)
    .sort();
const atFirst = [`${friend} (whole) r`, `${friend} dev r`];
const share = (lab: Lab, params: Record<string, string>): Promise<unknown> =>
  act(lab, "Domainshare.Create", { email: mate, ...params });

const refusal = (operation: string, refused: string, says: string, params: Record<string, string>): Fact => [
  `${refused}: ${says}`,
  async (lab) => {
    assert.equal(code(await act(lab, operation, { email: mate, ...params })), refused);
    assert.deepEqual(shares(lab), atFirst);
  },
  withMate,
];

facts("Domainshare.Create", [
  [
    "shares the domain with an e-mail and answers status only; mode defaults to r; a host label with sub_domain",
    async (lab) => {
      assert.deepEqual(Object.keys((await share(lab, {})) as object), ["status"]);
      assert.equal(code(await share(lab, { mode: "rw", sub_domain: "WWW" })), "1");
      assert.deepEqual(shares(lab), [...atFirst, `${mate} (whole) r`, `${mate} www rw`]);
    },
    withMate,
  ],
  refusal("Domainshare.Create", "7", "bad e-mail", { email: "mate" }),
  refusal("Domainshare.Create", "7", "no e-mail", { email: "" }),
  refusal("Domainshare.Create", "7", "the owner's own e-mail", { email: owner }),
  refusal("Domainshare.Create", "8", "e-mail unknown", { email: "nobody@example.org" }),
  refusal("Domainshare.Create", "9", "it exists, whatever the mode", { email: friend, mode: "rw" }),
  refusal("Domainshare.Create", "9", "it exists for the host label", { email: friend, sub_domain: "dev" }),
  refusal("Domainshare.Create", "23", "subdomain levels", { sub_domain: "a.b.c.d.e.f.g.h.i.j.k" }),
  refusal("Domainshare.Create", "34", "a mode that is neither r nor rw", { mode: "w" }),
  refusal("Domainshare.Create", "-15", "domain banned", { domain: "banned.example" }),
  refusal("Domainshare.Create", "21", "domain locked", { domain: "locked.example" }),
  refusal("Domainshare.Create", "7", "not the domain owner", { domain: "foreign.example" }),
  [
    "10: the package's number of shares is reached; 99999 is no limit",
    async (lab) => {
      lab.emulator.admin.setDomain("example.com", { purview: { shares: 3 } });
      assert.deepEqual(
        [code(await share(lab, {})), code(await share(lab, { sub_domain: "www" }))],
        ["1", "10"],
      );
      lab.emulator.admin.setDomain("example.com", { purview: { shares: 99999 } });
      assert.equal(code(await share(lab, { sub_domain: "www" })), "1");
    },
    withMate,
  ],
]);

facts("Domainshare.List", [
  [
    "share holds share_to, mode and status, and sub_domain where a host label is shared; pending for who is not verified",
    async (lab) => {
      assert.equal(code(await act(lab, "Domainshare.Create", { email: stranger, mode: "rw" })), "1");
      assert.deepEqual(list(await act(lab, "Domainshare.List", {}), "share"), [
        { share_to: friend, mode: "r", status: "enabled" },
        { share_to: friend, mode: "r", status: "enabled", sub_domain: "dev" },
        { share_to: stranger, mode: "rw", status: "pending" },
      ]);
    },
    on(),
  ],
  [
    "7 where nothing is shared, and for who is not the owner; 8 and 13 for a domain that is none",
    async (lab) => {
      const codes = ["plan.example", "foreign.example", "nowhere.example"].map(async (domain) =>
        code(await act(lab, "Domainshare.List", { domain })),
      );
      assert.deepEqual(await Promise.all(codes), ["7", "7", "13"]);
      assert.equal(code(await lab.call("Domainshare.List", { domain_id: "999999999" })), "8");
    },
    on(),
  ],
]);

facts("Domainshare.Remove", [
  [
    "ends every share of the e-mail, the host labels' too: an e-mail is all that it takes",
    async (lab) => {
      await share(lab, {});
      assert.deepEqual(Object.keys((await act(lab, "Domainshare.Remove", { email: friend })) as object), [
        "status",
      ]);
      assert.deepEqual(shares(lab), [`${mate} (whole) r`]);
      assert.equal(code(await act(lab, "Domainshare.Remove", { email: friend })), "9");
    },
    withMate,
  ],
  refusal("Domainshare.Remove", "9", "no such share", {}),
  refusal("Domainshare.Remove", "8", "e-mail unknown", { email: "nobody@example.org" }),
  refusal("Domainshare.Remove", "7", "bad e-mail", { email: "x" }),
  refusal("Domainshare.Remove", "-15", "domain banned", { domain: "banned.example" }),
  refusal("Domainshare.Remove", "21", "domain locked", { domain: "locked.example" }),
]);
