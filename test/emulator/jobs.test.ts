import assert from "node:assert/strict";
import { a, create, detail, get, inLab, slow, statuses } from "./lab";

describe("emulator jobs under control", () => {
  it("sticks after a number of records, goes on when released", () =>
    inLab({ settings: { stickAfter: 1, jobMs: 100, jobStartMs: 0 } }, async (lab) => {
      const created = await create(lab, [a("x"), a("y"), a("z")]);
      lab.tick(3_600_000);
      assert.equal(statuses(await detail(lab, created)), "running: ok running waiting");
      lab.emulator.admin.resumeJob(Number(get(created, "job_id")));
      lab.tick(150);
      assert.equal(statuses(await detail(lab, created)), "running: ok ok running");
      lab.tick(100);
      assert.equal(statuses(await detail(lab, created)), "ok: ok ok ok");
    }));

  it("never begins when it sticks at once, and is finished by hand", () =>
    inLab({ settings: { stickAfter: 0 } }, async (lab) => {
      const created = await create(lab, [a("x")]);
      lab.tick(3_600_000);
      assert.equal(statuses(await detail(lab, created)), "waiting: waiting");
      lab.emulator.admin.finishJob(Number(get(created, "job_id")));
      assert.equal(statuses(await detail(lab, created)), "ok: ok");
    }));

  it("is held and released while it runs", () =>
    inLab(slow, async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      lab.tick(2_500);
      lab.emulator.admin.pauseJob(Number(get(created, "job_id")));
      lab.tick(60_000);
      assert.equal(statuses(await detail(lab, created)), "running: ok running");
      assert.equal(lab.emulator.admin.jobs()[0]?.stuck, true);
    }));

  it("executes jobs side by side in the order of their times", () =>
    inLab(slow, async (lab) => {
      const first = await create(lab, [a("x"), a("y"), a("z")]);
      lab.tick(500);
      const second = await create(lab, [a("y")]);
      lab.tick(2_700);
      // y of the second job was due at 2.5 s, before y of the first at 3 s: the first meets an identical record.
      assert.equal(statuses(await detail(lab, second)), "ok: ok");
      assert.equal(statuses(await detail(lab, first)), "running: ok error running");
    }));

  it("meets the console's edits that came in between", () =>
    inLab(slow, async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      lab.tick(2_100);
      lab.emulator.admin.setDomain("example.com", { status: "lock" });
      lab.tick(5_000);
      const answer = await detail(lab, created);
      assert.equal(statuses(answer), "ok: ok error");
      assert.match(String(get(answer, "detail.0.records.1.err_msg")), /locked/);
    }));
});
