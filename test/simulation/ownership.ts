/** Whose records they are: by id, from the world. */
import { isShown, type Version, type ZoneRecord } from "./facts";
import type { Question } from "./edits";
import type { Observer } from "./observer";
import type { Process } from "./process";
import { isCleaned, secretMark } from "./program";

/** The stack created it, or owned it by its id after an adoption that its program allowed. */
export function isOwn(world: Observer, record: ZoneRecord, process: Process): boolean {
  const { adopted, owned } = world.run(process);
  if (record.creator === process.stack || adopted.has(record.id)) return true;
  return owned.has(record.id) && mayOwn(world, record, process.stack);
}

export function mayOwn(world: Observer, record: ZoneRecord, stack: string): boolean {
  // The law own-only has judged a write to it.
  const wasWritten = record.lastWriteOf(stack) !== undefined;
  return wasWritten || world.adopted.get(stack)?.has(record.id) === true || isCreated(world, record, stack);
}

/** Its program names the record for deletion: `undeclared: "remove"`, in an up that has refreshed. */
export function isNamedToGo(world: Observer, process: Process, domain: string, what: string): boolean {
  const { kind, program } = world.run(process);
  if (kind !== "up --refresh") return false;
  if (isCleaned(program, domain, what)) return true;
  return isCleaned(world.knownProgram(process), domain, what) && world.excused("declared later");
}

export function isCreated(world: Observer, { creator, versions }: ZoneRecord, stack: string): boolean {
  if (creator === stack) return true;
  const was = new Set(versions.map(({ identity: what }) => what));
  const since = versions[0]?.at ?? 0;
  const open = world.writes.filter(
    ({ creates, endSeenAt }) => endSeenAt > since && creates.some((what) => was.has(what)),
  );
  if (open.some(({ process }) => process.stack === stack)) return world.excused("equal to a lost write");
  const makers = [...open, versions[0]?.by].flatMap((call) => call?.process ?? []);
  const hasWaited = world
    .processesOf(stack)
    .some((each) => makers.some((maker) => world.sharesJournal(each, maker)));
  return hasWaited && world.excused("job of another run");
}

/** The last time that a call took this identity from a record. */
export function removalOf(world: Observer, what: string): Version | undefined {
  const all = [...world.records.values()].flatMap(({ versions }) =>
    versions.filter((each, i) => each.by && each.identity !== what && versions[i - 1]?.identity === what),
  );
  return all.sort((a, b) => a.at - b.at).at(-1);
}

/** A run on another disk created a secret record, and was killed. */
export function hasLostSecret(world: Observer, process: Process): boolean {
  return world.live().some(({ origin: { by, identity: what } }) => {
    return (
      by?.process.wasKilled === true &&
      what?.includes(secretMark) &&
      !world.sharesJournal(process, by.process)
    );
  });
}

/** A person changed a record of this name, and the process's last listing does not show the result. */
export function hasUnseenEdit(world: Observer, process: Process, { domain, name }: Question): boolean {
  const host = name === "@" ? domain : `${name}.${domain}`;
  const isAt = ({ identity: what = "" }: Version) => what.startsWith(`${host} `);
  return [...world.records.values()].some(({ versions }) =>
    versions.some(
      (each, i) =>
        each.by === undefined &&
        each.at > world.run(process).begun - process.settings.indexDelay * 1000 &&
        (isAt(each) || versions.slice(0, i).some(isAt)) &&
        !isShown(each, world.run(process).last.get(domain)),
    ),
  );
}
