/** What a refusal is told with, asked of the service only once something was refused. */
import assert from "node:assert/strict";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { textOf } from "../../provider/problems";
import { declare, startLab, type Lab } from "../support/lab";

const batchOf = (email: string): { email: string }[] => [{ email: "owner@example.com" }, { email }];

describe("a refusal", () => {
  let lab: Lab;
  afterEach(() => lab.close());

  it("of a domain that is a name of one that the account holds says how to declare it", async () => {
    lab = await startLab({ domains: ["example.io"] });
    await assert.rejects(lab.reconciler().preview(declare("sub.example.io", ["@ A 192.0.2.1"])), {
      message: /^Record\.List of sub\.example\.io: the domain is wrong .* This account holds example\.io: declare the domain "example\.io", and "sub" as the name of the record \("www\.sub" for "www"\)\.$/,
    });
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1, "Domain.Info": 1 });
  });

  it("of a domain whose name is nearly that of one that the account holds names that one", async () => {
    lab = await startLab({ domains: ["example.io", "other.example"] });
    await assert.rejects(lab.reconciler().preview(declare("exmaple.io", ["@ A 192.0.2.1"])), { message: /^Record\.List of exmaple\.io: .* This account holds no exmaple\.io; did you mean example\.io\?$/ });
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1, "Domain.List": 1 });
  });

  it("of a domain below one that is another's says no such thing, and asks for no top-level domain", async () => {
    lab = await startLab({ accounts: batchOf("other@example.com"), domains: ["example.com", { name: "example.org", owner: "other@example.com" }] });
    await assert.rejects(lab.reconciler().preview(declare("a.b.example.org", ["@ A 192.0.2.1"])), { message: /Check the domain's name or id, and that this account holds it\.$/ });
    assert.deepEqual(lab.service.admin.calls("Domain.Info").map(({ params }) => params["domain"]), ["b.example.org", "example.org"]);
  });

  it("of a line that the domain does not know names the lines that it knows", async () => {
    const records = [{ name: "www", type: "A", value: "192.0.2.1" }, { name: "www", type: "A", value: "192.0.2.2", line: "电信" }];
    lab = await startLab({ domains: [{ name: "example.com", records }] });
    lab.service.admin.addCustomLine("example.com", { name: "office", area: "192.0.2.0-192.0.2.255" });
    const { failures } = await lab.reconciler().apply(declare("example.com", ["www A 192.0.2.3 [telecom]", "www A 192.0.2.4 [电信]"]), [], emptyLedger);
    assert.equal(failures.length, 1);
    assert.match(failures.map(textOf).join(), /^www\.example\.com\. A 192\.0\.2\.3 \[telecom\]: refused by the service: [^;]+; no record of example\.com stands on the line "telecom"; lines in use there: 默认, 电信; custom lines: office;/);
    assert.equal(lab.service.admin.counts()["Custom.Line.List"], 1);
  });

  it("of another reason asks for no lines", async () => {
    lab = await startLab({ settings: { refuse: [{ name: "api", message: "Refused for the test" }] } });
    const { failures } = await lab.reconciler().apply(declare("example.com", ["api A 192.0.2.3"]), [], emptyLedger);
    assert.match(failures.map(textOf).join(), /^api\.example\.com\. A 192\.0\.2\.3: refused by the service: Refused for the test$/);
    assert.equal(lab.service.admin.counts()["Custom.Line.List"], undefined);
  });
});
