/** The advice of a refusal. The service is asked for it only after a refusal. */
import assert from "node:assert/strict";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import type { Declaration } from "../../provider/reconcile/declaration";
import { renderAll, textOf } from "../../provider/problems";
import { Shares } from "../../provider/reconcile/shares";
import { declare, startLab, type Lab } from "../support/lab";

const batchOf = (email: string): { email: string }[] => [{ email: "owner@example.com" }, { email }];

describe("a refusal", () => {
  let lab: Lab;
  afterEach(() => lab.close());

  it("of a subdomain explains how to declare it in the parent domain", async () => {
    lab = await startLab({ domains: ["example.io"] });
    await assert.rejects(lab.reconciler().preview(declare("sub.example.io", ["@ A 192.0.2.1"])), {
      message:
        /^Record\.List of sub\.example\.io: the domain is wrong .* This account holds example\.io: declare the domain "example\.io", and "sub" as the name of the record \("www\.sub" for "www"\)\.$/,
    });
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1, "Domain.Info": 1 });
  });

  it("of a share of a subdomain explains how to declare the share", async () => {
    lab = await startLab(
      { settings: { undocumented: true }, domains: ["example.io"] },
      { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
    );
    const shares = new Shares(lab.client, lab.settings);
    const held = /the domain is wrong .* This account holds example\.io: declare the domain "example\.io"/;
    await assert.rejects(
      shares.find({ domain: "sub.example.io", email: "agency@example.org", scope: undefined }),
      {
        message: new RegExp(
          `^Domainshare\\.List of sub\\.example\\.io: ${held.source}, and subDomain: "sub"\\.$`,
        ),
      },
    );
    const narrow = (name: string): RegExp =>
      new RegExp(
        `^Domain\\.Info of \\S+: the domain is wrong .* This account holds example\\.io; a share covers the whole of it or one label of it, and so never ${name} alone\\.$`,
      );
    await assert.rejects(shares.requireDomain({ domain: "a.sub.example.io", scope: undefined }), {
      message: narrow("a\\.sub\\.example\\.io"),
    });
    await assert.rejects(shares.requireDomain({ domain: "sub.example.io", scope: "a" }), {
      message: narrow("a\\.sub\\.example\\.io"),
    });
  });

  it("of a domain whose name is nearly that of one that the account holds names that one", async () => {
    lab = await startLab({ domains: ["example.io", "other.example"] });
    await assert.rejects(lab.reconciler().preview(declare("exmaple.io", ["@ A 192.0.2.1"])), {
      message:
        /^Record\.List of exmaple\.io: .* This account holds no exmaple\.io; did you mean example\.io\?$/,
    });
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1, "Domain.List": 1 });
  });

  it("of a domain whose own label is nothing like those that the account holds guesses none, however much the rest is alike", async () => {
    lab = await startLab({ domains: ["firm.example", "nope.test"] });
    await assert.rejects(lab.reconciler().preview(declare("nope.example", ["@ A 192.0.2.1"])), {
      message: /^Record\.List of nope\.example: (?!.*did you mean)/,
    });
    await assert.rejects(lab.reconciler().preview(declare("frim.example", ["@ A 192.0.2.1"])), {
      message: /did you mean firm\.example\?$/,
    });
  });

  it("of a domain below another account's has no such hint, and asks for no top-level domain", async () => {
    lab = await startLab({
      accounts: batchOf("other@example.com"),
      domains: ["example.com", { name: "example.org", owner: "other@example.com" }],
    });
    await assert.rejects(lab.reconciler().preview(declare("a.b.example.org", ["@ A 192.0.2.1"])), {
      message: /Check the domain's name or id, and that this account holds it\.$/,
    });
    assert.deepEqual(
      lab.service.admin.calls("Domain.Info").map(({ params }) => params["domain"]),
      ["b.example.org", "example.org"],
    );
  });

  it("of a missing line comes in the preview, with the nearest line and the domain's lines", async () => {
    const records = [
      { name: "www", type: "A", value: "192.0.2.1" },
      { name: "www", type: "A", value: "192.0.2.2", line: "电信" },
    ];
    lab = await startLab({ domains: [{ name: "example.com", records }] });
    lab.service.admin.addCustomLine("example.com", { name: "office", area: "192.0.2.0-192.0.2.255" });
    const reconciler = lab.reconciler();
    const declared = declare("example.com", [
      "www A 192.0.2.3 [电心]",
      "api A 192.0.2.3 [电心]",
      "api A 192.0.2.4 [ofice]",
      "www A 192.0.2.4 [电信]",
      "mail A 192.0.2.4 [联通]",
    ]);
    const { refusals } = await reconciler.preview(declared);
    const known = "(lines in use there: 默认, 电信; custom lines: office)";
    const where = "help: take the name from the service's console, or leave `line` out";
    assert.deepEqual(renderAll(refusals), [
      `example.com: no line "电心" [line.unknown]\n  www.example.com. A 192.0.2.3 [电心]\n  api.example.com. A 192.0.2.3 [电心]\n  help: did you mean "电信"? ${known}\n  ${where}`,
      `example.com: no line "ofice" [line.unknown]\n  api.example.com. A 192.0.2.4 [ofice]\n  help: did you mean "office"? ${known}\n  ${where}`,
    ]);
    // One for the zone, and one for each line that no record stands on, but for those that every such service has.
    assert.equal(lab.service.admin.counts()["Record.List"], 3);
    assert.equal(lab.service.admin.counts()["Custom.Line.List"], 1);
  });

  it("of records on another line comes in the preview if their names have no record on the default line", async () => {
    const records = [{ name: "www", type: "A", value: "192.0.2.1" }];
    lab = await startLab({ domains: [{ name: "example.com", records }, "example.net"] });
    const lines = [
      "@ A 192.0.2.2 [电信]",
      "www A 192.0.2.2 [电信]",
      "api A 192.0.2.2 [电信]",
      "api TXT x [联通]",
      "mail A 192.0.2.2 [电信]",
      "mail TXT x",
      "far A 192.0.2.2 [电心]",
    ];
    const declared = declare(["example.com"], lines);
    const refusals = async (declaration: Declaration): Promise<string[]> =>
      (await lab.reconciler().preview(declaration)).refusals.map(textOf);
    const [, first, ...others] = await refusals({ ...declared, isAlone: true });
    assert.deepEqual(others, []);
    assert.equal(
      first,
      'example.com: the service wants a record on the default line first; api.example.com. A 192.0.2.2 [电信]; api.example.com. TXT "x" [联通]; declare one for each name without `line`',
    );
    assert.match((await refusals(declared)).join("\n"), /^[^\n]* no line "电心"[^\n]*$/);
    // The service's answers for them.
    const { failures } = await lab
      .reconciler()
      .apply(declare("example.net", ["api A 192.0.2.2 [电信]"]), [], emptyLedger);
    assert.match(
      failures.map(textOf).join("\n"),
      /^example\.net: refused by the service, since the name has no record on the default line; api\.example\.net\. A 192\.0\.2\.2 \[电信\]; .*; declare one without `line`; if one is declared: pulumi up --refresh$/,
    );
  });

  it("of a line comes in the update without a preview, and has no other reason", async () => {
    lab = await startLab();
    const { refusals } = await lab.reconciler().preview(declare("example.com", ["www A 192.0.2.3 [电心]"]));
    assert.match(
      refusals.map(textOf).join(),
      /no line "电心".*did you mean "电信"\? \(lines in use there: 默认\)/,
    );
    const { failures } = await lab
      .reconciler()
      .apply(declare("example.com", ["www A 192.0.2.3 [telecom]"]), [], emptyLedger);
    assert.match(
      failures.map(textOf).join("\n"),
      /^example\.com: refused by the service; www\.example\.com\. A 192\.0\.2\.3 \[telecom\]; [^;]+; example\.com has no line "telecom"; did you mean "电信"\? \(lines in use there: 默认\)$/,
    );
  });

  it("of a line is asked for once for the domains of a package", async () => {
    lab = await startLab({ domains: ["example.com", "example.net", "example.org"] });
    const { refusals } = await lab
      .reconciler()
      .preview(declare(["example.com", "example.net", "example.org"], ["www A 192.0.2.3 [广东电信]"]));
    assert.deepEqual(refusals, []);
    assert.equal(lab.service.admin.counts()["Record.List"], 4);
  });
});
