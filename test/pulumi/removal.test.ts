/**
 * Records that are no longer declared, or declared otherwise. A change that the service cannot make is
 * reported, and never half done.
 */
import { deepEqual, equal } from "node:assert/strict";
import { record, zone } from "../support/programs";
import { byBothFrontEnds, fails, fullMode, must, says, story } from "../support/story";

describe("a record that is no longer declared", () => {
  byBothFrontEnds("of a replaced Record obeys the `removal` that the program then declares", (frontEnd) => {
    const all = (value: string, removal?: string, more = ""): string => `
      const provider = new dns.Provider("p", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", indexDelay: 0, contact: "ops@example.com"${more} });
      ${record("own", value, { removal: removal ?? "verify" })}
      ${record("explicit", value, { domain: "example.net", removal }, "{ provider }")}`;
    return story(
      { frontEnd, program: all("192.0.2.1"), service: fullMode.service },
      async ({ stack, up, failing, quietUp, lines }) => {
        await up();
        stack.program(all("192.0.2.2"));
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
        stack.program(all("192.0.2.2", "retain"));
        says(
          await up(),
          /\[live\.retained\]\s+own\.example\.com\. A 192\.0\.2\.1 +record \d+/,
          /\[live\.retained\]\s+explicit\.example\.net\. A 192\.0\.2\.1 +record \d+/,
        );
        await quietUp();

        stack.program(all("192.0.2.3"));
        await failing("--continue-on-error");
        stack.program(all("192.0.2.3", "delete", ", undocumentedOperations: true"));
        await must(stack.runWith(fullMode.env, "up", "--yes", "--skip-preview"));
        deepEqual(lines(), ["own A 192.0.2.1 600", "own A 192.0.2.3 600"]);
        deepEqual(lines("example.net"), ["explicit A 192.0.2.1 600", "explicit A 192.0.2.3 600"]);
      },
    );
  });
});

describe("a zone that is guarded", () => {
  const [apex, www, api] = ["@ 600 A 192.0.2.1", "www 600 A 192.0.2.2", "api 600 A 192.0.2.3"] as const;

  byBothFrontEnds("loses neither everything nor a protected record unasked, and what is absent", (frontEnd) =>
    story(
      { frontEnd, program: zone([apex, www, api]), ...fullMode },
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
    ),
  );
});
