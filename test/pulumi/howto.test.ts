/** The pages "Move a service" and "Roll back" as stories. */
import assert from "node:assert/strict";
import { blocksOf } from "../support/page";
import { byBothFrontEnds, ours, says, story, zoneLines } from "../support/story";

const addresses = (address: string): string[] => [
  `www 3600 A ${address}`,
  `api 86400 A ${address}`,
  "mail 3600 A 192.0.2.25",
];
const zone = (address: string, more = ""): string =>
  `new dns.Zone("example.com", { domain: "example.com"${more}, records: ${JSON.stringify(addresses(address))} });`;
const low = ", maxTtl: 300";
const full = {
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
  service: { settings: { undocumented: true } },
};

describe("the pages of common jobs", () => {
  it("have the records that the stories use", () => {
    const text = blocksOf("docs/move-a-service.md").map((block) => block.text);
    for (const address of ["192.0.2.10", "192.0.2.20"])
      assert.ok(text.some((each) => addresses(address).every((record) => each.includes(record))));
  });

  byBothFrontEnds("move a service, and roll back, in full mode", (frontEnd) =>
    story({ frontEnd, program: zone("192.0.2.10"), ...full }, async (scene) => {
      const { emulator, stack, up, deploy, quietUp } = scene;
      const live = (): string[] => zoneLines(emulator, "example.com");
      await up();
      stack.program(zone("192.0.2.10", low));
      const planned = await ours(scene, "plan");
      assert.match(planned.out, /3 to update.* for 86,400 s/s);
      await up();
      assert.equal(emulator.admin.counts()["Batch.Record.Modify"], 1);
      assert.deepEqual(live(), ["api A 192.0.2.10 300", "mail A 192.0.2.25 300", "www A 192.0.2.10 300"]);
      await quietUp();

      await deploy(zone("192.0.2.20", low));
      assert.deepEqual(live(), ["api A 192.0.2.20 300", "mail A 192.0.2.25 300", "www A 192.0.2.20 300"]);
      await deploy(zone("192.0.2.10", low));
      assert.deepEqual(live(), ["api A 192.0.2.10 300", "mail A 192.0.2.25 300", "www A 192.0.2.10 300"]);

      await deploy(zone("192.0.2.10"));
      assert.deepEqual(live(), ["api A 192.0.2.10 86400", "mail A 192.0.2.25 3600", "www A 192.0.2.10 3600"]);
    }),
  );

  byBothFrontEnds("block the lower TTLs once, and roll back, in documented mode", (frontEnd) =>
    story({ frontEnd, program: zone("192.0.2.10") }, async ({ emulator, stack, up, failing, quietUp }) => {
      const live = (): string[] => zoneLines(emulator, "example.com");
      await up();
      const before = live();
      stack.program(zone("192.0.2.10", low));
      const lowered = await failing();
      says(lowered, "[live.ttl]", "www.example.com. A 192.0.2.10");
      assert.deepEqual(live(), before);

      stack.program(zone("192.0.2.20"));
      await failing();
      assert.deepEqual(
        live().filter((line) => line.startsWith("www")),
        ["www A 192.0.2.10 3600", "www A 192.0.2.20 3600"],
      );
      stack.program(zone("192.0.2.10"));
      says(await failing(), "[live.left-over]", "www.example.com. A 192.0.2.20");
      for (const name of ["www", "api"])
        emulator.admin.removeRecord("example.com", { name, type: "A", value: "192.0.2.20" });
      await up("--refresh");
      assert.deepEqual(live(), before);
      await quietUp();
    }),
  );
});
