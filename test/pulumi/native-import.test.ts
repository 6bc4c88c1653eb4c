/** `pulumi import` of live records: ids that can be typed, no write, and then nothing to do. */
import assert from "node:assert/strict";
import { bare } from "../support/native";
import { commandOn } from "../support/page";
import { countsOf, writesOf } from "../support/service";
import { says, story, must, fails } from "../support/story";

describe("pulumi import", () => {
  it("imports a record, a batch, a zone and a share by readable ids, and the next preview has no change", () =>
    story(
      {
        plugin: true,
        service: {
          domains: ["example.com", "example.net", "example.org"],
          accounts: [{ email: "owner@example.com" }, { email: "partner@example.net" }],
        },
        program: "",
      },
      async ({ emulator, stack }) => {
        const { admin } = emulator;
        admin.addRecord("example.com", { name: "www", type: "A", value: "192.0.2.1", ttl: 600 });
        admin.addRecord("example.com", {
          name: "@",
          type: "MX",
          mx: 10,
          value: "mx1.example.org.",
          ttl: 3600,
        });
        const txt = admin.addRecord("example.com", { name: "txt", type: "TXT", value: "v=1; a/b", ttl: 60 });
        admin.addRecord("example.net", { name: "www", type: "CNAME", value: "cdn.example.org.", ttl: 600 });
        admin.addRecord("example.org", { name: "@", type: "A", value: "192.0.2.3", ttl: 600 });
        admin.addShare("example.com", { email: "partner@example.net", mode: "rw" });
        admin.clearCalls();
        const flags = ["--yes", "--protect=false", "--generate-code=false", "--suppress-permalink"];
        const take = (type: string, name: string, id: string) =>
          stack.run("import", `legacydns:index:${type}`, name, id, ...flags);
        /** A command of the page, with another record id and domain. */
        const shown = async (pattern: RegExp, id = "", domain = ""): Promise<void> => {
          const command = commandOn("docs/native.md", pattern)
            .replace("www example.com/1234567", `txt example.com/${id}`)
            .replace(/example\.com$/, domain);
          await must(stack.shell(`${command} ${flags.join(" ")}`));
        };
        for (const [type, name, id] of [
          ["Record", "mx", "example.com/@/MX/10 mx1.example.org"],
          ["DomainShare", "share", "example.com/partner@example.net/rw"],
        ] as const) {
          await must(take(type, name, id));
        }
        await shown(/^pulumi import legacydns:index:Record www example\.com\/www/);
        await shown(/^pulumi import legacydns:index:Record www example\.com\/\d+$/, String(txt.id));
        await shown(/^pulumi import legacydns:index:RecordBatch /, "", "example.net");
        await shown(/^pulumi import legacydns:index:Zone /, "", "example.org");
        stack.program(`${bare}
          new Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 });
          new Record("mx", { domain: "example.com", type: "MX", value: "mx1.example.org", priority: 10, ttl: 3600 });
          new Record("txt", { domain: "example.com", name: "txt", type: "TXT", value: "v=1; a/b", ttl: "1m" });
          new RecordBatch("web", { domains: ["example.net"], records: ["www 600 CNAME cdn.example.org."] });
          new Zone("zone", { domain: "example.org", records: [{ type: "A", value: "192.0.2.3", ttl: 600 }] });
          new DomainShare("share", { domain: "example.com", email: "partner@example.net", mode: "rw" });`);
        await must(stack.preview("--diff", "--expect-no-changes"));
        assert.equal(writesOf(emulator), 0);

        for (const [type, id, said] of [
          ["Record", "www.example.com", "Write DOMAIN/NAME/TYPE/VALUE, such as example.com/www/A/192.0.2.1"],
          ["Record", "example.com/none/A/192.0.2.9", "example.com has no record"],
          ["Zone", "example.com,example.net", "a Zone is one domain"],
          [
            "DomainShare",
            "example.com",
            "Write DOMAIN/EMAIL, such as example.com/partner@example.net, DOMAIN/EMAIL/MODE",
          ],
        ] as const) {
          const run = await fails(take(type, "wrong", id));
          says(run, said);
        }
        // No operation returns a share's mode, so import leaves it out. The next up sends the declared mode.
        await stack.must(
          "state",
          "delete",
          "--yes",
          stack.resources().find(({ type }) => type.endsWith(":DomainShare"))?.urn ?? "",
        );
        const withoutMode = await must(
          stack.shell(
            `${commandOn("docs/native.md", /^pulumi import legacydns:index:DomainShare /)} ${flags.join(" ")}`,
          ),
        );
        says(
          withoutMode,
          'the mode of the share of example.com with partner@example.net is not known: declare "r" or "rw", and the next up sends it',
        );
        assert.doesNotMatch(withoutMode.output, /bug in the/);
        assert.equal(writesOf(emulator), 0);
        stack.program(
          `${bare} new DomainShare("partner", { domain: "example.com", email: "partner@example.net", mode: "r" });`,
        );
        const sent = await must(stack.up("--target", "**partner"));
        says(sent, "~ 1 updated");
        assert.deepEqual([countsOf(emulator)["Domainshare.Modify"], writesOf(emulator)], [1, 1]);
        admin.clearCalls();

        // The option of a resource does the same, also with the package's own classes of each type.
        admin.addRecord("example.org", { name: "option", type: "A", value: "192.0.2.8", ttl: 600 });
        stack.env["LEGACYDNS_USE_PLUGIN"] = "true";
        admin.addShare("example.org", { email: "partner@example.net", mode: "r" });
        stack.program(`
          new dns.Record("option", { domain: "example.org", name: "option", type: "A", value: "192.0.2.8", ttl: 600 }, { import: "example.org/option/A/192.0.2.8" });
          new dns.RecordBatch("batch-option", { domains: "example.net", records: "www 600 CNAME cdn.example.org." }, { import: "example.net" });
          new dns.DomainShare("share-option", { domain: "example.org", email: "partner@example.net", mode: "r" }, { import: "example.org/partner@example.net/r" });`);
        const imported = await must(stack.up("--target", "**option"));
        says(imported, "= 3 imported");
        assert.equal(writesOf(emulator), 0);
      },
    ));
});
