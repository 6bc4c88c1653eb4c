import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { fails, must, problem, says, story, writesOf } from "../support/story";

const email = "agency@example.org";
const service = { accounts: [{ email: "owner@example.com" }, { email }] };

function share(inputs: Record<string, string>): string {
  return `new dns.DomainShare("agency", ${JSON.stringify({ domain: "example.com", email, ...inputs })});`;
}

function loses(emulator: Emulator, when: "before" | "after"): void {
  emulator.admin.addFault({ operation: "Domainshare.Modify", kind: "dropped", when, count: 1 });
}

describe("a share in documented mode", () => {
  it("is refused while there is none, found after a lost answer, dropped by a refresh, and kept by a destroy", () =>
    story({ service, program: share({ mode: "r" }) }, async ({ emulator, stack, up, deploy, quietUp }) => {
      const { admin } = emulator;
      const live = (): unknown => admin.shares("example.com").map(({ mode, subDomain }) => [mode, subDomain]);
      says(
        await fails(stack.preview()),
        /example\.com has no shares.*share it with agency@example\.org in the service's console/s,
      );
      assert.equal(writesOf(emulator), 0);
      admin.addShare("example.com", { email, mode: "r" });
      await up();
      for (const [when, mode] of [
        ["after", "rw"],
        ["before", "r"],
      ] as const) {
        loses(emulator, when);
        stack.program(share({ mode, subDomain: "shop" }));
        says(await fails(stack.up()), "not known whether changed [write.uncertain]");
        await must(stack.refresh());
        await up();
        assert.deepEqual(live(), [[mode, "shop"]]);
      }
      await quietUp();
      admin.removeShare("example.com", email);
      says(await must(stack.refresh()), "with agency@example.org no longer exists [share.gone]");
      assert.deepEqual(stack.resources(), []);
      admin.addShare("example.com", { email, mode: "r" });
      await deploy(share({ mode: "r" }));
      says(await must(stack.destroy()), "stays on the service [share.stays]");
    }));

  it("is declared once: a second resource for the same person is refused, and both are named", () =>
    story({ service }, async ({ emulator, stack }) => {
      stack.program(`
        ${share({ mode: "r", subDomain: "shop" })}
        new dns.DomainShare("other", { domain: "Example.com.", email: "${email}", mode: "rw" });
        new dns.DomainShare("third", { domain: pulumi.output("example.com"), email: "${email}", mode: "rw" });
        new dns.DomainShare("else", { domain: "example.net", email: "${email}", mode: "rw" });`);
      const run = await fails(stack.preview());
      for (const [name, who] of [
        ["other", "agency@example\\.org"],
        ["third", "\\(secret\\)"],
      ] as const)
        says(
          run,
          problem(
            `DomainShare "${name}"`,
            `the share of example\\.com with ${who} is also declared by DomainShare "agency" \\[record.twice\\]`,
          ),
        );
      assert.doesNotMatch(run.output, /DomainShare "else":/);
      assert.equal(writesOf(emulator), 0);
    }));
});
