import { AssertionError, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LegacyDnsError, listRecords, type OperationName } from "../../provider/api";
import { Secret } from "../../provider/settings";
import { callSample, operationNames, samples } from "../api/samples";
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
  type Step,
} from "../api/support";
import { hostileParts } from "../support/mutations";

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

function assertPresentable(error: unknown) {
  ok(error instanceof LegacyDnsError, String(error));
  ok(error.message.length < 1_000, `${error.message.length} characters`);
  doesNotMatch(
    error.message,
    /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\[object|x{1000}/,
    error.message,
  );
}

/** Successful answers of an operation with this text in the place of each part. */
function* repliesWith(name: OperationName, text: string): Generator<string> {
  for (const reply of spoilt(samples[name].reply))
    yield enveloped("1")
      .replace(/\}$/, `,${JSON.stringify(reply).slice(1)}`)
      .replace('"HERE"', () => JSON.stringify(text));
}

async function survives(name: OperationName, body: string) {
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

/** The one error of a listing, and the number of its calls. */
async function listed(step: Step): Promise<[failure: unknown, calls: number]> {
  const transport = scripted(step);
  const failure = await failureOf(listRecords(clientOn(transport), { domain: "example.com" }));
  assertPresentable(failure);
  return [failure, transport.requests.length];
}

/** The parts of a record's identity stay as they are. */
const exact = new Set(["value", "name", "type", "line", "recordName"]);

describe("A hostile answer", () => {
  for (const name of operationNames) {
    it(`of ${name}, with any hostile part is one error or harmless`, async () => {
      const { reply } = samples[name];
      const whole = { status: { code: "1", message: "m", created_at: "2015-01-18 12:00:00" }, ...reply };
      for (const body of spoilt(whole)) {
        for (const value of hostileParts)
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
      const deep = `${open.repeat(50_000)}1${close.repeat(50_000)}`;
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
    const [, calls] = await listed(answer(page));
    ok(calls < 20, `${calls} calls`);
  });

  const pageOf = (from: number, length: number, info: object) => {
    const data = { name: "www", type: "A", line: "默认", value: "192.0.2.1" };
    const records = Array.from({ length }, (_, n) => ({ ...data, id: String(from + n) }));
    return answer(enveloped("1", { info, records }));
  };
  for (const total of [900_000_000_000, 20_000_000])
    it(`that counts ${total} records ends in one error with a code after one call`, async () => {
      const [failure, calls] = await listed(pageOf(1, 1, { record_total: String(total) }));
      equal(failure instanceof LegacyDnsError && failure.problem, "service.failed");
      equal(calls, 1);
    });

  it("that goes on without a count ends in one error", async () => {
    let pages = 0;
    const [, calls] = await listed(() => pageOf(100 * pages++, 100, {}));
    equal(calls, 1_000);
  });

  it("that repeats the first page for every page ends before the other pages", async () => {
    const [, calls] = await listed(() => pageOf(1, 100, { record_total: "90000" }));
    ok(calls <= 5 * 6, `${calls} calls`);
  });

  const token = "13490,6b5976c68aba5b14a0558b77c17c3932";
  it("with the token in any text shows it nowhere", async () => {
    for (const name of operationNames)
      for (const body of repliesWith(name, token)) {
        const settings = settingsFor({ loginToken: new Secret(token), undocumentedOperations: true });
        const shown = await callSample(clientOn(scripted(answer(body)), { settings }), name).then(
          (result) => JSON.stringify(result),
          (error: unknown) => String(error),
        );
        ok(!shown.includes("6b5976c6"), `${name}: ${shown}`);
      }
  });

  it("with a long text anywhere but in a record is shortened", async () => {
    const long = "x".repeat(60_119);
    for (const name of operationNames)
      for (const body of repliesWith(name, long)) {
        const client = clientOn(scripted(answer(body)), { settings: freshSettings() });
        const result = await callSample(client, name).catch(() => ({}));
        const texts = JSON.stringify(result, (key, value: unknown) =>
          exact.has(key) && /^(Record|Batch|Monitor)/.test(name) ? "" : value,
        );
        ok(!texts.includes("x".repeat(1_000)), name);
      }
  });
});
