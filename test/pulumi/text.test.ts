/** The zone as one text: what previews, refreshes and programs show of it; unknown values and secrets each in one line. */
import assert from "node:assert/strict";
import { countsOf, zoneLines } from "../support/service";
import { noStack, says, story } from "../support/story";
import type { Run } from "../support/stack";

/** The lines of zones that a detailed diff marks, each once: the stack's output is the same text. */
function diffLines(run: Run): string[] {
  noStack(run);
  const lines = run.output.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => /^[-+] (?:; )?\S+\.example\.com\. /.test(line)))];
}

describe("the text of a batch", () => {
  it("shows a value that is not known yet as a line of its own; typed values wait for it", () =>
    story(
      {
        program:
          'const b = new dns.RecordBatch("b", { domains: "example.com", records: ["a 600 A 192.0.2.1", "late 600 TXT soon", "z 600 A 192.0.2.2"] });',
      },
      async ({ emulator, stack, up, quietUp }) => {
        await up();
        stack.program(`
          const one = new dns.Record("one", { domain: "example.net", name: "one", type: "A", value: "192.0.2.9", ttl: 600 });
          const b = new dns.RecordBatch("b", { domains: "example.com", records: ["a 600 A 192.0.2.1", { name: "late", type: "TXT", value: one.recordId, ttl: 600 }, "z 600 A 192.0.2.2"] });
          exports.late = b.entries.apply((all) => all.find(({ name }) => name === "late").value);
          exports.text = b.records;`);
        const preview = await stack.preview("--diff");
        assert.equal(preview.code, 0, preview.output);
        assert.deepEqual(diffLines(preview), [
          '- late.example.com. 600 TXT "soon"',
          "+ ; late.example.com. 600 TXT (known after the update)",
        ]);
        const wrong = await stack.up();
        const id = emulator.admin.zone("example.net").find(({ name }) => name === "one")?.id;
        assert.ok(zoneLines(emulator, "example.com").includes(`late TXT ${id} 600`), wrong.output);
        emulator.admin.removeRecord("example.com", { name: "late", type: "TXT", value: "soon" });
        await up();
        const outputs = JSON.parse((await stack.must("stack", "output", "--json")).output) as Record<
          string,
          unknown
        >;
        assert.deepEqual(outputs, {
          late: String(id),
          text: `a.example.com. 600 A 192.0.2.1\nlate.example.com. 600 TXT "${id}"\nz.example.com. 600 A 192.0.2.2\n`,
        });
        const [batch] = stack.resources().filter(({ type }) => type.endsWith("RecordBatch"));
        assert.match(JSON.stringify(batch), /"dependencies":\["[^"]*::one"\]/);
        await quietUp();
      },
    ));

  it("hides one line for one secret, which changes where its value does, and nothing else", () => {
    const program = (secret: string, ttl: number, options = ""): string => `
      const b = new dns.RecordBatch("b", { domains: "example.com", records: ["a ${ttl} A 192.0.2.1", { name: "k", type: "TXT", value: pulumi.secret("${secret}"), ttl: 600 }, "z 600 A 192.0.2.2"] }${options});
      exports.values = b.entries.apply((all) => all.map(({ value }) => value).join());
      exports.text = b.records;`;
    return story({ program: program("first", 600) }, async ({ emulator, stack, up, quietUp }) => {
      const first = await up();
      says(first, "  + a.example.com. 600 A 192.0.2.1", "  + k.example.com. 600 TXT (secret)");
      await quietUp();
      const textNow = async (): Promise<string> =>
        String(
          (JSON.parse((await stack.must("stack", "output", "--json")).output) as Record<string, unknown>)[
            "text"
          ],
        );
      const text = await textNow();
      assert.match(
        text,
        /^a\.example\.com\. 600 A 192\.0\.2\.1\n; k\.example\.com\. 600 TXT \(secret [\w-]{8}\)\nz\.example\.com\. 600 A 192\.0\.2\.2\n$/,
      );
      const values = await stack.must("stack", "output", "values", "--show-secrets");
      assert.equal(values.output.trim(), "192.0.2.1,first,192.0.2.2");

      // A console edit of an open record is shown in full. A secret record shows its mark.
      emulator.admin.setRecord("example.com", { name: "z", type: "A" }, { value: "192.0.2.77" });
      const refreshed = await stack.refresh("--diff");
      assert.deepEqual(diffLines(refreshed), [
        "- z.example.com. 600 A 192.0.2.2",
        "+ z.example.com. 600 A 192.0.2.77 ; not declared",
      ]);
      emulator.admin.setRecord("example.com", { name: "z", type: "A" }, { value: "192.0.2.2" });
      await up("--refresh");
      assert.equal(await textNow(), text);
      await quietUp();

      stack.program(program("second", 600));
      const preview = await stack.preview("--diff");
      const [was, is, ...more] = diffLines(preview);
      assert.match(
        `${was} ${is}`,
        /^- ; k\.example\.com\. 600 TXT \(secret [\w-]{8}\) \+ ; k\.example\.com\. 600 TXT \(secret [\w-]{8}\)$/,
      );
      assert.deepEqual(more, []);
      assert.notEqual(was?.slice(1), is?.slice(1));
      stack.program(program("first", 600));
      await quietUp();
      assert.equal(await textNow(), text);

      // The ledger is encrypted: its digests would confirm guesses.
      const state = await stack.state();
      assert.doesNotMatch(state, /ledger 2|first|second/);
      stack.program(program("first", 300, ', { ignoreChanges: ["records"] }'));
      await quietUp();
      assert.deepEqual(countsOf(emulator), {});
    });
  });
});
