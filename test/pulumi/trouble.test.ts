/** Jobs that take their time, answers that get lost, half a batch: no record twice, none forgotten. */
import assert from "node:assert/strict";
import { hostOf, signal, until } from "../support/processes";
import { countsOf, idsOf, writesOf, zoneLines } from "../support/service";
import { byBothDoors, noStack, says, sentRecords, story } from "../support/story";

const hosts = (n: number): string => `
  new dns.RecordBatch("hosts", { domains: "example.com", records: Array.from({ length: ${n} },
    (_, i) => ({ name: "host" + (i + 1), type: "A", value: "192.0.2." + (i + 1), ttl: 600 })) });`;
const one =
  'new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.200", ttl: 600 });';
const records = (stack: {
  resources(): readonly { outputs?: Record<string, unknown> }[];
}): Record<string, unknown>[] => stack.resources().map(({ outputs }) => outputs ?? {});

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
        // Two on a busy machine, where the single record comes too late for the first.
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
  byBothDoors(
    "after the records were made: they are found after the index delay and taken over, in the same up",
    (door) =>
      story(
        {
          door,
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
          says(run, "Waiting 3 s for the service's index (indexDelay), and up to 10 s more for a slow job");
          assert.equal(countsOf(emulator)["Batch.Record.Create"], 1);
          assert.equal(idsOf(emulator, "example.com").length, 3);
          await quietUp();
        },
      ),
  );

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

  byBothDoors(
    "before anything was made: the records are unconfirmed, and the next up makes each once",
    (door) =>
      story(
        { door, program: hosts(3) + one, env: { LEGACYDNS_JOB_TIMEOUT: "2" } },
        async ({ emulator, stack, failing, up, quietUp }) => {
          const each = ["host1 A 192.0.2.1", "host2 A 192.0.2.2", "host3 A 192.0.2.3", "one A 192.0.2.200"];
          // On a busy machine the two resources may not share a job.
          emulator.admin.addFault({
            kind: "dropped",
            operation: "Batch.Record.Create",
            when: "before",
            count: 2,
          });
          const lost = await failing("--continue-on-error");
          says(lost, "not known whether made", "looks again before it sends anything");
          assert.deepEqual(sentRecords(emulator).flat().sort(), each, "a write is not sent twice");
          for (const { __ledger: ledger } of records(stack)) assert.match(String(ledger), /^\? \d+ /m);
          emulator.admin.clearFaults();
          await up();
          assert.deepEqual(sentRecords(emulator).flat().sort(), each);
          assert.equal(zoneLines(emulator, "example.com").length, 4);
          await quietUp();
        },
      ),
  );
});

describe("half a batch", () => {
  byBothDoors(
    "keeps what was made, lists what was refused, survives a refresh, and sends only the rest",
    (door) => {
      const address = (n: number): string => `192.0.${Math.floor(n / 250)}.${(n % 250) + 1}`;
      const said = [
        "The name is reserved",
        "Host label not allowed",
        'Value "not" permitted',
        "The package allows no more of these",
      ];
      const refused = [3, 17, 30, 250, 251, 444, 500].map((n, i) => ({
        n,
        message: `${said[i % said.length] ?? ""} (${n})`,
      }));
      return story(
        {
          door,
          program: `new dns.RecordBatch("hosts", { domains: "example.com", records: Array.from({ length: 500 }, (_, i) => ({
          name: "host" + (i + 1), type: "A", value: "192.0." + Math.floor((i + 1) / 250) + "." + ((i + 1) % 250 + 1), ttl: 600 })) });`,
          service: {
            settings: { jobMs: 0, refuse: refused.map(({ n, message }) => ({ name: `host${n}`, message })) },
          },
        },
        async ({ emulator, stack, failing, up, quietUp }) => {
          const half = await failing();
          for (const { n, message } of refused)
            says(half, `host${n}.example.com. A ${address(n)}: refused by the service: ${message}`);
          assert.equal(half.output.match(/^\s*\* .*refused by the service/gm)?.length, 7, half.output);
          const ids = idsOf(emulator, "example.com");
          assert.equal(ids.length, 493);
          const owned = async (): Promise<number[]> =>
            records(stack)
              .flatMap(({ __ledger: ledger }) =>
                [...String(ledger).matchAll(/:(\d+)/g)].map(([, id]) => Number(id)),
              )
              .sort((a, b) => a - b);
          assert.deepEqual(await owned(), ids);
          const refreshed = await stack.refresh();
          assert.equal(refreshed.code, 0, refreshed.output);
          noStack(refreshed);
          assert.deepEqual(await owned(), ids);
          assert.equal(idsOf(emulator, "example.com").length, 493);
          emulator.admin.set({ refuse: [] });
          await up();
          const [call, ...others] = emulator.admin.calls("Batch.Record.Create");
          assert.deepEqual(others, []);
          const { login_token: _token, records: sent, ...rest } = call?.params ?? {};
          const [domain] = emulator.admin.domains().filter(({ name }) => name === "example.com");
          assert.deepEqual(rest, { format: "json", domain_id: String(domain?.id) });
          assert.deepEqual(
            (JSON.parse(sent ?? "") as { sub_domain: string }[]).sort(
              (a, b) => Number(a.sub_domain.slice(4)) - Number(b.sub_domain.slice(4)),
            ),
            refused.map(({ n }) => ({
              sub_domain: `host${n}`,
              record_type: "A",
              record_line: "默认",
              value: address(n),
              ttl: 600,
            })),
          );
          const all = idsOf(emulator, "example.com");
          assert.equal(all.length, 500);
          assert.deepEqual(await owned(), all);
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
  it("leaves its job to the next up, which waits until the index shows what it made, and makes nothing twice", () =>
    story(
      {
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
        const killed = await run.ended;
        assert.notEqual(killed.code, 0);
        assert.deepEqual(stack.resources(), []);
        const again = await up();
        // Of what is listed by then it need not speak.
        says(
          again,
          /an earlier or another run was making|made \d+ s ago by an earlier or another run|20 records live already/,
        );
        assert.equal(writesOf(emulator), 0);
        assert.equal(made(), 20);
        await quietUp();
      },
    ));
});

describe("a state folder that cannot be written", () => {
  it("is a warning that says what to set; the deployment goes on", () =>
    story(
      { program: hosts(3), env: { LEGACYDNS_STATE_DIR: "/dev/null/state" } },
      async ({ emulator, up, quietUp }) => {
        const run = await up();
        says(
          run,
          /the journal cannot be written .*Set stateDir \(LEGACYDNS_STATE_DIR\) to a folder that can be written/,
        );
        assert.equal(zoneLines(emulator, "example.com").length, 3);
        await quietUp();
      },
    ));
});
