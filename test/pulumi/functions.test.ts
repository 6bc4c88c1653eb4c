/** Look-ups in real programs: both forms of each, and an explicit provider's account. */
import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { startService } from "../support/service";
import { chosenFrontEnd, Stack } from "../support/stack";
import { noStack, says, must, fails } from "../support/story";

/** A stack whose account stands in its configuration, with the token as a secret. */
async function configured(
  emulator: Emulator,
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Stack> {
  const config = {
    "legacydns:baseUrl": emulator.url,
    "legacydns:loginToken": { secret: emulator.token },
    "legacydns:indexDelay": "0",
  };
  return Stack.create({ program, config, env });
}

const outputs = (stack: Stack) => stack.outputs() as Promise<Record<string, Record<string, unknown>>>;

describe("look-ups, in programs run by the real engine", () => {
  it("answer in the preview and in the update, as promises and as outputs", async () => {
    const emulator = await startService({
      domains: [
        {
          name: "example.com",
          records: [{ id: 501, name: "www", type: "A", value: "192.0.2.1" }],
          monitors: [{ id: "m-1", ip: "192.0.2.1", points: [] }],
          customLines: [{ name: "office", area: "192.0.2.0-192.0.2.255" }],
        },
      ],
    });
    const jobId = emulator.admin.addJob({
      type: "record_add",
      items: [
        { domain: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.1", recordId: 501 }] },
      ],
    });
    const args = {
      getDomain: { domain: "example.com" },
      getDomains: { type: "mine" },
      getPurview: { domain: "example.com" },
      getRecord: { domain: "example.com", recordId: 501 },
      getRecords: { domain: "example.com", type: "A" },
      getMonitorHistory: { monitorId: "m-1" },
      getCustomLines: { domain: "example.com" },
      getBatchJob: { jobId },
    };
    const stack = await configured(
      emulator,
      `for (const [name, args] of Object.entries(${JSON.stringify(args)})) {
         exports[name] = dns[name](args);
         exports[name + "Output"] = dns[name + "Output"](Object.fromEntries(Object.entries(args).map(([k, v]) => [k, pulumi.output(v)])));
       }`,
    );
    try {
      const preview = await stack.preview();
      says(preview, "192.0.2.1");
      assert.equal(emulator.admin.calls().length, 8, "one call for both forms of a look-up");
      await must(stack.up());
      const found = await outputs(stack);
      assert.deepEqual(
        Object.keys(found).sort(),
        Object.keys(args)
          .flatMap((name) => [name, `${name}Output`])
          .sort(),
      );
      for (const name of Object.keys(args)) assert.deepEqual(found[`${name}Output`], found[name], name);
      assert.equal(found["getDomain"]?.["statusMeaning"], "normal: the domain's records are served");
      assert.equal((found["getDomains"]?.["domains"] as unknown[]).length, 1);
      assert.equal(found["getPurview"]?.["nsRecords"], "unlimited");
      assert.equal(found["getRecord"]?.["text"], "www.example.com. A 192.0.2.1");
      assert.equal((found["getRecords"]?.["records"] as unknown[]).length, 1);
      assert.equal(found["getMonitorHistory"]?.["monitorId"], "m-1");
      assert.deepEqual(found["getCustomLines"]?.["quota"], { used: 1, available: 9, max: 10 });
      assert.equal(found["getBatchJob"]?.["type"], "record_add");
      assert.ok(!(await stack.state()).includes(emulator.token));
    } finally {
      stack.dispose();
      await emulator.close();
    }
  });

  it("ask an explicit provider's account, which may be unknown in a preview", async () => {
    const mine = await startService({ domains: ["example.com"] });
    const other = await startService({ domains: ["other.example"], token: "70000,0123456789abcdef" });
    const stack = await configured(
      mine,
      `const other = new dns.Provider("other", { baseUrl: ${JSON.stringify(other.url)}, loginToken: pulumi.secret("70000,0123456789abcdef") });
       const one = new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.1" });
       const late = new dns.Provider("late", { baseUrl: one.recordId.apply(() => ${JSON.stringify(other.url)}), loginTokenEnv: "OTHER_LOGIN_TOKEN", contact: pulumi.output(undefined) });
       exports.now = dns.getDomain({ domain: "other.example" }, { provider: other }).then((d) => d.name);
       exports.output = dns.getDomainOutput({ domain: "other.example" }, { provider: other }).punycode;
       exports.late = dns.getDomainOutput({ domain: "other.example" }, { provider: late }).id;
       exports.mine = dns.getDomain({ domain: "example.com" }).then((d) => d.name);`,
      { OTHER_LOGIN_TOKEN: "70000,0123456789abcdef" },
    );
    try {
      const preview = await must(stack.preview());
      says(preview, /now\s*: "other\.example"/, /late\s*: (output<string>|\[unknown\])/);
      await must(stack.up());
      const [domain] = other.admin.snapshot().domains;
      const id = typeof domain === "object" ? String(domain.id) : "";
      assert.deepEqual(await outputs(stack), {
        now: "other.example",
        output: "other.example",
        late: id,
        mine: "example.com",
      });
      assert.ok(!(await stack.state()).includes("0123456789abcdef"));

      stack.program(`
        const one = new dns.Record("two", { domain: "example.com", name: "two", type: "A", value: "192.0.2.2" });
        const late = new dns.Provider("later", { baseUrl: one.recordId.apply(() => ${JSON.stringify(other.url)}), loginTokenEnv: "OTHER_LOGIN_TOKEN" });
        exports.late = dns.getDomain({ domain: "other.example" }, { provider: late });
        exports.broken = dns.getDomain({ domain: "other.example" }, { provider: new dns.Provider("broken", { baseUrl: "http://dns.example" }) });`);
      const refused = await fails(stack.preview());
      noStack(refused);
      says(
        refused,
        // The plugin refuses the broken Provider itself, and the engine then waits for nothing.
        ...(chosenFrontEnd === "native"
          ? []
          : [
              'error: getDomain: a setting of the Provider "later" is not known before the update, and a promise cannot wait for it. Use getDomainOutput, which is unknown in the preview as well.',
            ]),
        'error: legacydns look-ups with the Provider "broken": 2 settings are wrong:',
      );
    } finally {
      stack.dispose();
      await Promise.all([mine.close(), other.close()]);
    }
  });
});
