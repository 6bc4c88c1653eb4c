import { deepEqual, equal, ok } from "node:assert/strict";
import { inspect } from "node:util";
import { type CallOptions, type Client, createClient, TransportError } from "../../provider/api";
import { concealing } from "../../provider/api/conceal";
import { partsOfToken, presentable } from "../../provider/api/errors";
import { collectingReporter } from "../support/reporter";
import { reason } from "../../provider/problems";
import {
  answer,
  cleanUp,
  clientOn,
  failureOf,
  scripted,
  settingsFor,
  skippingClock,
  type Step,
  TOKEN,
  said,
} from "./support";

after(cleanUp);

const forms = [
  TOKEN,
  encodeURIComponent(TOKEN),
  new URLSearchParams({ t: TOKEN }).toString().slice(2),
  TOKEN.slice(TOKEN.indexOf(",") + 1),
];
const assertClean = (text: string) => {
  const lower = text.toLowerCase();
  for (const form of forms) {
    const piece = form.slice(-14, -2).toLowerCase();
    ok(!lower.includes(piece), `${piece}: ${text}`);
  }
};

const everything = (value: unknown) => {
  const stack = value instanceof Error ? value.stack : "";
  return [
    String(value),
    inspect(value, { depth: 10, showHidden: true }),
    JSON.stringify(value),
    stack,
  ].join();
};

const records = [{ subDomains: ["www"], type: "A", line: "默认", value: "192.0.2.1", ttl: 600 }];
const failedRead = (client: Client) => failureOf(client.call("Domain.Purview", { domain: "example.com" }));
const failedWrite = (client: Client, options?: CallOptions) =>
  failureOf(client.call("Batch.Record.Create", { domainIds: ["1"], records }, options));

/** Answers that contain a value. */
const leaks = (value: string, text = value, host = value): [name: string, step: Step][] => [
  ["a code's message", said("6", {}, text)],
  ["a code", said(value)],
  ["a page of a gateway", answer(`<html>${text}</html>`, 502)],
  ["a redirect's host", answer("", 302, { location: `https://${host}.example/` })],
  ["a shape", said("1", { purview: { [value]: value }, job_id: { [value]: value } })],
];

describe("The token", () => {
  const echo = `you sent ${forms.join(" and ")}, ${forms.join(" and ").toUpperCase()}`;
  const steps: [string, Step][] = [
    ...leaks(TOKEN, echo, TOKEN.split(",")[1]),
    ["a failed login", said("-1", {}, echo)],
    ["a limit of calls", said("-2", {}, echo)],
    ["a body that is none", answer(echo)],
    ["a redirect", answer("", 302, { location: `https://elsewhere.example/?${echo}` })],
    [
      "a lost answer",
      new TransportError({ operation: "X", outcome: "uncertain", meaning: "lost", help: [] }),
    ],
  ];
  for (const [name, step] of steps) {
    it(`is hidden in ${name}`, async () => {
      const reporter = collectingReporter();
      const client = clientOn(scripted(step), { reporter });
      assertClean(everything(await failedRead(client)));
      assertClean(everything(await failedWrite(client)));
      assertClean(everything(client));
      assertClean(JSON.stringify(reporter.lines));
    });
  }

  it("is hidden in the error of a real connection", async () => {
    const settings = settingsFor({ baseUrl: "http://127.0.0.1:9" });
    const client = createClient({ settings, clock: skippingClock() });
    assertClean(everything(await failedRead(client)));
    assertClean(everything(client));
    assertClean(everything(settings));
    await client.close();
  });

  it("is removed from a text, without the text around it and without short words", () => {
    const conceal = concealing(partsOfToken(TOKEN));
    for (const form of forms) equal(conceal(`code «${form}»`), "code «(secret)»", form);
    equal(concealing(["host.example", "host.example.org"])("HOST.example.org"), "(secret)");
    equal(presentable("ab,cd", concealing(partsOfToken("1,abcdefgh"))), "ab,cd");
    equal(presentable("x".repeat(200_000), conceal).length, 301);
  });

  it("is searched for in linear time", () => {
    const conceal = concealing(partsOfToken(TOKEN));
    const begun = performance.now();
    for (const piece of [TOKEN.slice(0, 7), "0", TOKEN]) presentable(piece.repeat(30_000), conceal);
    ok(performance.now() - begun < 2_000);
  });
});

describe("A client", () => {
  it("warns about its settings once, before its first call", async () => {
    const reporter = collectingReporter();
    const risk = (detail: string) => reason("setting.risk", { detail, hint: "" });
    const settings = settingsFor({ warnings: [risk("the first"), risk("the second")] });
    const client = clientOn(scripted(said("6")), { reporter, settings });
    for (const _ of [1, 2]) await failedRead(client);
    deepEqual(reporter.lines, [
      { level: "warn", text: "the first [setting.risk]" },
      { level: "warn", text: "the second [setting.risk]" },
    ]);
  });
});

describe("A call that carries a secret value", () => {
  const value = "pass/word";
  const notShown = "not shown, because the call carries a secret value";
  const carriesSecret = { carriesSecret: true };
  for (const [name, step] of leaks(value)) {
    it(`shows no text of the service: ${name}`, async () => {
      const reporter = collectingReporter();
      const error = await failedWrite(clientOn(scripted(step), { reporter }), carriesSecret);
      const shown = `${everything(error)}\n${JSON.stringify(reporter.lines)}`;
      ok(!shown.includes("pass"), shown);
    });
  }

  it("shows no text of a job's records, with the reason", async () => {
    const record = { sub_domain: "a", status: "error", err_msg: `${value} is wrong` };
    const reply = { total: 1, success: 0, fail: 1, detail: [{ domain: "example.com", records: [record] }] };
    const client = clientOn(scripted(said("1", reply)));
    const { items } = await client.call("Batch.Detail", { jobId: "1" }, carriesSecret);
    equal(items[0]?.records[0]?.error, notShown);
  });

  it("still shows the code and its meaning", async () => {
    const error = await failedWrite(clientOn(scripted(said("6", {}, value))), carriesSecret);
    ok(error.message.includes(`6 "${notShown}"`), error.message);
  });
});
