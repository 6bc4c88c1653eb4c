/**
 * Records that are no longer declared, or declared otherwise. A change that the service cannot make is
 * reported, and never half done.
 */
import { deepEqual, equal } from "node:assert/strict";
import { provider, record, zone } from "../support/programs";
import { byBothFrontEnds, fails, fullMode, must, says } from "../support/story";

describe("a record that is no longer declared", () => {
  const all = (value: string, removal?: string, more = "") => `
      ${provider("p", `contact: "ops@example.com", ${more}`)}
      ${record("own", value, { removal: removal ?? "verify" })}
      ${record("explicit", value, { domain: "example.net", removal }, "{ provider: p }")}`;
  byBothFrontEnds(
    "of a replaced Record obeys the `removal` that the program then declares",
    { program: all("192.0.2.1"), service: fullMode.service },
    async ({ stack, up, failing, quietUp, lines }) => {
      await up();
      stack.program(all("192.0.2.2"));
      const stays = (code: string, name: string, way = "") =>
        new RegExp(`\\[live\\.${code}\\]\\s+${name}\\. A 192\\.0\\.2\\.1 +record \\d+${way}`, "s");
      const help = (where: string) => `.*set removal: "retain" on ${where}, then run \`pulumi up\``;
      for (let time = 0; time < 2; time += 1) {
        says(
          await failing("--continue-on-error"),
          stays("left-over", "own.example.com", help("the resource")),
          stays("left-over", "explicit.example.net", help("the Provider")),
        );
      }
      stack.program(all("192.0.2.2", "retain"));
      says(await up(), stays("retained", "own.example.com"), stays("retained", "explicit.example.net"));
      await quietUp();

      stack.program(all("192.0.2.3"));
      await failing("--continue-on-error");
      stack.program(all("192.0.2.3", "delete", "undocumentedOperations: true"));
      await must(stack.runWith(fullMode.env, "up", "--yes", "--skip-preview"));
      deepEqual(lines(), ["own A 192.0.2.1 600", "own A 192.0.2.3 600"]);
      deepEqual(lines("example.net"), ["explicit A 192.0.2.1 600", "explicit A 192.0.2.3 600"]);
    },
  );
});

describe("a zone that is guarded", () => {
  const [apex, www, api] = ["@ 600 A 192.0.2.1", "www 600 A 192.0.2.2", "api 600 A 192.0.2.3"] as const;

  byBothFrontEnds(
    "loses neither everything nor a protected record unasked, and what is absent",
    { program: zone([apex, www, api]), ...fullMode },
    async ({ admin, stack, up, failing, quietUp, add, ids }) => {
      await up();
      const options = { protect: ["www"], maxChangeShare: 100 };
      stack.program(zone([apex, www, api], options));
      const changed = await up();
      deepEqual(admin.counts(), {}, changed.output);
      says(changed, /1 updated/);
      await quietUp();

      stack.program(zone([apex, api], options));
      says(await fails(stack.preview()), "[zone.gated]", "protected: www.example.com. A");
      stack.program(zone([www, api], options));
      says(await fails(stack.preview()), "the last address of the apex: 192.0.2.1");
      stack.program("");
      says(await failing(), "protected: www.example.com. A", "every record of the zone: 3 to delete");
      equal(ids().length, 3);

      for (const name of ["old", "older"]) add(`${name} A 192.0.2.9`);
      const absent = { absent: ["old* A 192.0.2.9"] };
      stack.program(zone([apex, www, api], { ...absent, removal: "verify" }));
      says(await failing(), /\[live\.unwanted\]\s+old\.example\.com\. A 192\.0\.2\.9 +record \d+/);
      stack.program(zone([apex, www, api], absent));
      says(await must(stack.upWithPreview()), /- old\.example\.com\. A 192\.0\.2\.9 \(record \d+\)/);
      equal(ids().length, 3);
      await quietUp();
      await must(stack.destroy());
      deepEqual(ids(), []);
    },
  );
});
