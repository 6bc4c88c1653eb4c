/**
 * Records that are no longer declared, or declared otherwise. A change that the service cannot make is
 * reported, and never half done.
 */
import assert from "node:assert/strict";
import { byBothFrontEnds, fails, must, says, story, zoneLines } from "../support/story";

describe("a record that is no longer declared", () => {
  byBothFrontEnds("of a replaced Record obeys the `removal` that the program then declares", (frontEnd) => {
    const all = (end: number, own: string, more = ""): string => `
      const provider = new dns.Provider("p", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, contact: "ops@example.com"${more} });
      new dns.Record("own", { domain: "example.com", name: "own", type: "A", value: "192.0.2.${end}", ttl: 600${own === "" ? ', removal: "verify"' : own} });
      new dns.Record("explicit", { domain: "example.net", name: "explicit", type: "A", value: "192.0.2.${end}", ttl: 600${own} }, { provider });`;
    return story(
      { frontEnd, program: all(1, ""), service: { settings: { undocumented: true } } },
      async ({ emulator, stack, up, failing, quietUp }) => {
        await up();
        stack.program(all(2, ""));
        const way = (name: string, where: string): RegExp =>
          new RegExp(
            `\\[live\\.left-over\\]\\s+${name}\\.example\\.\\w+\\. A 192\\.0\\.2\\.1 +record.*set removal: "retain" on ${where}, then run \`pulumi up\``,
            "s",
          );
        for (let time = 0; time < 2; time += 1) {
          says(
            await failing("--continue-on-error"),
            way("own", "the resource"),
            way("explicit", "the Provider"),
          );
        }
        stack.program(all(2, ', removal: "retain"'));
        says(
          await up(),
          /\[live\.retained\]\s+own\.example\.com\. A 192\.0\.2\.1 +record \d+/,
          /\[live\.retained\]\s+explicit\.example\.net\. A 192\.0\.2\.1 +record \d+/,
        );
        await quietUp();

        stack.program(all(3, ""));
        await failing("--continue-on-error");
        stack.program(all(3, ', removal: "delete"', ", undocumentedOperations: true"));
        await must(
          stack.runWith({ LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" }, "up", "--yes", "--skip-preview"),
        );
        assert.deepEqual(
          ["com", "net"].flatMap((tld) => zoneLines(emulator, `example.${tld}`)),
          [
            "own A 192.0.2.1 600",
            "own A 192.0.2.3 600",
            "explicit A 192.0.2.1 600",
            "explicit A 192.0.2.3 600",
          ],
        );
      },
    );
  });
});

describe("a zone that is guarded", () => {
  const zone = (lines: readonly string[], options: object): string =>
    `new dns.Zone("zone", ${JSON.stringify({ domain: "example.com", records: lines, ...options })});`;
  const [apex, www, api] = ["@ 600 A 192.0.2.1", "www 600 A 192.0.2.2", "api 600 A 192.0.2.3"] as const;

  byBothFrontEnds("loses neither everything nor a protected record unasked, and what is absent", (frontEnd) =>
    story(
      {
        frontEnd,
        program: zone([apex, www, api], {}),
        service: { settings: { undocumented: true } },
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
      },
      async ({ emulator, stack, up, failing, quietUp }) => {
        await up();
        const options = { protect: ["www"], maxChangeShare: 100 };
        stack.program(zone([apex, www, api], options));
        const changed = await up();
        assert.deepEqual(emulator.admin.counts(), {}, changed.output);
        says(changed, /1 updated/);
        await quietUp();

        stack.program(zone([apex, api], options));
        says(await fails(stack.preview()), "[zone.gated]", "protected: www.example.com. A");
        stack.program(zone([www, api], options));
        says(await fails(stack.preview()), "the last address of the apex: 192.0.2.1");
        stack.program("");
        says(await failing(), "protected: www.example.com. A", "every record of the zone: 3 to delete");
        assert.equal(zoneLines(emulator, "example.com").length, 3);

        for (const name of ["old", "older"])
          emulator.admin.addRecord("example.com", { name, type: "A", value: "192.0.2.9" }, { indexed: true });
        const absent = { absent: ["old* A 192.0.2.9"] };
        stack.program(zone([apex, www, api], { ...absent, removal: "verify" }));
        says(await failing(), /\[live\.unwanted\]\s+old\.example\.com\. A 192\.0\.2\.9 +record \d+/);
        stack.program(zone([apex, www, api], absent));
        says(await must(stack.upWithPreview()), /- old\.example\.com\. A 192\.0\.2\.9 \(record \d+\)/);
        assert.equal(zoneLines(emulator, "example.com").length, 3);
        await quietUp();
        await must(stack.destroy());
        assert.deepEqual(zoneLines(emulator, "example.com"), []);
      },
    ),
  );
});
