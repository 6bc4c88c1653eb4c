/** Many zones: 1,000 domains of 25 records each, as one resource, as 1,000, and in ten stacks. */
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withTemporaryFolder } from "../cli/files";
import { ensureEngine, engineEnvironment } from "../scripts/engine/index";
import { settingsOf, startService } from "../test/support/service";
import { callRow, Lab, type Experiment, type Measure, type Row } from "./lab";
import { batch, manyDomains as domains, perDomain, zones } from "./programs";

/** Requests a second: five times the default, so that a run ends in a minute; seconds scale with it. */
const pace = 50;
const latencyMs = 20;
const env = { LEGACYDNS_REQUESTS_PER_SECOND: String(pace), PULUMI_SKIP_CHECKPOINTS: "true" };
const [list, create, purview, poll] = [
  "Record.List",
  "Batch.Record.Create",
  "Domain.Purview",
  "Batch.Detail",
] as const;

async function through(name: string, program: string, say: (text: string) => void): Promise<Row[]> {
  return Lab.with({ program, service: { domains }, env }, async (lab) => {
    lab.emulator.admin.addFault({ kind: "slow", ms: latencyMs });
    say("first update");
    const update = await lab.create(perDomain, domains);
    say("without changes");
    const again = await lab.update();
    say("refresh");
    const refresh = await lab.measure(() => lab.stack.refresh());
    // The time of the calls at this pace, plus an update without changes.
    const bound = (domains.length / pace + again.seconds) * 1.2;
    const row = callRow(name, "refresh", refresh, { exactly: { [list]: domains.length } }, paceNote(refresh));
    return [
      callRow(
        name,
        "update, all new",
        update,
        { exactly: { [purview]: domains.length, [list]: domains.length }, free: [create, poll] },
        paceNote(update),
      ),
      callRow(name, "update, no changes", again, { exactly: {} }),
      {
        ...row,
        target: `${row.target ?? ""}, in ${bound.toFixed(0)} s (the pace and the run itself, and a fifth)`,
        met: row.met === true && refresh.seconds <= bound,
      },
    ];
  });
}

function paceNote({ calls, seconds }: Measure): string {
  const all = Object.values(calls).reduce((sum, n) => sum + n, 0);
  return `${all} calls, ${(all / seconds).toFixed(0)} a second of ${pace} allowed`;
}

/** Ten stacks of 100 zones each, one after the other, as one runner deploys its shards (shards.ts). */
async function shards(say: (text: string) => void): Promise<Row[]> {
  const emulator = await startService({ domains, settings: { jobStartMs: 0, jobMs: 0 } });
  emulator.admin.addFault({ kind: "slow", ms: latencyMs });
  try {
    return await withTemporaryFolder("shards-", async (folder) => {
      const engine = await ensureEngine({ say: () => undefined });
      const environment = {
        ...engineEnvironment(engine, { home: join(folder, "home"), backend: join(folder, "backend") }),
        ...settingsOf(emulator),
        ...env,
        LEGACYDNS_STATE_DIR: join(folder, "state"),
      };
      const transpiler = join(__dirname, "../scripts/support/typescript.cjs");
      const shard = ["-r", transpiler, join(__dirname, "shards.ts")];
      const rows: Row[] = [];
      for (const [command, method] of [
        ["update, all new", "up"],
        ["update, no changes", "up"],
        ["refresh", "refresh"],
      ] as const) {
        say(command);
        emulator.admin.clearCalls();
        const begun = performance.now();
        await promisify(execFile)(process.execPath, [...shard, method], { env: environment });
        const seconds = (performance.now() - begun) / 1000;
        const name = "1,000 domains x 25, ten stacks of 100 Zones (Automation API)";
        rows.push({ name, command, calls: emulator.admin.counts(), seconds });
      }
      return rows;
    });
  } finally {
    await emulator.close();
  }
}

export const scales: readonly Experiment[] = [
  {
    name: "domains-1000",
    run: (say) => through("1,000 domains x 25, one RecordBatch", batch(0, perDomain, domains), say),
  },
  { name: "zones-1000", run: (say) => through("1,000 domains x 25, 1,000 Zones", zones(domains), say) },
  { name: "stacks-10", run: shards },
];
