import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { share } from "../support/programs";
import { fails, must, problem, says, story } from "../support/story";

const email = "agency@example.org";
const service = { accounts: [{ email: "owner@example.com" }, { email }] };
const agency = (mode: string, more: object = {}) => share("agency", email, mode, more);

describe("a share in documented mode", () => {
  it("is refused while there is none, found after a lost answer, dropped by a refresh, and kept by a destroy", () =>
    story({ service, program: agency("r") }, async ({ admin, stack, up, deploy, quietUp, writes }) => {
      const live = (): unknown => admin.shares("example.com").map(({ mode, subDomain }) => [mode, subDomain]);
      says(
        await fails(stack.preview()),
        /example\.com has no shares.*share it with agency@example\.org in the service's console/s,
      );
      equal(writes(), 0);
      admin.addShare("example.com", { email, mode: "r" });
      await up();
      for (const [when, mode] of [
        ["after", "rw"],
        ["before", "r"],
      ] as const) {
        admin.addFault({ operation: "Domainshare.Modify", kind: "dropped", when, count: 1 });
        stack.program(agency(mode, { subDomain: "shop" }));
        says(await fails(stack.up()), "not known whether changed [write.uncertain]");
        await must(stack.refresh());
        await up();
        deepEqual(live(), [[mode, "shop"]]);
      }
      await quietUp();
      admin.removeShare("example.com", email);
      says(await must(stack.refresh()), "with agency@example.org no longer exists [share.gone]");
      deepEqual(stack.resources(), []);
      admin.addShare("example.com", { email, mode: "r" });
      await deploy(agency("r"));
      says(await must(stack.destroy()), "stays on the service [share.stays]");
    }));

  it("is declared once: a second resource for the same person is refused, and both are named", () =>
    story({ service }, async ({ stack, writes }) => {
      stack.program(`
        ${agency("r", { subDomain: "shop" })}
        ${share("other", email, "rw", { domain: "Example.com." })}
        new dns.DomainShare("third", { domain: pulumi.output("example.com"), email: "${email}", mode: "rw" });
        ${share("else", email, "rw", { domain: "example.net" })}`);
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
      doesNotMatch(run.output, /DomainShare "else":/);
      equal(writes(), 0);
    }));
});
