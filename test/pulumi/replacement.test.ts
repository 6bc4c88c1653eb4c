/** The engine creates a replacement before it deletes the resource's former state. */
import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { byBothFrontEnds, must, story, zoneLines } from "../support/story";

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
});
