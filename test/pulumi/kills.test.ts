/**
 * `pulumi up` ended from outside, through the real engine: six batches of one run, each at another step, and
 * the next run. After any kill, every record is live exactly once. The service accepts identical records
 * here, so a second write would show.
 */
import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Admin } from "../../emulator";
import { openGate, type Gate, type GateCall } from "../support/gate";
import { childrenOf, hostOf, isAlive, type Process, signal, until } from "../support/processes";
import {
  byBothFrontEnds,
  fails,
  must,
  noStack,
  type Run,
  type Running,
  says,
  type Stack,
  story,
  type Story,
} from "../support/story";

const size = 10;
/** The step that a batch has come to, which is also the name of its domain (in `.example`) and of its resource. */
const steps = {
  unread: "its zone is being read, before anything is sent",
  queued: "its write waits until another job has ended",
  sent: "its write was sent, and the answer has not come",
  waiting: "its job waits its turn",
  half: "its job has made half of the records",
  done: "its job has ended, and the result is not known to the engine",
} as const;
type Step = keyof typeof steps;
const allSteps = Object.keys(steps) as Step[];

const program = `
  const { existsSync } = require("node:fs");
  const batch = (step) => new dns.RecordBatch(step, { domains: step + ".example", records: Array.from({ length: ${size} },
    (_, i) => ({ name: step + i, type: "A", value: "192.0.2." + (i + 1), ttl: 600 })) });
  for (const step of ["sent", "waiting", "half", "done"]) batch(step);
  // The others come when the test wants them to, so that each run stands alike.
  const later = ["queued", "unread"];
  const timer = setInterval(() => {
    if (!existsSync(__dirname + "/go/" + later[0])) return;
    batch(later.shift());
    if (later.length === 0) clearInterval(timer);
  }, 20);`;

interface Scene extends Story {
  readonly run: Running;
  readonly host: Process;
  release(...which: ("unread" | "sent" | "done" | "jobs")[]): void;
  /** The next run. The first run's held work continues only after the next run waits for it. */
  next(): Promise<Run>;
}

const service = {
  domains: allSteps.map((step) => `${step}.example`),
  settings: { identical: "accept" as const },
};
const options = { program, service };

function scene(
  sent: "carried out" | "still on its way",
  play: (scene: Scene) => Promise<void>,
): (told: Story) => Promise<void> {
  return async (told) => {
    const { emulator, admin, stack } = told;
    const gate = await openGate(emulator);
    Object.assign(stack.env, { LEGACYDNS_BASE_URL: gate.url, LEGACYDNS_JOB_TIMEOUT: "60" });
    const started: number[] = [];
    try {
      const go = join(stack.folder, "go");
      mkdirSync(go);
      const held = holdAll(admin, gate, sent);
      const run = stack.start({}, ...upArguments);
      started.push(run.pid);
      await untilStanding(run, held, go);
      started.push(...childrenOf(run.pid).map(({ pid }) => pid));
      const release: Scene["release"] = (...which) => {
        for (const each of which) {
          if (each === "jobs") for (const job of admin.jobs()) admin.finishJob(job.id);
          else held[each].release();
        }
      };
      const next = async () => {
        admin.clearCalls();
        // The next run reads that zone, too, and asks for one resource after the other.
        release("unread");
        const second = stack.start({}, ...upArguments);
        await untilSaid(second, sent === "carried out" ? 2 : 3);
        release("sent", "done", "jobs");
        return second.ended;
      };
      await play({ ...told, run, host: hostOf(run.pid), release, next });
    } finally {
      for (const pid of started) if (isAlive(pid)) signal(pid, "SIGKILL");
      await gate.close();
    }
  };
}

/** The first run stands at a step with each of its batches. */
async function untilStanding(run: Running, held: ReturnType<typeof holdAll>, go: string): Promise<void> {
  const said = () => run.output();
  await until("the first four batches stand at their steps", () => held.stand(), said);
  writeFileSync(join(go, "queued"), "");
  await until("the fifth waits", () => said().includes("RecordBatch queued creating"), said);
  writeFileSync(join(go, "unread"), "");
  await until("the sixth reads its zone", () => held.unread.held() > 0, said);
}

const upArguments = ["up", "--yes", "--skip-preview", "--suppress-permalink"];

/** Waits until a run has printed this often that it looks at earlier writes first, or has ended. */
async function untilSaid(run: Running, times: number): Promise<void> {
  let over = false;
  void run.ended.finally(() => (over = true));
  const waits = () =>
    new Set(run.output().match(/\w+\.example: waiting up to \d+ s for (job|\d+ records? of) .*/g) ?? []).size;
  await until(
    `the next run waits ${times} times`,
    () => over || waits() >= times,
    () => run.output(),
  );
}

/** Presses Ctrl-C, and waits until the engine has heard it. */
async function interrupt(run: Running): Promise<void> {
  signal(run.pid, "SIGINT");
  const said = () => run.output();
  await until("the engine has heard it", () => said().includes("received; cancelling"), said);
}

function holdAll(admin: Admin, gate: Gate, sent: "carried out" | "still on its way") {
  const stepOf = ({ params }: GateCall): Step | undefined =>
    allSteps.find(
      (step) =>
        params["domain"] === `${step}.example` ||
        params["records"]?.includes(`"${step}0"`) ||
        Number(params["job_id"]) === jobOf(step)?.id,
    );
  const jobOf = (step: Step) =>
    admin.jobs().find((job) => job.items.some((item) => item.domain === `${step}.example`));
  // Where a job stops is settled when it is queued.
  gate.onCall = (call) => {
    if (call.operation !== "Batch.Record.Create") return;
    const step = stepOf(call);
    admin.set({ stickAfter: step === "waiting" ? 0 : step === "half" ? size / 2 : null });
  };
  const write = gate.hold(
    sent === "carried out" ? "out" : "in",
    (call) => call.operation === "Batch.Record.Create" && stepOf(call) === "sent",
  );
  const result = gate.hold(
    "out",
    (call) => call.operation === "Batch.Detail" && stepOf(call) === "done" && jobOf("done")?.done === true,
  );
  const unread = gate.hold("in", (call) => call.operation === "Record.List" && stepOf(call) === "unread");
  const made = (step: Step) => admin.zone(`${step}.example`, { hold: false }).length;
  return {
    sent: write,
    done: result,
    unread,
    stand: () =>
      write.held() > 0 && result.held() > 0 && jobOf("waiting") !== undefined && made("half") === size / 2,
  };
}

function written(admin: Admin): string[] {
  return admin
    .calls("Batch.Record.Create")
    .map((call) => /"sub_domain":"([a-z]+)\d/.exec(call.params["records"] ?? "")?.[1] ?? "?")
    .sort();
}

function complete({ admin, stack, lines }: Story, which: readonly Step[]): void {
  const resources = stack.resources();
  for (const step of allSteps) {
    const domain = `${step}.example`;
    const expected = Array.from({ length: size }, (_, i) => `${step}${i} A 192.0.2.${i + 1} 600`).sort();
    deepEqual(lines(domain), which.includes(step) ? expected : [], step);
    const ledger = resources.find(({ urn }) => urn.endsWith(`::${step}`))?.outputs?.["__ledger"];
    for (const { id } of admin.zone(domain, { hold: false }))
      ok(String(ledger).includes(`:${id}`), `${step}: ${String(ledger)}`);
  }
  equal(resources.length, which.length);
}

describe("pulumi up that is ended", () => {
  /** The steps without a sent write. The next run sends those, and nothing else. */
  const unsent = ["queued", "unread"];
  const settles = (run: Run) =>
    says(
      run,
      /waiting\.example: waiting up to \d+ s for job \d+ of another run, making 10 records of these \(jobTimeout\)/,
      /half\.example: waiting up to \d+ s for job \d+ of another run, making 5 records of these \(jobTimeout\)/,
      "done.example: 10 to adopt",
    );

  it("by SIGKILL of the engine: its provider process sends nothing more and ends, and the next up names the unlock command", () =>
    story(
      options,
      scene("carried out", async (told) => {
        const { admin, stack, run, host, release, next } = told;
        signal(run.pid, "SIGKILL");
        await run.ended;
        admin.clearCalls();
        release("done");
        await until(
          "the host refuses to write",
          () => journalOf(stack).includes('"refused":true'),
          () => journalOf(stack),
        );
        deepEqual(written(admin), []);
        const locked = await fails(stack.up());
        says(locked, "the stack is currently locked", "`pulumi cancel`");
        await stack.must("cancel", "--yes");
        const again = await must(next());
        says(again, "5 pending operations", "interrupted while creating");
        settles(again);
        deepEqual(written(admin), unsent);
        complete(told, allSteps);
        await until("the host has ended", () => !isAlive(host.pid));
        match(journalOf(stack), /"job":/, "its answers never reached the engine: the journal stays");
        await stack.must("refresh", "--yes", "--clear-pending-creates");
        admin.clearCalls();
        const quiet = await must(stack.up());
        noStack(quiet);
        doesNotMatch(quiet.output, /pending operations|created|updated/);
        deepEqual(admin.counts(), {});
      }),
    ));

  byBothFrontEnds(
    "by one Ctrl-C: what is under way ends and is saved, and the next up makes the rest",
    options,
    scene("carried out", async (told) => {
      const { admin, stack, run, release, frontEnd } = told;
      await interrupt(run);
      release("unread", "sent", "done", "jobs");
      const ended = await fails(run.ended);
      noStack(ended);
      says(
        ended,
        frontEnd === "native"
          ? /Batch\.Record\.Create of queued\.example: not sent, because the deployment was stopped/
          : "error: update canceled",
      );
      const rest = frontEnd === "native" ? unsent : ["unread"];
      complete(
        told,
        allSteps.filter((step) => !rest.includes(step)),
      );
      admin.clearCalls();
      await must(stack.up());
      deepEqual(written(admin), rest);
      complete(told, allSteps);
    }),
  );

  it("by SIGTERM to every process: running jobs keep their numbers in the state, and the error names the next command", () =>
    story(
      options,
      scene("still on its way", async (told) => {
        const { admin, run, next } = told;
        for (const { pid } of [run, ...childrenOf(run.pid)]) signal(pid, "SIGTERM");
        const ended = await fails(run.ended);
        noStack(ended);
        says(
          ended,
          "[run.stopped]",
          "Batch.Record.Create of queued.example: not sent, because the deployment was stopped",
          "help: run `pulumi up` again",
          /half\.example: job \d+ has not ended, [^\n]* \[job\.pending\]/,
          /waiting\.example: job \d+ has not ended, [^\n]* \[job\.pending\]/,
        );
        const again = await must(next());
        says(
          again,
          /waiting\.example: waiting up to \d+ s for job \d+ of an earlier run/,
          /half\.example: waiting up to \d+ s for job \d+ of an earlier run/,
        );
        deepEqual(written(admin), ["queued", "sent", "unread"]);
        complete(told, allSteps);
      }),
    ));

  it("by two Ctrl-C: the provider names the next command within seconds, and the next up finishes the work", () =>
    story(
      options,
      scene("still on its way", async (told) => {
        const { admin, run, host, next } = told;
        await interrupt(run);
        signal(run.pid, "SIGINT");
        const ended = await fails(run.ended);
        says(ended, "[run.stopped]", "run `pulumi up` again", "pulumi refresh --yes --clear-pending-creates");
        await until("the host has ended", () => !isAlive(host.pid));
        const again = await must(next());
        settles(again);
        deepEqual(written(admin), ["queued", "sent", "unread"]);
        complete(told, allSteps);
      }),
    ));
});

function journalOf(stack: Stack): string {
  const folder = join(stack.folder, "state", "journal");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
