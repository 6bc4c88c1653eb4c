import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  about,
  checkCodes,
  codes,
  diagnosticOf,
  isError,
  isReason,
  merged,
  reason,
  rendered,
  textOf,
  type Reason,
} from "../provider/problems";
import { exampleOf, sections } from "../tools/generate/problems";
import { read, root } from "./support/page";

describe("a diagnostic", () => {
  const record = (i: number) => ({ text: `r${i}.example.com. A 192.0.2.${i}`, note: `record ${i}` });
  const stale = {
    code: "live.left-over",
    level: "blocked",
    title: "example.com: stale",
    help: ["a"],
  } as const;

  it("is printed as a title with its code, the records, the reason and the help", () => {
    const records = [record(1), record(10)];
    equal(
      rendered({ ...stale, records, why: "The documented API cannot delete records." }),
      [
        "example.com: stale [live.left-over]",
        "  r1.example.com. A 192.0.2.1    record 1",
        "  r10.example.com. A 192.0.2.10  record 10",
        "  The documented API cannot delete records.",
        "  help: a",
      ].join("\n"),
    );
  });

  it("lists at most ten records, and cuts a line after 160 characters, in the text and not in the note", () => {
    const records = [
      { text: "x".repeat(500), note: "record 4711" },
      ...Array.from({ length: 299 }, (_, i) => record(i)),
    ];
    const lines = rendered({ ...stale, records }).split("\n");
    equal(lines.length, 13);
    deepEqual([lines[1]?.length, lines[1]?.endsWith("x…  record 4711")], [160, true]);
    equal(lines[11], "  … and 290 more");
    equal(rendered({ ...stale, records }, Infinity).split("\n").length, 302);
  });

  it("takes in others with the same code and title, and comes in the order of the levels", () => {
    const one = { ...stale, records: [record(1)] };
    const two = { ...stale, records: [record(2)], help: ["a", "b"] };
    const error = { ...stale, level: "error", title: "example.com: locked", records: [] } as const;
    deepEqual(merged([one, error, two]), [error, { ...two, records: [record(1), record(2)] }]);
  });
});

describe("the texts of the table", () => {
  const rows = codes.map((code) => diagnosticOf({ code, parts: {} } as unknown as Reason));

  it("have a title of at most 100 characters, and at most three helps, each on one line", () => {
    for (const { code, title, help } of rows)
      ok(title.length <= 100 && help.length <= 3 && help.every((line) => line.length <= 160), code);
  });
});

describe("the table of problems", () => {
  it("warns of few problems of declarations and files, and refuses all others", () => {
    const others = codes.filter((code) => !checkCodes.some((check) => check === code));
    deepEqual(
      others.filter((code) => !isError({ code }) && !/^(?:live|zone)\./.test(code)),
      [
        ...["value.unusual", "type.unchecked", "cname.apex", "caa.tag-unknown", "include.comments"],
        ...["name.no-dot", "text.unquoted", "text.string"],
        ...["file.more-warnings", "line.stray", "share.gone", "share.stays"],
        ...["import.disabled", "setting.risk", "run.stopped", "server.no-address"],
      ],
    );
  });

  it("has a code of small words for each", () => {
    for (const code of codes) match(code, /^[a-z0-9]+(?:[.-][a-z0-9]+)+$/);
  });

  it("makes a text of a code, its parts, and of what it is said", () => {
    const long = reason("file.large", { path: "a.zone", size: 3, most: 2 });
    const text = "a.zone has 3 octets; zone files have at most 2 together; split the zone";
    equal(textOf(long), text);
    equal(textOf({ ...about("ttl:", long), path: "records[0]" }), `records[0]: ttl: ${text}`);
    deepEqual([isError(long), isError({ code: "cname.apex" })], [true, false]);
    // @ts-expect-error a part of another name
    reason("type.soa", { given: 0 });
    // @ts-expect-error a missing part
    reason("ttl.unfit", {});
  });

  it("shows invisible characters of its parts", () => {
    const given = "a\u202e\u200b\u009b\u001b[8m\n\u{e0001}";
    const problem = { ...about(given, reason("type.unchecked", { given })), path: given };
    const seen = "a\\u202e\\u200b\\u009b\\u001b[8m\n\\udb40\\udc01";
    ok(textOf(problem).startsWith(`${seen}: ${seen} this provider does not check records of type ${seen}`));
  });

  it("knows a reason again that was kept as text, and nothing else", () => {
    ok(isReason(JSON.parse(JSON.stringify(reason("type.soa")))));
    for (const other of [null, "type.soa", { code: "no.such" }, { code: "toString" }, {}])
      ok(!isReason(other));
  });
});

/** The sources that raise problems, without the table itself. */
const raising = ["provider", "cli"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith(".ts") && !file.startsWith("provider/problems"))
  .map(read)
  .join("\n");

describe("docs/errors.md", () => {
  it("has only codes that a part of the product raises", () => {
    // A code is written whole, or as a kind after its family: reason(`live.${kind}`).
    const isRaised = (code: string): boolean => {
      const [family = "", kind = ""] = code.split(".");
      return (
        raising.includes(`"${code}"`) ||
        (raising.includes(`reason(\`${family}.\${`) && raising.includes(`"${kind}"`))
      );
    };
    for (const { code } of sections()) ok(isRaised(code), code);
    ok(!isRaised("live.invented"));
  });

  it("has a section for each code, in the order of the table", () => {
    deepEqual(
      sections().map(({ code }) => code),
      codes,
    );
  });

  it("has an example of each message with all parts of its template, and no other", () => {
    for (const section of sections()) {
      const text = rendered(exampleOf(section));
      doesNotMatch(text, /<\w+>/, section.code);
      for (const [name, value] of Object.entries(section.parts ?? {}))
        ok(text.includes(String(value)), `${section.code}: ${name} is not in the message`);
    }
  });

  it("has a remedy for each error that does not contain one", () => {
    for (const section of sections()) {
      const { level, help } = exampleOf(section);
      ok(level !== "error" || section.remedies.length > 0 || help.length > 0, section.code);
    }
  });

  it("has a cause for each code that no other page explains", () => {
    const explained = new Set<string>(checkCodes);
    for (const { code, cause } of sections()) equal(cause === undefined, explained.has(code), code);
  });
});
