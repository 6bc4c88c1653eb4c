/** The token travels in the body and shows up nowhere else, whatever goes wrong and whatever a stranger answers. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import fc from "fast-check";
import { createClient, TransportError } from "../../provider/api";
import { longestFirst, partsOfToken, presentable } from "../../provider/api/errors";
import { collectingReporter } from "../support/reporter";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  failureOf,
  scripted,
  settingsFor,
  skippingClock,
  type Step,
  TOKEN,
} from "./support";

after(cleanUp);

const forms = [
  TOKEN,
  encodeURIComponent(TOKEN),
  new URLSearchParams({ t: TOKEN }).toString().slice(2),
  Buffer.from(TOKEN).toString("base64"),
  "6b5976c68aba5b14a0558b77c17c3932",
];
const assertClean = (text: string): void => {
  for (const form of forms) assert(!text.includes(form), text);
};

/** Everything of an error that anybody could print. */
const everything = (value: unknown): string =>
  `${String(value)}\n${inspect(value, { depth: 10, showHidden: true })}\n${JSON.stringify(value)}\n${value instanceof Error ? (value.stack ?? "") : ""}`;

const records = [{ subDomains: ["www"], type: "A", line: "默认", value: "192.0.2.1", ttl: 600 }];

describe("The token", () => {
  const echo = `you sent ${forms.join(" and ")}`;
  const steps: [string, Step][] = [
    ["a message of the service", answer(enveloped("6", {}, echo))],
    ["a failed login", answer(enveloped("-1", {}, echo))],
    ["a limit of calls", answer(enveloped("-2", {}, echo))],
    ["a code", answer(enveloped(TOKEN))],
    ["a body that is none", answer(echo)],
    ["a page of a gateway", answer(`<html>${echo}</html>`, 502)],
    ["a redirect", answer("", 302, { location: `https://elsewhere.example/?${echo}` })],
    ["a redirect's host", answer("", 302, { location: "https://6b5976c68aba5b14a0558b77c17c3932.example/" })],
    ["a shape", answer(enveloped("1", { purview: { [TOKEN]: TOKEN } }))],
    ["a lost answer", new TransportError({ operation: "X", sent: "maybe", meaning: "lost", hint: "" })],
  ];
  for (const [name, step] of steps) {
    it(`is not shown by ${name}`, async () => {
      const reporter = collectingReporter();
      const client = clientOn(scripted(step), { reporter });
      assertClean(everything(await failureOf(client.call("Domain.Purview", { domain: "example.com" }))));
      assertClean(
        everything(await failureOf(client.call("Batch.Record.Create", { domainIds: ["1"], records }))),
      );
      assertClean(everything(client));
      assertClean(JSON.stringify(reporter.lines));
    });
  }

  it("is not shown by a connection that fails for real", async () => {
    const settings = settingsFor({ baseUrl: "http://127.0.0.1:9" });
    const client = createClient({ settings, clock: skippingClock() });
    assertClean(everything(await failureOf(client.call("Domain.Purview", { domain: "example.com" }))));
    assertClean(everything(client));
    assertClean(everything(settings));
    await client.close();
  });

  it("is blotted out in every form, and a short secret is no reason to blot out everything", () => {
    assertClean(presentable(`${echo} ${echo}`, longestFirst(partsOfToken(TOKEN)), 10_000));
    assert.equal(presentable("ab,cd", longestFirst(partsOfToken("1,abcdefgh"))), "ab,cd");
    assert.equal(presentable("nothing to hide"), "nothing to hide");
  });
});

/** Encodings in which a service may repeat what was sent. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "form-encoded": (text) => new URLSearchParams({ v: text }).toString().slice(2),
  "form-encoded in lower case": (text) => inLowerCase(new URLSearchParams({ v: text }).toString().slice(2)),
  "percent-encoded": (text) => encodeURIComponent(text),
  "percent-encoded in lower case": (text) => inLowerCase(encodeURIComponent(text)),
  "percent-encoded, every octet": (text) =>
    [...Buffer.from(text)].map((octet) => `%${octet.toString(16).padStart(2, "0")}`).join(""),
  "in JSON": (text) => JSON.stringify(text).slice(1, -1),
  "in JSON as PHP writes it": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll("/", "\\/")
      .replace(/[^ -~]/g, unicodeEscape),
  "in escapes alone": (text) => text.replace(/[^]/g, unicodeEscape),
  "in HTML": (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#039;"),
  "in HTML with names": (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll('"', "&quot;")
      .replaceAll("ü", "&uuml;")
      .replaceAll("é", "&eacute;"),
  "in HTML by numbers": (text) =>
    [...text].map((character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`).join(""),
};
const inLowerCase = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase());
const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

describe("A whole secret", () => {
  const piece = fc.constantFrom(
    ...Array.from(" +/\"\\<>&';%#=0123abcdefnuxTQéü电\n"),
    "😀",
    "%20",
    "%41",
    "\\u0041",
    "&amp;",
    "&#65;",
    "+",
  );
  const secret = fc.array(piece, { minLength: 3, maxLength: 24 }).map((pieces) => `S${pieces.join("")}T`);
  const encoding = fc.constantFrom(...Object.keys(encodings));
  const encoded = (name: string, text: string): string => encodings[name]?.(text) ?? "";

  it("is one blot in every encoding, and in one within another", () => {
    for (const name of Object.keys(encodings)) {
      const value = 'TOPSECRET one/two+three "q" ü';
      assert.equal(
        presentable(`«${encoded(name, value)}»`, longestFirst([value, "TOPSECRET", "one/two+three"])),
        "«[secret]»",
        name,
      );
    }
    fc.assert(
      fc.property(secret, encoding, fc.option(encoding, { nil: "as it is" }), (value, inner, outer) => {
        assert.equal(
          presentable(`«${encoded(outer, encoded(inner, value))}»`, [value], 10_000),
          "«[secret]»",
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("A secret value", () => {
  const secret = 'pa"ss/wörd+1 <2>';
  const escaped = (text: string): string =>
    [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase());
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const clothes: Readonly<Record<string, string>> = {
    "as it is": secret,
    "percent-encoded": encodeURIComponent(secret),
    "percent-encoded in lower case": lower(encodeURIComponent(secret)),
    "percent-encoded whole": [...Buffer.from(secret)]
      .map((octet) => `%${octet.toString(16).padStart(2, "0")}`)
      .join(""),
    "as a form has it": new URLSearchParams({ v: secret }).toString(),
    "percent-encoded twice": encodeURIComponent(encodeURIComponent(secret)),
    "in JSON": JSON.stringify(secret),
    "in JSON as PHP writes it": JSON.stringify(secret).replaceAll("/", "\\/").replaceAll("ö", "\\u00f6"),
    "in JSON within JSON": JSON.stringify(JSON.stringify({ value: secret })),
    "in escapes alone": escaped(secret),
    "in base64": base64(secret),
    "in base64 without its end": base64(secret).replace(/=+$/, ""),
    "in base64 of an address": Buffer.from(secret).toString("base64url"),
    "in base64 of a longer text": base64(`login_token=t&value=${secret}&ttl=600`),
    "in base64, percent-encoded": encodeURIComponent(base64(secret)),
    "in HTML": secret.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&#62;"),
  };
  /** The forms of it, and of its parts, that must not be left. */
  const left = [secret, "wörd", encodeURIComponent("wörd"), base64(secret).slice(0, 12), "u0073", "%73"];

  for (const [name, form] of Object.entries(clothes)) {
    it(`is blotted out ${name}, and what stands around it stays`, async () => {
      const echo = `Value (${form}) is wrong`;
      const reply = {
        total: 2,
        success: 0,
        fail: 1,
        detail: [
          {
            domain: "example.com",
            status: "error",
            records: [{ sub_domain: "a", status: "error", err_msg: echo }],
          },
        ],
      };
      const client = clientOn(scripted(answer(enveloped("6", {}, echo)), answer(enveloped("1", reply))));
      client.conceal([secret]);
      const { message } = await failureOf(client.call("Domain.Purview", { domain: "example.com" }));
      const said = (await client.call("Batch.Detail", { jobId: "1" })).items[0]?.records[0]?.error ?? "";
      assert.match(said, /^Value \(.*\[secret\].*\) is wrong$/);
      assert(message.includes(said), message);
      for (const part of left) assert(!said.includes(part), said);
    });
  }

  it("of three letters or more is no reason to blot out other words, nor is what only looks encoded", () => {
    const plain = "100% of %zz records \\q are & wrong: SGVsbG8gd29ybGQ= &nosuch; %E4%B8";
    assert.equal(presentable(plain, ["abc", "wörter"]), plain);
    assert.equal(presentable("x".repeat(200_000), ["abc"]).length, 301);
  });

  it("is found in texts of any length in linear time", () => {
    const begun = performance.now();
    for (const hostile of ["%41", "\\u0041", "&#65;", "QUFB", "+"])
      presentable(hostile.repeat(30_000), ["nothing of it"]);
    assert(performance.now() - begun < 5_000);
  });
});
