/** The error of a look-up with wrong arguments lists all of them. */
import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as dns from "../../provider/functions";
import { errorOf, withEnvironment, withService } from "./support";

/** As a JavaScript program may call it. */
const loosely = dns as unknown as Readonly<
  Record<string, (args?: unknown, options?: unknown) => Promise<unknown>>
>;

const cases: readonly (readonly [lookup: string, args: unknown, message: string])[] = [
  [
    "getDomain",
    {},
    'getDomain: domain and domainId are both missing: give one of them, for example { domain: "example.com" }',
  ],
  [
    "getDomain",
    undefined,
    'getDomain: domain and domainId are both missing: give one of them, for example { domain: "example.com" }',
  ],
  [
    "getDomain",
    { domain: "example.com", domainId: 1 },
    "getDomain: domain and domainId are both given: keep one of them",
  ],
  [
    "getDomain",
    "example.com",
    "getDomain: the arguments must be an object with domain and so on, not a text",
  ],
  [
    "getDomain",
    { domain: "" },
    'getDomain: domain is empty: write the zone\'s name, for example "example.com"',
  ],
  ["getDomain", { domain: 17 }, "getDomain: domain must be a text, not a number"],
  ["getDomain", { domain: null }, "getDomain: domain must be a text, not null"],
  [
    "getDomain",
    { domain: "com" },
    'getDomain: domain: "com" is a single label; write the zone\'s whole name, for example "example.com"',
  ],
  [
    "getDomain",
    { domainId: "example.com" },
    'getDomain: domainId is "example.com": an id is a whole number, such as 1234567, or its digits as a text',
  ],
  [
    "getDomain",
    { domainId: 1.5 },
    "getDomain: domainId is 1.5: an id is a whole number, such as 1234567, or its digits as a text",
  ],
  [
    "getDomain",
    { domainId: -1 },
    "getDomain: domainId is -1: an id is a whole number, such as 1234567, or its digits as a text",
  ],
  ["getDomain", { domainId: ["1"] }, "getDomain: domainId must be an id, not a list"],
  [
    "getDomain",
    { domian: "example.com" },
    'getDomain: 2 problems:\n  - "domian" is no argument; did you mean domain?\n  - domain and domainId are both missing: give one of them, for example { domain: "example.com" }',
  ],
  [
    "getDomains",
    { type: "stared" },
    'getDomains: type is "stared", which is not known; did you mean "starred"?',
  ],
  [
    "getDomains",
    { type: "everything", keyword: "", groupId: "first", colour: "red" },
    "getDomains: 4 problems:\n" +
      '  - "colour" is no argument; the arguments are type, keyword, groupId\n' +
      '  - type is "everything", which is not known; the values are all, mine, sharedToMe, sharedByMe, starred, paused, vip, recent, share, share_out, ismark, pause\n' +
      "  - keyword is empty: write a text, or leave it out\n" +
      '  - groupId is "first": an id is a whole number, such as 1234567, or its digits as a text',
  ],
  [
    "getPurview",
    {},
    'getPurview: domain and domainId are both missing: give one of them, for example { domain: "example.com" }',
  ],
  [
    "getRecord",
    {},
    'getRecord: 2 problems:\n  - domain and domainId are both missing: give one of them, for example { domain: "example.com" }\n  - recordId is missing: getRecords tells the ids of a domain\'s records',
  ],
  [
    "getRecord",
    { domain: "example.com", recordId: "www" },
    'getRecord: recordId is "www": an id is a whole number, such as 1234567, or its digits as a text',
  ],
  [
    "getRecords",
    { domain: "example.com", type: "CNAM" },
    'getRecords: type is "CNAM", which is no record type; did you mean CNAME?',
  ],
  [
    "getRecords",
    { domain: "example.com", keyword: "www", type: "A", line: "默认" },
    "getRecords: keyword cannot stand beside type, line: the service ignores every other filter when it gets a keyword. Keep one of the two, and filter the records in the program by the other",
  ],
  [
    "getRecords",
    { domain: "example.com", name: "www.example.com" },
    'getRecords: name: "www.example.com" ends in the domain itself; write "www" for www.example.com.',
  ],
  [
    "getRecords",
    { domain: "example.com", name: "www.example.org." },
    'getRecords: name: "www.example.org." is absolute and does not lie in example.com; look it up in its own domain, or write a relative name',
  ],
  [
    "getRecords",
    { domain: "example.com", lineId: "电信" },
    'getRecords: lineId is "电信": a line\'s id is a number, such as 0 (the default line), or two with = between them, such as 10=0',
  ],
  [
    "getRecords",
    { domain: "example.com", line: "电信", lineId: "10=0" },
    "getRecords: line and lineId are both given: keep one of them",
  ],
  [
    "getRecords",
    { domain: "example.com", lineId: 0, keyword: "www" },
    "getRecords: keyword cannot stand beside lineId: the service ignores every other filter when it gets a keyword. Keep one of the two, and filter the records in the program by the other",
  ],
  [
    "getRecords",
    { domainId: 1, name: "www.example.com." },
    'getRecords: name: "www.example.com." is absolute: write it relative to the domain, or name the domain by its name',
  ],
  ["getRecords", { domain: "example.com", line: 7 }, "getRecords: line must be a text, not a number"],
  [
    "getMonitorHistory",
    { hours: 0 },
    "getMonitorHistory: 2 problems:\n  - monitorId is missing: take it from the service's console, since no operation of the interface tells it\n  - hours is 0: it must be a whole number of hours from 1",
  ],
  [
    "getMonitorHistory",
    { monitorId: " " },
    "getMonitorHistory: monitorId is empty: take it from the service's console, since no operation of the interface tells it",
  ],
  [
    "getMonitorHistory",
    { monitorId: "1", hours: "24" },
    "getMonitorHistory: hours must be a number, not a text",
  ],
  ["getCustomLines", { domain: ["example.com"] }, "getCustomLines: domain must be a text, not a list"],
  ["getCustomLines", [], "getCustomLines: the arguments must be an object with domain and so on, not a list"],
  ["getBatchJob", {}, "getBatchJob: jobId is missing: messages about unfinished jobs name it"],
  [
    "getDomain",
    { domain: pulumi.output("example.com") },
    "getDomain: domain is an Output, whose value a promise cannot wait for; getDomainOutput takes it as it is",
  ],
  [
    "getDomain",
    { domain: Promise.resolve("example.com") },
    "getDomain: domain is a Promise: await it; or getDomainOutput takes it as it is",
  ],
];

describe("the arguments of look-ups", () => {
  for (const [lookup, args, message] of cases) {
    it(
      message.split("\n")[0] ?? message,
      withService({}, async (emulator) => {
        const error = await errorOf(loosely[lookup]?.(args) ?? Promise.resolve());
        assert.equal(error.message, message);
        assert.equal(error.lookup, lookup);
        assert.equal(error.problems.length, message.includes("\n") ? message.split("\n").length - 1 : 1);
        assert.deepEqual(emulator.admin.counts(), {});
      }),
    );
  }

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
