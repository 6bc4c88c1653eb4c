import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { patternMatcher } from "../../provider/dns";
import { diagnosticOf } from "../../provider/problems";
import { Shares } from "../../provider/reconcile/shares";
import { declare, fullSettings, labTests, of } from "../support/lab";

const { it, start } = labTests();
const at = (domain: string) => declare(domain, ["@ A 192.0.2.1"]);

describe("a refusal", () => {
  it("of a subdomain names the parent domain that the account holds, for records and shares", async () => {
    const lab = await start({ domains: ["example.io"] }, fullSettings);
    const hint =
      / of sub\.example\.io: the domain is wrong .* this account holds example\.io: declare that domain, and sub\.example\.io as a name in it$/;
    await rejects(lab.preview(at("sub.example.io")), hint);
    deepEqual(lab.admin.counts(), { "Record.List": 1, "Domain.List": 1 });
    const shares = new Shares(lab.client, lab.settings);
    const share = { domain: "sub.example.io", email: "agency@example.org", scope: undefined };
    await rejects(shares.find(share), hint);
    await rejects(shares.requireDomain(share.domain), hint);
  });

  it("of a subdomain names the nearest of several parent domains", async () => {
    const lab = await start({ domains: ["example.io", "sub.example.io"] });
    await rejects(lab.preview(at("a.sub.example.io")), /this account holds sub\.example\.io: /);
  });

  it("of a misspelt domain names the one that the account holds", async () => {
    const lab = await start({ domains: ["example.io", "other.example"] });
    await rejects(
      lab.preview(at("exmaple.io")),
      /Record\.List of exmaple\.io: .* this account holds no exmaple\.io; did you mean example\.io\?$/,
    );
    deepEqual(lab.admin.counts(), { "Record.List": 1, "Domain.List": 1 });
  });

  it("of a domain guesses none by its parent alone", async () => {
    const lab = await start({ domains: ["firm.example", "nope.test"] });
    const message = /^Record\.List of nope\.example: (?!.*did you mean)/;
    await rejects(lab.preview(at("nope.example")), { message });
    await rejects(lab.preview(at("frim.example")), /did you mean firm\.example\?$/);
  });

  it("of a domain below another account's has no such hint", async () => {
    const lab = await start({
      accounts: [{ email: "owner@example.com" }, { email: "other@example.com" }],
      domains: ["example.com", { name: "example.org", owner: "other@example.com" }],
    });
    await rejects(
      lab.preview(at("a.b.example.org")),
      /check the domain's name or id, and that this account holds it$/,
    );
  });

  it("of records on another line comes in the preview if their names have no record on the default line", async (lab) => {
    lab.add("www A 192.0.2.1");
    const declared = of(
      "@ A 192.0.2.2 [电信]",
      "www A 192.0.2.2 [电信]",
      "api A 192.0.2.2 [电信]",
      "api TXT x [联通]",
      "mail A 192.0.2.2 [电信]",
      "mail TXT x",
    );
    const [first, ...others] = await lab.refusals({ ...declared, isAlone: true });
    deepEqual(others, []);
    equal(
      first,
      'example.com: the service needs a record on the default line first; api.example.com. A 192.0.2.2 [电信]; api.example.com. TXT "x" [联通]; declare one for each name without `line`; if another resource declares one: let this one depend on it (dependsOn)',
    );
    deepEqual(await lab.refusals(declared), []);
    const { text } = await lab.up(declare("example.net", ["api A 192.0.2.2 [电信]"]));
    match(
      text,
      /^example\.net: the service needs a record on the default line first; api\.example\.net\. A 192\.0\.2\.2 \[电信\]; .*; if another resource declares one: let this one depend on it \(dependsOn\)$/,
    );
  });

  it("of a program without a manifest says that a later resource may declare the record", async (lab, by) => {
    lab.add("old A 192.0.2.9");
    const first = await lab.must(of("www A 192.0.2.1"));
    by.withoutManifest();
    const declared = { ...of("api A 192.0.2.2 [电信]"), isUnwanted: patternMatcher(["old"]) };
    const { failures } = await by.up(declared, first);
    deepEqual(
      failures.map((why) => [why.code, diagnosticOf(why).help.at(-1)]),
      [
        ["line.first", "if another resource declares one: let this one depend on it (dependsOn)"],
        ["live.left-over", "if a later resource declares them: let this one depend on it (dependsOn)"],
        ["live.unwanted", "if a later resource declares them: let this one depend on it (dependsOn)"],
      ],
    );
  });

  it("of a line comes in the update and names the line; the preview makes no call for it", async (lab) => {
    const declared = of("www A 192.0.2.3 [电心]");
    deepEqual(await lab.refusals(declared), []);
    deepEqual([lab.calls("Record.List"), lab.calls("Custom.Line.List")], [1, 0]);
    const { text } = await lab.up(declared);
    match(
      text,
      /^example\.com: refused by the service, so not created; www\.example\.com\. A 192\.0\.2\.3 \[电心\]; [^;]+; no record of example\.com is on line "电心"$/,
    );
  });
});
