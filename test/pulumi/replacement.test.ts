/** The engine creates a replacement before it deletes the resource's former state. */
import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { record } from "../support/programs";
import { byBothFrontEnds, fullMode, must, story } from "../support/story";

const own = (value: string, options = "{}") => record("own", value, { type: "CNAME" }, options);
const always = '{ replaceOnChanges: ["*"] }';

describe("a replaced CNAME in full mode", () => {
  byBothFrontEnds("becomes the new one, by replaceOnChanges or by --replace with a refresh", (frontEnd) =>
    story(
      { frontEnd, program: own("a.example.net."), ...fullMode },
      async ({ admin, stack, up, quietUp, lines }) => {
        await up();
        const urn = stack.resources()[0]?.urn ?? "";
        for (const [value, options, ...args] of [
          ["b.example.net.", always],
          ["c.example.net.", "{}", "--refresh", "--replace", urn],
        ] as const) {
          stack.program(own(value, options));
          admin.clearCalls();
          const { output } = await must(stack.upWithPreview(...args));
          doesNotMatch(output, /\[live\./);
          equal(admin.counts()["Record.Modify"], 1, output);
          deepEqual(lines(), [`own CNAME ${value} 600`]);
        }
        await quietUp();
        await must(stack.destroy());
        deepEqual(lines(), []);
      },
    ),
  );
});
