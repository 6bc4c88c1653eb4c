/** The second workload: sequences with a meaning, written from the users' pages alone. */
import type { Dice } from "../dice";
import type { Process } from "../process";
import { isSound, type Declared, type Pool, type Program, type Spec } from "../program";
import type { Scene } from "../troubles";
import type { Stage, Workload } from "../workload";
import { Act, Unplayable, type Sequence } from "./act";
import { a, cname, hosts, mx, txt } from "./cast";
import { giveCues, type Cue } from "./cues";
import { interrupted } from "./interrupted";
import { places } from "./names";
import { people } from "./people";
import { resources } from "./resources";

export const sequences: readonly Sequence[] = [...places, ...resources, ...interrupted, ...people];

export class Outside implements Workload {
  readonly names = hosts;
  private readonly cues: Cue[] = [];

  /** @param most how many sequences one schedule has at most */
  constructor(
    private readonly from: readonly Sequence[] = sequences,
    private readonly most = 3,
  ) {}

  first(dice: Dice, pool: Pool): Program {
    const domains = dice.chance(0.3) ? pool.domains : [dice.pick(pool.domains)];
    const specs = Array.from({ length: dice.between(1, 3) }, () => someSpec(dice, pool));
    const batch: Declared = { name: "base", type: "RecordBatch", domains, specs, ...optionsOf(dice, pool) };
    const program = [batch];
    return isSound(program) ? program : [{ ...batch, specs: [a(dice.pick(pool.names), 1)] }];
  }

  /** The last resource has another record in the place of its first one. */
  next(dice: Dice, pool: Pool, program: Program): Program {
    const last = program.at(-1);
    if (last === undefined) return this.first(dice, pool);
    const changed = { ...last, specs: [...last.specs.slice(1), someSpec(dice, pool)] };
    const next = [...program.slice(0, -1), changed];
    return isSound(next) ? next : program;
  }

  /** Only the main stack's updates get cues, so that its sequences are as they are meant. */
  upset({ timeline }: Scene, process: Process, isPreview: boolean): void {
    if (!isPreview && process.stack === "A") giveCues(process, this.cues.splice(0), timeline);
  }

  async play(stage: Stage): Promise<readonly string[]> {
    const possible = this.from.filter(({ needs = [] }) => needs.every((feature) => stage.has(feature)));
    const occurred: string[] = [];
    for (let n = stage.dice.between(1, this.most); n > 0; n -= 1) {
      const { name, play } = stage.dice.pick(possible);
      stage.observer.log("story", () => name);
      const act = new Act(stage, this.cues, `s${n}`);
      const was = await play(act).catch((error: unknown) => {
        if (error instanceof Unplayable) return false;
        throw error;
      });
      if (was) occurred.push(name);
      this.cues.splice(0);
      if (stage.dice.chance(0.7)) stage.calm();
      await act.pause();
    }
    return occurred;
  }
}

function someSpec(dice: Dice, pool: Pool): Spec {
  const name = dice.pick(pool.names);
  return dice.pick([
    a(name, dice.between(1, 4)),
    a(name, 1, 600),
    cname(name),
    txt(name, "v=spf1 -all"),
    mx(name, 1, 10),
  ]);
}

function optionsOf(dice: Dice, pool: Pool): Partial<Declared> {
  const removes = pool.has("full") && !pool.has("second") && dice.chance(0.5);
  return {
    ...(pool.has("retain") && dice.chance(0.3) && { removal: dice.pick(["verify", "retain"] as const) }),
    ...(pool.has("strict") && dice.chance(0.3) && { adopt: false }),
    ...(pool.has("report") && dice.chance(0.5) && { undeclared: removes ? "remove" : "report" }),
    ...(pool.has("report") && dice.chance(0.3) && { ignore: [`${dice.pick(pool.names)} A`, "* TXT"] }),
    ...(pool.has("report") && dice.chance(0.2) && { protect: [dice.pick(pool.names)] }),
    ...(pool.has("report") && !pool.has("second") && dice.chance(0.2) && { absent: ["* MX"] }),
  };
}
