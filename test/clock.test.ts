import { equal, ok } from "node:assert/strict";
import { mock } from "node:test";
import { Pulse, systemClock } from "../provider/support/clock";

describe("the machine's clock", () => {
  afterEach(() => mock.restoreAll());

  for (const [how, hours] of Object.entries({ back: -24, on: 24 })) {
    it(`set a day ${how} while a process waits changes nothing of the time that it waits by`, () => {
      const before = systemClock.now();
      const real = Date.now;
      mock.method(Date, "now", () => real() + hours * 3_600_000);
      const passed = systemClock.now() - before;
      ok(passed >= 0 && passed < 60_000, String(passed));
      ok(Math.abs(systemClock.wall() - before) > 3_600_000);
    });
  }
});

describe("a pause of a process", () => {
  for (const [what, now, wall, busy, isPause] of [
    ["a process that was stopped for 11 s has paused", 12_000, 12_000, 5, true],
    ["a machine that slept for 11 s has paused its processes", 1_000, 12_000, 5, true],
    ["a process that was stopped for 9 s has not paused", 10_000, 10_000, 5, false],
    ["a computation of 30 s is no pause", 31_000, 31_000, 30_000, false],
    ["a machine's clock that is set back is no pause", 1_000, -3_600_000, 5, false],
  ] as const) {
    it(what, () => {
      const time = { now: 0, wall: 0, busy: 0 };
      const pulse = new Pulse({ now: () => time.now, wall: () => time.wall }, () => time.busy);
      time.now = time.wall = 1_000;
      equal(pulse.beat(), 0);
      Object.assign(time, { now: 1_000 + now, wall: 1_000 + wall, busy });
      equal(pulse.beat(), isPause ? time.now : 0);
      time.now += 1_000;
      time.wall += 1_000;
      equal(pulse.beat(), isPause ? time.now - 1_000 : 0, "later");
    });
  }

  it("is noticed by the system's clock from the first question on", () => {
    equal(systemClock.resumed(), 0);
    mock.method(Date, "now", () => Number.MAX_SAFE_INTEGER);
    const at = systemClock.resumed();
    ok(at > 0 && at <= systemClock.now());
    mock.restoreAll();
  });
});
