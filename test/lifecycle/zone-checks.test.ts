import { deepEqual } from "node:assert/strict";
import { checkedZones } from "../../provider/lifecycle/zone-checks";
import { hostOf, labTests, of } from "./lab";

describe("the zone checks of a preview", () => {
  const { it } = labTests({}, { defaultTtl: 1200 });

  it("compare the setting defaultTtl of a new record without a TTL, and no TTL of a live one", async (lab) => {
    lab.add("live 600 A 192.0.2.1");
    const host = hostOf(lab);
    const declaration = of(
      "new 600 A 192.0.2.1",
      "new A 192.0.2.2",
      "same 1200 A 192.0.2.1",
      "same A 192.0.2.2",
      "live A 192.0.2.1",
      "live 300 A 192.0.2.2",
    );
    const { plan } = await host.reconciler.preview(declaration);
    const manifest = { given: {}, mayHaveUnknownSiblings: false, declared: [] };
    const { refuse, warn, note } = checkedZones(host, declaration, plan, manifest);
    deepEqual(
      [...refuse, ...warn, ...note].flatMap(({ code, records }) =>
        code === "ttl-differs" ? (records ?? []).map(({ text }) => text) : [],
      ),
      ["new.example.com. A 192.0.2.1"],
    );
  });
});
