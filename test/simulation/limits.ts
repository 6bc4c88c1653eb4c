/** How many calls a run without faults needs at most (tools/simulate/README.md). */
import { endSeenAt, type Call } from "./facts";
import type { Observer } from "./observer";
import type { Process } from "./process";
import { declaredIn } from "./program";

export function limitsOf(
  world: Observer,
  process: Process,
  resources: number,
): (readonly [operation: string, most: number])[] {
  const { begun, program } = world.run(process);
  const seconds = (world.now - begun) / 1000;
  const zones = world.watched.domains.length;
  const records = program.flatMap(declaredIn).length;
  const own = world.writesOf(process);
  const jobs = own.filter(({ job }) => job !== undefined);
  const isRefused = own.some((call) => !call.wasAnswered || world.zones.hasRefused(call));
  const open = openWrites(world, process).length;
  const always = [
    ["Record.List", zones * (3 + 2 * resources + 12 * open + seconds / 30)],
    ["Batch.Record.Create", 2 * records],
    ["Batch.Detail", (jobs.length + open + records) * (resources + 1) * (14 + seconds / 4)],
    ["Domain.Purview", zones * (isRefused ? 2 : 1)],
  ] as const;
  if (open > 0 || process.settings.indexDelay > 0) return [...always];
  return [
    ...always,
    // Each zone is listed once, again each minute and again after a refusal.
    ["Record.List", zones * (1 + seconds / 60 + resources)],
    ["Batch.Detail", jobs.length * (12 + seconds / 5)],
    ["Record.Info", 0],
  ];
}

/** Lost answers, jobs whose end no saved run of the stack could see, and writes that a listing need not show. */
function openWrites(world: Observer, process: Process): Call[] {
  const { begun } = world.run(process);
  const { indexDelay, jobTimeout, stateDir } = process.settings;
  const isFirst = world.processesOf(process.stack).length === 1;
  const last = world.lastSaved.get(process.stack);
  // A resource of that run may have ended before the run saw the end of an earlier run's job.
  const savedAt = (sender: Process): number => {
    if (isFirst || last === undefined) return isFirst ? begun : 0;
    return last.process === sender ? last.at : world.run(last.process).begun;
  };
  return world.writes.filter((write) => {
    const { process: other, job, sentAt, wasAnswered } = write;
    if (other === process) return !wasAnswered;
    const isOwn = other.stack === process.stack;
    if (!isOwn && other.settings.stateDir !== stateDir) return false;
    const endedAt = endSeenAt(write, ({ stack }) => !isOwn || stack === process.stack);
    const isDone =
      job === undefined ? wasAnswered : endedAt <= savedAt(other) && !world.hasMissed(write, last?.process);
    // A clock that was set back makes it look younger.
    const age = begun - sentAt - world.machines.setBack(stateDir, sentAt, world.now);
    return other.wasKilled || !isDone || age < (jobTimeout + 2 * indexDelay) * 1000;
  });
}
