/** The codes of the service. */
import { deepEqual, doesNotMatch, equal, match, notDeepEqual, ok, rejects } from "node:assert/strict";
import { LoginError, type OperationName, ServiceError, type TransportResponse } from "../../provider/api";
import { callSample, operationNames } from "./samples";
import {
  common,
  documented,
  loginFailures,
  meaningOf,
  older,
  recordWrites,
  undocumented,
} from "../../provider/api/meanings";
import type { Meaning } from "../../provider/api/meaning";
import { messageOf } from "../../provider/problems";
import { answer, cleanUp, clientOn, failureAs, failureOf, scripted, settingsFor, said } from "./support";

after(cleanUp);

const lineEdits = [77, 81, 801, 802, 40603, 40604, 40606, 40607, 40608, 40609, 400001];

const usual = { "6": "ID is wrong", "7": "owner", "13": "domain is wrong" };
const unwritable = { "-15": "banned", "21": "locked" };

/** The document's table: operation, code, words of the meaning. */
const TABLE: Partial<Record<OperationName, Record<string, string>>> = {
  "Domainshare.Modify": {
    ...usual,
    ...unwritable,
    "8": "domain ID is invalid",
    "23": "subdomain",
    "24": "wildcard",
    "25": "real name",
  },
  "Domain.Info": { ...usual, "8": "owner" },
  "Batch.Detail": { "8": "job was not found" },
  "Record.Info": { ...usual, "8": "domain is invalid" },
  "Monitor.Gethistory": { "7": "monitor ID is wrong" },
  "Domain.Purview": {
    ...usual,
    ...unwritable,
    "8": "domain is invalid",
    "9": "remark",
  },
  "Domain.List": { "6": "offset", "7": "number of domains", "9": "no domains" },
  "Record.List": {
    ...usual,
    "8": "number of records",
    "27": "line",
  },
  "Custom.Line.List": {
    "7": "permission",
    "40601": "parameter",
    ...Object.fromEntries(lineEdits.map((code) => [code, "edit of a line"])),
  },
};
const listed = operationNames.flatMap((operation) =>
  Object.entries(TABLE[operation] ?? {}).map(([code, words]) => [operation, code, words] as const),
);

const failing = (operation: OperationName, step: TransportResponse) => {
  const settings = settingsFor({ undocumentedOperations: true });
  return callSample(clientOn(scripted(step), { settings }), operation);
};

const refusal = (operation: OperationName, code: string) =>
  failureAs(ServiceError, failing(operation, said(code)));

describe("Codes of the service", () => {
  it("have a meaning and a hint, and the service has done nothing", async () => {
    for (const [operation, code, words] of listed) {
      const failure = await refusal(operation, code);
      deepEqual([failure.code, failure.outcome], [code, "refused"]);
      ok(failure.details.meaning.includes(words), `${operation} ${code}: ${failure.details.meaning}`);
      notDeepEqual(failure.details.help, []);
      ok(failure.message.startsWith(operation), failure.message);
      ok(failure.message.includes(`(${code} "said by the service")`), failure.message);
    }
  });

  it("have at most three helps, each one action, and one less after a failed login, whose advice comes last", () => {
    for (const table of Object.values({ ...documented, ...undocumented, ...older, common }))
      for (const [code, { meaning, help }] of Object.entries<Meaning>(table)) {
        const most = Object.hasOwn(loginFailures, code) ? 2 : 3;
        ok(help.length >= 1 && help.length <= most, `${code} ${meaning}`);
        for (const each of help) doesNotMatch(each, /\.$|[.!] [A-Z]|\n/, each);
      }
  });

  it("show the five minutes, the file and the contact to a banned account", async () => {
    const error = await failureAs(LoginError, failing("Domain.List", said("-8")));
    const shown = messageOf(error.reason())
      .split("\n")
      .filter((line) => line.startsWith("  help: "));
    equal(shown.length, 3);
    match(shown.at(-1) ?? "", /five minutes.*rm \S+login-stopped-\w+\.json$/);
    ok(shown.some((line) => line.includes("legacydns:contact")));
  });

  it("blame the offset only on a later page", async () => {
    const meaningAt = async (offset: number) => {
      const request = { domain: "example.com", offset, length: 3000 };
      const call = clientOn(scripted(said("7"))).call("Record.List", request);
      return (await failureAs(ServiceError, call)).details.meaning;
    };
    doesNotMatch(await meaningAt(0), /offset/);
    match(await meaningAt(3000), /offset/);
    doesNotMatch((await refusal("Record.Info", "7")).message, /offset/);
  });

  it("match the table of the document", () => {
    const named = Object.entries(documented).flatMap(([name, codes]) =>
      Object.keys(codes).map((code) => `${name} ${code}`),
    );
    // An empty listing is code 10, which the document forgot.
    deepEqual(
      named.sort(),
      [...listed.map(([operation, code]) => `${operation} ${code}`), "Record.List 10"].sort(),
    );
  });

  it("of older record calls are explained for a batch", () => {
    for (const [code, meaning] of Object.entries(recordWrites))
      equal(meaningOf("Batch.Record.Create", code), meaning);
  });

  it("that no source documents are shown as they are", async () => {
    for (const code of ["4711", "constructor", "__proto__", ""]) {
      match((await refusal("Record.List", code)).message, /not documented/);
    }
  });

  it("make a write uncertain if they are no documented refusal of it", async () => {
    const everywhere = ["3", "-99", "2", "-3", "-4", "4711", ""];
    const open: [OperationName, string[]][] = [
      ["Batch.Record.Create", ["8", "9", "10"]],
      ["Record.Modify", ["8", "9", "10"]],
      ["Batch.Record.Modify", ["8", "10"]],
      ["Record.Remove", ["8", "10", "17", "104"]],
      ["Domainshare.Modify", ["10", "104"]],
      ["Domainshare.Create", ["17"]],
      ["Domainshare.Remove", ["10"]],
    ];
    for (const [operation, codes] of open) {
      for (const code of [...everywhere, ...codes])
        equal((await refusal(operation, code)).outcome, "uncertain", `${operation} ${code}`);
      for (const code of ["-2", "-7", "-15", "6", "7", "13", "21"])
        equal((await refusal(operation, code)).outcome, "refused", `${operation} ${code}`);
    }
    equal((await refusal("Record.List", "4711")).outcome, "refused");
  });

  it("have an object, for all of which they hold", async () => {
    const objects = {
      ...{ "-2": "moment", "-99": "moment", "-7": "account", "-3": "account", "2": "call", "3": "call" },
      ...{ "-15": "domain", "6": "domain", "7": "domain", "13": "domain", "4711": "record" },
    };
    for (const operation of ["Batch.Record.Create", "Record.Modify", "Record.Remove", "Batch.Record.Modify"])
      for (const [code, about] of Object.entries(objects))
        equal(meaningOf(operation, code).about, about, `${operation} ${code}`);
    equal((await refusal("Batch.Record.Create", "21")).about, "domain");
    equal((await refusal("Record.Modify", "21")).about, "record or domain");
  });

  it("for an absent object are recognised", async () => {
    const absent: [OperationName, string, "domain" | "record" | "job" | "share"][] = [
      ["Record.List", "10", "record"],
      ["Record.List", "13", "domain"],
      ["Domain.List", "9", "domain"],
      ["Record.Info", "8", "record"],
      ["Batch.Detail", "8", "job"],
      ["Domainshare.List", "7", "share"],
      ["Domainshare.Remove", "9", "share"],
    ];
    for (const [operation, code, about] of absent)
      ok((await refusal(operation, code)).noSuch(about), `${operation} ${code}`);
    for (const [operation, code] of [
      ["Record.List", "7"],
      ["Domain.List", "6"],
      ["Domainshare.Remove", "8"],
    ] as const) {
      const failure = await refusal(operation, code);
      ok(!failure.noSuch(failure.about), `${operation} ${code}`);
    }
  });

  describe("of a missing operation", () => {
    const page = "<html><body>Welcome</body></html>";
    const code3 = ["the service's code 3", said("3", {}, "Unknown operation")] as const;
    const http = (status: number) => [`a page with HTTP ${status}`, answer(page, status)] as const;
    for (const [what, step] of [code3, ...[404, 405, 501, 503, 200].map(http)])
      it(`has the hint to check baseUrl: ${what}`, () =>
        rejects(failing("Record.List", step), /[Cc]heck baseUrl/));
    for (const [what, step] of [code3, http(404), http(501), ["an unknown code", said("4711")] as const])
      it(`has the hint that the service may lack an undocumented operation: ${what}`, () =>
        rejects(
          failing("Record.Modify", step),
          /if the service lacks this operation, .*: pulumi config set legacydns:undocumentedOperations false, or a Provider's input undocumentedOperations/,
        ));

    it("has no such hint for a known code", async () => {
      doesNotMatch((await refusal("Record.Modify", "8")).message, /lack/);
      doesNotMatch((await refusal("Record.List", "13")).message, /baseUrl/);
    });
  });

  it("show the service's text without invisible characters, and shortened", async () => {
    const words = `one\u001b[2Jtwo\nthree\u202e${"x".repeat(1000)}`;
    const { message } = await failureOf(failing("Domain.Info", said("6", {}, words)));
    doesNotMatch(message, /[\u0000-\u001f\u202e]/);
    match(message, /one\\u001b\[2Jtwo three\\u202ex+…/);
    ok(message.length < 600);
  });
});
