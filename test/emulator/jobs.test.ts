import assert from "node:assert/strict";
import { a, create, detail, get, inLab, slow, statuses } from "./lab";

describe("an emulator job", () => {
  it("stops after the configured number of records, and continues after its release", () =>
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

  it("does not begin if it stops at 0 records, and can be finished by hand", () =>
    inLab({ settings: { stickAfter: 0 } }, async (lab) => {
      const created = await create(lab, [a("x")]);
      lab.tick(3_600_000);
      assert.equal(statuses(await detail(lab, created)), "waiting: waiting");
      lab.emulator.admin.finishJob(Number(get(created, "job_id")));
      assert.equal(statuses(await detail(lab, created)), "ok: ok");
    }));

  it("can be stopped and released while it runs", () =>
    inLab(slow, async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      lab.tick(2_500);
      lab.emulator.admin.pauseJob(Number(get(created, "job_id")));
      lab.tick(60_000);
      assert.equal(statuses(await detail(lab, created)), "running: ok running");
      assert.equal(lab.emulator.admin.jobs()[0]?.stuck, true);
    }));

  it("runs concurrently with others, in the order of their times", () =>
    inLab(slow, async (lab) => {
      const first = await create(lab, [a("x"), a("y"), a("z")]);
      lab.tick(500);
      const second = await create(lab, [a("y")]);
      lab.tick(2_700);
      // y of the second job was due at 2.5 s, before y of the first at 3 s: the first meets an identical record.
      assert.equal(statuses(await detail(lab, second)), "ok: ok");
      assert.equal(statuses(await detail(lab, first)), "running: ok error running");
    }));

  it("sees edits that the console makes in the meantime", () =>
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
