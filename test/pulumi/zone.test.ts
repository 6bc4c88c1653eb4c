import { deepEqual, doesNotMatch } from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { batch, record, zone } from "../support/programs";
import { byBothFrontEnds, fails, fullMode, must, problem, says, story } from "../support/story";

const files = {
  "example.com.zone": `$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1 hostmaster ( 1 7200 3600 1209600 3600 ) ; the service's own
        IN NS  ns1.hosting.example.
@       IN A   192.0.2.1
txt     IN TXT ( "v=spf1 "
                 "-all" )
$INCLUDE machines.zone
`,
  "machines.zone": "m1 300 A 192.0.2.11\n",
};
const fromFile = (more: object = {}): string => zone(undefined, { file: "zones/example.com.zone", ...more });
const side = record("side", "192.0.2.50");

describe("a zone from a file, through the real engine", () => {
  it("is created without SOA and apex NS, and reports unmanaged records, except ignored and sibling records", () =>
    story({}, async ({ stack, deploy, quietUp, add, lines }) => {
      mkdirSync(join(stack.folder, "zones"));
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(stack.folder, "zones", name), text);
      stack.program(fromFile());
      says(await must(stack.preview()), "SOA", "apexNs");
      says(await deploy(fromFile()), "SOA", "apexNs");
      deepEqual(lines(), ["@ A 192.0.2.1 3600", "m1 A 192.0.2.11 300", "txt TXT v=spf1 -all 3600"]);
      await quietUp();

      add("stranger A 192.0.2.99");
      add("_acme-challenge TXT token");
      stack.program(fromFile({ undeclared: "report", ignore: ["_acme-challenge* TXT tok*"] }) + side);
      for (const run of [await must(stack.up()), await must(stack.refresh())]) {
        says(run, /\[live\.undeclared\]\s+stranger\.example\.com\. A 192\.0\.2\.99/);
        doesNotMatch(run.output, /_acme-challenge|live\.undeclared\][^[]* side\./);
      }
      for (const [more, text] of [
        [
          { ignore: ["keep 600"] },
          problem('Zone "example.com"', 'ignore\\[0\\]: "keep 600" is not a pattern'),
        ],
        [{}, 'undeclared: "remove" needs undocumented operations [option.not-allowed]'],
      ] as const) {
        stack.program(fromFile({ undeclared: "remove", ...more }));
        says(await fails(stack.preview()), text);
      }
    }));

  byBothFrontEnds(
    'deletes unmanaged records with the first `up --refresh` that has undeclared: "remove"',
    (frontEnd) => {
      const program = (more: object): string => batch("zone", ["www 600 A 192.0.2.1"], more) + side;
      return story(
        { frontEnd, program: program({}), ...fullMode },
        async ({ stack, up, quietUp, add, lines }) => {
          await up();
          add("old A 192.0.2.99");
          stack.program(program({ undeclared: "remove" }));
          says(
            await must(stack.preview("--refresh")),
            /- old\.example\.com\. A 192\.0\.2\.99 \(record \d+\)/,
          );
          const { output } = await up("--refresh");
          deepEqual(lines(), ["side A 192.0.2.50 600", "www A 192.0.2.1 600"]);
          doesNotMatch(output, /live\.undeclared/);
          await quietUp();
        },
      );
    },
  );
});
