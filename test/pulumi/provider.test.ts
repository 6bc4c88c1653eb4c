/** A second account in one program: its own service, its own token, its own zones. */
import { deepEqual, ok } from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, problem, says, startService, story, type Story, zoneLines } from "../support/story";

/** A second service, whose address and token are in the stack's environment. */
const withSecond = (tell: (told: Story, second: Emulator) => Promise<void>) => async (told: Story) => {
  const second = await startService({ seed: 7 });
  Object.assign(told.stack.env, { OTHER_URL: second.url, OTHER_LOGIN_TOKEN: second.token });
  try {
    await tell(told, second);
  } finally {
    await second.close();
  }
};

const settings = "indexDelay: 0, requestsPerSecond: 1000";
const there = `baseUrl: process.env.OTHER_URL, loginTokenEnv: "OTHER_LOGIN_TOKEN", ${settings}`;
const www = record("www", "192.0.2.1");

/** A component with a resource of each kind. */
const team = (more: string) => `
  class Team extends pulumi.ComponentResource {
    constructor(name, address, opts) {
      super("test:index:Team", name, {}, opts);
      const at = { parent: this };
      new dns.Record(name + "-www", { domain: "example.com", name: "www", type: "A", value: address, ttl: 600 }, at);
      new dns.RecordBatch(name + "-batch", { domains: "example.com", records: ["api 600 A " + address] }, at);
      new dns.Zone(name + "-zone", { domain: "example.net", records: ["@ 600 A 192.0.2.3"] }, at);
    }
  }
  const one = new dns.Provider("one", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginToken: process.env.LEGACYDNS_LOGIN_TOKEN, ${settings} });
  const two = new dns.Provider("two", { ${there} });
  ${more}`;

describe("an explicit Provider", () => {
  byBothFrontEnds(
    "manages another account beside the default one, with a token that only the environment knows",
    {
      program: `
          const other = new dns.Provider("other", { removal: "retain", ${there} });
          ${www} ${record("www-there", "192.0.2.1", { name: "www" }, "{ provider: other }")}
          ${batch("there", ["a 600 A 192.0.2.2"], { domains: "example.net" }, "{ provider: other }")}`,
    },
    withSecond(async ({ emulator, stack, up, deploy, quietUp, lines }, second) => {
      await up();
      deepEqual(lines(), ["www A 192.0.2.1 600"]);
      deepEqual(lines("example.net"), []);
      deepEqual(zoneLines(second, "example.com"), ["www A 192.0.2.1 600"]);
      deepEqual(zoneLines(second, "example.net"), ["a A 192.0.2.2 600"]);
      const state = (await stack.must("stack", "export", "--show-secrets")).output;
      for (const token of [emulator.token, second.token]) ok(!state.includes(token));
      second.admin.clearCalls();
      await quietUp();
      deepEqual(second.admin.counts(), {});
      says(await deploy(www), "a.example.net. A 192.0.2.2", "removal: retain");
      deepEqual(zoneLines(second, "example.net"), ["a A 192.0.2.2 600"]);
      await quietUp();
    }),
  );

  it("of a component manages the records of its children", () => {
    const program = team(
      'new Team("a", "192.0.2.1", { provider: one }); new Team("b", "192.0.2.1", { providers: [two] });',
    );
    return story(
      { program },
      withSecond(async ({ emulator, up, failing, stack, quietUp }, second) => {
        const { output } = await up("--diff");
        ok(!output.includes(emulator.token), output);
        for (const service of [emulator, second]) {
          deepEqual(zoneLines(service, "example.com"), ["api A 192.0.2.1 600", "www A 192.0.2.1 600"]);
          deepEqual(zoneLines(service, "example.net"), ["@ A 192.0.2.3 600"]);
        }
        await quietUp();
        ok(!(await stack.state()).includes(emulator.token), "a token is a secret of the state");
        // Under one provider the same records are declared twice, also if one names the provider's default line.
        const nest = 'const nest = new Team("a", "192.0.2.1", { providers: [one] });';
        const line = { name: "www", line: "电信" };
        const named = record("www-there", "192.0.2.1", line, "{ parent: nest }");
        stack.program(team(nest + named).replace("loginToken:", 'defaultLine: "电信", loginToken:'));
        const twice = 'www.example.com. A 192.0.2.1 is also declared by Record "a-www"';
        says(await failing(), problem('Record "www-there"', twice));
      }),
    );
  });
});
