import assert from "node:assert/strict";
import { idsOf, zoneLines } from "../support/service";
import { says, story, type Story } from "../support/story";

const full = {
  service: { settings: { undocumented: true } },
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
};

/** The calls of a run, without polls and package limits. */
function called({ emulator }: Story): Record<string, number> {
  const { "Batch.Detail": _polls, "Domain.Purview": _purview, ...rest } = emulator.admin.counts();
  return rest;
}

describe("full mode", () => {
  it("a Record changes its value, TTL, priority, line, label and type in place; another domain replaces it", async () => {
    type Fields = Readonly<Record<string, string | number>>;
    const [a, alias, mail] = [
      { type: "A", value: "192.0.2.1", ttl: 600 },
      { type: "CNAME", value: "a.example.net", ttl: 600 },
      { type: "MX", priority: 10, value: "a.example.net", ttl: 600 },
    ];
    /** A record each: before and after the edit, and as the zone then has it. */
    const edits: readonly (readonly [Fields, Fields, string])[] = [
      [{ name: "value", ...a }, { name: "value", ...a, value: "192.0.2.2" }, "value A 192.0.2.2 600"],
      [{ name: "ttl", ...a }, { name: "ttl", ...a, ttl: 300 }, "ttl A 192.0.2.1 300"],
      [{ name: "label", ...a }, { name: "other", ...a }, "other A 192.0.2.1 600"],
      [{ name: "line", ...a }, { name: "line", ...a, line: "电信" }, "line A 192.0.2.1 600 [电信]"],
      [{ name: "to-alias", ...a }, { name: "to-alias", ...alias }, "to-alias CNAME a.example.net. 600"],
      [{ name: "to-mail", ...alias }, { name: "to-mail", ...mail }, "to-mail MX 10 a.example.net. 600"],
      [
        { name: "priority", ...mail },
        { name: "priority", ...mail, priority: 20 },
        "priority MX 20 a.example.net. 600",
      ],
      [
        { name: "to-text", ...mail },
        { name: "to-text", type: "TXT", value: "moving", ttl: 600 },
        "to-text TXT moving 600",
      ],
    ];
    const records = (side: 0 | 1, domain = "example.com"): string =>
      edits
        .map(
          (edit, i) =>
            `new dns.Record("r${i}", ${JSON.stringify({ domain: i === 0 ? domain : "example.com", ...edit[side] })});`,
        )
        .join("\n");
    const service = {
      domains: [
        {
          name: "example.com",
          records: [
            { name: "@", type: "MX", value: "mx.example.net.", mx: 5 },
            { name: "line", type: "A", value: "192.0.2.9" },
            { name: "ttl", type: "A", value: "192.0.2.1", ttl: 900 },
          ],
        },
        "example.net",
      ],
      settings: { undocumented: true },
    };
    await story(
      {
        ...full,
        env: { ...full.env, LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
        service,
        program: records(0),
      },
      async (told) => {
        const { emulator, deploy, quietUp, up } = told;
        // A live record changes though the resource is new: the engine's own row shows `create` alone.
        says(
          await up(),
          /Record "r1": example\.com: 1 to update\n +~ ttl\.example\.com\. A 192\.0\.2\.1 \(record \d+\) => TTL 600\n/,
        );
        const ids = idsOf(emulator, "example.com");
        const run = await deploy(records(1));
        assert.doesNotMatch(run.output, /to update/);
        // Another line needs a record on the default line, and here there is none.
        const after = [
          "@ MX 5 mx.example.net. 600",
          "line A 192.0.2.9 600",
          ...edits.map(([, , line]) => line),
        ].sort();
        assert.deepEqual(zoneLines(emulator, "example.com"), after, run.output);
        assert.deepEqual(idsOf(emulator, "example.com"), ids);
        assert.equal(called(told)["Record.Modify"], edits.length);
        await quietUp();
        await deploy(records(1, "example.net"));
        assert.deepEqual(
          [zoneLines(emulator, "example.com"), zoneLines(emulator, "example.net")],
          [after.filter((line) => !line.startsWith("value ")), ["value A 192.0.2.2 600"]],
        );
        await quietUp();
      },
    );
  });
});
