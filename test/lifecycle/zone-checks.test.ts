/** The zone checks of a preview: the facts that the plan and the settings add. */
import assert from "node:assert/strict";
import { checkedZones } from "../../provider/lifecycle/zone-checks";
import { declare, hostOf, labs } from "../support/lab";
import { collectingReporter } from "../support/reporter";

describe("the zone checks of a preview", () => {
  const start = labs({}, { LEGACYDNS_DEFAULT_TTL: "1200" });

  it("compare the setting defaultTtl of a new record without a TTL, and no TTL of a live one", async () => {
    const lab = await start();
    const live = { name: "live", type: "A", value: "192.0.2.1", ttl: 600 };
    lab.service.admin.addRecord("example.com", live, { indexed: true });
    const host = hostOf(lab, collectingReporter());
    const declaration = declare("example.com", [
      "new 600 A 192.0.2.1",
      "new A 192.0.2.2",
      "same 1200 A 192.0.2.1",
      "same A 192.0.2.2",
      "live A 192.0.2.1",
      "live 300 A 192.0.2.2",
    ]);
    const { plan } = await host.reconciler.preview(declaration);
    const { refuse, warn, note } = checkedZones(host, declaration, plan, {
      given: {},
      mayHaveUnknownSiblings: false,
      declared: [],
    });
    assert.deepEqual(
      [...refuse, ...warn, ...note].flatMap(({ code, records }) =>
        code === "ttl-differs" ? (records ?? []).map(({ text }) => text) : [],
      ),
      ["new.example.com. A 192.0.2.1"],
    );
  });
});
