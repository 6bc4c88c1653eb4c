/** After a failed login nothing is sent. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ClientOptions, LoginError, type Transport } from "../../provider/api";
import { LOGIN_STOP_MS } from "../../provider/api/login-stop";
import { loginFailures } from "../../provider/api/meanings";
import { Secret } from "../../provider/settings";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  failureAs,
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

/** Reads once, as a new process. */
const reading = (transport: Transport, options?: Partial<ClientOptions>) =>
  clientOn(transport, options).call(...read);

const loginErrorOf = (call: Promise<unknown>) => failureAs(LoginError, call);

async function failedLogin() {
  const options = { settings: settingsFor(), clock: skippingClock() };
  await loginErrorOf(reading(scripted(refusal), options));
  return options;
}

describe("The stop after a failed login", () => {
  const codes = "-1 -8 50 51 52 53 54 83 85 10001 10002 10004 20004".split(" ");

  it("has all codes of a failed login", () =>
    deepEqual(Object.keys(loginFailures).sort(), [...codes].sort()));

  for (const code of codes) {
    it(`begins with code ${code}, for reads and writes`, async () => {
      const transport = scripted(said(code));
      const client = clientOn(transport);
      const share = { domain: "example.com", email: "a@example.org", mode: "r" } as const;
      const first = await loginErrorOf(client.call("Domainshare.Modify", share));
      equal(first.outcome, "refused");
      match(
        first.message,
        /nothing on this machine tries this token for five minutes; to try sooner: rm [^ ]+\.json$/,
      );
      const second = await loginErrorOf(client.call(...read));
      equal(second.outcome, "not-sent");
      equal(second.code, code);
      equal(transport.requests.length, 1);
    });
  }

  it("begins with a login code under any HTTP status", () =>
    loginErrorOf(reading(scripted(answer(enveloped("-1"), 401)))));

  it("ends the calls that wait for the first login, each with an error about its own object", async () => {
    const transport = scripted(async () => {
      await settled();
      return refusal;
    });
    const client = clientOn(transport);
    const failures = await Promise.all(
      [..."abcdef"].map((name) => loginErrorOf(client.call("Domain.Purview", { domain: `${name}.example` }))),
    );
    equal(transport.requests.length, 1);
    match(failures[2]?.message ?? "", /^Domain\.Purview of c\.example: not sent, because the login failed/);
  });

  it("holds back the next process for five minutes, and says how long and which file", async () => {
    const options = await failedLogin();
    const { settings, clock } = options;
    const [file = ""] = readdirSync(settings.stateDir);
    const whole = join(settings.stateDir, file);
    equal(statSync(whole).mode & 0o777, 0o600);
    const content: unknown = JSON.parse(readFileSync(whole, "utf8"));
    deepEqual(content, { time: "2026-01-01T00:00:00.000Z", code: "-1" });
    ok(!file.includes(TOKEN));

    clock.set(clock.now() + 60_000);
    const next = scripted(good);
    const failure = await loginErrorOf(reading(next, options));
    match(failure.message, /the login failed 60 s ago/);
    ok(failure.message.includes(whole));
    const [first = "", last = ""] = failure.details.help;
    match(first, /form is ID,TOKEN: export LEGACYDNS_LOGIN_TOKEN=/);
    ok(last.includes(whole));
    equal(next.requests.length, 0);

    clock.set(clock.now() + 240_000);
    deepEqual(await reading(next, options), []);
  });

  it("does not stop another token or another address", async () => {
    const { settings, clock } = await failedLogin();
    for (const other of [{ loginToken: new Secret("another") }, { baseUrl: "https://other.example" }]) {
      await reading(scripted(good), { settings: { ...settings, ...other }, clock });
    }
    rmSync(settings.stateDir, { recursive: true });
    await reading(scripted(good), { settings, clock });
  });

  it("ignores a broken marker", async () => {
    const options = await failedLogin();
    const { stateDir } = options.settings;
    const file = join(stateDir, readdirSync(stateDir)[0] ?? "");
    for (const content of ["", "{", "[]", '{"time":"2026-01-01T00:00:00.000Z","code":"rm -rf"}']) {
      writeFileSync(file, content);
      deepEqual(await reading(scripted(good), options), []);
    }
  });

  it("lasts five minutes more if the clock is set back", async () => {
    const options = await failedLogin();
    const { clock } = options;
    clock.set(clock.now() - 86_400_000);
    const next = () => reading(scripted(good), options);
    await loginErrorOf(next());
    clock.set(clock.now() + 299_000);
    await loginErrorOf(next());
    clock.set(clock.now() + 1_000);
    deepEqual(await next(), []);
  });

  it("ends after five minutes in a longer process, which then tries once", async () => {
    const clock = skippingClock();
    const transport = scripted(refusal, refusal, good);
    const client = clientOn(transport, { clock });
    for (const [later, requests] of [
      [0, 1],
      [LOGIN_STOP_MS - 1, 1],
      [1, 2],
    ] as const) {
      clock.set(clock.now() + later);
      await Promise.all(Array.from({ length: 5 }, () => failureOf(client.call(...read))));
      equal(transport.requests.length, requests);
    }
    clock.set(clock.now() + LOGIN_STOP_MS);
    deepEqual(await client.call(...read), []);
  });
});

describe("The first login", () => {
  const slowly = () => {
    const seen = { calls: 0, atOnce: 0, most: 0 };
    const transport = scripted(async () => {
      seen.calls += 1;
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await settled();
      seen.atOnce -= 1;
      return good;
    });
    return { seen, transport };
  };

  it("lets all waiting calls go at once when the service accepts it", async () => {
    const { seen, transport } = slowly();
    const client = clientOn(transport);
    await Promise.all(Array.from({ length: 6 }, () => client.call(...read)));
    deepEqual([seen.calls, seen.most], [6, 5]);
  });

  it("does not make another process wait", async () => {
    const settings = settingsFor({ stateDir: freshFolder() });
    const { seen, transport } = slowly();
    await Promise.all([1, 2].map(() => reading(transport, { settings })));
    equal(seen.most, 2);
    deepEqual(readdirSync(settings.stateDir), []);
  });
});
