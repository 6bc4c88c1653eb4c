/** The messages of a program of a few resources: each phase reports a message once, under its resource. */
import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { batch, record } from "../support/programs";
import { type Run, byBothFrontEnds, fails, must, says, story } from "../support/story";

const three = (line: string) => record("a", "192.0.2.1") + record("b", "192.0.2.2") + batch("zone", [line]);

const zones = (...records: (string | object)[]) =>
  batch("zone", records, { domains: ["example.com", "example.net"] });

/** The lists of messages, without the live display. */
const listsIn = ({ output }: Run) =>
  output
    .split("Diagnostics:")
    .slice(1)
    .map((list) => list.split(/^Resources:/m, 1).join());

const timesIn = (run: Run, text: string) => listsIn(run).join("\n").split(text).length - 1;

/** The diagnostics in the lists of messages: each as `LEVEL CODE`. A message of the engine has one level. */
function diagnosed(run: Run): string[] {
  return listsIn(run)
    .flatMap((list) => list.split("\n"))
    .flatMap((line) => {
      const [, level = "", code = ""] =
        /^ {4}(?:(error|warning|note): |\t\* )?\S.*\[([a-z]+[.-][a-z-]+)\]$/.exec(line) ?? [];
      // The engine puts the reasons of a half-done update into a list of its own.
      return code === "" ? [] : [`${level === "" && line.includes("\t* ") ? "error" : level} ${code}`];
    })
    .sort();
}

describe("the output of a run", () => {
  byBothFrontEnds(
    "has one message for each diagnostic, with its level",
    {},
    async ({ admin, stack, add }) => {
      stack.program(zones("a 600 A 10.0.0.1", "b 9999999 A 192.0.2.1", "*.c 600 A 192.0.2.1"));
      add("* 600 TXT x");
      deepEqual(diagnosed(await must(stack.preview())), [
        "note wildcard-hidden",
        "warning private-address",
        "warning private-address",
        "warning ttl-long",
        "warning ttl-long",
      ]);

      add("a 77 A 192.0.2.1");
      admin.addRecord("example.net", { name: "a", type: "A", value: "192.0.2.1", ttl: 77 });
      add("b 600 A 192.0.2.1", { enabled: false });
      stack.program(zones("a 600 A 192.0.2.1", "b 600 A 192.0.2.1", "c 600 A 192.0.2.1"));
      const blocked = ["live.disabled", "live.ttl", "live.ttl"];
      deepEqual(diagnosed(await must(stack.preview())), [
        "note wildcard-hidden",
        ...blocked.map((code) => `warning ${code}`),
      ]);
      const failed = await fails(stack.up());
      deepEqual(
        diagnosed(failed).filter((each) => !each.startsWith("note ")),
        blocked.map((code) => `error ${code}`),
      );
      doesNotMatch(failed.output, /[2-9] errors occurred/);
      equal(stack.resources()[0]?.initErrors?.length, 1);

      stack.program("");
      const removed = diagnosed(await fails(stack.up()));
      deepEqual(removed, ["error live.left-over", "error live.left-over"]);

      stack.program(zones("a 600 A 192.0.2.999", { name: "b b", type: "A", value: "192.0.2.1", ttl: -1 }));
      deepEqual(diagnosed(await fails(stack.preview())), [
        "error address.unfit",
        "error label.unfit",
        "error ttl.unfit",
      ]);
    },
  );

  it("reports each message once per phase, and nothing if nothing changes", () =>
    story(
      { program: three("c 600 A 192.0.2.3"), env: { LEGACYDNS_CONTACT: "" } },
      async ({ stack, edit, ids }) => {
        const first = await must(stack.upWithPreview("--suppress-progress"));
        for (const text of [
          "no contact is set",
          'RecordBatch "zone": example.com: 1 to create',
          "+ c.example.com. 600 A 192.0.2.3",
        ])
          equal(timesIn(first, text), 2, first.output);
        const again = await stack.upWithPreview("--suppress-progress");
        doesNotMatch(again.output, /Diagnostics/);
        stack.program(three("d 600 A 192.0.2.4"));
        const update = await stack.runWith(
          { LEGACYDNS_REMOVAL: "retain" },
          "up",
          "--yes",
          "--skip-preview",
          "--suppress-progress",
        );
        for (const text of [
          "no contact is set",
          'RecordBatch "zone": example.com: 1 to create',
          "[live.retained]",
        ])
          equal(timesIn(update, text), 1, update.output);
        equal(ids().length, 4);
        edit("d", { enabled: false });
        edit("a", { ttl: 60 });
        stack.program(three("e 600 A 192.0.2.5"));
        const failed = await fails(stack.up("--refresh", "--suppress-progress", "--continue-on-error"));
        for (const text of ["[live.left-over]", "TTL 60 live"])
          equal(timesIn(failed, text), 1, failed.output);
      },
    ));
});

describe("secrets", () => {
  it("of the login in the stack's file cause one warning with the command", () => {
    const program = record("a", "192.0.2.1") + record("b", "192.0.2.1");
    return story({ program, env: { LEGACYDNS_LOGIN_TOKEN: "" } }, async ({ emulator, stack }) => {
      const warnings = (run: Run) =>
        (run.output.split("Diagnostics:")[1] ?? "").split("warning: legacydns:loginToken is plain text")
          .length - 1;
      await stack.must("config", "set", "--plaintext", "legacydns:loginToken", emulator.token);
      const plain = await stack.must("preview", "--suppress-progress");
      equal(warnings(plain), 1, plain.output);
      says(plain, "help: store it: pulumi config set --secret legacydns:loginToken ID,TOKEN");
      await stack.must("config", "set", "--secret", "legacydns:loginToken", emulator.token);
      const secret = await stack.must("preview", "--suppress-progress");
      equal(warnings(secret), 0, secret.output);
    });
  });
});
