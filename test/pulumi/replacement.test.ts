/** The engine creates a replacement before it deletes the resource's former state. */
import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { byBothFrontEnds, fails, must, says, story, zoneLines } from "../support/story";

const own = (value: string, options: string, type = "CNAME") =>
  `new dns.Record("own", { domain: "example.com", name: "own", type: "${type}", value: "${value}", ttl: 600 }, ${options});`;
const full = {
  service: { settings: { undocumented: true } },
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
};
const always = '{ replaceOnChanges: ["*"] }';

describe("a replaced CNAME in full mode", () => {
  byBothFrontEnds("becomes the new one, by replaceOnChanges or by --replace with a refresh", (frontEnd) =>
    story(
      { frontEnd, program: own("a.example.net.", "{}"), ...full },
      async ({ emulator, stack, up, quietUp }) => {
        await up();
        const urn = stack.resources()[0]?.urn ?? "";
        for (const [value, options, ...args] of [
          ["b.example.net.", always],
          ["c.example.net.", "{}", "--refresh", "--replace", urn],
        ] as const) {
          stack.program(own(value, options));
          emulator.admin.clearCalls();
          const { output } = await must(stack.upWithPreview(...args));
          doesNotMatch(output, /\[live\./);
          equal(emulator.admin.counts()["Record.Modify"], 1, output);
          deepEqual(zoneLines(emulator, "example.com"), [`own CNAME ${value} 600`]);
        }
        await quietUp();
        await must(stack.destroy());
        deepEqual(zoneLines(emulator, "example.com"), []);
      },
    ),
  );

  byBothFrontEnds("is deleted first if the program asks for it", (frontEnd) =>
    story(
      { frontEnd, program: own("a.example.net.", "{}"), ...full },
      async ({ emulator, stack, up, quietUp }) => {
        await up();
        stack.program(own("b.example.net.", '{ replaceOnChanges: ["*"], deleteBeforeReplace: true }'));
        doesNotMatch((await must(stack.upWithPreview())).output, /\[live\./);
        deepEqual(zoneLines(emulator, "example.com"), ["own CNAME b.example.net. 600"]);
        await quietUp();
      },
    ),
  );
});

describe("a replaced A record", () => {
  byBothFrontEnds("leaves no former value live in full mode", (frontEnd) =>
    story(
      { frontEnd, program: own("192.0.2.1", "{}", "A"), ...full },
      async ({ emulator, stack, up, quietUp }) => {
        await up();
        const urn = stack.resources()[0]?.urn ?? "";
        for (const [value, options, ...args] of [
          ["192.0.2.2", always],
          ["192.0.2.3", "{}", "--replace", urn],
        ] as const) {
          stack.program(own(value, options, "A"));
          await must(stack.upWithPreview(...args));
          deepEqual(zoneLines(emulator, "example.com"), [`own A ${value} 600`]);
        }
        await quietUp();
      },
    ),
  );
});

describe("a replaced record in documented mode", () => {
  for (const [type, first, second, code] of [
    ["CNAME", "a.example.net.", "b.example.net.", "live.blocked"],
    ["A", "192.0.2.1", "192.0.2.2", "live.left-over"],
  ] as const)
    byBothFrontEnds(`has the true reason (${type})`, (frontEnd) =>
      story({ frontEnd, program: own(first, "{}", type) }, async ({ stack, up }) => {
        await up();
        stack.program(own(second, always, type));
        says(
          await fails(stack.upWithPreview()),
          `[${code}]`,
          "The documented API cannot change or delete records",
        );
      }),
    );
});
