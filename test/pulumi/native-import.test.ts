/** `pulumi import` of live records: ids that can be typed, no write, and then nothing to do. */
import { equal } from "node:assert/strict";
import { bare } from "../support/native";
import { commandOn } from "../support/page";
import { batch, record, share } from "../support/programs";
import { fails, must, says, story } from "../support/story";

const email = "partner@example.net";
const flags = ["--yes", "--protect=false", "--generate-code=false", "--suppress-permalink"];
const live = [
  ["example.com", { name: "www", type: "A", value: "192.0.2.1", ttl: 600 }],
  ["example.com", { name: "@", type: "MX", mx: 10, value: "mx1.example.org.", ttl: 3600 }],
  ["example.com", { name: "txt", type: "TXT", value: "v=1; a/b", ttl: 60 }],
  ["example.net", { name: "www", type: "CNAME", value: "cdn.example.org.", ttl: 600 }],
  ["example.org", { name: "@", type: "A", value: "192.0.2.3", ttl: 600 }],
  ["example.org", { name: "option", type: "A", value: "192.0.2.8", ttl: 600 }],
] as const;
const declared = `${bare}
  new Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 });
  new Record("mx", { domain: "example.com", type: "MX", value: "mx1.example.org", priority: 10, ttl: 3600 });
  new Record("txt", { domain: "example.com", name: "txt", type: "TXT", value: "v=1; a/b", ttl: "1m" });
  new RecordBatch("web", { domains: ["example.net"], records: ["www 600 CNAME cdn.example.org."] });
  new Zone("zone", { domain: "example.org", records: ["@ 600 A 192.0.2.3", "option 600 A 192.0.2.8"] });
  new DomainShare("partner", { domain: "example.com", email: "${email}", mode: "rw" });`;
const wrong = [
  ["Record", "www.example.com", "write DOMAIN/NAME/TYPE/VALUE, such as example.com/www/A/192.0.2.1"],
  [
    "Record",
    "example.com/none/A/192.0.2.9",
    "example.com: nothing with this id can be imported [import.none]",
  ],
  ["Zone", "example.com,example.net", "a Zone is one domain"],
  ["DomainShare", `example.com/${email}`, "write DOMAIN/EMAIL/MODE, such as example.com/"],
] as const;

/** Of the page, with the domain of its import here. */
const commands = [
  [/^pulumi import legacydns:index:Record www example\.com\/www/],
  [/^pulumi import legacydns:index:Record www example\.com\/\d+$/],
  [/^pulumi import legacydns:index:RecordBatch /, "example.net"],
  [/^pulumi import legacydns:index:Zone /, "example.org"],
  [/^pulumi import legacydns:index:DomainShare /],
] as const;

describe("pulumi import", () => {
  it("imports a record, a batch, a zone and a share by readable ids, and the next preview has no change", () =>
    story(
      {
        plugin: true,
        service: {
          domains: ["example.com", "example.net", "example.org"],
          accounts: [{ email: "owner@example.com" }, { email }],
        },
      },
      async ({ admin, stack, writes }) => {
        const [, , txt] = live.map(([domain, record]) => admin.addRecord(domain, record));
        for (const domain of ["example.com", "example.org"]) admin.addShare(domain, { email, mode: "rw" });
        admin.clearCalls();
        const take = (type: string, name: string, id: string) =>
          stack.run("import", `legacydns:index:${type}`, name, id, ...flags);
        await must(take("Record", "mx", "example.com/@/MX/10 mx1.example.org"));
        for (const [pattern, domain] of commands) {
          const command = commandOn("docs/native.md", pattern)
            .replace("www example.com/1234567", `txt example.com/${txt?.id}`)
            .replace(/example\.com$/, domain ?? "");
          await must(stack.shell(`${command} ${flags.join(" ")}`));
        }
        stack.program(declared);
        await must(stack.preview("--diff", "--expect-no-changes"));
        for (const [type, id, text] of wrong) says(await fails(take(type, "wrong", id)), text);

        // The option of a resource does the same, also with the package's own classes of each type.
        stack.env["LEGACYDNS_USE_PLUGIN"] = "true";
        stack.program(`
          ${record("option", "192.0.2.8", { domain: "example.org" }, '{ import: "example.org/option/A/192.0.2.8" }')}
          ${batch("batch-option", "www 600 CNAME cdn.example.org.", { domains: "example.net" }, '{ import: "example.net" }')}
          ${share("share-option", email, "rw", { domain: "example.org" }, `{ import: "example.org/${email}/rw" }`)}`);
        says(await must(stack.up("--target", "**option")), "= 3 imported");
        equal(writes(), 0);
      },
    ));
});
