/** After a failed login nothing is sent any more: not by this client, and for a while not by the next process. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { LoginError } from "../../provider/api";
import { loginFailures } from "../../provider/api/meanings";
import { Secret } from "../../provider/settings";
import { answer, cleanUp, clientOn, enveloped, failureOf, freshFolder, scripted, settingsFor, skippingClock, settled, TOKEN } from "./support";

after(cleanUp);

const read = ["Domain.Purview", { domain: "example.com" }] as const;
const refusal = answer(enveloped("-1", {}, `Login failed for ${TOKEN}`));
const good = answer(enveloped("1", { purview: [] }));

describe("The stop after a failed login", () => {
  for (const code of Object.keys(loginFailures)) {
    it(`is made by code ${code}, on reads and writes`, async () => {
      const transport = scripted(answer(enveloped(code)));
      const client = clientOn(transport);
      const first = await failureOf(client.call("Domainshare.Modify", { domain: "example.com", email: "a@example.org", mode: "r" }));
      assert(first instanceof LoginError);
      assert.equal(first.outcome, "refused");
      assert.match(first.message, /Every further call of this run is stopped/);
      const second = await failureOf(client.call(...read));
      assert(second instanceof LoginError);
      assert.equal(second.outcome, "not-sent");
      assert.equal(second.code, code);
      assert.equal(transport.requests.length, 1);
    });
  }

  it("is made by a login code under any HTTP status", async () => {
    const transport = scripted(answer(enveloped("-1"), 401));
    assert((await failureOf(clientOn(transport).call(...read))) instanceof LoginError);
  });

  it("ends calls that wait for their turn, each about its own object", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const transport = scripted(async () => {
      await gate;
      return refusal;
    });
    const client = clientOn(transport, { settings: settingsFor({ maxConcurrentRequests: 1, stateDir: freshFolder() }) });
    const calls = ["a.example", "b.example", "c.example"].map((domain) => failureOf(client.call("Domain.Purview", { domain })));
    await settled();
    release();
    const failures = await Promise.all(calls);
    assert.equal(transport.requests.length, 1);
    assert(failures.every((failure) => failure instanceof LoginError));
    assert.match(failures[2]?.message ?? "", /^Domain\.Purview of c\.example: not sent, because the login failed/);
  });

  it("holds back the next process for five minutes, and says how long and which file", async () => {
    const settings = settingsFor();
    const clock = skippingClock();
    await failureOf(clientOn(scripted(refusal), { settings, clock }).call(...read));
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
    assert.match(failure.message, /another 240 s/);
    assert(failure.message.includes(whole));
    assert.equal(next.requests.length, 0);

    clock.set(clock.now() + 240_000);
    assert.deepEqual(await clientOn(next, { settings, clock }).call(...read), []);
  });

  it("does not hold back another token or another address", async () => {
    const settings = settingsFor();
    const clock = skippingClock();
    await failureOf(clientOn(scripted(refusal), { settings, clock }).call(...read));
    for (const other of [{ loginToken: new Secret("another") }, { baseUrl: "https://other.example" }]) {
      await clientOn(scripted(good), { settings: { ...settings, ...other }, clock }).call(...read);
    }
    fs.rmSync(settings.stateDir, { recursive: true });
    await clientOn(scripted(good), { settings, clock }).call(...read);
  });

  it("works without a disk that can be written", async () => {
    const file = path.join(freshFolder(), "file");
    fs.writeFileSync(file, "");
    const settings = settingsFor({ stateDir: path.join(file, "below") });
    const transport = scripted(refusal);
    const client = clientOn(transport, { settings });
    assert((await failureOf(client.call(...read))) instanceof LoginError);
    const second = await failureOf(client.call(...read));
    assert(second instanceof LoginError);
    assert(!second.message.includes(settings.stateDir));
    assert.equal(transport.requests.length, 1);
  });

  it("is not impressed by a broken marker", async () => {
    const settings = settingsFor();
    const clock = skippingClock();
    await failureOf(clientOn(scripted(refusal), { settings, clock }).call(...read));
    const file = path.join(settings.stateDir, fs.readdirSync(settings.stateDir)[0] ?? "");
    for (const content of ["", "{", "[]", '{"time":"2026-01-01T00:00:00.000Z","code":"rm -rf"}']) {
      fs.writeFileSync(file, content);
      assert.deepEqual(await clientOn(scripted(good), { settings, clock }).call(...read), []);
    }
  });

  it("after the machine's clock was set back, holds for five minutes more and no longer", async () => {
    const settings = settingsFor();
    const clock = skippingClock();
    await failureOf(clientOn(scripted(refusal), { settings, clock }).call(...read));
    clock.set(clock.now() - 86_400_000);
    const next = (): Promise<unknown> => clientOn(scripted(good), { settings, clock }).call(...read);
    assert((await failureOf(next())) instanceof LoginError);
    clock.set(clock.now() + 299_000);
    assert((await failureOf(next())) instanceof LoginError);
    clock.set(clock.now() + 1_000);
    assert.deepEqual(await next(), []);
  });

  it("leaves no half-written file behind", async () => {
    const settings = settingsFor();
    await failureOf(clientOn(scripted(refusal), { settings }).call(...read));
    assert.equal(fs.readdirSync(settings.stateDir).length, 1);
  });
});
