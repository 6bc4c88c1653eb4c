/** The token travels in the body and shows up nowhere else, whatever goes wrong and whatever a stranger answers. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { createClient, TransportError } from "../../provider/api";
import { formsOf, partsOfToken, presentable } from "../../provider/api/errors";
import { collectingReporter } from "../../provider/report";
import { answer, cleanUp, clientOn, enveloped, failureOf, scripted, settingsFor, skippingClock, type Step, TOKEN } from "./support";

after(cleanUp);

const forms = [TOKEN, encodeURIComponent(TOKEN), new URLSearchParams({ t: TOKEN }).toString().slice(2), Buffer.from(TOKEN).toString("base64"), "6b5976c68aba5b14a0558b77c17c3932"];
const assertClean = (text: string): void => {
  for (const form of forms) assert(!text.includes(form), text);
};

/** Everything of an error that anybody could print. */
const everything = (value: unknown): string => `${String(value)}\n${inspect(value, { depth: 10, showHidden: true })}\n${JSON.stringify(value)}\n${value instanceof Error ? (value.stack ?? "") : ""}`;

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
      assertClean(everything(await failureOf(client.call("Batch.Record.Create", { domainIds: ["1"], records }))));
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
    assertClean(presentable(`${echo} ${echo}`, formsOf(partsOfToken(TOKEN)), 10_000));
    assert.equal(presentable("ab,cd", formsOf(partsOfToken("1,abcdefgh"))), "ab,cd");
    assert.equal(presentable("nothing to hide"), "nothing to hide");
  });
});
