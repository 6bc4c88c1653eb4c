/** Promises 2 and 3: no record is made twice or lost. The faults are a lost answer, half a batch, and a killed process. */
import assert from "node:assert/strict";
import { hostOf, signal, until } from "../support/processes";
import {
  byBothFrontEnds,
  countsOf,
  fails,
  idsOf,
  must,
  noStack,
  says,
  sentRecords,
  story,
  writesOf,
  zoneLines,
} from "../support/story";

const hosts = (n: number): string => `
  new dns.RecordBatch("hosts", { domains: "example.com", records: Array.from({ length: ${n} },
    (_, i) => ({ name: "host" + (i + 1), type: "A", value: "192.0.2." + (i + 1), ttl: 600 })) });`;
const one =
  'new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.200", ttl: 600 });';
const records = (stack: {
  resources(): readonly { outputs?: Record<string, unknown> }[];
}): Record<string, unknown>[] => stack.resources().map(({ outputs }) => outputs ?? {});

describe("an answer that is lost", () => {
  byBothFrontEnds(
    "an answer lost after the records were made: the same up finds and adopts them after the index delay",
    (frontEnd) =>
      story(
        {
          frontEnd,
          program: hosts(3),
          env: { LEGACYDNS_INDEX_DELAY: "3" },
          service: { settings: { indexDelay: 2 } },
        },
        async ({ emulator, up, quietUp }) => {
          emulator.admin.addFault({
            kind: "dropped",
            operation: "Batch.Record.Create",
            when: "after",
            count: 1,
          });
          const run = await up();
          says(run, "for a job whose answer was lost (jobTimeout, indexDelay)");
          assert.equal(countsOf(emulator)["Batch.Record.Create"], 1);
          assert.equal(idsOf(emulator, "example.com").length, 3);
          await quietUp();
        },
      ),
  );

  byBothFrontEnds(
    "an answer lost before anything was made: the same up waits until that is certain, and makes each record once",
    (frontEnd) =>
      story(
        { frontEnd, program: hosts(3) + one, env: { LEGACYDNS_JOB_TIMEOUT: "2" } },
        async ({ emulator, up, quietUp }) => {
          const each = ["host1 A 192.0.2.1", "host2 A 192.0.2.2", "host3 A 192.0.2.3", "one A 192.0.2.200"];
          // On a busy machine the two resources may not share a job.
          emulator.admin.addFault({
            kind: "dropped",
            operation: "Batch.Record.Create",
            when: "before",
            count: 2,
          });
          says(await up(), "for a job whose answer was lost (jobTimeout, indexDelay)");
          assert.deepEqual([...new Set(sentRecords(emulator).flat())].sort(), each);
          assert.equal(zoneLines(emulator, "example.com").length, 4);
          await quietUp();
        },
      ),
  );
});

describe("half a batch", () => {
  byBothFrontEnds(
    "a job that sticks blocks only its own records: the next up makes the others, a refresh succeeds, and a later up settles it",
    (frontEnd) =>
      story(
        {
          frontEnd,
          program: hosts(2),
          service: { settings: { stickAfter: 0 } },
          env: { LEGACYDNS_JOB_TIMEOUT: "5" },
        },
        async ({ emulator, stack, failing, up, quietUp }) => {
          const { admin } = emulator;
          says(await failing(), "host1.example.com. A 192.0.2.1", "jobTimeout");
          const [job] = admin.jobs();
          assert.ok(job);
          admin.set({ stickAfter: null });
          stack.program(hosts(4));
          says(await failing(), `job ${job.id}`, "host2.example.com. A 192.0.2.2");
          assert.deepEqual(sentRecords(emulator).flat(), ["host3 A 192.0.2.3", "host4 A 192.0.2.4"]);
          const refresh = await must(stack.refresh());
          says(refresh, `job ${job.id}`);
          admin.finishJob(job.id);
          const settled = await up();
          assert.equal(writesOf(emulator), 0, settled.output);
          assert.equal(zoneLines(emulator, "example.com").length, 4);
          await quietUp();
        },
      ),
  );

  byBothFrontEnds(
    "half a batch stays in the state, the refused records are listed, and the next up sends only these",
    (frontEnd) => {
      const refused = [3, 17].map((n) => ({ n, message: `Refused for ${n}` }));
      const refuse = refused.map(({ n, message }) => ({ name: `host${n}`, message }));
      return story(
        { frontEnd, program: hosts(40), service: { settings: { jobMs: 0, refuse } } },
        async ({ emulator, stack, failing, up, quietUp }) => {
          const half = await failing();
          for (const { n, message } of refused) says(half, `host${n}.example.com. A 192.0.2.${n}`, message);
          says(half, "[write.refused]");
          const ids = idsOf(emulator, "example.com");
          assert.equal(ids.length, 38);
          const owned = (): number[] =>
            records(stack)
              .flatMap(({ __ledger: ledger }) =>
                [...String(ledger).matchAll(/:(\d+)/g)].map(([, id]) => Number(id)),
              )
              .sort((a, b) => a - b);
          assert.deepEqual(owned(), ids);
          const refreshed = await must(stack.refresh());
          noStack(refreshed);
          assert.deepEqual(owned(), ids);
          emulator.admin.set({ refuse: [] });
          await up();
          assert.deepEqual(sentRecords(emulator), [refused.map(({ n }) => `host${n} A 192.0.2.${n}`).sort()]);
          const all = idsOf(emulator, "example.com");
          assert.equal(all.length, 40);
          assert.deepEqual(owned(), all);
          assert.ok(
            ids.every((id) => all.includes(id)),
            "nothing was made anew",
          );
          await quietUp();
        },
      );
    },
  );
});

describe("a host that is killed while the index lags behind", () => {
  byBothFrontEnds(
    "a process killed while the index lags leaves its job to the next up, which makes nothing twice",
    (frontEnd) =>
      story(
        {
          frontEnd,
          program: hosts(20),
          env: { LEGACYDNS_INDEX_DELAY: "5" },
          service: { settings: { indexDelay: 5, jobMs: 100, identical: "accept" } },
        },
        async ({ emulator, stack, up, quietUp }) => {
          const made = (): number => emulator.admin.zone("example.com", { hold: false }).length;
          const run = stack.start({}, "up", "--yes", "--skip-preview", "--suppress-permalink");
          await until(
            "half of the records are made",
            () => made() >= 10,
            () => run.output(),
          );
          signal(hostOf(run.pid).pid, "SIGKILL");
          await fails(run.ended);
          assert.deepEqual(stack.resources(), []);
          const again = await up();
          // It need not mention records that are already listed.
          says(
            again,
            /waiting up to \d+ s for job \d+ of another run|made \d+ s ago by an earlier or another run|20 to adopt/,
          );
          assert.equal(writesOf(emulator), 0);
          assert.equal(made(), 20);
          await quietUp();
        },
      ),
  );
});
