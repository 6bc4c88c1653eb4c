/** Promises 2 and 3: no record is made twice or lost. The faults are a lost answer, half a batch, and a killed process. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { hostOf, signal, until } from "../support/processes";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, fails, must, noStack, says, sentRecords } from "../support/story";

const hosts = (n: number) =>
  batch(
    "hosts",
    Array.from({ length: n }, (_, i) => `host${i + 1} 600 A 192.0.2.${i + 1}`),
  );

describe("an answer that is lost", () => {
  byBothFrontEnds(
    "an answer lost after the records were made: the same up finds and adopts them after the index delay",
    { program: hosts(3), env: { LEGACYDNS_INDEX_DELAY: "3" }, service: { settings: { indexDelay: 2 } } },
    async ({ admin, up, quietUp, ids }) => {
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
      says(await up(), "for a job whose answer was lost (jobTimeout, indexDelay)");
      equal(admin.counts()["Batch.Record.Create"], 1);
      equal(ids().length, 3);
      await quietUp();
    },
  );

  byBothFrontEnds(
    "an answer lost before anything was made: the same up waits until that is certain, and makes each record once",
    { program: hosts(3) + record("one", "192.0.2.200"), env: { LEGACYDNS_JOB_TIMEOUT: "2" } },
    async ({ emulator, admin, up, quietUp, ids }) => {
      const each = ["host1 A 192.0.2.1", "host2 A 192.0.2.2", "host3 A 192.0.2.3", "one A 192.0.2.200"];
      // On a busy machine the two resources may not share a job.
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "before", count: 2 });
      says(await up(), "for a job whose answer was lost (jobTimeout, indexDelay)");
      deepEqual([...new Set(sentRecords(emulator).flat())].sort(), each);
      equal(ids().length, 4);
      await quietUp();
    },
  );
});

describe("half a batch", () => {
  byBothFrontEnds(
    "a job that sticks blocks only its own records: the next up makes the others, a refresh succeeds, and a later up settles it",
    { program: hosts(2), service: { settings: { stickAfter: 0 } }, env: { LEGACYDNS_JOB_TIMEOUT: "5" } },
    async ({ emulator, admin, stack, failing, up, quietUp, ids, writes }) => {
      says(await failing(), "host1.example.com. A 192.0.2.1", "jobTimeout");
      const [job] = admin.jobs();
      ok(job);
      admin.set({ stickAfter: null });
      stack.program(hosts(4));
      says(await failing(), `job ${job.id}`, "host2.example.com. A 192.0.2.2");
      deepEqual(sentRecords(emulator).flat(), ["host3 A 192.0.2.3", "host4 A 192.0.2.4"]);
      says(await must(stack.refresh()), `job ${job.id}`);
      admin.finishJob(job.id);
      const settled = await up();
      equal(writes(), 0, settled.output);
      equal(ids().length, 4);
      await quietUp();
    },
  );

  const refused = [3, 17].map((n) => ({ n, message: `Refused for ${n}` }));
  const refuse = refused.map(({ n, message }) => ({ name: `host${n}`, message }));
  byBothFrontEnds(
    "half a batch stays in the state, the refused records are listed, and the next up sends only these",
    { program: hosts(40), service: { settings: { jobMs: 0, refuse } } },
    async ({ emulator, admin, stack, failing, up, quietUp, ids }) => {
      const half = await failing();
      for (const { n, message } of refused) says(half, `host${n}.example.com. A 192.0.2.${n}`, message);
      says(half, "[write.refused]");
      const made = ids();
      equal(made.length, 38);
      const owned = () => {
        const ledgers = stack.resources().map(({ outputs }) => outputs?.["__ledger"]);
        return [...ledgers.join().matchAll(/:(\d+)/g)].map(([, id]) => Number(id)).sort((a, b) => a - b);
      };
      deepEqual(owned(), made);
      noStack(await must(stack.refresh()));
      deepEqual(owned(), made);
      admin.set({ refuse: [] });
      await up();
      deepEqual(sentRecords(emulator), [refused.map(({ n }) => `host${n} A 192.0.2.${n}`).sort()]);
      const all = ids();
      equal(all.length, 40);
      deepEqual(owned(), all);
      ok(
        made.every((id) => all.includes(id)),
        "nothing was made anew",
      );
      await quietUp();
    },
  );
});

describe("a host that is killed while the index lags behind", () => {
  byBothFrontEnds(
    "a process killed while the index lags leaves its job to the next up, which makes nothing twice",
    {
      program: hosts(20),
      env: { LEGACYDNS_INDEX_DELAY: "5" },
      service: { settings: { indexDelay: 5, jobMs: 100, identical: "accept" } },
    },
    async ({ stack, up, quietUp, ids, writes }) => {
      const run = stack.start({}, "up", "--yes", "--skip-preview", "--suppress-permalink");
      await until(
        "half of the records are made",
        () => ids().length >= 10,
        () => run.output(),
      );
      signal(hostOf(run.pid).pid, "SIGKILL");
      await fails(run.ended);
      deepEqual(stack.resources(), []);
      // It need not mention records that are already listed.
      says(
        await up(),
        /waiting up to \d+ s for job \d+ of another run|made \d+ s ago by an earlier or another run|20 to adopt/,
      );
      equal(writes(), 0);
      equal(ids().length, 20);
      await quietUp();
    },
  );
});
