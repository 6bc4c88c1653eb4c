/** Look-ups in real programs: both forms of each, and an explicit provider's account. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { record } from "../support/programs";
import { endedJob } from "../support/service";
import { chosenFrontEnd, fails, must, noStack, says, startService, story } from "../support/story";

const domain = "example.com";
/** Look-up → its arguments, and a field of its answer. */
const lookUps = (jobId: number): Readonly<Record<string, readonly [args: object, answer?: object]>> => ({
  getDomain: [{ domain }, { status: "enable" }],
  getDomains: [{ type: "mine" }],
  getPurview: [{ domain }, { nsRecords: "unlimited" }],
  getRecord: [{ domain, recordId: 501 }, { text: "www.example.com. A 192.0.2.1" }],
  getRecords: [{ domain, type: "A" }, { total: 3 }],
  getMonitorHistory: [{ monitorId: "m-1" }, { monitorId: "m-1" }],
  getCustomLines: [{ domain }, { quota: { used: 1, available: 9, max: 10 } }],
  getBatchJob: [{ jobId }, { type: "record_add" }],
});

describe("look-ups, in programs run by the real engine", () => {
  it("answer in the preview and in the update, as promises and as outputs", () => {
    const www = { name: "www", type: "A", value: "192.0.2.1" };
    const zone = {
      name: domain,
      id: 1001,
      records: [{ id: 501, ...www }],
      monitors: [{ id: "m-1", ip: "192.0.2.1", points: [] }],
      customLines: [{ name: "office", area: "192.0.2.0-192.0.2.255" }],
    };
    // The account is in the stack's configuration alone.
    const token = "13490,t0ken-of-the-stack";
    const options = {
      service: { domains: [zone], token },
      config: { "legacydns:loginToken": { secret: token } },
      env: { LEGACYDNS_BASE_URL: "", LEGACYDNS_LOGIN_TOKEN: "" },
    };
    return story(options, async ({ emulator, admin, stack }) => {
      await stack.must("config", "set", "legacydns:baseUrl", emulator.url);
      // The job creates nothing, because the record exists.
      const records = JSON.stringify([{ sub_domain: "www", record_type: "A", value: "192.0.2.1" }]);
      const all = lookUps(endedJob(emulator, "Batch.Record.Create", { domain_id: "1001", records }));
      stack.program(`
        for (const [name, [args]] of Object.entries(${JSON.stringify(all)})) {
          exports[name] = dns[name](args);
          exports[name + "Output"] = dns[name + "Output"](Object.fromEntries(Object.entries(args).map(([k, v]) => [k, pulumi.output(v)])));
        }`);
      says(await stack.preview(), "192.0.2.1");
      equal(admin.calls().length, 8, "one call for both forms of a look-up");
      await must(stack.up());
      const found = (await stack.outputs()) as Record<string, object>;
      equal(Object.keys(found).length, 16);
      for (const [name, [, answer]] of Object.entries(all)) {
        deepEqual(found[`${name}Output`], found[name], name);
        deepEqual({ ...found[name], ...answer }, found[name], name);
      }
      ok(!(await stack.state()).includes("t0ken-of-the-stack"));
    });
  });

  it("ask an explicit provider's account, which may be unknown in a preview", async () => {
    const token = "70000,0123456789abcdef";
    const other = await startService({ domains: ["other.example"], token });
    const late = (name: string) =>
      `new dns.Provider("${name}", { baseUrl: one.recordId.apply(() => ${JSON.stringify(other.url)}), loginTokenEnv: "OTHER_LOGIN_TOKEN", contact: pulumi.output(undefined) })`;
    const one = (name: string) => `const one = ${record(name, "192.0.2.1")}`;
    const program = `
      const other = new dns.Provider("other", { baseUrl: ${JSON.stringify(other.url)}, loginToken: pulumi.secret("${token}") });
      ${one("one")}
      exports.now = dns.getDomain({ domain: "other.example" }, { provider: other }).then((d) => d.name);
      exports.output = dns.getDomainOutput({ domain: "other.example" }, { provider: other }).punycode;
      exports.late = dns.getDomainOutput({ domain: "other.example" }, { provider: ${late("late")} }).name;
      exports.mine = dns.getDomain({ domain: "example.com" }).then((d) => d.name);`;
    try {
      await story({ program, env: { OTHER_LOGIN_TOKEN: token } }, async ({ stack, up }) => {
        says(await stack.preview(), /now\s*: "other\.example"/, /late\s*: (output<string>|\[unknown\])/);
        await up();
        const there = "other.example";
        deepEqual(await stack.outputs(), { now: there, output: there, late: there, mine: domain });
        ok(!(await stack.state()).includes("0123456789abcdef"));
        stack.program(`${one("two")}
          exports.late = dns.getDomain({ domain: "other.example" }, { provider: ${late("later")} });
          exports.broken = dns.getDomain({ domain: "other.example" }, { provider: new dns.Provider("broken", { baseUrl: "http://dns.example" }) });`);
        const refused = await fails(stack.preview());
        noStack(refused);
        says(refused, 'error: look-ups with the Provider "broken": ');
        // The plugin refuses the broken Provider itself, and the engine then waits for nothing.
        if (chosenFrontEnd !== "native")
          says(
            refused,
            'error: getDomain: provider: a setting of the Provider "later" is not known yet [value.pending]',
          );
      });
    } finally {
      await other.close();
    }
  });
});
