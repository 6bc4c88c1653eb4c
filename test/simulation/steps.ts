/** The first workload: steps that know nothing of each other. Each has a random edit, random faults and a run. */
import { firstProgram, nextProgram } from "./random-program";
import { disturb, upset } from "./troubles";
import type { Kind, Stage, Workload } from "./workload";

export const steps: Workload = {
  names: ["@", "www", "api"],
  first: firstProgram,
  next: nextProgram,
  upset,
  play: async (stage) => {
    for (let step = stage.dice.between(1, 5); step > 0; step -= 1) await takeStep(stage);
    return [];
  },
};

async function takeStep(stage: Stage): Promise<void> {
  const { dice, main, other, timeline } = stage;
  if (stage.hasOperated && dice.chance(0.6)) main.program = nextProgram(dice, main.pool, main.program);
  if (other?.copies === true) other.program = main.program;
  else if (other !== undefined && dice.chance(0.3))
    other.program = nextProgram(dice, other.pool, other.program);
  if (stage.has("console") && dice.chance(0.4)) stage.edit();
  disturb(stage);
  const runs = [stage.operate(main, someKind(stage), true)];
  if (other !== undefined && dice.chance(0.6))
    runs.push(timeline.wait(dice.between(0, 3000)).then(() => stage.operate(other, someKind(stage), true)));
  await Promise.all(runs);
  if (dice.chance(0.7)) stage.calm();
  await timeline.wait(dice.chance(0.5) ? dice.between(500, 20_000) : dice.between(20_000, 600_000));
}

function someKind({ dice }: Stage): Kind {
  const thrown = dice.next();
  return thrown < 0.68 ? "up" : thrown < 0.82 ? "refresh" : thrown < 0.94 ? "up --refresh" : "destroy";
}
