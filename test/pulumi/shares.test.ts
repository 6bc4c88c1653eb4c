import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { settingsOf, startService } from "../support/service";
import { Stack } from "../support/stack";
import { problem, must, fails } from "../support/story";

const email = "agency@example.org";

/** The parameters of every Domainshare.Modify so far, as the service got them. */
function modifies(service: Emulator): Record<string, string>[] {
  return service.admin.calls("Domainshare.Modify").map(({ params }) => {
    const { login_token: _token, format: _format, lang: _lang, ...rest } = params;
    return rest;
  });
}

function program(inputs: Record<string, string>): string {
  return `new dns.DomainShare("agency", ${JSON.stringify({ domain: "example.com", email, ...inputs })});`;
}

describe("a share, through the real engine", () => {
  let service: Emulator;
  let stack: Stack;

  before(async () => {
    service = await startService({
      accounts: [{ email: "owner@example.com" }, { email }],
      domains: ["example.com", "example.net", { name: "example.org", owner: email }],
    });
    stack = await Stack.create({ program: program({ mode: "r" }), env: settingsOf(service) });
  });

  after(async () => {
    stack.dispose();
    await service.close();
  });

  it("is refused in the preview while the domain is shared with nobody", async () => {
    const run = await fails(stack.preview());
    assert.match(
      run.output,
      /example\.com is shared with nobody.*share it with agency@example\.org in the service's console/s,
    );
    assert.deepEqual(modifies(service), []);
  });

  it("is found after a lost answer, and no change is lost or repeated", async () => {
    service.admin.addShare("example.com", { email, mode: "r" });
    await must(stack.up());
    service.admin.addFault({ operation: "Domainshare.Modify", kind: "dropped", when: "after", count: 1 });
    stack.program(program({ mode: "rw", subDomain: "shop" }));
    const lost = await fails(stack.up());
    assert.match(lost.output, /not known whether the share was changed/);
    await must(stack.refresh());
    await must(stack.up());
    assert.deepEqual(
      service.admin.shares("example.com").map(({ subDomain }) => subDomain),
      ["shop"],
    );
    service.admin.addFault({ operation: "Domainshare.Modify", kind: "dropped", when: "before", count: 1 });
    stack.program(program({ mode: "r", subDomain: "shop" }));
    await fails(stack.up());
    await must(stack.refresh());
    await must(stack.up());
    assert.deepEqual(
      service.admin.shares("example.com").map(({ mode }) => mode),
      ["r"],
    );
    service.admin.clearCalls();
    await must(stack.up());
    assert.deepEqual(service.admin.counts(), {});
  });

  it("is dropped by a refresh when the domain is shared with nobody any more", async () => {
    service.admin.removeShare("example.com", email);
    const run = await must(stack.refresh());
    assert.match(run.output, /its share with agency@example\.org is gone/);
    assert.deepEqual(await stack.resources(), []);
  });

  it("is declared once: a second resource for the same person is refused, and both are named", async () => {
    stack.program(`
      ${program({ mode: "r", subDomain: "shop" })}
      new dns.DomainShare("other", { domain: "Example.com.", email: "${email}", mode: "rw" });
      new dns.DomainShare("third", { domain: pulumi.output("example.com"), email: "${email}", mode: "rw" });
      new dns.DomainShare("else", { domain: "example.net", email: "${email}", mode: "rw" });`);
    service.admin.clearCalls();
    const run = await fails(stack.preview());
    assert.match(
      run.output,
      problem(
        'DomainShare "other"',
        'the share of example\\.com with agency@example\\.org is declared by DomainShare "agency" as well \\[record.twice\\]',
      ),
    );
    assert.match(
      run.output,
      problem(
        'DomainShare "third"',
        'the share of example\\.com with #\\S{8} is declared by DomainShare "agency" as well \\[record.twice\\]',
      ),
    );
    assert.doesNotMatch(run.output, /DomainShare "else":/);
    assert.deepEqual(modifies(service), []);
  });

  it("stays on the service when its resource is destroyed, with a warning", async () => {
    service.admin.addShare("example.com", { email, mode: "r" });
    stack.program(program({ mode: "r" }));
    await must(stack.up());
    const run = await must(stack.destroy());
    assert.match(run.output, /stays on the service: the documented interface cannot end one/);
  });
});
