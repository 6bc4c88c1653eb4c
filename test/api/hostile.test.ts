import { AssertionError, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LegacyDnsError, listRecords, type OperationName } from "../../provider/api";
import { Secret } from "../../provider/settings";
import { callSample, operationNames, samples } from "./samples";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  failureOf,
  freshFolder,
  scripted,
  settingsFor,
  said,
} from "./support";

after(cleanUp);

// An answer with a login code leaves no marker for the next test.
const file = join(freshFolder(), "file");
writeFileSync(file, "");
let tokens = 0;
/** A process sends nothing more with a token whose login has failed. */
const freshSettings = () =>
  settingsFor({
    stateDir: join(file, "state"),
    loginToken: new Secret(`${++tokens},0123456789abcdef`),
    undocumentedOperations: true,
  });

const hostile = [
  "1e400",
  "-1e400",
  "18446744073709551616",
  "-1",
  "1.5",
  "1e308",
  "0.1e-400",
  '"18446744073709551616"',
  `"${"9".repeat(10_000)}"`,
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  '[{"__proto__":{"polluted":1}}]',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '""',
  '"\\u0000\\u001b[2J\\u202e"',
  '"\\ud800"',
  `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
  `"${"x".repeat(10_000)}"`,
];

function* spoilt(value: unknown): Generator<unknown> {
  yield "HERE";
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries())
      for (const inner of spoilt(each)) yield value.map((other: unknown, j) => (i === j ? inner : other));
  } else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value))
      for (const inner of spoilt(each)) yield { ...value, [key]: inner };
  }
}

function assertPresentable(error: unknown): void {
  ok(error instanceof LegacyDnsError, String(error));
  ok(error.message.length < 1_000, `${error.message.length} characters`);
  doesNotMatch(
    error.message,
    /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\[object|x{1000}/,
    error.message,
  );
}

async function survives(name: OperationName, body: string): Promise<void> {
  const transport = scripted(answer(body));
  try {
    const result = JSON.stringify(await callSample(clientOn(transport, { settings: freshSettings() }), name));
    doesNotMatch(result, /polluted|:null/);
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    assertPresentable(error);
  }
  ok(transport.requests.length > 0, "the answer was read");
  equal(Reflect.get({}, "polluted"), undefined);
}

describe("A hostile answer", () => {
  for (const name of operationNames) {
    it(`of ${name}, with any hostile part is one error or harmless`, async () => {
      const { reply } = samples[name];
      const whole = { status: { code: "1", message: "m", created_at: "2015-01-18 12:00:00" }, ...reply };
      for (const body of spoilt(whole)) {
        for (const value of hostile)
          await survives(
            name,
            JSON.stringify(body).replace('"HERE"', () => value),
          );
      }
    });
  }

  for (const code of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    it(`with the code ${code} is explained as undocumented`, async () => {
      for (const name of ["Domain.Info", "Batch.Record.Create"] as const) {
        const failure = await failureOf(callSample(clientOn(scripted(said(code))), name));
        assertPresentable(failure);
        match(failure.message, /a code that is not documented/);
      }
    });
  }

  it("with deep nesting is one error", async () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const deep = `${open.repeat(200_000)}1${close.repeat(200_000)}`;
      await survives("Record.List", deep);
      await survives(
        "Record.List",
        `{"status":{"code":"1","message":${deep}},"domain":${deep},"info":${deep},"records":[${deep}]}`,
      );
      await survives("Record.List", `{"status":${deep}}`);
    }
  });

  it("that repeats a record or a page ends in one error after a few calls", async () => {
    const record = { id: "1", name: "www", type: "A", line: "默认", value: "192.0.2.1" };
    const page = enveloped("1", {
      info: { sub_domains: "9999999", record_total: "9999999", records_num: "1" },
      records: [record, record],
    });
    const transport = scripted(answer(page));
    const failure = await failureOf(listRecords(clientOn(transport), { name: "example.com" }));
    assertPresentable(failure);
    ok(transport.requests.length < 20, `${transport.requests.length} calls`);
  });
});
