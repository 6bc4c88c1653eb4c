/** The experiments, each with rows of the table. `--only` selects them by name. */
import { availableParallelism } from "node:os";
import { expandSpecs, recordKey, type DeclaredRecord } from "../provider/dns";
import { planRecords } from "../provider/reconcile/plan/plan";
import { zoneOf, type LiveEntry } from "../provider/reconcile/zones/zone";
import { costs } from "./cost";
import { callRow, Lab, median, type CallTarget, type Experiment, type Measure, type Row } from "./lab";
import { natives } from "./native";
import { batch, singles } from "./programs";
import { scales } from "./scale";

const create = "Batch.Record.Create";
const list = "Record.List";
const poll = "Batch.Detail";
/** One call per domain, then kept on disk for a day (provider/api/purview.ts). */
const purview = "Domain.Purview";
const oneJob = { exactly: { [list]: 1, [create]: 1, [purview]: 1 }, free: [poll] };
const noCall = { exactly: {} };
/** The engine's default `--parallel` is 4 per core. */
const parallelism = 4 * availableParallelism();
/** 1,000 resources take 40 s with checkpoints. A killed run loses its state, which is not needed here. */
const skipCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "true" };

async function batch1000(): Promise<Row[]> {
  const name = "RecordBatch, 1,000 records";
  const rows = await Lab.with({ program: batch(0, 1000) }, async (lab) => {
    const up = await lab.up();
    lab.expectLive("example.com", 1000);
    const again = await lab.up();
    const refresh = await lab.measure(() => lab.stack.refresh());
    return [
      callRow(name, "up", up, { exactly: { [list]: 2, [create]: 1, [purview]: 1 }, free: [poll] }),
      callRow(name, "up, no changes", again, noCall),
      callRow(name, "refresh", refresh, { exactly: { [list]: 1 } }),
    ];
  });
  const update = await Lab.with({ program: batch(0, 1000) }, (lab) => lab.update());
  return [...rows.slice(0, 1), callRow(name, "update", update, oneJob), ...rows.slice(1)];
}

async function domains40(): Promise<Row[]> {
  const name = "RecordBatch, 25 records x 40 domains";
  const domains = Array.from({ length: 40 }, (_, i) => `zone${i}.example`);
  return Lab.with({ program: batch(0, 25, domains), service: { domains } }, async (lab) => {
    const update = await lab.create(25, domains);
    const again = await lab.up();
    return [
      callRow(name, "update", update, { exactly: { [create]: 1, [purview]: 40 }, free: [list, poll] }),
      callRow(name, "up, no changes", again, noCall),
    ];
  });
}

async function singles100(): Promise<Row[]> {
  const name = "100 Records";
  return Lab.with({ program: singles(100) }, async (lab) => {
    const update = await lab.create(100);
    const again = await lab.up();
    const waves = Math.ceil(100 / parallelism);
    return [
      callRow(
        name,
        "update",
        update,
        { exactly: { [list]: 1, [purview]: 1 }, free: [create, poll] },
        `${waves} waves of ${parallelism} (4 per core): ${update.calls[create] ?? 0} jobs`,
      ),
      callRow(name, "up, no changes", again, noCall),
    ];
  });
}

async function singlesWide(): Promise<Row[]> {
  return Lab.with({ program: singles(1000), env: skipCheckpoints }, async (lab) => {
    const update = await lab.measure(() => lab.stack.up("--parallel", "100"));
    lab.expectLive("example.com", 1000);
    return [
      callRow(
        "1,000 Records",
        "update --parallel 100",
        update,
        inWaves(update, 100),
        "with PULUMI_SKIP_CHECKPOINTS; 10 waves of 100",
      ),
    ];
  });
}

/** 1,000 `Record`s in waves as wide as the engine creates at once: a job each, and a listing that is renewed every minute. */
function inWaves({ seconds }: Measure, width: number): CallTarget {
  return {
    exactly: { [purview]: 1 },
    atMost: { [list]: 1 + Math.floor(seconds / 60), [create]: Math.ceil(1000 / width) + 1 },
    free: [poll],
  };
}

async function singles1000(say: (text: string) => void): Promise<Row[]> {
  const name = "1,000 Records";
  return Lab.with({ program: singles(1000), env: skipCheckpoints }, async (lab) => {
    say("creating 1,000 resources, without checkpoints");
    const update = await lab.create(1000);
    const again = await lab.up();
    const refresh = await lab.measure(() => lab.stack.refresh());
    return [
      callRow(
        name,
        "update",
        update,
        inWaves(update, parallelism),
        `with PULUMI_SKIP_CHECKPOINTS; ${Math.ceil(1000 / parallelism)} waves of ${parallelism}`,
      ),
      callRow(name, "up, no changes", again, noCall, "with PULUMI_SKIP_CHECKPOINTS"),
      callRow(name, "refresh", refresh, { exactly: { [list]: 1 } }, "with PULUMI_SKIP_CHECKPOINTS"),
    ];
  });
}

async function stateText(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [type, program] of [
    ["Record", singles(1)],
    ["RecordBatch", batch(0, 1)],
  ] as const) {
    await Lab.with({ program }, async (lab) => {
      await lab.stack.must("up", "--yes", "--skip-preview");
      const [resource] = lab.stack.resources();
      const bytes = (props: Readonly<Record<string, unknown>> | undefined): number => {
        const text = props?.["__provider"];
        return typeof text === "string" ? Buffer.byteLength(text) : 0;
      };
      const once = bytes(resource?.inputs) || bytes(resource?.outputs);
      const total = bytes(resource?.inputs) + bytes(resource?.outputs);
      if (once === 0) throw new Error(`the state of a ${type} holds no provider text`);
      rows.push({
        name: `provider text of a ${type}`,
        command: "stack export",
        target: "at most 200 bytes",
        met: once <= 200,
        note: `${once} bytes; inputs and outputs together ${total}`,
      });
    });
  }
  return rows;
}

async function growth(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1_000, 3_000, 10_000]) {
    rows.push(
      await Lab.with({ program: batch(0, count) }, async (lab) => {
        const update = await lab.create(count);
        const each = (update.seconds / count) * 1000;
        const target: CallTarget = {
          exactly: { [list]: 1, [create]: Math.ceil(count / 1000), [purview]: 1 },
          free: [poll],
        };
        return callRow(
          `RecordBatch, ${count.toLocaleString("en-US")} records`,
          "update",
          update,
          target,
          `${each.toFixed(2)} s per 1,000 records, the engine's start included`,
        );
      }),
    );
  }
  const [first, , last] = rows;
  if (first === undefined || last === undefined) return rows;
  // The start is in both: ten times the records in ten times the time and no more is linear, with a little for the machine.
  const times = (last.seconds ?? 0) / (first.seconds ?? 1);
  const grown = (last.memory?.host ?? 0) / (first.memory?.host ?? 1);
  const figures = `${times.toFixed(1)} times the seconds and ${grown.toFixed(1)} times the host's memory of 1,000`;
  rows[2] = {
    ...last,
    target: `${last.target ?? ""}; at most 11 times the seconds and memory of 1,000`,
    met: last.met === true && times <= 11 && grown <= 11,
    note: `${last.note ?? ""}; ${figures}`,
  };
  return rows;
}

async function full(): Promise<Row[]> {
  const name = "RecordBatch, 1,000 records, undocumentedOperations";
  const [change, many, remove, info] = [
    "Record.Modify",
    "Batch.Record.Modify",
    "Record.Remove",
    "Record.Info",
  ] as const;
  const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" };
  const records = (ttl: number, moved: number, count = 1000): string =>
    batch(0, count).replace("ttl: 600", `ttl: ${ttl}`).replace("`10.", `\`${"$"}{i < ${moved} ? 172 : 10}.`);
  return Lab.with(
    { program: records(600, 0), service: { settings: { undocumented: true } }, env },
    async (lab) => {
      await lab.update();
      const step = async (program: string): Promise<Measure> => {
        lab.stack.program(program);
        return lab.update();
      };
      const ttl = await step(records(300, 0));
      const values = await step(records(300, 10));
      const gone = await step(records(300, 10, 900));
      lab.expectLive("example.com", 900);
      const again = await lab.up();
      return [
        callRow(name, "update, another TTL for all", ttl, {
          exactly: { [list]: 1, [many]: 1 },
          free: [poll],
        }),
        callRow(name, "update, 10 other values", values, {
          exactly: { [list]: 1, [change]: 10 },
          free: [info],
        }),
        callRow(name, "update, 100 fewer", gone, { exactly: { [list]: 1, [remove]: 100 } }),
        callRow(name, "up, no changes", again, noCall),
        planRow(),
      ];
    },
  );
}

function liveZone(records: readonly DeclaredRecord[]) {
  const entries = records.map((record, i): LiveEntry => ({
    domain: record.domain,
    record,
    key: recordKey(record),
    id: String(i + 1),
    ttl: 600,
    enabled: true,
    hold: false,
  }));
  const domain = "example.com";
  const head = { domain, id: "1", grade: "DP_Free", status: "enable", extStatus: "", defaultLine: undefined };
  return { entries, zones: new Map([[domain, zoneOf(head, entries, 0)]]) };
}

function planRow(): Row {
  const { records } = expandSpecs(
    "example.com",
    Array.from({ length: 10_000 }, (_, i) => `h${i} 600 A 10.0.${i >> 8}.${i & 255}`),
    { defaultLine: "默认" },
  );
  const { entries, zones } = liveZone(records);
  const declared = records.map((record, i) =>
    i % 100 === 0 ? { ...record, value: record.value.replace("10.", "172.") } : record,
  );
  const times: number[] = [];
  let changes = 0;
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    const plan = planRecords({
      records: declared,
      zones,
      owned: new Set(entries),
      declaredElsewhere: () => false,
      adopt: true,
      may: { change: true, remove: true, single: false },
    });
    times.push(performance.now() - begun);
    changes = plan.changes.length;
  }
  const ms = median(times);
  return {
    name: "plan of 10,000 records, 1 % changed",
    command: "in memory",
    seconds: ms / 1000,
    target: "under 200 ms",
    met: ms < 200 && changes === 100,
    note: `${ms.toFixed(0)} ms, median of 5; ${changes} modifications`,
  };
}

export const experiments: readonly Experiment[] = [
  { name: "batch-1000", run: batch1000 },
  { name: "domains-40", run: domains40 },
  { name: "records-100", run: singles100 },
  { name: "records-1000", run: singles1000 },
  { name: "records-1000-wide", run: singlesWide },
  { name: "state-text", run: stateText },
  { name: "full-1000", run: full },
  { name: "growth", run: growth },
  ...costs,
  ...natives,
  ...scales,
];
