/** The updates of a `DomainShare` in documented mode. */
import { equal } from "node:assert/strict";
import { domainShareProvider } from "../../provider/lifecycle/domain-share";
import { halfDone, hostOf, labTests } from "./lab";

const modify = "Domainshare.Modify";
const inputs = { domain: "example.com", email: "agency@example.org", mode: "rw" };

describe("a share in documented mode", () => {
  const { it } = labTests({
    accounts: [{ email: "owner@example.org" }, { email: "agency@example.org" }],
  });

  it("is changed again by the next update if the answer of its change was lost", async (lab) => {
    lab.admin.addShare("example.com", { email: inputs.email, mode: "r" });
    const provider = domainShareProvider((work) => work(hostOf(lab)));
    lab.lose(modify, "before", "each");
    const state = await halfDone(provider.create(inputs));
    lab.clearFaults();
    lab.clearCalls();
    await provider.update("id", state, inputs);
    equal(lab.calls(modify), 1);
  });
});
