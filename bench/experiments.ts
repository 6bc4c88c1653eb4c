/** The experiments: each gives rows of the table, by a name that `--only` takes. docs/benchmarks.md says what they mean. */
import { availableParallelism } from "node:os";
import { expandSpecs, recordKey } from "../provider/dns";
import { planRecords } from "../provider/reconcile/plan";
import { zoneOf, type LiveEntry } from "../provider/reconcile/zones";
import { callRow, Lab, median, plainRow, type CallTarget, type Measure, type Row } from "./lab";
import { batch, idleResource, singles } from "./programs";

export interface Experiment {
  readonly name: string;
  readonly run: (say: (text: string) => void) => Promise<Row[]>;
}

const create = "Batch.Record.Create";
const list = "Record.List";
const poll = "Batch.Detail";
/** One call per domain, then kept on disk for a day (provider/reconcile/purview.ts). */
const purview = "Domain.Purview";
/** A first update of a zone. */
const oneJob = { exactly: { [list]: 1, [create]: 1, [purview]: 1 }, free: [poll] };
const noCall = { exactly: {} };
/** The engine's default `--parallel` is 4 per core. */
const parallelism = 4 * availableParallelism();
/** Without it 1,000 resources take 40 s; with it a killed run loses its state, which nobody keeps here. */
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
    const update = await lab.update();
    for (const domain of domains) lab.expectLive(domain, 25);
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
    const update = await lab.update();
    lab.expectLive("example.com", 100);
    const again = await lab.up();
    const waves = Math.ceil(100 / parallelism);
    return [
      callRow(name, "update", update, { exactly: { [list]: 1, [purview]: 1 }, free: [create, poll] }, `${waves} waves of ${parallelism} (4 per core): ${update.calls[create] ?? 0} jobs`),
      callRow(name, "up, no changes", again, noCall),
    ];
  });
}

/** The same with a wider `--parallel`: fewer waves, fewer jobs. */
async function singlesWide(): Promise<Row[]> {
  return Lab.with({ program: singles(1000), env: skipCheckpoints }, async (lab) => {
    const update = await lab.measure(() => lab.stack.up("--parallel", "100"));
    lab.expectLive("example.com", 1000);
    return [callRow("1,000 Records", "update --parallel 100", update, inWaves(update, 100), "with PULUMI_SKIP_CHECKPOINTS; 10 waves of 100")];
  });
}

/** 1,000 `Record`s in waves as wide as the engine creates at once: a job each, and a listing that is renewed every minute. */
function inWaves({ seconds }: Measure, width: number): CallTarget {
  return { exactly: { [purview]: 1 }, atMost: { [list]: 1 + Math.floor(seconds / 60), [create]: Math.ceil(1000 / width) + 1 }, free: [poll] };
}

async function singles1000(say: (text: string) => void): Promise<Row[]> {
  const name = "1,000 Records";
  return Lab.with({ program: singles(1000), env: skipCheckpoints }, async (lab) => {
    say("creating 1,000 resources, without checkpoints");
    const update = await lab.update();
    lab.expectLive("example.com", 1000);
    const again = await lab.up();
    const refresh = await lab.measure(() => lab.stack.refresh());
    return [
      callRow(name, "update", update, inWaves(update, parallelism), `with PULUMI_SKIP_CHECKPOINTS; ${Math.ceil(1000 / parallelism)} waves of ${parallelism}`),
      callRow(name, "up, no changes", again, noCall, "with PULUMI_SKIP_CHECKPOINTS"),
      callRow(name, "refresh", refresh, { exactly: { [list]: 1 } }, "with PULUMI_SKIP_CHECKPOINTS"),
    ];
  });
}

async function stateText(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [type, program] of [["Record", singles(1)], ["RecordBatch", batch(0, 1)]] as const) {
    await Lab.with({ program }, async (lab) => {
      await lab.stack.must("up", "--yes", "--skip-preview");
      const [resource] = await lab.stack.resources();
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

const rounds = 5;

async function ratio(say: (text: string) => void): Promise<Row[]> {
  const name = "RecordBatch, 10,000 records";
  const many = { settings: { maxRecordsPerJob: 1000 } };
  return Lab.with({ program: batch(0, 10_000), service: many }, (lab) =>
    Lab.with({ program: batch(0, 1) }, (one) =>
      Lab.with({ program: idleResource }, (idle) =>
      // The same stack runs both: neither program declares anything.
      Lab.with({ program: "" }, async (empty) => {
        const made = await lab.update();
        lab.expectLive("example.com", 10_000);
        await one.update();
        await idle.update();
        await empty.update();
        const ofLab: Measure[] = [];
        const ofOne: Measure[] = [];
        const ofEmpty: Measure[] = [];
        const ofImports: Measure[] = [];
        const ofIdle: Measure[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          say(`without changes, round ${round} of ${rounds}`);
          empty.emptyProgram();
          ofEmpty.push(await empty.update());
          ofLab.push(await lab.update());
          ofOne.push(await one.update());
          empty.stack.program("");
          ofImports.push(await empty.update());
          ofIdle.push(await idle.update());
        }
        lab.stack.program(batch(50, 10_050));
        const diff = await lab.measure(() => lab.stack.preview("--diff"));
        const lines = diff.output.trimEnd().split("\n").length;
        return [
          plainRow(name, "update", made),
          ...ratioRows(name, { many: ofLab, one: ofOne, idle: ofIdle, imports: ofImports, empty: ofEmpty }),
          { ...plainRow(name, "preview --diff", diff, `${lines} lines for 50 new and 50 dropped records`), target: "under 150 lines", met: lines < 150 },
        ];
      })),
    ),
  );
}

interface Rounds {
  readonly many: readonly Measure[];
  readonly one: readonly Measure[];
  /** A dynamic resource that does nothing: less than that is not possible. */
  readonly idle: readonly Measure[];
  readonly imports: readonly Measure[];
  readonly empty: readonly Measure[];
}

/** From the empty program to 10,000 records, step by step: what each step costs shows where the time goes. */
function ratioRows(name: string, { many, one, idle, imports, empty }: Rounds): Row[] {
  const secondsOf = (measures: readonly Measure[]): number[] => measures.map((measure) => measure.seconds);
  const base = median(secondsOf(empty));
  const command = "update, no changes";
  const row = (what: string, measures: readonly Measure[]): Row => {
    const seconds = median(secondsOf(measures));
    const middle = measures.find((measure) => measure.seconds === seconds);
    if (middle === undefined) throw new Error(`${what} was not measured`);
    const all = secondsOf(measures).map((s) => s.toFixed(1)).join(" ");
    return plainRow(what, command, middle, `median of ${all}; ${(seconds / base).toFixed(2)} of the empty program's`);
  };
  const ratio = median(secondsOf(many)) / base;
  return [
    row("empty program", empty),
    row("program that imports the SDK and the package", imports),
    row("a dynamic resource that does nothing", idle),
    row("RecordBatch, 1 record", one),
    {
      ...row(name, many),
      target: "at most 1.3 of the empty program's, no call",
      met: ratio <= 1.3 && many.every((measure) => Object.keys(measure.calls).length === 0),
    },
  ];
}

/** First creations of growing batches: what each thousand of records costs. */
async function growth(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1_000, 3_000, 10_000]) {
    rows.push(
      await Lab.with({ program: batch(0, count) }, async (lab) => {
        const update = await lab.update();
        lab.expectLive("example.com", count);
        const each = (update.seconds / count) * 1000;
        const target: CallTarget = { exactly: { [list]: 1, [create]: Math.ceil(count / 1000), [purview]: 1 }, free: [poll] };
        return callRow(`RecordBatch, ${count.toLocaleString("en-US")} records`, "update", update, target, `${each.toFixed(2)} s per 1,000 records, the engine's start included`);
      }),
    );
  }
  const [first, , last] = rows;
  if (first === undefined || last === undefined) return rows;
  // The start is in both: ten times the records in ten times the time and no more is linear, with a little for the machine.
  const times = (last.seconds ?? 0) / (first.seconds ?? 1);
  const grown = (last.memory?.host ?? 0) / (first.memory?.host ?? 1);
  const figures = `${times.toFixed(1)} times the seconds and ${grown.toFixed(1)} times the host's memory of 1,000`;
  rows[2] = { ...last, target: `${last.target ?? ""}; at most 11 times the seconds and memory of 1,000`, met: last.met === true && times <= 11 && grown <= 11, note: `${last.note ?? ""}; ${figures}` };
  return rows;
}

async function batch100000(say: (text: string) => void): Promise<Row[]> {
  const name = "RecordBatch, 100,000 records";
  const env = { LEGACYDNS_MAX_RECORDS_PER_JOB: "5000", LEGACYDNS_JOB_TIMEOUT: "600" };
  return Lab.with({ program: batch(0, 100_000), env }, async (lab) => {
    say("creating 100,000 records");
    const made = await lab.update();
    lab.expectLive("example.com", 100_000);
    const again = await lab.update();
    const memory = ({ memory: { program, engine } }: Measure): string =>
      `program ${mib(program)}, engine ${mib(engine)}`;
    return [
      plainRow(name, "update", made, `maxRecordsPerJob 5,000; ${memory(made)}`),
      plainRow(name, "update, no changes", again, memory(again)),
    ];
  });
}

function mib(figure: number | undefined): string {
  return figure === undefined ? "not measured" : `${Math.round(figure)} MiB`;
}

async function sideBySide(): Promise<Row[]> {
  const whole = await Lab.with({ program: batch(0, 200) }, async (lab) => {
    const update = await lab.update();
    lab.expectLive("example.com", 200);
    return update;
  });
  const single = await Lab.with({ program: singles(200) }, async (lab) => {
    const update = await lab.update();
    lab.expectLive("example.com", 200);
    return update;
  });
  const times = (single.seconds / whole.seconds).toFixed(1);
  return [
    plainRow("200 records as one RecordBatch", "update", whole),
    plainRow("200 records as 200 Records", "update", single, `${times} times the seconds of one RecordBatch`),
  ];
}

/** What the documented interface cannot do, with the undocumented operations. */
async function full(): Promise<Row[]> {
  const name = "RecordBatch, 1,000 records, undocumentedOperations";
  const [change, many, remove, info] = ["Record.Modify", "Batch.Record.Modify", "Record.Remove", "Record.Info"];
  const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" };
  const records = (ttl: number, moved: number, count = 1000): string =>
    batch(0, count).replace("ttl: 600", `ttl: ${ttl}`).replace("`10.", `\`${"$"}{i < ${moved} ? 172 : 10}.`);
  return Lab.with({ program: records(600, 0), service: { settings: { undocumented: true } }, env }, async (lab) => {
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
      callRow(name, "update, another TTL for all", ttl, { exactly: { [list]: 1, [many ?? ""]: 1 }, free: [poll] }),
      callRow(name, "update, 10 other values", values, { exactly: { [list]: 1, [change ?? ""]: 10 }, free: [info ?? ""] }),
      callRow(name, "update, 100 fewer", gone, { exactly: { [list]: 1, [remove ?? ""]: 100 } }),
      callRow(name, "up, no changes", again, noCall),
      planRow(),
    ];
  });
}

/** The plan alone, as the provider computes it: 10,000 records, of which 100 have another value. */
function planRow(): Row {
  const { records } = expandSpecs("example.com", Array.from({ length: 10_000 }, (_, i) => `h${i} 600 A 10.0.${i >> 8}.${i & 255}`), { defaultLine: "默认" });
  const entries = records.map((record, i): LiveEntry => ({ record, key: recordKey(record), id: String(i + 1), ttl: 600, enabled: true, hold: false }));
  const zones = new Map([["example.com", zoneOf({ domain: "example.com", id: "1", grade: "DP_Free", status: "enable", extStatus: "", defaultLine: undefined }, entries, 0)]]);
  const desired = records.map((record, i) => (i % 100 === 0 ? { ...record, value: record.value.replace("10.", "172.") } : record));
  const times: number[] = [];
  let changes = 0;
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    const plan = planRecords({ desired, zones, ours: new Set(entries), declaredBefore: () => false, declaredElsewhere: () => false, adopt: true, may: { change: true, remove: true, single: false } });
    times.push(performance.now() - begun);
    changes = plan.changes.length;
  }
  const ms = median(times);
  return { name: "plan of 10,000 records, 1 % changed", command: "in memory", seconds: ms / 1000, target: "under 200 ms", met: ms < 200 && changes === 100, note: `${ms.toFixed(0)} ms, median of 5; ${changes} modifications` };
}

export const experiments: readonly Experiment[] = [
  { name: "batch-1000", run: batch1000 },
  { name: "domains-40", run: domains40 },
  { name: "records-100", run: singles100 },
  { name: "records-1000", run: singles1000 },
  { name: "records-1000-wide", run: singlesWide },
  { name: "state-text", run: stateText },
  { name: "full-1000", run: full },
  { name: "ratio-10000", run: ratio },
  { name: "growth", run: growth },
  { name: "batch-100000", run: batch100000 },
  { name: "side-by-side", run: sideBySide },
];
