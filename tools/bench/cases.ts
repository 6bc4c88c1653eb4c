/** Zones and commands, each with the calls that it may make. */
import { availableParallelism } from "node:os";
import type { Run, Stack } from "../../test/support/stack";
import { Lab, largeJobs, type Experiment, type LabOptions, type Measure, type Row, type Say } from "./lab";

/** The i-th address of 10.0.0.0/8, and the same as an expression of a program. */
export const addressOf = (i: number): string => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
export const address = "10.${i >> 16}.${(i >> 8) & 255}.${i & 255}";
const records = (count: number): string => `const records = [];
for (let i = 0; i < ${count}; i++) records.push({ name: "h" + i, type: "A", value: \`${address}\`, ttl: 600 });
`;

/** A RecordBatch of A records with different names and values, in every domain. */
export function batch(count: number, domains: readonly string[] = ["example.com"]): string {
  return `${records(count)}new dns.RecordBatch("zone", { domains: ${JSON.stringify(domains)}, records });`;
}

function singles(count: number): string {
  return `${records(count)}for (const each of records) new dns.Record(each.name, { domain: "example.com", ...each });`;
}

function zones(count: number, domains: readonly string[]): string {
  return `${records(count)}for (const domain of ${JSON.stringify(domains)}) new dns.Zone(domain, { domain, records });`;
}

/** The same program with another address for one record in `every`. */
export function changed(program: string, every: number): string {
  return program.replace("10.", `${"$"}{i % ${every} === 0 ? 172 : 10}.`);
}

/** Operation → its number of calls. Operations that are missing must not be called. */
type Calls = Readonly<Record<string, number | { readonly most: number } | "any">>;
interface Step {
  readonly command: string;
  /** Default: `up --skip-preview`. */
  readonly run?: (stack: Stack) => Promise<Run>;
  /** The program from this step on. */
  readonly program?: string;
  readonly calls: Calls | ((measure: Measure) => Calls);
}
interface Case extends LabOptions {
  readonly experiment: string;
  readonly subject: string;
  readonly domains?: readonly string[];
  /** The records of each domain in the end. */
  readonly live: number;
  /** Milliseconds per call. */
  readonly slow?: number;
  readonly steps: readonly Step[];
}

const whole = (stack: Stack): Promise<Run> => stack.upWithPreview();
const [list, create, poll] = ["Record.List", "Batch.Record.Create", "Batch.Detail"] as const;
/** One call per domain, then kept on disk for a day. */
const purview = "Domain.Purview";
export const creation = (jobs: number, domains = 1): Calls => ({
  [list]: domains,
  [purview]: domains,
  [create]: jobs,
  [poll]: "any",
});
const again: Step = { command: "up without changes", run: whole, calls: {} };
const unchanged: Step = { command: "update without changes", calls: {} };
const refresh = (domains = 1): Step => ({
  command: "refresh",
  run: (stack) => stack.refresh(),
  calls: { [list]: domains },
});

/** Waves as wide as the engine creates at once: a job each, and a listing that is renewed every minute. */
const inWaves =
  (width: number) =>
  ({ seconds }: Measure): Calls => ({
    ...creation(0),
    [list]: { most: 1 + Math.floor(seconds / 60) },
    [create]: { most: Math.ceil(1000 / width) + 1 },
  });
/** 1,000 resources take 40 s with checkpoints. */
const skipCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "true" };

const thousandRecords = {
  experiment: "records-1000",
  subject: "1,000 Records",
  program: singles(1000),
  env: skipCheckpoints,
  live: 1000,
};

const fullMode = batch(1000).replace("600", "300");
const fortyDomains = Array.from({ length: 40 }, (_, i) => `zone${i}.example`);
const manyDomains = Array.from({ length: 1000 }, (_, i) => `zone${i}.example`);
/** 50 requests a second are five times the default, so that a run ends in a minute. */
const many = {
  live: 25,
  domains: manyDomains,
  slow: 20,
  env: { LEGACYDNS_REQUESTS_PER_SECOND: "50", ...skipCheckpoints },
  steps: [
    { command: "update", calls: { ...creation(0, 1000), [create]: "any" } },
    unchanged,
    refresh(1000),
  ] as const,
};

const cases: readonly Case[] = [
  {
    experiment: "batch-1000",
    subject: "RecordBatch, 1,000 records",
    program: batch(1000),
    live: 1000,
    steps: [{ command: "up", run: whole, calls: { ...creation(1), [list]: 2 } }, again, refresh()],
  },
  {
    experiment: "domains-40",
    subject: "RecordBatch, 25 records x 40 domains",
    program: batch(25, fortyDomains),
    domains: fortyDomains,
    live: 25,
    steps: [{ command: "update", calls: { ...creation(1, 40), [list]: "any" } }, again],
  },
  {
    ...thousandRecords,
    // The engine's default is 4 per core.
    steps: [{ command: "update", calls: inWaves(4 * availableParallelism()) }, again, refresh()],
  },
  {
    ...thousandRecords,
    steps: [
      {
        command: "update --parallel 100",
        run: (stack) => stack.up("--parallel", "100"),
        calls: inWaves(100),
      },
    ],
  },
  {
    experiment: "full-1000",
    subject: "RecordBatch, 1,000 records, full mode",
    program: batch(1000),
    service: { settings: { undocumented: true } },
    env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
    live: 900,
    steps: [
      { command: "update", calls: creation(1) },
      {
        command: "update, another TTL for all",
        program: fullMode,
        calls: { [list]: 1, "Batch.Record.Modify": 1, [poll]: "any" },
      },
      {
        command: "update, 10 other values",
        program: changed(fullMode, 100),
        calls: { [list]: 1, "Record.Modify": 10, "Record.Info": "any" },
      },
      {
        command: "update, 100 fewer",
        program: changed(fullMode.replace("1000", "900"), 100),
        calls: { [list]: 1, "Record.Remove": 100 },
      },
      again,
    ],
  },
  {
    experiment: "batch-1000000",
    subject: "RecordBatch, 1,000,000 records",
    program: batch(1_000_000),
    env: largeJobs,
    live: 1_000_000,
    steps: [{ command: "update", calls: { ...creation(0), [create]: "any" } }, unchanged],
  },
  {
    ...many,
    experiment: "domains-1000",
    subject: "1,000 domains x 25, one RecordBatch",
    program: batch(25, manyDomains),
  },
  {
    ...many,
    experiment: "zones-1000",
    subject: "1,000 domains x 25, 1,000 Zones",
    program: zones(25, manyDomains),
  },
];

export function checked(measure: Measure, step: Pick<Step, "calls">): Pick<Row, "target" | "met"> {
  const calls = typeof step.calls === "function" ? step.calls(measure) : step.calls;
  const operations = new Set([...Object.keys(calls), ...Object.keys(measure.calls)]);
  const met = [...operations].every((operation) => {
    const [made = 0, bound = 0] = [measure.calls[operation], calls[operation]];
    if (bound === "any") return true;
    return typeof bound === "number" ? made === bound : made <= bound.most;
  });
  const words = Object.entries(calls).map(([operation, bound]) =>
    typeof bound === "object" ? `at most ${bound.most} ${operation}` : `${bound} ${operation}`,
  );
  return { target: words.join(", ") || "no call", met };
}

function runCase(
  { experiment: _, subject, domains = ["example.com"], live, slow, steps, ...options }: Case,
  say: Say,
): Promise<Row[]> {
  const service = { ...options.service, domains: [...domains] };
  return Lab.with({ ...options, service }, async (lab) => {
    if (slow !== undefined) lab.emulator.admin.addFault({ kind: "slow", ms: slow });
    const rows: Row[] = [];
    for (const step of steps) {
      const { command, program, run = (stack) => stack.up() } = step;
      say(`${subject}: ${command}`);
      if (program !== undefined) lab.stack.program(program);
      const measure = await lab.measure(run);
      rows.push({ subject, command, ...measure, ...checked(measure, step) });
    }
    for (const domain of domains) lab.expectLive(live, domain);
    return rows;
  });
}

export const experimentsOfCases: readonly Experiment[] = [
  ...new Set(cases.map(({ experiment }) => experiment)),
].map((name) => ({
  name,
  run: async (say) => {
    const rows: Row[][] = [];
    for (const each of cases) if (each.experiment === name) rows.push(await runCase(each, say));
    return rows.flat();
  },
}));
