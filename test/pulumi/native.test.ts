/** The native plugin through the real engine, with a program that knows nothing but the resources' types. */
import assert from "node:assert/strict";
import { bare } from "../support/native";
import { countsOf, writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";

describe("the native plugin", () => {
  it("previews and creates records, and tells what only the service knows", () =>
    story(
      {
        plugin: true,
        program: `${bare}
          const zone = new RecordBatch("zone", { domains: ["example.com"], records: [
            { name: ["@", "www"], type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 }, "shop 300 CNAME www.example.org." ] });
          const one = new Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.9", ttl: 300 });
          new Record("two", { domain: "example.com", name: "two", type: "TXT", value: one.recordId });
          exports.records = zone.records;
          exports.recordId = one.recordId;
          exports.fqdn = one.fqdn;`,
      },
      async ({ emulator, stack, up, quietUp }) => {
        const preview = await stack.preview("--diff");
        assert.equal(preview.code, 0, preview.output);
        says(preview, "example.com: 5 records to add", "  + shop.example.com. 300 CNAME www.example.org.");
        assert.match(preview.output, /fqdn\s*: "one\.example\.com"/);
        assert.equal(writesOf(emulator), 0);
        const first = await up();
        says(
          first,
          "+ 4 created",
          /^ {2}legacydns:index:RecordBatch \(zone\):\n(?: {4}.*\n)*? {4}(?:info: )?RecordBatch "zone": example\.com: 5 records to add/m,
        );
        assert.deepEqual(
          zoneLines(emulator, "example.com").filter((line) => !line.startsWith("two")),
          [
            "@ A 192.0.2.1 600",
            "@ A 192.0.2.2 600",
            "one A 192.0.2.9 300",
            "shop CNAME www.example.org. 300",
            "www A 192.0.2.1 600",
            "www A 192.0.2.2 600",
          ],
        );
        await quietUp();
        const one = emulator.admin
          .zone("example.com", { hold: false })
          .find((record) => record.name === "one");
        const { recordId, fqdn } = JSON.parse((await stack.must("stack", "output", "--json")).output) as {
          recordId: string;
          fqdn: string;
        };
        assert.deepEqual({ recordId, fqdn }, { recordId: String(one?.id), fqdn: "one.example.com" });
      },
    ));

  it("checks zones as the setting and the input say, and says nothing of what only a whole zone shows", () => {
    const faulty =
      "@ 600 MX 10 mail.example.com\\nmail 600 CNAME www.example.com\\nwww 600 A 10.0.0.1\\nold 600 CNAME gone.example.com";
    const zone = (checks: string): string =>
      `${bare} new Zone("com", { domain: "example.com", records: "${faulty}"${checks} });`;
    return story(
      { plugin: true, program: zone(""), config: { "legacydns:checks": "warn, mx-cname=refuse" } },
      async ({ emulator, stack, failing, up, quietUp }) => {
        says(await failing(), "its mail server mail.example.com. is a CNAME", "[mx-cname]");
        stack.program(zone(', checks: { "mx-cname": "loud" }'));
        says(await failing(), "checks: ", "loud");
        assert.equal(writesOf(emulator), 0);
        stack.program(zone(', checks: { "mx-cname": "off" }'));
        const { output } = await up();
        assert.match(output, /\[private-address\]/);
        assert.doesNotMatch(output, /\[(mx-cname|cname-dangling)\]/);
        assert.equal(zoneLines(emulator, "example.com").length, 4);
        await quietUp();
      },
    );
  });

  it("serves a whole zone from a file or a text, shares, and look-ups", () =>
    story(
      {
        plugin: true,
        service: {
          domains: ["example.com", "example.net", "example.org"],
          accounts: [{ email: "owner@example.com" }, { email: "agency@example.org" }],
        },
        program: `${bare}
          require("node:fs").writeFileSync("a.zone", "$TTL 600\\n@ A 192.0.2.1\\nwww A 192.0.2.2\\n");
          new Zone("file", { domain: "example.com", file: "a.zone" });
          new Zone("text", { domain: "example.net", text: "$TTL 600\\n@ A 192.0.2.3\\n" });
          new Zone("specs", { domain: "example.org", records: [{ name: "www", type: "A", value: "192.0.2.4", ttl: 600 }] });
          exports.domain = invoke("getDomain", { domain: "example.com" }).then((each) => each.name + " " + each.status);
          exports.total = invoke("getRecords", { domain: "example.com", type: "NS" }).then((each) => each.matching);`,
      },
      async ({ emulator, stack, up, deploy }) => {
        await up();
        assert.deepEqual(zoneLines(emulator, "example.com"), ["@ A 192.0.2.1 600", "www A 192.0.2.2 600"]);
        assert.deepEqual(zoneLines(emulator, "example.net"), ["@ A 192.0.2.3 600"]);
        assert.deepEqual(zoneLines(emulator, "example.org"), ["www A 192.0.2.4 600"]);
        const outputs = JSON.parse((await stack.must("stack", "output", "--json")).output) as Record<
          string,
          unknown
        >;
        assert.deepEqual(outputs, { domain: "example.com enable", total: 2 });
        const [zone] = stack.resources().filter(({ urn }) => urn.endsWith("::file"));
        assert.deepEqual(zone?.inputs, {
          domain: "example.com",
          records: "example.com. 600 A 192.0.2.1\nwww.example.com. 600 A 192.0.2.2\n",
        });

        const wrong = `${bare}
          new Zone("zone", { domain: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.300" }, { name: "a b", type: "A", value: "192.0.2.1" }], undeclard: "report", removal: "never" });`;
        stack.program(wrong);
        const refused = await stack.preview();
        assert.notEqual(refused.code, 0, refused.output);
        says(
          refused,
          "records[0].value: ",
          "records[1].name: ",
          "undeclard: unknown input; did you mean undeclared?",
          'removal: "never" is no way of removal',
        );
        stack.program(`${bare} invoke("getDomain", { domian: "example.com" });`);
        says(
          await stack.preview(),
          '"domian" is no argument; did you mean domain?',
          "domain and domainId are both missing",
        );

        const share = (mode: string): string =>
          `${bare} new DomainShare("agency", { domain: "example.com", email: "agency@example.org", mode: "${mode}" });`;
        stack.program(share("r"));
        const alone = await stack.preview();
        says(alone, "example.com is shared with nobody");
        emulator.admin.addShare("example.com", { email: "agency@example.org", mode: "r" });
        await deploy(share("rw"), "--target", "**agency");
        assert.equal(countsOf(emulator)["Domainshare.Modify"], 1);
      },
    ));

  it("shows every problem of its configuration at once, before anything is looked at, also of an explicit provider", () =>
    story(
      {
        plugin: true,
        env: { LEGACYDNS_LOGIN_TOKEN: "", LEGACYDNS_BASE_URL: "" },
        config: { "legacydns:indexDealy": "3", "legacydns:defaultTtl": "0" },
        program: `${bare} new Record("one", { domain: "example.com", type: "A", value: "192.0.2.1" });`,
      },
      async ({ emulator, stack }) => {
        const refused = await stack.preview();
        assert.notEqual(refused.code, 0, refused.output);
        says(
          refused,
          "legacydns:indexDealy is not a setting. Did you mean legacydns:indexDelay?",
          "legacydns:baseUrl is missing",
          "legacydns:loginToken is missing",
          'legacydns:defaultTtl is "0"',
        );
        for (const key of ["indexDealy", "defaultTtl"]) await stack.must("config", "rm", `legacydns:${key}`);
        const explicit = (args: object): string => `${bare}
          class Provider extends pulumi.ProviderResource { constructor(name, args) { super("legacydns", name, args); } }
          new Record("one", { domain: "example.com", type: "A", value: "192.0.2.1", ttl: 600 }, { provider: new Provider("other", ${JSON.stringify(args)}) });`;
        stack.program(explicit({ baseUrl: emulator.url, removl: "retain" }));
        says(
          await stack.preview(),
          "removl is not a setting. Did you mean removal?",
          "loginToken is missing: give the Provider its input loginToken",
        );
        stack.program(explicit({ baseUrl: emulator.url, loginToken: emulator.token, indexDelay: "0" }));
        const up = await stack.up();
        assert.equal(up.code, 0, up.output);
        assert.ok(
          !(await stack.state()).includes(emulator.token),
          "the token is a secret of the state, whether or not the program says so",
        );
        assert.deepEqual(zoneLines(emulator, "example.com"), ["@ A 192.0.2.1 600"]);
        // Other settings update the provider in place, without a change of its resources.
        stack.program(
          explicit({ baseUrl: emulator.url, loginToken: emulator.token, indexDelay: "1", removal: "retain" }),
        );
        emulator.admin.clearCalls();
        const changed = await stack.up("--diff");
        assert.equal(changed.code, 0, changed.output);
        says(changed, "~ pulumi:providers:legacydns: (update)", '+ removal   : "retain"', "~ 1 updated");
        assert.doesNotMatch(changed.output, /replace|legacydns:index:Record/);
        assert.deepEqual(countsOf(emulator), {});
        assert.doesNotMatch((await stack.up()).output, /updated/);
      },
    ));

  it("keeps secret records out of the state and of what is printed, and waits for values that a preview does not know", () => {
    const secret = "s3cret-of-the-record";
    return story(
      {
        plugin: true,
        program: `${bare}
          const one = new Record("one", { domain: "example.com", name: "one", type: "TXT", value: pulumi.secret("${secret}-1"), ttl: 600 });
          new RecordBatch("batch", { domains: ["example.com"], records: [
            { name: "two", type: "TXT", value: pulumi.secret("${secret}-2"), ttl: 600 }, { name: "plain", type: "A", value: "192.0.2.1", ttl: 600 },
            { name: "later", type: "TXT", value: one.recordId.apply((id) => "id " + id), ttl: 600 } ] });`,
      },
      async ({ emulator, stack, up, quietUp }) => {
        const preview = await stack.preview("--diff");
        assert.equal(preview.code, 0, preview.output);
        const first = await up("--diff");
        const id = emulator.admin
          .zone("example.com", { hold: false })
          .find((record) => record.name === "one")?.id;
        assert.deepEqual(zoneLines(emulator, "example.com"), [
          `later TXT id ${String(id)} 600`,
          `one TXT ${secret}-1 600`,
          "plain A 192.0.2.1 600",
          `two TXT ${secret}-2 600`,
        ]);
        await quietUp();
        const refreshed = await stack.refresh("--diff");
        for (const text of [preview.output, first.output, refreshed.output, await stack.state()])
          assert.ok(!text.includes(secret), text);
        await quietUp();
      },
    );
  });
});
