/** The experiments, each with rows of the table. `--only` selects them by name. */
import { number } from "../../provider/support/text";
import type { FrontEnd } from "../../test/support/stack";
import { address, batch, changed, creation, experimentsOfCases, checked } from "./cases";
import {
  inTurns,
  Lab,
  largeJobs,
  middle,
  ratioRow,
  type Experiment,
  type Measure,
  type Row,
  type Say,
} from "./lab";
import { octoDns } from "./octodns";

const thousands = (count: number): string => `RecordBatch, ${number(count)} records`;
const idle = `class Idle extends pulumi.dynamic.Resource {
  constructor() { super({ create: async () => ({ id: "1", outs: {} }) }, "idle", {}); }
}
new Idle();`;

/** A dynamic resource that does nothing but carry the text of as many records. */
const carrier = (count: number): string => `const lines = [];
for (let i = 0; i < ${count}; i++) lines.push(\`h${"$"}{i}.example.com. 600 A ${address}\`);
class Carrier extends pulumi.dynamic.Resource {
  constructor(text) { super({ create: async (outs) => ({ id: "1", outs }) }, "carrier", { text }); }
}
new Carrier(lines.join("\\n"));`;

async function withLabs<T>(
  programs: readonly string[],
  frontEnd: FrontEnd,
  work: (labs: readonly Lab[]) => Promise<T>,
  env = largeJobs,
): Promise<T> {
  const open = async (labs: readonly Lab[]): Promise<T> => {
    const program = programs[labs.length];
    if (program === undefined) return work(labs);
    return Lab.with({ program, env, frontEnd }, (lab) => open([...labs, lab]));
  };
  return open([]);
}

interface Comparison {
  readonly frontEnd: FrontEnd;
  readonly other: readonly [name: string, program: string];
  /** The program that the targets refer to, beside an empty one. */
  readonly base: "other" | "empty";
  /** Records → the most times the base. */
  readonly cases: readonly (readonly [count: number, most?: number])[];
}

/** An update without changes. */
async function unchanged({ frontEnd, other, base, cases }: Comparison, say: Say): Promise<Row[]> {
  const programs = ["", other[1], ...cases.map(([count]) => batch(count))];
  return withLabs(programs, frontEnd, async (labs) => {
    for (const [i, lab] of labs.entries()) {
      say(`creating ${cases[i - 2]?.[0] ?? 0} records`);
      await lab.update();
      lab.expectLive(cases[i - 2]?.[0] ?? 0);
    }
    say("without changes");
    const measures = await inTurns(
      5,
      labs.map((lab) => () => lab.update()),
    );
    const [ofEmpty = [], ofOther = [], ...ofBatches] = measures;
    const command = "update without changes";
    const [of, baseMeasures] = base === "other" ? ["idle", ofOther] : ["an empty program", ofEmpty];
    return [
      { subject: "empty program", command, ...middle(ofEmpty) },
      ratioRow([other[0], command], ofOther, ofEmpty, "an empty program"),
      ...ofBatches.map((own, i) => {
        const [count = 0, most] = cases[i] ?? [];
        const row = ratioRow([thousands(count), command], own, baseMeasures, of, most);
        const isQuiet = own.every(({ calls }) => Object.keys(calls).length === 0);
        return most === undefined
          ? row
          : { ...row, target: `${row.target ?? ""}, no call`, met: row.met === true && isQuiet };
      }),
    ];
  });
}

/** So that the emulator and the provider are measured, not the pace. */
const fast = { LEGACYDNS_REQUESTS_PER_SECOND: "200" };
const unchangedName = "the update without changes";

/** A refresh, a preview with 1 % changed, and an update without changes. */
const commandsOf = (lab: Lab, program: string): readonly (() => Promise<Measure>)[] => [
  () => lab.measure((stack) => stack.refresh()),
  () => {
    lab.stack.program(changed(program, 100));
    return lab.measure((stack) => stack.preview("--diff"));
  },
  () => {
    lab.stack.program(program);
    return lab.update();
  },
];

async function hundredThousand(say: Say): Promise<Row[]> {
  const [name, program] = [thousands(100_000), batch(100_000)];
  const work = async ([empty, lab]: readonly Lab[]): Promise<Row[]> => {
    if (empty === undefined || lab === undefined) throw new Error("no lab");
    const [ofEmpty = []] = await inTurns(3, [() => empty.update()]);
    say("creating 100,000 records");
    const made = await lab.update();
    lab.expectLive(100_000);
    lab.emulator.admin.addFault({ kind: "slow", ms: 20 });
    say("refresh, preview --diff of 1 % changed and update without changes, in turns");
    const [ofRefresh = [], ofPreview = [], ofUp = []] = await inTurns(3, commandsOf(lab, program));
    return [
      ratioRow([name, "update, all new"], [made], ofEmpty, "an empty program", 14.5),
      ratioRow([name, "refresh, 20 ms a call"], ofRefresh, ofUp, unchangedName, 2),
      ratioRow([name, "preview --diff, 1 % changed, 20 ms a call"], ofPreview, ofUp, unchangedName, 2),
    ];
  };
  return withLabs(["", program], "dynamic", work, { ...largeJobs, ...fast });
}

/** What the engine and the SDK take for the text alone. */
async function floor(say: Say): Promise<Row[]> {
  const [name, program] = [`carrier of ${number(100_000)} lines`, carrier(100_000)];
  return withLabs(["", idle, program], "dynamic", async ([empty, idling, lab]) => {
    if (empty === undefined || idling === undefined || lab === undefined) throw new Error("no lab");
    await idling.update();
    say("creating the carrier");
    const made = await lab.update();
    const [ofEmpty = [], ofIdle = [], ofRefresh = [], ofPreview = [], ofUp = []] = await inTurns(3, [
      () => empty.update(),
      () => idling.update(),
      ...commandsOf(lab, program),
    ]);
    return [
      ratioRow([name, "update, all new"], [made], ofEmpty, "an empty program"),
      ratioRow([name, "update without changes"], ofUp, ofIdle, "idle"),
      ratioRow([name, "refresh"], ofRefresh, ofUp, unchangedName),
      ratioRow([name, "preview --diff, 1 % changed"], ofPreview, ofUp, unchangedName),
    ];
  });
}

async function growth(say: Say): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1_000, 3_000, 10_000]) {
    say(`creating ${count} records`);
    rows.push(
      await Lab.with({ program: batch(count) }, async (lab) => {
        const measure = await lab.update();
        lab.expectLive(count);
        const calls = creation(count / 1000);
        return { subject: thousands(count), command: "update", ...measure, ...checked(measure, { calls }) };
      }),
    );
  }
  const [first, , last] = rows;
  const times = (last?.seconds ?? 0) / (first?.seconds ?? 1);
  const grown = (last?.memory?.host ?? 0) / (first?.memory?.host ?? 1);
  return rows.map((row) =>
    row !== last
      ? row
      : {
          ...row,
          target: `${row.target ?? ""}; at most 11 times the seconds and memory of 1,000`,
          met: row.met === true && times <= 11 && grown <= 11,
          note: `${times.toFixed(1)} times the seconds and ${grown.toFixed(1)} times the memory of 1,000`,
        },
  );
}

const dynamic: Comparison = {
  frontEnd: "dynamic",
  other: ["idle: a dynamic resource that does nothing", idle],
  base: "other",
  cases: [[1], [1_000], [10_000, 1.1], [100_000, 1.6]],
};
const native: Comparison = {
  frontEnd: "native",
  other: ["program that imports the SDK and the package, and declares nothing", "void pulumi;"],
  base: "empty",
  cases: [[1], [10_000, 1.25], [100_000, 2.2]],
};

export const experiments: readonly Experiment[] = [
  ...experimentsOfCases,
  { name: "growth", run: growth },
  { name: "unchanged", run: (say) => unchanged(dynamic, say) },
  { name: "native", run: (say) => unchanged(native, say) },
  { name: "batch-100000", run: hundredThousand },
  { name: "floor", run: floor },
  { name: "octodns", run: octoDns },
];
