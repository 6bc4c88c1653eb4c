/** The error of a look-up with wrong arguments lists all of them. */
import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as dns from "../../provider/functions";
import { errorOf, withEnvironment, withService } from "./support";

/** As a JavaScript program may call it. */
const loosely = dns as unknown as Readonly<
  Record<string, (args?: unknown, options?: unknown) => Promise<unknown>>
>;

const [named, neither] = [{ domain: "example.com" }, "domain and domainId are both missing: "];
const [id, text] = [": an id is a whole number,", "domain must be a text, not"];
const keyword = (others: string): string => `keyword cannot stand beside ${others}: `;

/** Look-up → wrong arguments, and the beginning of each problem. */
const cases: Readonly<Record<string, readonly (readonly [args: unknown, ...problems: string[]])[]>> = {
  getDomain: [
    [{}, neither],
    [undefined, neither],
    [{ domain: "example.com", domainId: 1 }, "domain and domainId are both given: "],
    ["example.com", "the arguments must be an object with domain and so on, not a text"],
    [{ domain: "" }, "domain is empty: "],
    [{ domain: 17 }, `${text} a number`],
    [{ domain: null }, `${text} null`],
    [{ domain: "com" }, 'domain: "com" is no domain; write'],
    [{ domainId: "example.com" }, `domainId is "example.com"${id}`],
    [{ domainId: 1.5 }, `domainId is 1.5${id}`],
    [{ domainId: -1 }, `domainId is -1${id}`],
    [{ domainId: ["1"] }, "domainId must be an id, not a list"],
    [{ domian: "example.com" }, '"domian" is no argument; did you mean domain?', neither],
    [
      { domain: pulumi.output("example.com") },
      "domain is an Output, whose value a promise cannot wait for; ",
    ],
    [{ domain: Promise.resolve("example.com") }, "domain is a Promise: await it; "],
  ],
  getDomains: [
    [{ type: "stared" }, 'type is "stared", which is not known; did you mean "starred"?'],
    [
      { type: "everything", keyword: "", groupId: "first", colour: "red" },
      '"colour" is no argument; the arguments are type, keyword, groupId',
      'type is "everything", which is not known; the values are all, mine, sharedToMe, sharedByMe, ',
      "keyword is empty: ",
      `groupId is "first"${id}`,
    ],
  ],
  getPurview: [[{}, neither]],
  getRecord: [
    [{}, neither, "recordId is missing: "],
    [{ ...named, recordId: "www" }, `recordId is "www"${id}`],
  ],
  getRecords: [
    [{ ...named, type: "CNAM" }, 'type is "CNAM", which is no record type; did you mean CNAME?'],
    [{ ...named, keyword: "www", type: "A", line: "默认" }, keyword("type, line")],
    [{ ...named, lineId: 0, keyword: "www" }, keyword("lineId")],
    [{ ...named, name: "www.example.com" }, 'name: "www.example.com" ends in the domain itself; '],
    [{ ...named, name: "www.example.org." }, 'name: "www.example.org." does not lie in example.com; wri'],
    [{ domainId: 1, name: "www.example.com." }, 'name: "www.example.com." is absolute: '],
    [{ ...named, lineId: "电信" }, 'lineId is "电信": a line\'s id is a number, such as 0 '],
    [{ ...named, line: "电信", lineId: "10=0" }, "line and lineId are both given: "],
    [{ ...named, line: 7 }, "line must be a text, not a number"],
  ],
  getMonitorHistory: [
    [{ hours: 0 }, "monitorId is missing: ", "hours is 0: "],
    [{ monitorId: " " }, "monitorId is empty: "],
    [{ monitorId: "1", hours: "24" }, "hours must be a number, not a text"],
  ],
  getCustomLines: [
    [{ domain: ["example.com"] }, `${text} a list`],
    [[], "the arguments must be an object with domain and so on, not a list"],
  ],
  getBatchJob: [[{}, "jobId is missing: "]],
};

describe("the arguments of look-ups", () => {
  for (const [lookup, rows] of Object.entries(cases))
    it(
      `wrong arguments of ${lookup} are listed, and no call is made`,
      withService({}, async (emulator) => {
        for (const [args, ...problems] of rows) {
          const error = await errorOf(loosely[lookup]?.(args) ?? Promise.resolve());
          assert.equal(error.lookup, lookup);
          assert.ok(error.message.startsWith(`${lookup}: `));
          for (const problem of error.problems) assert.ok(error.message.includes(problem));
          assert.deepEqual(
            error.problems.map((problem, i) => problem.slice(0, problems[i]?.length)),
            problems,
          );
        }
        assert.deepEqual(emulator.admin.counts(), {});
      }),
    );

  it(
    "other options than provider are refused, and so is a provider of another package",
    withService({}, async () => {
      const example = { domain: "example.com" };
      const option = await errorOf(loosely["getDomain"]?.(example, { parent: {} }) ?? Promise.resolve());
      assert.equal(option.message, 'getDomain: "parent" is no option of a look-up; the only one is provider');
      const provider = await errorOf(loosely["getDomain"]?.(example, { provider: {} }) ?? Promise.resolve());
      assert.equal(
        provider.message,
        "getDomain: the option provider must be a Provider of pulumi-legacydns, made in this program",
      );
    }),
  );

  it("missing settings are one error for every look-up", () =>
    withEnvironment({}, async () => {
      const first = await errorOf(dns.getDomain({ domain: "example.com" }));
      assert.match(
        first.message,
        /^legacydns look-ups: 2 settings are wrong:\n- legacydns:loginToken is missing\. .*\n- legacydns:baseUrl is missing: /,
      );
      assert.equal(await errorOf(dns.getRecords({ domain: "example.org" })), first);
    }));
});
