import type { Admin, FaultSpec } from "../../emulator";
import { gather } from "../../provider/support/collections";
import type { Dice } from "./dice";
import type { Process } from "./process";
import type { Timeline } from "./time";

const chances = {
  faults: 0.45,
  jobs: 0.45,
  refusals: 0.45,
  console: 0.45,
  kills: 0.45,
  "fresh-disk": 0.2,
  second: 0.45,
  login: 0.2,
  lag: 0.45,
  secrets: 0.45,
  retain: 0.45,
  lines: 0.3,
  strict: 0.4,
  report: 0.45,
  moves: 0.3,
  targets: 0.3,
  stops: 0.3,
  echoes: 0.3,
  lies: 0.3,
  clocks: 0.3,
  eras: 0.5,
  full: 0,
  late: 0.25,
} as const;
export type Feature = keyof typeof chances;
export const features = Object.keys(chances) as Feature[];

export function chooseFeatures(
  dice: Dice,
  without: ReadonlySet<Feature> = new Set(),
  always: ReadonlySet<Feature> = new Set(),
): ReadonlySet<Feature> {
  const chosen = features.filter((feature) => dice.chance(chances[feature]) || always.has(feature));
  const on = new Set(chosen.filter((feature) => !without.has(feature)));
  // Two stacks that declare the same and adopt nothing of each other never come to rest.
  if (on.has("second")) on.delete("strict");
  return on;
}

export interface Scene {
  readonly dice: Dice;
  readonly admin: Admin;
  readonly timeline: Timeline;
  readonly domains: readonly string[];
  readonly lies: Map<string, "before" | "after">;
  has(feature: Feature): boolean;
  finishJobs(): void;
  edit(): void;
  setClock(stateDir: string): void;
}

interface Trouble {
  readonly needs: readonly Feature[];
  readonly chance?: number;
  readonly times?: readonly [least: number, most: number];
  readonly cause: (scene: Scene) => void;
}

const edits = ["Record.Modify", "Record.Remove", "Batch.Record.Modify", "Record.Info"] as const;

const troubles: readonly Trouble[] = [
  { needs: ["faults"], times: [0, 2], cause: ({ admin, dice }) => admin.addFault(someFault(dice)) },
  {
    needs: ["faults", "full"],
    times: [0, 2],
    cause: ({ admin, dice }) =>
      admin.addFault({ ...someFault(dice), operation: dice.pick(["Record.Modify", ...edits]) }),
  },
  {
    needs: ["refusals", "full"],
    chance: 0.4,
    cause: ({ admin, dice }) =>
      admin.addFault({
        kind: "code",
        code: dice.pick(["34", "31"]),
        operation: dice.pick(["Record.Modify", "Record.Remove"]),
        count: dice.between(1, 3),
      }),
  },
  {
    needs: ["jobs"],
    cause: ({ admin, dice, timeline, finishJobs }) => {
      const slow = dice.chance(0.5);
      admin.set({
        jobStartMs: slow ? dice.between(20, 40_000) : 20,
        jobMs: slow ? dice.between(2, 15_000) : 2,
        stickAfter: dice.chance(0.6) ? dice.between(0, 2) : null,
      });
      timeline.in(dice.between(1_000, 400_000), finishJobs);
    },
  },
  {
    needs: ["refusals"],
    chance: 0.5,
    cause: ({ admin, dice, has }) => {
      const message = `Refused for the test${has("echoes") ? ": {sent}" : ""}`;
      admin.set({ refuse: [{ name: dice.pick(["www", "api", "@"]), message }] });
    },
  },
  {
    needs: ["refusals"],
    chance: 0.25,
    cause: ({ admin, dice, timeline, domains }) => {
      const domain = dice.pick(domains);
      timeline.in(dice.between(0, 2_000), () => admin.setDomain(domain, { status: "lock" }));
      timeline.in(dice.between(3_000, 60_000), () => admin.setDomain(domain, { status: "enable" }));
    },
  },
  {
    needs: ["echoes"],
    chance: 0.4,
    cause: ({ admin, dice }) => {
      const code = dice.pick(["-99", "34", "21"]);
      const when = code === "-99" ? dice.pick(["before", "after"] as const) : "before";
      const operation = "Batch.Record.Create";
      admin.addFault({ kind: "code", code, message: "wrong: {sent}", operation, when, count: 1 });
    },
  },
  { needs: ["lies"], times: [0, 3], cause: (scene) => scene.admin.addFault(someLie(scene)) },
  {
    needs: ["login"],
    chance: 0.3,
    cause: ({ admin, dice }) =>
      admin.addFault({
        kind: "code",
        code: dice.pick(["-1", "10001", "83"]),
        skip: dice.between(0, 6),
        count: dice.between(1, 2),
      }),
  },
];

export function disturb(scene: Scene): void {
  const { admin, dice } = scene;
  admin.set({ refuse: [] });
  for (const { needs, chance = 1, times: [least, most] = [1, 1], cause } of troubles)
    if (needs.every((feature) => scene.has(feature)))
      for (let i = dice.between(least, most); i > 0; i -= 1) if (dice.chance(chance)) cause(scene);
}

interface Upset {
  readonly needs: Feature;
  readonly chance: number;
  readonly within: readonly number[];
  readonly ofPreviews: boolean;
  readonly cause: (scene: Scene, process: Process) => void;
}

const upsets: readonly Upset[] = [
  {
    needs: "stops",
    chance: 0.3,
    within: [300, 1_000, 10_000, 100_000],
    ofPreviews: false,
    cause: (_scene, process) => process.upset("terminate"),
  },
  {
    needs: "clocks",
    chance: 0.5,
    within: [300, 5_000, 100_000],
    ofPreviews: true,
    cause: ({ setClock }, { settings }) => setClock(settings.stateDir),
  },
  {
    needs: "console",
    chance: 0.3,
    within: [500, 5_000, 60_000],
    ofPreviews: true,
    cause: ({ edit }) => edit(),
  },
  {
    needs: "kills",
    chance: 0.4,
    within: [300, 1_000, 10_000, 100_000],
    ofPreviews: false,
    cause: ({ dice }, process) =>
      process.upset(dice.pick(["killHost", "killEngine", "killBoth", "interrupt"] as const)),
  },
];

export function upset(scene: Scene, process: Process, isPreview: boolean): void {
  const { dice, timeline } = scene;
  for (const { needs, chance, within, ofPreviews, cause } of upsets)
    if (scene.has(needs) && (ofPreviews || !isPreview) && dice.chance(chance))
      timeline.in(dice.between(0, dice.pick(within)), () => cause(scene, process));
}

const senseless = ["2", "3", "8", "10", "9", "-3", "-4", "0", "99", "4711", "one"];

function someLie({ dice, has, lies }: Scene): FaultSpec {
  const writes = has("full") ? ["Record.Remove", ...edits] : [];
  const operation = dice.pick(["Batch.Record.Create", "Batch.Record.Create", "Batch.Detail", ...writes]);
  const code = dice.pick(senseless.filter((each) => each !== "9" || operation.startsWith("Batch")));
  const when = gather(lies, `${operation} ${code}`, dice.pick(["before", "after", "after"] as const));
  return { kind: "code", operation, code, when, count: dice.between(1, 2), skip: dice.between(0, 2) };
}

function someFault(dice: Dice): FaultSpec {
  const common = {
    operation: dice.pick(["*", "*", "Batch.Record.Create", "Record.List", "Batch.Detail"]),
    when: dice.pick(["before", "after"] as const),
    count: dice.between(1, 6),
    skip: dice.between(0, 3),
    probability: dice.pick([1, 0.5, 0.2]),
  };
  const refused = { ...common, when: "before" } as const;
  const wait = dice.chance(0.5) ? { retryAfter: dice.between(1, 40) } : {};
  return dice.pick<FaultSpec>([
    { ...refused, kind: "refused" },
    { ...common, kind: "dropped" },
    { ...common, kind: "dropped" },
    { ...common, kind: "http", status: dice.pick([500, 502, 503, 504]) },
    { ...refused, kind: "http", status: 429, ...wait },
    // The code for the limit of calls is a refusal. The other codes prove nothing.
    dice.chance(0.5)
      ? { ...refused, kind: "code", code: "-2" }
      : { ...common, kind: "code", code: dice.pick(["-99", "3"]) },
    { ...common, kind: "garbage", form: dice.pick(["truncated", "html", "empty"]) },
    { ...common, kind: "slow", ms: dice.pick([200, 3_000, 29_000, 45_000]) },
  ]);
}
