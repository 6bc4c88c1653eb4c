/** After a failed login nothing is sent. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { type Client, LoginError, type TransportResponse } from "../../provider/api";
import { LOGIN_STOP_MS } from "../../provider/api/login-stop";
import { loginFailures } from "../../provider/api/meanings";
import { Secret } from "../../provider/settings";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  failureOf,
  freshFolder,
  scripted,
  settingsFor,
  skippingClock,
  settled,
  TOKEN,
  said,
} from "./support";

after(cleanUp);

const read = ["Domain.Purview", { domain: "example.com" }] as const;
const refusal = said("-1", {}, `Login failed for ${TOKEN}`);
const good = said("1", { purview: [] });

async function failedLogin() {
  const [settings, clock] = [settingsFor(), skippingClock()];
  await failureOf(clientOn(scripted(refusal), { settings, clock }).call(...read));
  return { settings, clock };
}

describe("The stop after a failed login", () => {
  const codes = "-1 -8 50 51 52 53 54 83 85 10001 10002 10004 20004".split(" ");

  it("has all codes of a failed login", () =>
    assert.deepEqual(Object.keys(loginFailures).sort(), [...codes].sort()));

  for (const code of codes) {
    it(`begins with code ${code}, for reads and writes`, async () => {
      const transport = scripted(said(code));
      const client = clientOn(transport);
      const first = await failureOf(
        client.call("Domainshare.Modify", { domain: "example.com", email: "a@example.org", mode: "r" }),
      );
      assert(first instanceof LoginError);
      assert.equal(first.outcome, "refused");
      assert.match(
        first.message,
        /nothing on this machine tries this token for five minutes; to try sooner: rm [^ ]+\.json$/,
      );
      const second = await failureOf(client.call(...read));
      assert(second instanceof LoginError);
      assert.equal(second.outcome, "not-sent");
      assert.equal(second.code, code);
      assert.equal(transport.requests.length, 1);
    });
  }

  it("begins with a login code under any HTTP status", async () => {
    const transport = scripted(answer(enveloped("-1"), 401));
    assert((await failureOf(clientOn(transport).call(...read))) instanceof LoginError);
  });

  it("ends waiting calls, each with an error about its own object", async () => {
    const transport = scripted(async () => {
      await settled();
      return refusal;
    });
    const client = clientOn(transport);
    const calls = ["a.example", "b.example", "c.example"].map((domain) =>
      failureOf(client.call("Domain.Purview", { domain })),
    );
    const failures = await Promise.all(calls);
    assert.equal(transport.requests.length, 1);
    assert(failures.every((failure) => failure instanceof LoginError));
    assert.match(
      failures[2]?.message ?? "",
      /^Domain\.Purview of c\.example: not sent, because the login failed/,
    );
  });

  it("holds back the next process for five minutes, and says how long and which file", async () => {
    const { settings, clock } = await failedLogin();
    const [file] = fs.readdirSync(settings.stateDir);
    assert(file !== undefined);
    const whole = path.join(settings.stateDir, file);
    assert.equal(fs.statSync(whole).mode & 0o777, 0o600);
    const content: unknown = JSON.parse(fs.readFileSync(whole, "utf8"));
    assert.deepEqual(content, { time: "2026-01-01T00:00:00.000Z", code: "-1" });
    assert(!file.includes(TOKEN));

    clock.set(clock.now() + 60_000);
    const next = scripted(good);
    const failure = await failureOf(clientOn(next, { settings, clock }).call(...read));
    assert(failure instanceof LoginError);
    assert.match(failure.message, /the login failed 60 s ago/);
    assert(failure.message.includes(whole));
    const [first = "", last = ""] = failure.details.help;
    assert.match(first, /form is ID,TOKEN: export LEGACYDNS_LOGIN_TOKEN=/);
    assert(last.includes(whole));
    assert.equal(next.requests.length, 0);

    clock.set(clock.now() + 240_000);
    assert.deepEqual(await clientOn(next, { settings, clock }).call(...read), []);
  });

  it("does not stop another token or another address", async () => {
    const { settings, clock } = await failedLogin();
    for (const other of [{ loginToken: new Secret("another") }, { baseUrl: "https://other.example" }]) {
      await clientOn(scripted(good), { settings: { ...settings, ...other }, clock }).call(...read);
    }
    fs.rmSync(settings.stateDir, { recursive: true });
    await clientOn(scripted(good), { settings, clock }).call(...read);
  });

  it("ignores a broken marker", async () => {
    const { settings, clock } = await failedLogin();
    const file = path.join(settings.stateDir, fs.readdirSync(settings.stateDir)[0] ?? "");
    for (const content of ["", "{", "[]", '{"time":"2026-01-01T00:00:00.000Z","code":"rm -rf"}']) {
      fs.writeFileSync(file, content);
      assert.deepEqual(await clientOn(scripted(good), { settings, clock }).call(...read), []);
    }
  });

  it("lasts five minutes more if the clock is set back", async () => {
    const { settings, clock } = await failedLogin();
    clock.set(clock.now() - 86_400_000);
    const next = (): Promise<unknown> => clientOn(scripted(good), { settings, clock }).call(...read);
    assert((await failureOf(next())) instanceof LoginError);
    clock.set(clock.now() + 299_000);
    assert((await failureOf(next())) instanceof LoginError);
    clock.set(clock.now() + 1_000);
    assert.deepEqual(await next(), []);
  });

  it("ends after five minutes in a longer process, which then tries once", async () => {
    const clock = skippingClock();
    const transport = scripted(refusal, refusal, good);
    const client = clientOn(transport, { clock, settings: settingsFor() });
    const five = (): Promise<Error[]> =>
      Promise.all(Array.from({ length: 5 }, () => failureOf(client.call(...read))));
    await five();
    assert.equal(transport.requests.length, 1);
    clock.set(clock.now() + LOGIN_STOP_MS - 1);
    await five();
    assert.equal(transport.requests.length, 1);
    clock.set(clock.now() + 1);
    await five();
    assert.equal(transport.requests.length, 2);
    clock.set(clock.now() + LOGIN_STOP_MS);
    assert.deepEqual(await client.call(...read), []);
  });
});

describe("The first login", () => {
  const slowly = (reply: TransportResponse) => {
    const seen = { calls: 0, atOnce: 0, most: 0 };
    const transport = scripted(async () => {
      seen.calls += 1;
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await settled();
      seen.atOnce -= 1;
      return reply;
    });
    return { seen, transport };
  };
  const six = (client: Client): Promise<PromiseSettledResult<unknown>[]> =>
    Promise.allSettled(Array.from({ length: 6 }, () => client.call(...read)));

  it("lets one call of a process through; if it fails, no other call is sent", async () => {
    const { seen, transport } = slowly(refusal);
    const outcomes = await six(clientOn(transport));
    assert.equal(seen.calls, 1);
    assert(outcomes.every((each) => each.status === "rejected" && each.reason instanceof LoginError));
  });

  it("lets all waiting calls go at once when the service accepts it", async () => {
    const { seen, transport } = slowly(good);
    await six(clientOn(transport));
    assert.deepEqual([seen.calls, seen.most], [6, 5]);
  });

  it("does not make another process wait", async () => {
    const settings = settingsFor({ stateDir: freshFolder() });
    const { seen, transport } = slowly(good);
    await Promise.all([1, 2].map(() => clientOn(transport, { settings }).call(...read)));
    assert.equal(seen.most, 2);
    assert.deepEqual(fs.readdirSync(settings.stateDir), []);
  });
});
