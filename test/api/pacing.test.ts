import { deepEqual, equal, rejects } from "node:assert/strict";
import { Pacer } from "../../provider/api/pacing";
import { answer, cleanUp, clientOn, scripted, settled, settingsFor, StandingClock } from "./support";

after(cleanUp);

const free = () => new AbortController().signal;

describe("Pacing", () => {
  it("lets a small burst go and then one per interval", async () => {
    const clock = new StandingClock();
    const pacer = new Pacer({ requestsPerSecond: 10 }, clock, 5);
    const times: number[] = [];
    const all = Promise.all(
      Array.from({ length: 12 }, () => pacer.run(() => Promise.resolve(times.push(clock.now())), free())),
    );
    await clock.move(5000);
    await all;
    deepEqual(times, [0, 0, 0, 0, 0, 100, 200, 300, 400, 500, 600, 700]);
  });

  it("may be slower than one request a second", async () => {
    const clock = new StandingClock();
    const pacer = new Pacer({ requestsPerSecond: 0.5 }, clock, 5);
    const times: number[] = [];
    const all = Promise.all(
      [1, 2, 3].map(() => pacer.run(() => Promise.resolve(times.push(clock.now())), free())),
    );
    await clock.move(10_000);
    await all;
    deepEqual(times, [0, 2000, 4000]);
  });

  it("keeps no more in flight than allowed, first come first served", async () => {
    const clock = new StandingClock();
    const pacer = new Pacer({ requestsPerSecond: 1000 }, clock, 2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const all = [1, 2, 3, 4].map((n) =>
      pacer.run(() => {
        started.push(n);
        return new Promise<void>((resolve) => finish.push(resolve));
      }, free()),
    );
    await clock.move(10);
    deepEqual(started, [1, 2]);
    finish[1]?.();
    await clock.move(10);
    deepEqual(started, [1, 2, 3]);
    finish[0]?.();
    await clock.move(10);
    for (const end of finish) end();
    await clock.move(10);
    for (const end of finish) end();
    await Promise.all(all);
    deepEqual(started, [1, 2, 3, 4]);
  });

  it("frees the slot of work that failed", async () => {
    const clock = new StandingClock();
    const pacer = new Pacer({ requestsPerSecond: 1000 }, clock, 1);
    await rejects(
      pacer.run(() => Promise.reject(new Error("failed")), free()),
      /failed/,
    );
    const next = pacer.run(() => Promise.resolve("next"), free());
    await clock.move(10);
    equal(await next, "next");
  });

  it("warns of no leak if many calls wait in the queue, or for their repetition", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    try {
      const clock = new StandingClock();
      const client = clientOn(scripted(answer("", 503)), { clock, settings: settingsFor() });
      const calls = Array.from({ length: 30 }, (_, n) =>
        client.call("Domain.Purview", { domain: `d${n}.example` }),
      );
      const all = Promise.allSettled(calls);
      await clock.move(60_000);
      await all;
      await settled();
    } finally {
      process.off("warning", note);
    }
    deepEqual(warnings, []);
  });

  it("drops callers that abort in the queue or at the bucket", async () => {
    const clock = new StandingClock();
    const pacer = new Pacer({ requestsPerSecond: 1 }, clock, 1);
    const ran: string[] = [];
    const first = pacer.run(() => Promise.resolve(ran.push("first")), free());
    const bucket = new AbortController();
    const atBucket = pacer.run(() => Promise.resolve(ran.push("bucket")), bucket.signal);
    const queue = new AbortController();
    const inQueue = pacer.run(() => Promise.resolve(ran.push("queue")), queue.signal);
    const last = pacer.run(() => Promise.resolve(ran.push("last")), free());
    await first;
    const gone = Promise.allSettled([atBucket, inQueue]);
    await settled();
    queue.abort(new Error("left"));
    bucket.abort(new Error("left"));
    deepEqual(
      (await gone).map(({ status }) => status),
      ["rejected", "rejected"],
    );
    await clock.move(5000);
    await last;
    deepEqual(ran, ["first", "last"]);
  });
});
