import { ok } from "node:assert/strict";
import { mock } from "node:test";
import { systemClock } from "../provider/support/clock";

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
