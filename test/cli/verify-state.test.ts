/** `verify`: its arguments and the states that it reads. */
import { deepEqual, match } from "node:assert/strict";
import { declaredRecords } from "../../cli/verify/declared";
import { cli, codesIn, fakePulumi, inFolder, refuses } from "./run";
import { verified } from "./verified";

describe("pulumi-legacydns verify, its arguments and state", () => {
  it("reports an empty state", async () => {
    const { code, err } = await verified([], []);
    deepEqual([code, codesIn(err)], [1, ["state.empty"]]);
  });

  it("prints the engine's error, also in JSON", () =>
    inFolder(async (folder) => {
      const script = `echo "error: no stack named 'nope' found" >&2\nexit 255`;
      const { code, out, err } = await cli(["verify", "--json"], fakePulumi(folder, script));
      const { ok, problems } = JSON.parse(out);
      deepEqual([code, ok, codesIn(err), err], [1, false, ["engine.failed"], `error: ${problems.join()}\n`]);
      match(err, /\n {2}no stack named 'nope' found\n/);
    }));

  const without = { PATH: "/nowhere" };
  refuses("verify", { "a machine without pulumi": [[], "engine.missing"] }, without);
  refuses("verify", {
    "a missing state file": [["--state", "absent.json"], "path.missing", "--state: ", "absent.json"],
    "a file that is no state": [["--state", __filename], "state.unfit", "pulumi stack export"],
    "a folder in place of a state file": [["--state", __dirname], "file.unreadable", "--state: ", "(EISDIR)"],
    "a server with a port beyond 65535": [
      ["--server", "192.0.2.1:70000"],
      "command.usage",
      "'192.0.2.1:70000'",
    ],
    "a timeout that is no number": [["--timeout", "soon"], "command.usage", "'soon'", " 1 to 60"],
    "a server that is a name": [["--server", "ns1.example.com"], "command.usage", "'ns1.example.com'"],
    "a state and a stack": [["--state", "a", "--stack", "dev"], "command.usage", "'--stack <name>'"],
    "a folder that is not there": [["--cwd", "/no/such/folder"], "command.usage", "--cwd /no/such/folder"],
    "half of the settings": [["--base-url", "https://dns.example"], "setting.wrong", "LEGACYDNS_LOGIN_TOKEN"],
    "an empty address": [["--base-url", ""], "setting.wrong", "LEGACYDNS_BASE_URL"],
  });
});

describe("the state of the native plugin", () => {
  it("is read: a record, a batch and a Zone", () => {
    const native = (type: string, outputs: object, inputs: object = outputs): object => ({
      urn: `urn:pulumi:dev::zones::legacydns:index:${type}::it`,
      type: `legacydns:index:${type}`,
      inputs,
      outputs,
    });
    const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
    const resources = [
      native("Record", { ...record, fqdn: "www.example.com" }),
      native("RecordBatch", { domains: ["example.com"], records: "a.example.com. 600 A 192.0.2.2\n" }),
      native("Zone", { domain: "example.net", records: "b.example.net. 600 A 192.0.2.3\n" }),
      native("Zone", { records: "a.example.com. 600 A 192.0.2.2\n" }, {}),
    ];
    const state = JSON.stringify({ deployment: { resources } });
    const { records, notes } = declaredRecords(state, "state.json", "默认");
    deepEqual(
      records.map(({ domain, name, value }) => `${name}.${domain} ${value}`),
      ["www.example.com 192.0.2.1", "a.example.com 192.0.2.2", "b.example.net 192.0.2.3"],
    );
    deepEqual(notes, []);
  });
});
