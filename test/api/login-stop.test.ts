/** After a failed login nothing is sent any more: not by this client, and for a while not by the next process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { hostname } from "node:os";
import * as path from "node:path";
import { type Client, LoginError, type Transport, type TransportResponse } from "../../provider/api";
import { LOGIN_STOP_MS } from "../../provider/api/login-stop";
import { loginFailures } from "../../provider/api/meanings";
import { systemClock } from "../../provider/clock";
import { Secret, type Settings } from "../../provider/settings";
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
} from "./support";

after(cleanUp);

const read = ["Domain.Purview", { domain: "example.com" }] as const;
const refusal = answer(enveloped("-1", {}, `Login failed for ${TOKEN}`));
const good = answer(enveloped("1", { purview: [] }));

describe("The stop after a failed login", () => {
  for (const code of Object.keys(loginFailures)) {
    it(`is made by code ${code}, on reads and writes`, async () => {
      const transport = scripted(answer(enveloped(code)));
      const client = clientOn(transport);
      const first = await failureOf(
        client.call("Domainshare.Modify", { domain: "example.com", email: "a@example.org", mode: "r" }),
      );
      assert(first instanceof LoginError);
      assert.equal(first.outcome, "refused");
      assert.match(
        first.message,
        /Repeated failures ban the account, so nothing on this machine tries this token for five minutes; to try sooner, remove [^ ]+\.json\.$/,
      );
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
    const client = clientOn(transport, {
      settings: settingsFor({ stateDir: freshFolder() }),
    });
    const calls = ["a.example", "b.example", "c.example"].map((domain) =>
      failureOf(client.call("Domain.Purview", { domain })),
    );
    await settled();
    release();
    const failures = await Promise.all(calls);
    assert.equal(transport.requests.length, 1);
    assert(failures.every((failure) => failure instanceof LoginError));
    assert.match(
      failures[2]?.message ?? "",
      /^Domain\.Purview of c\.example: not sent, because the login failed/,
    );
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

  it("ends after five minutes in a process that lives longer, which then tries once", async () => {
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
    await client.close();
    assert.match((await failureOf(client.call(...read))).message, /the client is closed/);
  });
});

describe("The first login of a machine", () => {
  /** A service that takes a moment to answer, and counts how many calls it has at once. */
  const slowly = (reply: TransportResponse) => {
    const seen = { calls: 0, atOnce: 0, most: 0 };
    const transport = scripted(async () => {
      seen.calls += 1;
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.atOnce -= 1;
      return reply;
    });
    return { seen, transport };
  };
  /** Look-ups of a program, and the host's own calls: clients of several processes, on one disk. */
  const processes = (transport: Transport, settings: Settings, count = 3): Client[] =>
    Array.from({ length: count }, () => clientOn(transport, { settings, clock: systemClock }));

  it("is tried by one call alone, of several processes with several look-ups each: one failure leaves it", async () => {
    const { seen, transport } = slowly(refusal);
    const failures = await Promise.all(
      processes(transport, settingsFor()).flatMap((client) =>
        Array.from({ length: 6 }, () => failureOf(client.call(...read))),
      ),
    );
    assert.equal(seen.calls, 1);
    assert.equal(failures.length, 18);
    assert(failures.every((failure) => failure instanceof LoginError));
  });

  it("that is accepted lets all others go at once", async () => {
    const { seen, transport } = slowly(good);
    const settings = settingsFor();
    await Promise.all(
      processes(transport, settings).flatMap((client) =>
        Array.from({ length: 6 }, () => client.call(...read)),
      ),
    );
    assert.equal(seen.calls, 18);
    assert(seen.most >= 5);
    assert.deepEqual(fs.readdirSync(settings.stateDir), []);
  });

  it("waits for no process that was killed while it tried, nor for a lock that is none", async () => {
    const settings = settingsFor();
    const [client] = processes(scripted(refusal), settings, 1);
    await failureOf(client?.call(...read) ?? Promise.resolve());
    const [marker = ""] = fs.readdirSync(settings.stateDir);
    const file = path.join(settings.stateDir, `${marker}.lock`);
    fs.rmSync(path.join(settings.stateDir, marker));
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const lately = { time: Date.now(), host: hostname() };
    for (const content of [
      { ...lately, pid: dead },
      { ...lately, pid: process.pid, time: Date.now() - 60_000 },
      { pid: "x" },
    ]) {
      fs.writeFileSync(file, JSON.stringify(content));
      const begun = Date.now();
      assert.deepEqual(await clientOn(scripted(good), { settings, clock: systemClock }).call(...read), []);
      assert(Date.now() - begun < 2_000);
    }
  });

  it("can be called off while another process tries", async () => {
    const settings = settingsFor();
    const { transport } = slowly(good);
    const [first, second] = processes(transport, settings, 2);
    const trying = first?.call(...read);
    const failure = await failureOf(
      second?.call(read[0], read[1], { signal: AbortSignal.timeout(5) }) ?? Promise.resolve(),
    );
    assert.match(failure.message, /^Domain\.Purview of example\.com: /);
    assert.deepEqual(await trying, []);
  });
});
