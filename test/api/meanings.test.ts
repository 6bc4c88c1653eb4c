/** The codes of the service. */
import assert from "node:assert/strict";
import { LoginError, type OperationName, ServiceError } from "../../provider/api";
import { callSample, operationNames } from "./samples";
import {
  common,
  documented,
  loginFailures,
  type Meaning,
  meaningOf,
  older,
  recordWrites,
  undocumented,
} from "../../provider/api/meanings";
import { messageOf } from "../../provider/problems";
import { answer, cleanUp, clientOn, failureOf, scripted, settingsFor, said } from "./support";

after(cleanUp);

/** The document's table: operation, code, words of the meaning. */
const TABLE: Partial<Record<OperationName, Readonly<Record<string, string>>>> = {
  "Domainshare.Modify": {
    "-15": "banned",
    "6": "ID is wrong",
    "7": "owner",
    "8": "domain ID is invalid",
    "13": "domain is wrong",
    "21": "locked",
    "23": "subdomain",
    "24": "wildcard",
    "25": "real name",
  },
  "Domain.Info": { "6": "ID is wrong", "7": "owner", "8": "owner", "13": "domain is wrong" },
  "Batch.Detail": { "8": "job was not found" },
  "Record.Info": { "6": "ID is wrong", "7": "owner", "8": "domain is invalid", "13": "domain is wrong" },
  "Monitor.Gethistory": { "7": "monitor ID is wrong" },
  "Domain.Purview": {
    "-15": "banned",
    "6": "ID is wrong",
    "7": "owner",
    "8": "domain is invalid",
    "9": "remark",
    "13": "domain is wrong",
    "21": "locked",
  },
  "Domain.List": { "6": "offset", "7": "number of domains", "9": "no domains" },
  "Record.List": {
    "6": "ID is wrong",
    "7": "owner",
    "8": "number of records",
    "13": "domain is wrong",
    "27": "line",
  },
  "Custom.Line.List": {
    "7": "permission",
    "77": "edit of a line",
    "81": "edit of a line",
    "801": "edit of a line",
    "802": "edit of a line",
    "40601": "parameter",
    "40603": "edit of a line",
    "40604": "edit of a line",
    "40606": "edit of a line",
    "40607": "edit of a line",
    "40608": "edit of a line",
    "40609": "edit of a line",
    "400001": "edit of a line",
  },
};
const listed = operationNames.flatMap((operation) =>
  Object.entries(TABLE[operation] ?? {}).map(([code, words]) => [operation, code, words] as const),
);

const failure = (operation: OperationName, step: ReturnType<typeof answer>): Promise<Error> => {
  const settings = settingsFor({ undocumentedOperations: true });
  return failureOf(callSample(clientOn(scripted(step), { settings }), operation));
};
const failing = (operation: OperationName, code: string) => failure(operation, said(code));

async function refusal(operation: OperationName, code: string): Promise<ServiceError> {
  const error = await failing(operation, code);
  assert(error instanceof ServiceError, error.message);
  return error;
}

describe("Codes of the service", () => {
  it("have a meaning and a hint, and the service has done nothing", async () => {
    for (const [operation, code, words] of listed) {
      const failure = await refusal(operation, code);
      assert.deepEqual([failure.code, failure.outcome], [code, "refused"]);
      assert(failure.details.meaning.includes(words), `${operation} ${code}: ${failure.details.meaning}`);
      assert.notDeepEqual(failure.details.help, []);
      assert(failure.message.startsWith(operation), failure.message);
      assert(failure.message.includes(`(${code} "said by the service")`), failure.message);
    }
  });

  it("have at most three helps, each one action, and one less after a failed login, whose advice comes last", () => {
    const tables = Object.values({ ...documented, ...undocumented, ...older, common });
    for (const table of tables)
      for (const [code, { meaning, help }] of Object.entries(table) as [string, Meaning][]) {
        const most = Object.hasOwn(loginFailures, code) ? 2 : 3;
        assert(help.length >= 1 && help.length <= most, `${code} ${meaning}`);
        for (const each of help) assert.doesNotMatch(each, /\.$|[.!] [A-Z]|\n/, each);
      }
  });

  it("show the five minutes, the file and the contact to a banned account", async () => {
    const settings = settingsFor();
    const error = await failureOf(clientOn(scripted(said("-8")), { settings }).call("Domain.List", {}));
    assert(error instanceof LoginError);
    const shown = messageOf(error.reason())
      .split("\n")
      .filter((line) => line.startsWith("  help: "));
    assert.equal(shown.length, 3);
    assert.match(shown.at(-1) ?? "", /five minutes.*rm \S+login-stopped-\w+\.json$/);
    assert(shown.some((line) => line.includes("legacydns:contact")));
  });

  it("blame the offset only on a later page", async () => {
    const meaningAt = async (offset: number) => {
      const request = { domain: "example.com", offset, length: 3000 };
      const error = await failureOf(clientOn(scripted(said("7"))).call("Record.List", request));
      return error instanceof ServiceError ? error.details.meaning : "";
    };
    assert.doesNotMatch(await meaningAt(0), /offset/);
    assert.match(await meaningAt(3000), /offset/);
    assert.doesNotMatch((await failing("Record.Info", "7")).message, /offset/);
  });

  it("match the table of the document", () => {
    const named = operationNames.flatMap((name) =>
      Object.keys((documented as Partial<Record<string, object>>)[name] ?? {}).map(
        (code) => `${name} ${code}`,
      ),
    );
    // An empty listing is code 10, which the document forgot.
    assert.deepEqual(
      named.sort(),
      [...listed.map(([operation, code]) => `${operation} ${code}`), "Record.List 10"].sort(),
    );
  });

  it("of older record calls are explained for a batch", () => {
    for (const [code, meaning] of Object.entries(recordWrites))
      assert.equal(meaningOf("Batch.Record.Create", code), meaning);
  });

  it("that no source documents are shown as they are", async () => {
    for (const code of ["4711", "constructor", "__proto__", ""]) {
      assert.match((await failing("Record.List", code)).message, /not documented/);
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
        assert.equal((await refusal(operation, code)).outcome, "uncertain", `${operation} ${code}`);
      for (const code of ["-2", "-7", "-15", "6", "7", "13", "21"])
        assert.equal((await refusal(operation, code)).outcome, "refused", `${operation} ${code}`);
    }
    assert.equal((await refusal("Record.List", "4711")).outcome, "refused");
  });

  it("have an object, for all of which they hold", async () => {
    const objects = {
      ...{ "-2": "moment", "-99": "moment", "-7": "account", "-3": "account", "2": "call", "3": "call" },
      ...{ "-15": "domain", "6": "domain", "7": "domain", "13": "domain", "4711": "record" },
    };
    for (const operation of ["Batch.Record.Create", "Record.Modify", "Record.Remove", "Batch.Record.Modify"])
      for (const [code, about] of Object.entries(objects))
        assert.equal(meaningOf(operation, code).about, about, `${operation} ${code}`);
    assert.equal((await refusal("Batch.Record.Create", "21")).about, "domain");
    assert.equal((await refusal("Record.Modify", "21")).about, "record or domain");
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
      assert((await refusal(operation, code)).noSuch(about), `${operation} ${code}`);
    for (const [operation, code] of [
      ["Record.List", "7"],
      ["Domain.List", "6"],
      ["Domainshare.Remove", "8"],
    ] as const) {
      const failure = await refusal(operation, code);
      assert(!failure.noSuch(failure.about), `${operation} ${code}`);
    }
  });

  describe("of a missing operation", () => {
    const page = "<html><body>Welcome</body></html>";
    const cases: readonly (readonly [string, ReturnType<typeof answer>])[] = [
      ["the service's code 3", said("3", {}, "Unknown operation")],
      ["HTTP 404", answer(page, 404)],
      ["HTTP 405", answer(page, 405)],
      ["HTTP 501", answer(page, 501)],
      ["HTTP 503 that stays", answer(page, 503)],
      ["a page of HTML", answer(page)],
    ];
    for (const [what, step] of cases) {
      it(`has the hint to check baseUrl: ${what}`, async () =>
        assert.match((await failure("Record.List", step)).message, /[Cc]heck baseUrl/));
    }
    for (const [what, step] of [
      ...cases.slice(0, 2),
      ...cases.slice(3, 4),
      ["a code that nobody knows", said("4711")] as const,
    ]) {
      it(`has the hint that the service may lack an undocumented operation: ${what}`, async () => {
        assert.match(
          (await failure("Record.Modify", step)).message,
          /if the service lacks this operation, .*: pulumi config set legacydns:undocumentedOperations false, or a Provider's input undocumentedOperations/,
        );
      });
    }

    it("has no such hint for a known code", async () => {
      assert.doesNotMatch((await failing("Record.Modify", "8")).message, /lack/);
      assert.doesNotMatch((await failing("Record.List", "13")).message, /baseUrl/);
    });
  });

  it("show the service's text without invisible characters, and shortened", async () => {
    const words = `one\u001b[2Jtwo\nthree\u202e${"x".repeat(1000)}`;
    const failure = await failureOf(
      clientOn(scripted(said("6", {}, words))).call("Domain.Info", { domain: "a.example" }),
    );
    assert.doesNotMatch(failure.message, /[\u0000-\u001f\u202e]/);
    assert.match(failure.message, /one\\u001b\[2Jtwo three\\u202ex+…/);
    assert(failure.message.length < 600);
  });
});
