import assert from "node:assert/strict";
import { facts, type Fact } from "./facts";
import { code, friend, list, stranger, type Lab } from "./lab";

const modify = (lab: Lab, params: Record<string, string>): Promise<unknown> =>
  lab.call("Domainshare.Modify", { domain: "example.com", email: friend, ...params });
const scopes = (lab: Lab): string[] =>
  lab.emulator.admin
    .shares("example.com")
    .map(({ mode, subDomain }) => `${subDomain === "" ? "(whole)" : subDomain} ${mode}`)
    .sort();

const useCase = (says: string, params: Record<string, string>, after: readonly string[]): Fact => [
  says,
  async (lab) => {
    assert.deepEqual(scopes(lab), ["(whole) r", "dev r"]);
    const answer = await modify(lab, params);
    assert.equal(code(answer), "1");
    assert.deepEqual(Object.keys(answer as object), ["status"]);
    assert.deepEqual(scopes(lab), after);
  },
];

const refusal = (says: string, refused: string, params: Record<string, string>): Fact => [
  `${refused}: ${says}`,
  async (lab) => {
    const before = scopes(lab);
    assert.equal(code(await modify(lab, params)), refused);
    assert.deepEqual(scopes(lab), before);
  },
];

facts("Domainshare.Modify", [
  useCase("change mode of the main-domain share: mode", { mode: "rw" }, ["(whole) rw", "dev r"]),
  useCase(
    "change mode of a subdomain share: mode, old_sub_domain, new_sub_domain (same label)",
    { mode: "rw", old_sub_domain: "dev", new_sub_domain: "dev" },
    ["(whole) r", "dev rw"],
  ),
  useCase(
    "change main-domain share into subdomain share: mode, new_sub_domain",
    { mode: "rw", new_sub_domain: "www" },
    ["dev r", "www rw"],
  ),
  [
    "change subdomain share into main-domain share: mode, old_sub_domain",
    async (lab) => {
      lab.emulator.admin.removeShare("example.com", friend);
      lab.emulator.admin.addShare("example.com", { email: friend, subDomain: "dev" });
      assert.equal(code(await modify(lab, { mode: "rw", old_sub_domain: "dev" })), "1");
      assert.deepEqual(scopes(lab), ["(whole) rw"]);
    },
  ],
  useCase(
    "change one shared subdomain to another: mode, old_sub_domain, new_sub_domain (different label)",
    { mode: "r", old_sub_domain: "dev", new_sub_domain: "test" },
    ["(whole) r", "test r"],
  ),
  [
    "mode defaults to r: a share loses its write right when it is left out",
    async (lab) => {
      await modify(lab, { mode: "rw" });
      await modify(lab, {});
      assert.deepEqual(scopes(lab), ["(whole) r", "dev r"]);
    },
  ],
  refusal("domain banned", "-15", { domain: "banned.example" }),
  refusal("domain ID wrong", "6", { domain: "", domain_id: "x" }),
  refusal("caller is not the domain owner", "7", { domain: "foreign.example" }),
  refusal("domain ID invalid", "8", { domain: "", domain_id: "999999999" }),
  refusal("Notes: e-mail unknown", "8", { email: "nobody@example.org", mode: "r" }),
  refusal("Notes: e-mail bad", "8", { email: "nobody", mode: "r" }),
  refusal("Notes: no such share", "9", { old_sub_domain: "absent", new_sub_domain: "dev2", mode: "r" }),
  refusal("a share that exists already at the new scope", "9", { new_sub_domain: "dev", mode: "r" }),
  refusal("domain wrong", "13", { domain: "nowhere.example" }),
  refusal("domain locked", "21", { domain: "locked.example" }),
  refusal("subdomain levels exceed the limit", "23", { new_sub_domain: "a.b.c.d.e.f.g.h.i.j.k", mode: "r" }),
  refusal("wildcard levels exceed the limit", "24", { new_sub_domain: "*.b.c.d.e.f", mode: "r" }),
  refusal("a user without real-name verification", "25", { email: stranger, mode: "r" }),
  refusal("a mode that is neither r nor rw", "34", { mode: "x" }),
  [
    "share_out counts what the caller shared, so a share that is gone can be seen",
    async (lab) => {
      assert.equal(list(await lab.call("Domain.List", { type: "share_out" }), "domains").length, 1);
      lab.emulator.admin.removeShare("example.com", friend);
      assert.equal(code(await lab.call("Domain.List", { type: "share_out" })), "9");
    },
  ],
]);
