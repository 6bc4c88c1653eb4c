import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { diagnosticOf, renderAll } from "../../provider/problems";
import { Shares } from "../../provider/reconcile/shares";
import { declare, fullSettings, labs, of } from "../support/lab";

const start = labs();
const at = (domain: string) => declare(domain, ["@ A 192.0.2.1"]);

describe("a refusal", () => {
  it("of a subdomain names the parent domain that the account holds, for records and shares", async () => {
    const lab = await start({ settings: { undocumented: true }, domains: ["example.io"] }, fullSettings);
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

  it("of a missing line comes in the preview, with the nearest line and the domain's lines", async () => {
    const lab = await start();
    lab.add("www A 192.0.2.1");
    lab.add("www A 192.0.2.2", { line: "电信" });
    lab.admin.addCustomLine("example.com", { name: "office", area: "192.0.2.0-192.0.2.255" });
    const { refusals } = await lab.preview(
      of(
        "www A 192.0.2.3 [电心]",
        "api A 192.0.2.3 [电心]",
        "api A 192.0.2.4 [ofice]",
        "www A 192.0.2.4 [电信]",
        "mail A 192.0.2.4 [联通]",
      ),
    );
    const known = "(lines in use there: 默认, 电信; custom lines: office)";
    const where = "help: take the name from the service's console, or leave `line` out";
    deepEqual(renderAll(refusals), [
      `example.com: there is no line "电心" [line.unknown]\n  www.example.com. A 192.0.2.3 [电心]\n  api.example.com. A 192.0.2.3 [电心]\n  help: did you mean "电信"? ${known}\n  ${where}`,
      `example.com: there is no line "ofice" [line.unknown]\n  api.example.com. A 192.0.2.4 [ofice]\n  help: did you mean "office"? ${known}\n  ${where}`,
    ]);
    // One for the zone, and one for each line that no record stands on, but for those that every such service has.
    deepEqual([lab.calls("Record.List"), lab.calls("Custom.Line.List")], [3, 1]);
  });

  it("of records on another line comes in the preview if their names have no record on the default line", async () => {
    const lab = await start();
    lab.add("www A 192.0.2.1");
    const declared = of(
      "@ A 192.0.2.2 [电信]",
      "www A 192.0.2.2 [电信]",
      "api A 192.0.2.2 [电信]",
      "api TXT x [联通]",
      "mail A 192.0.2.2 [电信]",
      "mail TXT x",
      "far A 192.0.2.2 [电心]",
    );
    const [, first, ...others] = await lab.refusals({ ...declared, isAlone: true });
    deepEqual(others, []);
    equal(
      first,
      'example.com: the service needs a record on the default line first; api.example.com. A 192.0.2.2 [电信]; api.example.com. TXT "x" [联通]; declare one for each name without `line`; if one is declared: pulumi up --refresh',
    );
    match((await lab.refusals(declared)).join("\n"), /^[^\n]* no line "电心"[^\n]*$/);
    const { text } = await lab.up(declare("example.net", ["api A 192.0.2.2 [电信]"]));
    match(
      text,
      /^example\.net: the service needs a record on the default line first; api\.example\.net\. A 192\.0\.2\.2 \[电信\]; .*; if one is declared: pulumi up --refresh$/,
    );
  });

  it("of a program without a manifest says that a later resource may declare the missing record", async () => {
    const lab = await start();
    const first = await lab.must(of("www A 192.0.2.1"));
    const reconciler = lab.reconciler();
    reconciler.siblings.declare(() => [], false, { hasManifest: false });
    const declared = of("api A 192.0.2.2 [电信]");
    deepEqual(
      (await lab.up(declared, first, reconciler)).failures.map((why) => [
        why.code,
        diagnosticOf(why).help.at(-1),
      ]),
      [
        ["line.first", "if a later resource declares one: let this one depend on it (dependsOn)"],
        ["live.left-over", "if a later resource declares them: let this one depend on it (dependsOn)"],
      ],
    );
  });

  it("of a line comes in the update without a preview, and has no other reason", async () => {
    const lab = await start();
    const { text } = await lab.up(of("www A 192.0.2.3 [电心]"));
    match(
      text,
      /^example\.com: refused by the service, so not created; www\.example\.com\. A 192\.0\.2\.3 \[电心\]; [^;]+; no record of example\.com is on line "电心"; did you mean "电信"\? \(lines in use there: 默认\)$/,
    );
  });

  it("of a line is asked for once for the domains of a package", async () => {
    const domains = ["example.com", "example.net", "example.org"];
    const lab = await start({ domains });
    deepEqual(await lab.refusals(declare(domains, ["www A 192.0.2.3 [广东电信]"])), []);
    equal(lab.calls("Record.List"), 4);
  });
});
