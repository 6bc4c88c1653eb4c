/** Whose records they are: by id, from the world. */
import {
  endSeenAt,
  isShown,
  listed,
  type Call,
  type Change,
  type Listing,
  type Version,
  type ZoneRecord,
} from "./facts";
import type { Question } from "./edits";
import { declares, isEditedUnseen, ownerOf, type Gap } from "./knowledge";
import type { Observer } from "./observer";
import type { Process } from "./process";
import { declaredIn, isAsDeclared, isCleaned, isIn, keyOf, type Program } from "./program";

/** The stack created it, or owned it by its id after an adoption that its program allowed. */
export function isOwn(world: Observer, { record, before, after, call: { process } }: Change): boolean {
  const isGoing = after.identity !== before.identity;
  if (isGoing && !mayGo(world, process, record, before.identity ?? "")) return false;
  const { adopted, owned } = world.run(process);
  if (record.creator === process.stack || adopted.has(record.id)) return true;
  if (owned.has(record.id) && mayOwn(world, record, process.stack)) return true;
  return isCreated(world, record, process.stack);
}

/** A resource that owns the record, or declares it or declared it, may now delete it. A destroy does not run the program. */
function mayGo(world: Observer, process: Process, { id }: ZoneRecord, what: string): boolean {
  const { kind, owned, program, saved } = world.run(process);
  const present = kind === "destroy" ? [] : program;
  // A person may have given it the data of another resource's record.
  const isOwner = (one: Program[number]): boolean => owned.get(id)?.includes(keyOf(one)) === true;
  const before = [...present, ...saved].filter((one) => isOwner(one) || declares(one, what));
  const owners = before.map((one) => present.find((each) => keyOf(each) === keyOf(one)) ?? one);
  return (
    owners.length === 0 || owners.some(({ removal }) => (removal ?? process.settings.removal) === "delete")
  );
}

export function mayOwn(world: Observer, record: ZoneRecord, stack: string): boolean {
  // The law own-only has judged a write to it.
  const wasWritten = record.lastWriteOf(stack) !== undefined;
  return wasWritten || world.adopted.get(stack)?.has(record.id) === true || isCreated(world, record, stack);
}

/** Its program names the record for deletion: `absent`, or `undeclared: "remove"` in an up that has refreshed. */
export function isNamedToGo(
  world: Observer,
  process: Process,
  domain: string,
  what: string,
  until?: number,
): boolean {
  const { kind, program } = world.run(process);
  const isCleanedBy = (known: Program) => isCleaned(known, domain, what, kind === "up --refresh");
  if (!kind.startsWith("up")) return false;
  if (isCleanedBy(program)) return true;
  return isCleanedBy(world.knownProgram(process, until)) && world.excused("declared later");
}

type Write = Pick<Call, "process" | "creates" | "sentAt" | "wasNumbered" | "endSeen"> &
  Partial<Pick<Call, "job" | "seen">>;

export function isCreated(world: Observer, record: ZoneRecord, stack: string): boolean {
  if (record.creator === stack) return true;
  const all = world.processesOf(stack).filter((each) => world.run(each).kind !== "preview");
  const was = new Set(record.versions.map(({ identity: what }) => what));
  const isOfIt = ({ creates }: Write): boolean => creates.some((what) => was.has(what));
  const writes = world.writes.filter(isOfIt);
  const mistakes = (write: Write) => all.flatMap((each) => mistakenFor(world, record, write, each) ?? []);
  const own = [
    ...writes.filter(({ process }) => process.stack === stack),
    ...[...unsent(world, all), ...lostChanges(world, all)].filter(isOfIt),
  ];
  const [mistake] = own.flatMap(mistakes);
  if (mistake !== undefined) return world.excused(mistake);
  const awaited = writes.filter((write) => all.some((each) => hasAwaited(world, each, write)));
  const isOf = ({ process }: Write): boolean => record.versions[0]?.by?.process === process;
  const isOfOther = awaited.some((write) => isOf(write) || mistakes(write).length > 0);
  return isOfOther && world.excused("job of another run");
}

/** By state, journal or itself. Nobody else has changed the record, and no run has released it. */
export function knewCreated(
  world: Observer,
  { creator, id, now, versions }: ZoneRecord,
  process: Process,
): boolean {
  const [made] = versions;
  const next = versions.find(({ view }) => view?.ttl !== made?.view?.ttl);
  const owned = world.processesOf(process.stack).map((each) => world.run(each).owned.has(id));
  if (made === undefined || owned.slice(owned.indexOf(true)).includes(false)) return false;
  if (isRetained(world, made)) return false;
  const twins = made.by?.wasNumbered === true ? "equal to an open job's" : "equal to a lost write";
  if (hasTwin(world, made, process) && world.excused(twins)) return false;
  const isOther = isEditedUnseen(world, made) || hasOtherTtl(world, made, next);
  if (isOther && world.excused("edited before any look")) return false;
  const isUnchanged = creator === process.stack && now.by?.process.stack === creator;
  return isUnchanged && world.knows(process, made, { sentAt: world.now, seen: new Map() });
}

/** After a lost answer, the program had another TTL in every run that saw the record before the change to that TTL. */
function hasOtherTtl(world: Observer, { by, identity: what, view }: Version, next: Version | undefined) {
  if (by === undefined || by.wasNumbered || next?.by === undefined) return false;
  const later = world.laterOf(by.process);
  const before = later.slice(0, later.indexOf(next.by.process));
  const wants = (each: Process): boolean =>
    world
      .run(each)
      .program.flatMap(declaredIn)
      .some(({ identity, spec }) => identity === what && isAsDeclared(spec, view));
  return !before.some((each) => world.run(each).listings.length > 0 && wants(each));
}

/** The resource that made it has left the program, under `retain`. */
function isRetained(world: Observer, { by, identity = "" }: Version): boolean {
  const key = by && ownerOf(world, by.process, identity);
  const later = by === undefined ? [] : world.laterOf(by.process);
  const hasLeft = (next: Process | undefined) =>
    next !== undefined && !world.run(next).resources.has(key ?? "");
  return later.some((each, i) => world.run(each).retaining.has(key ?? "") && hasLeft(later[i + 1]));
}

/** Somebody else's equal record was live before the stack could know which of the two is its own. */
function hasTwin(world: Observer, made: Version, { stack }: Process): boolean {
  const { by, identity: what, record } = made;
  const savers = world
    .processesOf(stack)
    .filter((each) => !each.wasKilled && world.run(each).kind !== "preview");
  const listings = savers.flatMap((each) => world.run(each).listings);
  const shown = listings.flatMap(({ at, shown: records }) => (records.has(record.id) ? [at] : []));
  const ended = by === undefined ? Infinity : endSeenAt(by, (each) => each.stack === stack);
  const owners = world.processesOf(stack).filter((each) => world.run(each).owned.has(record.id));
  const knownAt = Math.min(ended, ...shown, ...owners.map((each) => world.run(each).begun));
  const others = [...world.records.values()].filter((each) => each.creator !== record.creator);
  const wasLive = ({ at, identity: is }: Version, until = Infinity): boolean =>
    is === what && at <= knownAt && until >= (by?.sentAt ?? 0);
  return others.some(({ versions }) => versions.some((each, i) => wasLive(each, versions[i + 1]?.at)));
}

/** The journal of a killed process may name records that the process was about to create. */
function unsent(world: Observer, processes: readonly Process[]): Write[] {
  return processes.flatMap((process) => {
    const { declared, last } = world.run(process);
    const lists = [...last.values()];
    const shown = new Set(
      lists.flatMap((each) => [...each.shown.values()].map(({ identity: what }) => what)),
    );
    const creates = [...declared].filter((what) => !shown.has(what));
    const { killedAt: sentAt } = process;
    return sentAt === undefined || lists.length === 0
      ? []
      : [{ process, creates, sentAt, wasNumbered: false, endSeen: new Map() }];
  });
}

/** The journal does not say which record of a write is in which zone. */
function domainsOf(world: Observer, creates: readonly string[]): string[] {
  return world.watched.domains.filter((each) => creates.some((what) => isInZone(what, each)));
}

function isInZone(what: string, domain: string): boolean {
  return isIn(what.split(" ")[0] ?? "", domain);
}

/** The state does not say whether a lost write of a run that failed was a change, and of which declared record. */
function lostChanges(world: Observer, processes: readonly Process[]): Write[] {
  const lost = world.writes.filter(
    ({ creates, operation, process, wasAnswered }) =>
      processes.includes(process) &&
      creates.length === 0 &&
      operation !== "Record.Remove" &&
      !wasAnswered &&
      !world.run(process).hasSucceeded,
  );
  return lost.map((write) => {
    const zones = listed(write.params["record_id"]).map((id) => world.records.get(Number(id))?.domain ?? "");
    const declared = [...world.run(write.process).declared];
    return { ...write, creates: declared.filter((what) => zones.some((zone) => isInZone(what, zone))) };
  });
}

/**
 * The gap if the process could take the record for one that the write created. The record appeared before the stack kept
 * any report of the write's end, and its first listing had no equal record that was known.
 */
function mistakenFor(world: Observer, record: ZoneRecord, write: Write, process: Process): Gap | undefined {
  const { creates, process: sender, seen, sentAt, wasNumbered } = write;
  const peers = peersOf(world, process);
  const endedAt = keptEndAt(world, write, process, peers);
  const listingsOf = (all: readonly Process[]) =>
    all
      .flatMap((each) => world.run(each).listings)
      .filter(({ at, domain }) => domain === record.domain && at >= sentAt)
      .sort((a, b) => a.at - b.at);
  const listings = listingsOf(peers);
  const savers = peers.filter((each) => each === process || !each.wasKilled);
  const isMistaken = creates.some((what) => {
    const first = listings.find(({ shown }) => shown.get(record.id)?.identity === what);
    const appearedAt = record.versions.find((each) => each.identity === what)?.at ?? Infinity;
    if (first === undefined || appearedAt >= endedAt) return false;
    if (seen?.get(record.domain)?.shown.get(record.id)?.identity === what) return false;
    // Records with different TTLs are not equal, because the text contains the TTL.
    const idsIn = ({ shown }: Listing) =>
      [...shown].flatMap(([id, { text }]) => (text === first.shown.get(record.id)?.text ? id : []));
    const saved = listingsOf(savers.filter((each) => each === sender || isSeeing(world, each, what)));
    const known = new Set(saved.filter(({ at }) => at < first.at).flatMap(idsIn));
    const holds = heldBefore(world, process, what);
    const isKnown = (id: number): boolean => known.has(id) || holds(id);
    if (idsIn(first).some(isKnown)) return false;
    return hasOpen(world, write, process, what) || isInJournal(world, write, process, first.at);
  });
  if (!isMistaken) return undefined;
  return wasNumbered ? "equal to an open job's" : "equal to a lost write";
}

/** By the state of the resource that declares the record. A new resource does not know the state of another one. */
function heldBefore(world: Observer, process: Process, what: string): (id: number) => boolean {
  const { owned, saved } = world.run(process);
  const key = ownerOf(world, process, what);
  const hasDeclared = saved.some((one) => keyOf(one) === key && declares(one, what));
  return (id) => hasDeclared && owned.has(id);
}

/** The process has sent the write, or awaits it for another stack, or its state has it as open. */
function hasOpen(world: Observer, { job, process: sender }: Write, process: Process, what: string): boolean {
  if (sender === process || sender.stack !== process.stack) return true;
  const { openWrites, program, saved } = world.run(process);
  const owners = [...program, ...saved].filter((one) => declares(one, what)).map(keyOf);
  const domains = domainsOf(world, [what]);
  return (
    openWrites.has(String(job)) ||
    owners.some((key) => domains.some((domain) => openWrites.has(`${key} ${domain}`)))
  );
}

/** Its sender has not closed the journal, and no later run has noted there that the write did nothing. */
function isInJournal(world: Observer, write: Write, process: Process, until: number): boolean {
  const { creates, process: sender, sentAt, wasNumbered } = write;
  const { indexDelay, jobTimeout, requestTimeout, stateDir } = sender.settings;
  if (sender.hasClosed || world.run(sender).hasSucceeded || !world.sharesJournal(sender, process))
    return false;
  const mustShowAt = sentAt + (requestTimeout + jobTimeout + indexDelay) * 1000;
  // A clock that was set back makes the write look younger.
  const isProof = ({ at }: Listing): boolean =>
    at < until && at - world.machines.setBack(stateDir, sentAt, at) >= mustShowAt;
  const hasNoted = (each: Process): boolean => {
    const proofs = world.run(each).listings.filter(isProof);
    return domainsOf(world, creates).every((zone) => proofs.some(({ domain }) => domain === zone));
  };
  return wasNumbered || !peersOf(world, process).some((each) => each !== sender && hasNoted(each));
}

/** With targets, a run does not look for the records of other resources. */
function isSeeing(world: Observer, process: Process, what: string): boolean {
  const key = ownerOf(world, process, what);
  return key === undefined || world.run(process).checked.has(key);
}

/** A run that failed has possibly saved the job as open, before another of its resources saw the end. */
function keptEndAt(world: Observer, write: Write, process: Process, peers: readonly Process[]): number {
  return endSeenAt(
    write,
    (each) => peers.includes(each) && (each === process || world.run(each).hasSucceeded),
  );
}

/** The process, and earlier ones of its stack with the same journal. */
function peersOf(world: Observer, process: Process): Process[] {
  const all = world.processesOf(process.stack);
  const earlier = all.slice(0, all.indexOf(process) + 1);
  return earlier.filter((each) => world.run(each).kind !== "preview" && world.sharesJournal(each, process));
}

/** The journal showed the process an open job of another stack, which creates a record that the process declares. */
function hasAwaited(world: Observer, process: Process, write: Call): boolean {
  const { begun, declared, listings } = world.run(process);
  if (process.stack === write.process.stack || !world.sharesJournal(process, write.process)) return false;
  const wasOpen = write.wasNumbered && endSeenAt(write) > begun;
  return (
    wasOpen &&
    write.creates.some((what) => declared.has(what)) &&
    listings.some(({ at }) => at > write.sentAt)
  );
}

/** A person changed a record of this name in the run, or shortly before and the last listing does not show it. */
export function isEditedMeanwhile(world: Observer, process: Process, { domain, name }: Question): boolean {
  const { begun, last } = world.run(process);
  const host = name === "@" ? domain : `${name}.${domain}`;
  const isAt = ({ identity: what = "" }: Version) => what.startsWith(`${host} `);
  return [...world.records.values()].some(({ versions }) =>
    versions.some(
      (each, i) =>
        each.by === undefined &&
        each.at > begun - process.settings.indexDelay * 1000 &&
        (isAt(each) || versions.slice(0, i).some(isAt)) &&
        // A person who disables a declared record during the run has taken its answer.
        (each.at > begun || !isShown(each, last.get(domain))),
    ),
  );
}
