import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { about, codes, isError, isReason, reason, shown, textOf } from "../provider/problems";
import { current, page } from "../scripts/problems";

describe("the table of problems", () => {
  it("is what docs/errors.md lists: `npm run problems` writes it", () => {
    assert.equal(readFileSync(page, "utf8"), current());
  });

  it("has a code of small words for each", () => {
    assert.deepEqual(
      codes.filter((code) => !/^[a-z0-9]+(?:[.-][a-z0-9]+)+$/.test(code)),
      [],
    );
  });

  it("makes a text of a code, its parts, and of what it is said", () => {
    const long = reason("ttl.long", { given: 3_000_000_000, most: 2_147_483_647 });
    assert.equal(textOf(long), "3000000000 is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)");
    assert.equal(
      shown({ ...about("ttl:", long), path: "records[0]" }),
      "records[0]: ttl: 3000000000 is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)",
    );
    assert.deepEqual([isError(long), isError({ code: "cname.apex" })], [true, false]);
    // @ts-expect-error a part of another name
    reason("ttl.zero", { given: 0 });
    // @ts-expect-error a part of another type
    reason("ttl.unfit", { given: "0" });
  });

  it("shows invisible characters of its parts", () => {
    const given = "a\u202e\u200b\u009b\u001b[8m\n\u{e0001}";
    const problem = { ...about(given, reason("type.unchecked", { given })), path: given };
    const seen = "a\\u202e\\u200b\\u009b\\u001b[8m\n\\udb40\\udc01";
    assert.ok(shown(problem).startsWith(`${seen}: ${seen} ${seen} is a type`));
  });

  it("names what switches on the removal of records where it is set", () => {
    for (const code of ["removal.not-allowed", "undeclared.not-allowed"] as const) {
      assert.match(
        textOf(reason(code, { explicit: true })),
        /set undocumentedOperations to true on the Provider; or write /,
      );
      assert.match(
        textOf(reason(code, { explicit: false })),
        /set undocumentedOperations to true \(pulumi config set legacydns:undocumentedOperations true\); or write /,
      );
    }
  });

  it("an undeclared record's warning names the command that removes it", () => {
    const said = (live: number, removed: boolean): string =>
      textOf(reason("live.undeclared", { domain: "example.com", names: "NAMES", live, removed }));
    assert.match(said(1, false), /: NAMES$/);
    assert.match(said(1, true), /: NAMES\. `pulumi up --refresh` removes it$/);
    assert.match(said(2, true), / removes them$/);
  });

  it("knows a reason again that was kept as text, and nothing else", () => {
    assert.ok(isReason(JSON.parse(JSON.stringify(reason("ttl.zero")))));
    for (const other of [null, "ttl.zero", { code: "no.such" }, { code: "toString" }, {}])
      assert.ok(!isReason(other));
  });
});
