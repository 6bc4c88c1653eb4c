import { deepEqual, equal, ok } from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { errorFrom, withEnvironment, withService } from "./support";

const named = { domain: "example.com" };
const neither = "domain field.missing";

const cases: Record<string, [args: unknown, ...problems: string[]][]> = {
  getDomain: [
    [{}, neither],
    [undefined, neither],
    [{ ...named, domainId: 1 }, "domain, domainId field.several"],
    ["example.com", "arguments field.kind"],
    [{ domain: "" }, "domain value.empty"],
    [{ domain: 17 }, "domain field.kind"],
    [{ domain: null }, "domain field.kind"],
    [{ domain: "com" }, "domain domain.unfit"],
    [{ domainId: "example.com" }, "domainId value.unfit"],
    [{ domainId: 1.5 }, "domainId value.unfit"],
    [{ domainId: -1 }, "domainId value.unfit"],
    [{ domainId: ["1"] }, "domainId field.kind"],
    [{ domian: "example.com" }, "domian field.unknown", neither],
    [{ domain: pulumi.output("example.com") }, "domain value.pending"],
    [{ domain: Promise.resolve("example.com") }, "domain value.pending"],
  ],
  getDomains: [
    [{ type: "stared" }, "type word.unknown"],
    [
      { type: "everything", keyword: "", groupId: "first", colour: "red" },
      "colour field.unknown",
      "type word.unknown",
      "keyword value.empty",
      "groupId value.unfit",
    ],
  ],
  getPurview: [[{}, neither]],
  getRecord: [
    [{}, neither, "recordId field.missing"],
    [{ ...named, recordId: "www" }, "recordId value.unfit"],
  ],
  getRecords: [
    [{ ...named, type: "CNAM" }, "type type.unknown"],
    [
      { ...named, keyword: "www", type: "A", line: "默认" },
      "keyword, type field.several",
      "keyword, line field.several",
    ],
    [{ ...named, lineId: 0, keyword: "www" }, "keyword, lineId field.several"],
    [{ ...named, name: "www.example.com" }, "name name.repeats-domain"],
    [{ ...named, name: "www.example.org." }, "name name.outside"],
    [{ domainId: 1, name: "www.example.com." }, "name name.outside"],
    [{ ...named, lineId: "电信" }, "lineId value.unfit"],
    [{ ...named, line: "电信", lineId: "10=0" }, "line, lineId field.several"],
    [{ ...named, line: 7 }, "line field.kind"],
  ],
  getMonitorHistory: [
    [{ hours: 0 }, "monitorId field.missing", "hours value.unfit"],
    [{ monitorId: " " }, "monitorId value.empty"],
    [{ monitorId: "1", hours: "24" }, "hours field.kind"],
  ],
  getCustomLines: [
    [{ domain: ["example.com"] }, "domain field.kind"],
    [[], "arguments field.kind"],
  ],
  getBatchJob: [[{}, "jobId field.missing"]],
};

function described(lookup: string, problem: string) {
  const [, path = "", code = ""] = /^\w+: ([\w, ]+): .* \[([a-z.-]+)\]\n {2}help: /.exec(problem) ?? [];
  ok(problem.startsWith(`${lookup}: `), problem);
  return `${path} ${code}`;
}

describe("the arguments of look-ups", () => {
  for (const [lookup, rows] of Object.entries(cases))
    it(
      `wrong arguments of ${lookup} are listed, and no call is made`,
      withService({}, async (emulator) => {
        for (const [args, ...problems] of rows) {
          const error = await errorFrom(lookup, args);
          equal(error.lookup, lookup);
          equal(error.message, error.problems.join("\n"));
          deepEqual(
            error.problems.map((problem) => described(lookup, problem)),
            problems,
          );
        }
        deepEqual(emulator.admin.counts(), {});
      }),
    );

  it(
    "the help names the nearest word, or the look-up that takes an Output",
    withService({}, async () => {
      for (const [lookup, args, help] of [
        ["getDomain", { domian: "example.com" }, "did you mean domain?"],
        ["getDomains", { type: "stared" }, 'did you mean "starred"?'],
        ["getRecords", { ...named, type: "CNAM" }, "did you mean CNAME?"],
        ["getDomain", { domain: pulumi.output("example.com") }, "use getDomainOutput, which waits for it"],
      ] as const) {
        const { problems } = await errorFrom(lookup, args);
        equal(problems[0]?.split("\n  help: ")[1], help);
      }
    }),
  );

  it(
    "other options than provider are refused, and so is a provider of another package",
    withService({}, async () => {
      const option = await errorFrom("getDomain", named, { parent: {} });
      equal(described("getDomain", option.message), "parent field.unknown");
      const provider = await errorFrom("getDomain", named, { provider: {} });
      equal(described("getDomain", provider.message), "provider field.kind");
    }),
  );

  it("missing settings are one error for every look-up", () =>
    withEnvironment({}, async () => {
      const first = await errorFrom("getDomain", named);
      deepEqual(
        first.problems.map((problem) => problem.split("\n")[0]),
        ["loginToken", "baseUrl"].map((name) => `look-ups: legacydns:${name} is missing [setting.wrong]`),
      );
      equal(await errorFrom("getRecords", { domain: "example.org" }), first);
    }));
});
