/** The native plugin through the real engine, with a program that knows nothing but the resources' types. */
import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { installPlugin } from "../support/languages";
import { bare } from "../support/native";
import { blocksOf } from "../support/page";
import { fails, must, says, story } from "../support/story";

const zones = `${bare}
  require("node:fs").writeFileSync("a.zone", "$TTL 600\\n@ A 192.0.2.1\\nwww A 192.0.2.2\\n");
  new Zone("file", { domain: "example.com", file: "a.zone" });
  new Zone("text", { domain: "example.net", text: "$TTL 600\\n@ A 192.0.2.3\\n" });
  new Zone("specs", { domain: "example.org", records: [{ name: "www", type: "A", value: "192.0.2.4", ttl: 600 }] });
  exports.domain = invoke("getDomain", { domain: "example.com" }).then((each) => each.name + " " + each.status);
  exports.total = invoke("getRecords", { domain: "example.com", type: "NS" }).then((each) => each.records.length);`;

describe("the native plugin", () => {
  it("serves a whole zone from a file or a text, and look-ups", () =>
    story(
      {
        plugin: true,
        service: { domains: ["example.com", "example.net", "example.org"] },
        program: zones,
      },
      async ({ stack, up, lines }) => {
        await up();
        deepEqual(lines(), ["@ A 192.0.2.1 600", "www A 192.0.2.2 600"]);
        deepEqual(lines("example.net"), ["@ A 192.0.2.3 600"]);
        deepEqual(lines("example.org"), ["www A 192.0.2.4 600"]);
        const outputs = await stack.outputs();
        deepEqual(outputs, { domain: "example.com enable", total: 2 });
        const [zone] = stack.resources().filter(({ urn }) => urn.endsWith("::file"));
        deepEqual(zone?.inputs, {
          domain: "example.com",
          records: "example.com. 600 A 192.0.2.1\nwww.example.com. 600 A 192.0.2.2\n",
        });

        const wrong = `${bare}
          new Zone("zone", { domain: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.300" }, { name: "a b", type: "A", value: "192.0.2.1" }], undeclard: "report", removal: "never" });`;
        stack.program(wrong);
        const refused = await fails(stack.preview());
        says(
          refused,
          "records[0].value: ",
          "records[1].name: ",
          "undeclard: unknown field [field.unknown]",
          'removal: "never" is not valid',
        );
        stack.program(`${bare} invoke("getDomain", { domian: "example.com" });`);
        says(
          await stack.preview(),
          "getDomain: domian: unknown field [field.unknown]",
          "getDomain: domain: missing [field.missing]",
        );
      },
    ));

  it("updates an explicit provider in place, shows its problems, and keeps its token secret", () =>
    story(
      { plugin: true, env: { LEGACYDNS_LOGIN_TOKEN: "", LEGACYDNS_BASE_URL: "" } },
      async ({ emulator, admin, stack, lines }) => {
        const explicit = (args: object) => `${bare}
          class Provider extends pulumi.ProviderResource { constructor(name, args) { super("legacydns", name, args); } }
          new Record("one", { domain: "example.com", type: "A", value: "192.0.2.1", ttl: 600 }, { provider: new Provider("other", ${JSON.stringify(args)}) });`;
        const known = { baseUrl: emulator.url, loginToken: emulator.token };
        stack.program(explicit({ baseUrl: emulator.url, removl: "retain" }));
        says(
          await stack.preview(),
          "removl is not a setting [setting.wrong]",
          "loginToken is missing [setting.wrong]",
        );
        stack.program(explicit({ ...known, indexDelay: "0" }));
        await must(stack.up());
        ok(
          !(await stack.state()).includes(emulator.token),
          "the token is a secret of the state, whether or not the program says so",
        );
        deepEqual(lines(), ["@ A 192.0.2.1 600"]);
        stack.program(explicit({ ...known, indexDelay: "1", removal: "retain" }));
        admin.clearCalls();
        const changed = await must(stack.up("--diff"));
        says(changed, "~ pulumi:providers:legacydns: (update)", '+ removal   : "retain"', "~ 1 updated");
        doesNotMatch(changed.output, /replace|legacydns:index:Record/);
        deepEqual(admin.counts(), {});
        doesNotMatch((await stack.up()).output, /updated/);
      },
    ));
});

const service = {
  domains: [
    {
      name: "example.com",
      records: [
        { name: "www", type: "A", value: "192.0.2.1" },
        { name: "off", type: "A", value: "192.0.2.2", enabled: false },
      ],
    },
    "example.net",
  ],
};

describe("`pulumi do`", () => {
  it("reads and lists by the environment alone, creates, and refuses a deletion, as docs/native.md shows", () =>
    story({ service }, async ({ admin, stack, ids, writes }) => {
      await installPlugin(stack);
      const [block] = blocksOf("docs/native.md").filter(({ text }) => text.startsWith("pulumi do "));
      const [getDomain, zones, records, read] = (block?.text ?? "").trim().split("\n");
      const json = async (command = ""): Promise<unknown> =>
        JSON.parse((await must(stack.shell(command))).output) as unknown;
      const get = (await json(getDomain)) as { name: string };
      equal(get.name, "example.com");
      const names = ["example.com", "example.net"];
      deepEqual(
        await json(zones),
        names.map((name) => ({ id: name, name })),
      );
      const [www] = ids();
      const id = `example.com/${String(www)}`;
      deepEqual(await json(records), [{ id, name: "www.example.com. A 192.0.2.1" }]);
      const both = (await Promise.all([json(read), json(`pulumi do legacydns:Record read ${id}`)])) as {
        recordId: string;
      }[];
      deepEqual(
        both.map(({ recordId }) => recordId),
        [String(www), String(www)],
      );
      equal(writes(), 0);
      const make = "--domain example.com --name new --type A --value 192.0.2.3";
      await must(stack.shell(`pulumi do legacydns:Record create --stateless --yes ${make}`));
      admin.clearCalls();
      const gone = () =>
        stack.shell("pulumi do legacydns:Record delete --stateless --yes example.com/new/A/192.0.2.3");
      says(await fails(gone()), "not deleted, because no state shows", "[delete.stateless]");
      equal(writes(), 0);
      equal(ids().length, 3);
    }));
});
