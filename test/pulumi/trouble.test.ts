/** Jobs that take their time, answers that get lost, half a batch: no record twice, none forgotten. */
import assert from "node:assert/strict";
import { hosts, one, records } from "../support/hosts";
import { countsOf, idsOf, writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";

describe("a job", () => {
  it("that is slow but ends within jobTimeout is waited for, with progress", () =>
    story(
      { program: hosts(24), service: { settings: { jobMs: 500 } } },
      async ({ emulator, up, quietUp }) => {
        const run = await up();
        says(run, /example\.com: job \d+: \d+ of 24 records, 1\d s/);
        // How far it is shows while it is at work, and is no message of a run that went well.
        assert.doesNotMatch(run.output.slice(run.output.indexOf("Diagnostics:")), /of 24 records/);
        assert.equal(zoneLines(emulator, "example.com").length, 24);
        assert.equal(countsOf(emulator)["Batch.Record.Create"], 1);
        await quietUp();
      },
    ));

  it("that sticks fails its resources and keeps its number; when it has ended, the next up settles it without another", () =>
    story(
      {
        program: hosts(10) + one,
        service: { settings: { stickAfter: 4 } },
        env: { LEGACYDNS_JOB_TIMEOUT: "2" },
      },
      async ({ emulator, stack, failing, up, quietUp }) => {
        const { admin } = emulator;
        const stuck = await failing("--continue-on-error");
        const jobs = admin.jobs();
        // Two on a busy machine, if the single record comes too late for the first.
        assert.ok(jobs.length === 1 || jobs.length === 2, stuck.output);
        says(stuck, "jobTimeout", "pulumi up", ...jobs.map(({ id }) => `job ${id}`));
        for (const { __ledger: ledger } of records(stack))
          assert.match(String(ledger), new RegExp(`^@ (${jobs.map(({ id }) => id).join("|")}) \\d+ `, "m"));
        const again = await failing("--continue-on-error");
        says(again, ...jobs.map(({ id }) => `job ${id}`));
        assert.equal(writesOf(emulator), 0, again.output);
        for (const { id } of jobs) admin.finishJob(id);
        const settled = await up();
        assert.equal(writesOf(emulator), 0, settled.output);
        assert.equal(zoneLines(emulator, "example.com").length, 11);
        assert.equal(admin.jobs().length, jobs.length);
        await quietUp();
      },
    ));
});

describe("an answer that is lost", () => {
  it("after the records were made, which show later than they should: the next up finds them and sends nothing", () =>
    story(
      { program: hosts(3), env: { LEGACYDNS_JOB_TIMEOUT: "2" }, service: { settings: { indexDelay: 60 } } },
      async ({ emulator, failing, up, quietUp }) => {
        emulator.admin.addFault({
          kind: "dropped",
          operation: "Batch.Record.Create",
          when: "after",
          count: 1,
        });
        says(await failing(), "not known whether made");
        emulator.admin.advanceClock(61_000);
        const run = await up();
        assert.equal(writesOf(emulator), 0, run.output);
        assert.equal(idsOf(emulator, "example.com").length, 3);
        await quietUp();
      },
    ));

  it("while its job still waits its turn: nothing is sent again before the job must have ended", () =>
    story(
      {
        program: hosts(1),
        env: { LEGACYDNS_JOB_TIMEOUT: "20" },
        service: { settings: { jobStartMs: 12_000, identical: "accept" } },
      },
      async ({ emulator, failing, up, quietUp }) => {
        emulator.admin.addFault({
          kind: "dropped",
          operation: "Batch.Record.Create",
          when: "after",
          count: 1,
        });
        says(await failing(), "not known whether made");
        await up();
        assert.equal(idsOf(emulator, "example.com").length, 1);
        await quietUp();
      },
    ));
});
