import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import {
  HttpStatusError,
  LegacyDnsError,
  ProtocolError,
  ServiceError,
  TransportError,
} from "../../provider/api";
import { timedOut } from "../../provider/api/failures";
import { collectingReporter } from "../support/reporter";
import {
  answer,
  cleanUp,
  clientOn,
  failureAs,
  failureOf,
  scripted,
  settingsFor,
  skippingClock,
  type Step,
  said,
} from "./support";

after(cleanUp);

const read = ["Domain.Purview", { domain: "example.com" }] as const;
const write = ["Domainshare.Modify", { domain: "example.com", email: "a@example.org", mode: "r" }] as const;
const good = said("1", { purview: [] });
const redirect = answer("", 307, { location: "https://elsewhere.example/path?login_token=1" });
const call = { operation: "X", target: "example.com" };
const lost = (outcome: "not-sent" | "uncertain", passing = true) =>
  new TransportError({ ...call, outcome, passing, meaning: "lost", help: [] });

type Case = [
  name: string,
  step: Step,
  reads: number,
  writes: number,
  error: new (...args: never[]) => LegacyDnsError,
  outcome: LegacyDnsError["outcome"],
];

const CASES: Case[] = [
  ["a connection that was never made", lost("not-sent"), 4, 4, TransportError, "not-sent"],
  ["a certificate that does not hold", lost("not-sent", false), 1, 1, TransportError, "not-sent"],
  ["an answer that was lost", lost("uncertain"), 4, 1, TransportError, "uncertain"],
  ["no connection in time", timedOut(call, 5000, "not-sent"), 4, 4, TransportError, "not-sent"],
  ["no answer in time", timedOut(call, 5000, "uncertain"), 4, 1, TransportError, "uncertain"],
  ["an error that no transport names", new Error("surprise"), 4, 1, TransportError, "uncertain"],
  ...[500, 502, 503, 504].map((status): Case => [
    `HTTP ${status}`,
    answer("<html>", status),
    4,
    1,
    HttpStatusError,
    "uncertain",
  ]),
  ["HTTP 408", answer("", 408), 1, 1, HttpStatusError, "uncertain"],
  ["HTTP 429", answer("", 429), 4, 4, HttpStatusError, "refused"],
  ["HTTP 403", answer("", 403), 1, 1, HttpStatusError, "refused"],
  ["a redirect", redirect, 1, 1, HttpStatusError, "refused"],
  ["code -2", said("-2"), 4, 4, ServiceError, "refused"],
  ["code -99", said("-99"), 4, 1, ServiceError, "uncertain"],
  ["code 3", said("3"), 1, 1, ServiceError, "uncertain"],
  ["code 7", said("7"), 1, 1, ServiceError, "refused"],
  ...[
    ...["", "<html>busy</html>", "<?xml version='1.0'?>", '{"status":{"code"', "[]", '"text"', "{}"],
    '{"status":{}}',
  ].map((body): Case => [`the body ${JSON.stringify(body)}`, answer(body), 3, 1, ProtocolError, "uncertain"]),
];

describe("Sending again", () => {
  for (const [name, step, reads, writes, error, outcome] of CASES) {
    it(`after ${name}: ${reads} of a read, ${writes} of a write`, async () => {
      const reading = scripted(step);
      await failureAs(error, clientOn(reading).call(...read));
      equal(reading.requests.length, reads);
      const writing = scripted(step);
      const failure = await failureAs(error, clientOn(writing).call(...write));
      equal(writing.requests.length, writes);
      equal(failure.outcome, outcome);
      equal(failure.target, "example.com");
      match(failure.message, /^(X|Domainshare\.Modify) of example\.com: /);
    });
  }

  it("succeeds after passing failures, and reports each wait", async () => {
    const reporter = collectingReporter();
    const transport = scripted(answer("", 503), lost("uncertain"), good);
    deepEqual(await clientOn(transport, { reporter }).call(...read), []);
    equal(transport.requests.length, 3);
    const again = /Domain\.Purview of example\.com: .*Trying again in 1 s \(1 of 3\)\./;
    match(reporter.lines[0]?.text ?? "", again);
    deepEqual(
      reporter.lines.map(({ level }) => level),
      ["progress", "progress"],
    );
  });

  it("waits longer each time, with jitter, and longest at a limit of calls", async () => {
    const waits = async (step: Step, random: number) => {
      const clock = skippingClock();
      await failureOf(clientOn(scripted(step), { clock, random: () => random }).call(...read));
      return clock.sleeps;
    };
    deepEqual(await waits(answer("", 503), 1), [500, 1000, 2000]);
    deepEqual(await waits(answer("", 503), 0), [250, 500, 1000]);
    deepEqual(await waits(said("-2"), 1), [2000, 4000, 8000]);
  });

  it("obeys a Retry-After of up to a minute, and fails at once for a longer one", async () => {
    const clock = skippingClock();
    await clientOn(scripted(answer("", 429, { "retry-after": "17" }), good), { clock }).call(...read);
    deepEqual(clock.sleeps, [17_000]);
    const long = scripted(answer("", 429, { "retry-after": "3600" }));
    await rejects(clientOn(long).call(...read), /asks to wait 3600 s/);
    equal(long.requests.length, 1);
  });

  it("ends after the time of a call, even with attempts left", async () => {
    const clock = skippingClock();
    const transport = scripted(() => {
      clock.set(clock.now() + 100_000);
      return answer("", 503);
    });
    await failureOf(clientOn(transport, { clock }).call(...read));
    equal(transport.requests.length, 2);
  });

  it("does not count the time in the queue", async () => {
    let calls = 0;
    const transport = scripted(() => ((calls += 1) === 290 ? answer("", 503) : good));
    const client = clientOn(transport, { settings: settingsFor({ requestsPerSecond: 1 }) });
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => client.call("Domain.Purview", { domain: `d${n}.example` })),
    );
    equal(calls, 301);
  });

  it("follows no redirect and names only its host", async () => {
    const failure = await failureOf(clientOn(scripted(redirect)).call(...read));
    match(failure.message, /redirected to https:\/\/elsewhere\.example, which is not followed/);
    ok(!failure.message.includes("login_token"));
  });

  it("refuses every call after closing", async () => {
    const transport = scripted(good);
    const client = clientOn(transport);
    await client.close();
    equal(transport.closed, true);
    await rejects(client.call(...read), /the client is closed/);
    equal(transport.requests.length, 0);
  });

  it("gives the transport its timeout in milliseconds", async () => {
    const transport = scripted(good);
    await clientOn(transport, { settings: settingsFor({ requestTimeout: 7 }) }).call(...read);
    equal(transport.requests[0]?.timeoutMs, 7000);
  });
});
