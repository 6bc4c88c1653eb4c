/** A token of an account that does not have the program's domains. */
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { createOnly } from "../../provider/reconcile/declaration";
import { renderAll } from "../../provider/problems";
import { reasonsOf } from "../../provider/lifecycle/failures";
import { declare, full, labTests, wwwLine, type Lab } from "./lab";

const others = ["a.example", "b.example", "c.example"];
const { it } = labTests({
  accounts: [{ email: "owner@example.org" }, { email: "agency@example.org" }],
  domains: ["example.com", "example.net", ...others.map((name) => ({ name, owner: "agency@example.org" }))],
});

async function texts(lab: Lab, domains: string | readonly string[], by = lab.process()) {
  const wanted = declare(domains, [wwwLine], { may: { ...createOnly, single: true } });
  try {
    await by.preview(wanted);
  } catch (error) {
    return renderAll(reasonsOf(error));
  }
  return [];
}

describe("The wrong account", () => {
  it("is one diagnostic with all refused domains, and names the account", async (lab, by) => {
    const [first = [], ...later] = await Promise.all(others.map((domain) => texts(lab, domain, by)));
    const [text = ""] = first;
    equal(first.length, 1);
    match(text, /^the account owner@example\.org does not have these domains \[zone\.refused\]\n/);
    for (const domain of others)
      ok(text.includes(`\n  ${domain}  the caller is not the domain's owner (7)`), text);
    match(text, /help: if another account has them: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN/);
    for (const each of later) deepEqual([each.length, each[0]?.includes("help:")], [1, false]);
    equal(lab.calls("Domain.List"), 1);
    deepEqual(await texts(lab, "nowhere.example", by), [
      "the account owner@example.org does not have these domains [zone.refused]\n  nowhere.example  the domain is wrong (13)",
    ]);
  });

  it("is one diagnostic for the domains of one batch", async (lab) => {
    const found = await texts(lab, others);
    equal(found.length, 1);
    for (const domain of others) equal(found[0]?.split(`\n  ${domain} `).length, 2);
  });

  it("fails a refresh and a deletion, because another account may have the domain", async (lab) => {
    const own = full([wwwLine], {}, "a.example");
    await rejects(lab.observe(own), /the caller is not the domain's owner/);
    await rejects(lab.release(own), /the caller is not the domain's owner/);
  });

  it("has a name beside shared domains, unless none is its own", async (lab) => {
    lab.admin.addShare("a.example", { email: "owner@example.org", mode: "r" });
    match((await texts(lab, "b.example")).join(), /^the account owner@example\.org does not/);
    for (const own of ["example.com", "example.net"]) lab.admin.removeDomain(own);
    const other = lab.process({ client: lab.clientWith((_operation, call) => call()) });
    match((await texts(lab, "c.example", other)).join(), /^the account of the token does not/);
  });

  it("may be a name below a domain of the account, or a similar one", async (lab) => {
    match(
      (await texts(lab, "sub.example.com")).join(),
      /\n {2}sub\.example\.com {2}this account holds example\.com: declare that domain, /,
    );
    match((await texts(lab, "exampel.com")).join(), /did you mean example\.com\?/);
  });
});
