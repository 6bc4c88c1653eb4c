import { deepEqual, equal, rejects } from "node:assert/strict";
import { Pacer } from "../../provider/api/pacing";
import { answer, cleanUp, clientOn, scripted, settled, StandingClock } from "./support";

after(cleanUp);

function paced(requestsPerSecond: number, atOnce: number) {
  const clock = new StandingClock();
  const pacer = new Pacer({ requestsPerSecond }, clock, atOnce);
  const run = <T>(work: () => Promise<T>, signal = new AbortController().signal) => pacer.run(work, signal);
  return { clock, run };
}

describe("Pacing", () => {
  const timesOf = async (requestsPerSecond: number, requests: number) => {
    const { clock, run } = paced(requestsPerSecond, 5);
    const times: number[] = [];
    const begin = () => run(() => Promise.resolve(times.push(clock.now())));
    const all = Promise.all(Array.from({ length: requests }, begin));
    await clock.move(10_000);
    await all;
    return times;
  };

  it("lets a small burst go and then one per interval", async () =>
    deepEqual(await timesOf(10, 12), [0, 0, 0, 0, 0, 100, 200, 300, 400, 500, 600, 700]));

  it("may be slower than one request a second", async () =>
    deepEqual(await timesOf(0.5, 3), [0, 2000, 4000]));

  it("keeps no more in flight than allowed, first come first served", async () => {
    const { clock, run } = paced(1000, 2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const all = [1, 2, 3, 4].map((n) =>
      run(() => {
        started.push(n);
        return new Promise<void>((resolve) => finish.push(resolve));
      }),
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
    const { clock, run } = paced(1000, 1);
    await rejects(
      run(() => Promise.reject(new Error("failed"))),
      /failed/,
    );
    const next = run(() => Promise.resolve("next"));
    await clock.move(10);
    equal(await next, "next");
  });

  it("warns of no leak if many calls wait in the queue, or for their repetition", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    try {
      const clock = new StandingClock();
      const client = clientOn(scripted(answer("", 503)), { clock });
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
    const { clock, run } = paced(1, 1);
    const ran: string[] = [];
    const note = (name: string, by?: AbortController) =>
      run(() => Promise.resolve(ran.push(name)), by?.signal);
    const [bucket, queue] = [new AbortController(), new AbortController()];
    const first = note("first");
    const [atBucket, inQueue] = [note("bucket", bucket), note("queue", queue)];
    const last = note("last");
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
