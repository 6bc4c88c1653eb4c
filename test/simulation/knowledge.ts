/** Decides from the world alone whether a process could know a fact by its listings, calls, state, journal and clock. */
import { endSeenAt, isShown, shownOf, type Call, type Change, type Version, type ZoneRecord } from "./facts";
import type { Observer } from "./observer";
import type { Process } from "./process";
import { declaredIn, isIgnored, keyOf, type Declared } from "./program";

export type Source = "listing" | "process" | "journal" | "state";

/** Reasons why a process cannot know a fact. docs/guarantees.md describes each gap, and each has a counter. */
const gaps = {
  "late job": "The job's number was lost, and the job ran later than jobTimeout after it was sent.",
  "late request": "The request arrived later than requestTimeout, after its sender had given it up.",
  "two meanings":
    "The service answered a write that did nothing and one that took effect with the same code.",
  "other writer": "A listing showed an equal record of another program while the stack's own job was open.",
  "clock forward":
    "The machine's clock was set forward, or is ahead of another machine's, so the journal or the state looked old.",
  "lost journal": "The journal is on another disk, and the state does not have the write.",
  "dropped after a kill":
    "The run was killed, no later program declares the record, and no later run on that disk has read the zone.",
  "changed before a kill":
    "A killed run changed a record of somebody else that no state had, and no later program declares it.",
  "person's edit": "A person or another run changed the zone after the listing, and no call is conditional.",
  "edited before any look":
    "The write's answer was lost, or its run was killed, and a person changed the record before any listing showed it.",
  "edit after a reading":
    "A person edited a record after the run had listed its zone, and the plan may be older than the next listing.",
  "equal to a lost write":
    "A person made an equal record while the stack's own write had an unknown outcome.",
  "equal to an open job's":
    "A listing showed an equal record while the stack's own job was open. It counts as the job's, whatever the job reports.",
  "earlier change":
    "A job of changes by an earlier run, which had not ended, changed the record after the run had read it or sent a write.",
  "job of another run":
    "The stack waited for an equal record of another run on the same machine, and calls it created.",
  "declared later":
    "The engine checks the receiving resource after the one that loses the record, or not at all with targets.",
} as const;
export type Gap = keyof typeof gaps;

/** A version of a record. If `record` is missing, an open job is about to create it. */
export type Fact = Version | (Pick<Version, "identity" | "by" | "visibleAt"> & { readonly record?: never });
export type Moment = Pick<Call, "sentAt" | "seen">;

export const isSource = (answer: Source | Gap): answer is Source => !(answer in gaps);

export function couldKnow(world: Observer, process: Process, fact: Fact, when: Moment): Source | Gap {
  const { by, identity = fact.record?.identity ?? "" } = fact;
  const listing = when.seen.get(fact.record?.domain ?? "");
  if (fact.record !== undefined && listing && fact.at <= listing.at && isShown(fact, listing))
    return "listing";
  if (by === undefined || (by.process !== process && by.sentAt > when.sentAt)) return "person's edit";
  const gap = gapOfWrite(fact);
  if (gap !== undefined) return gap;
  if (world.sawOther(by, identity, when.sentAt)) return "other writer";
  if (by.process === process) return "process";
  if (isEarlierChange(world, fact, process, when)) return "earlier change";
  if (isClockForward(world, process, by, fact.visibleAt)) return "clock forward";
  if (world.sharesJournal(process, by.process)) return "journal";
  return isSaved(world, process, fact, by) ? "state" : "lost journal";
}

/** A job that the state has as open has since changed a record into what the program no longer declares so. */
function isEarlierChange(world: Observer, fact: Fact, process: Process, { sentAt }: Moment): boolean {
  const { by, identity = "", record } = fact;
  const { declared, openWrites } = world.run(process);
  if (by?.operation !== "Batch.Record.Modify" || record === undefined || fact.at <= sentAt) return false;
  const isOther = by.params["change"] === "ttl" || !declared.has(identity);
  return isOther && openWrites.has(String(by.job)) && !by.endSeen.has(process);
}

/** A process cannot know an effect of its write that its answer denied, or that came after its timeouts had passed. */
function gapOfWrite({ by, visibleAt }: Pick<Fact, "by" | "visibleAt">): Gap | undefined {
  if (by === undefined) return undefined;
  if (by.wasMisread) return "two meanings";
  const { operation, process, sentAt, wasNumbered } = by;
  const { indexDelay, jobTimeout } = process.settings;
  const isJob = operation.startsWith("Batch.");
  if (isJob && !wasNumbered && visibleAt > sentAt + (jobTimeout + indexDelay) * 1000) return "late job";
  return !isJob && isLate(by) ? "late request" : undefined;
}

/** The gap that excuses a change into what the record was already. */
export function gapOfIdleChange(world: Observer, { record, before, call }: Change): Gap | undefined {
  if ([call, ...world.editorsOf(record.id)].some(isLate)) return "late request";
  // The plan is possibly older than the run's last listing.
  const readAt = world.run(call.process).first.get(record.domain)?.at ?? Infinity;
  if (before.by === undefined && readAt < before.at) return "edit after a reading";
  return gapOfWrite({ ...before, by: call, visibleAt: world.now });
}

/** Whether the last listing of the call's process shows the record. */
export function showsLive(world: Observer, call: Call, { domain, id, now }: ZoneRecord, what: string) {
  const { process, seen } = call;
  const { askedFor } = world.run(process);
  const listing = seen.get(domain);
  if (listing?.shown.get(id)?.identity !== what || now.at > listing.at) return false;
  // A listing may be older than an answer about the record, so the answer counts.
  const { indexDelay, requestTimeout } = process.settings;
  const countsUntil = Math.max(...askedFor.values()) + (requestTimeout + indexDelay) * 1000;
  const isEdited = now.by === undefined && now.at > (askedFor.get(id) ?? Infinity);
  return !(isEdited && listing.at < countsUntil && world.excused("edit after a reading"));
}

function isLate({ executedAt, process, sentAt }: Call): boolean {
  return executedAt - sentAt >= process.settings.requestTimeout * 1000;
}

/** A clock made a write look over that need not have been listed yet. A job with a number is asked about for a day. */
function isClockForward(world: Observer, process: Process, by: Call, until: number): boolean {
  const forward = forwardOf(world, process, by, until);
  const window = by.wasNumbered && endSeenAt(by) > until ? 86_400_000 : 0;
  return forward > 0 && until - by.sentAt + forward >= window;
}

/** How far the process's clock was set forward after the write, or was ahead of the sender's, in ms. */
function forwardOf(world: Observer, process: Process, { process: sender, sentAt }: Call, until: number) {
  const { machines } = world;
  const [{ stateDir }, { begun }] = [process.settings, world.run(process)];
  if (stateDir === sender.settings.stateDir) return machines.setForward(stateDir, sentAt, until);
  if (begun > until) return 0;
  const other = machines.settingsIn(sender.settings.stateDir, sentAt, until);
  return Math.max(...machines.settingsIn(stateDir, begun, until)) - Math.min(...other);
}

/** The engine saved the sender's result with a resource that has been in the state since, and has kept it. */
function isSaved(world: Observer, process: Process, fact: Fact, { process: sender }: Call): boolean {
  const { record, identity = record?.identity ?? "" } = fact;
  // A destroy that fails leaves the resource's state as it was.
  const isRemoved = record !== undefined && fact.identity === undefined;
  if (isRemoved && world.run(sender).kind === "destroy") return false;
  const key = ownerOf(world, sender, identity);
  const later = world.laterOf(sender);
  const [next] = later;
  // After a kill of the provider process, the engine has the results of its finished resources.
  const isOwned = record?.versions[0] === fact && next && world.run(next).owned.has(record.id);
  if (sender.wasKilled && isOwned !== true) return false;
  if (key === undefined || key !== ownerOf(world, process, identity)) return false;
  const since = later.slice(0, later.indexOf(process) + 1);
  return since.every((each) => world.run(each).resources.has(key) && !forgets(world, each, key, identity));
}

export const declares = (one: Declared, identity: string) =>
  declaredIn(one).some((declared) => declared.identity === identity);

export function ownerOf(world: Observer, process: Process, identity: string): string | undefined {
  const found = world.run(process).program.find((one) => declares(one, identity));
  return found && keyOf(found);
}

/**
 * Whether an up has dropped the record from the resource's state. This happens if the resource no longer declares it,
 * and it is a replaced Record, has `retain`, or has lost the record to another resource.
 */
function forgets(world: Observer, process: Process, key: string, identity: string): boolean {
  const { kind, program } = world.run(process);
  const found = program.find((one) => keyOf(one) === key);
  if (!kind.startsWith("up") || found === undefined || declares(found, identity)) return false;
  const isRetained = (found.removal ?? process.settings.removal) === "retain";
  return found.type === "Record" || isRetained || program.some((each) => declares(each, identity));
}

/** No later run of the stack could know that it made the record, which no program declares any more. */
export function isLost(world: Observer, version: Version): boolean {
  const { at, by, record } = version;
  if (by === undefined) return true;
  const { process, wasNumbered } = by;
  const listedAt = at + process.settings.indexDelay * 1000;
  if (world.sawOther(by, version.identity ?? "", listedAt)) return world.excused("other writer");
  // After a lost answer, it does not look like the record that was sent.
  if (!wasNumbered && textOf(record.now) !== textOf(version)) return world.excused("person's edit");
  if (isEditedUnseen(world, version)) return world.excused("edited before any look");
  const gap = gapOfWrite(version);
  if (gap !== undefined) return world.excused(gap);
  if (!wasNumbered && hasLateTwin(world, version)) return world.excused("late job");
  if ([process, ...world.laterOf(process)].some((each) => isClockForward(world, each, by, listedAt)))
    return world.excused("clock forward");
  if (!process.wasKilled) return false;
  const wasOwned = [process, ...world.laterOf(process)].some((each) => world.run(each).owned.has(record.id));
  const maker = record.versions[0]?.by?.process;
  const isKnown = maker?.stack === process.stack && world.sharesJournal(maker, process);
  if (!isKnown && !wasOwned) return world.excused("changed before a kill");
  const heirs = world.laterOf(process).filter((later) => world.sharesJournal(later, process));
  if (heirs.length === 0) return world.excused("lost journal");
  return !heirs.some((each) => hasRead(world, each, version)) && world.excused("dropped after a kill");
}

/** After a lost answer or a kill, no listing showed the record as written before a person edited it. */
export function isEditedUnseen(world: Observer, version: Version): boolean {
  const { by, record } = version;
  const next = record.versions[record.versions.indexOf(version) + 1];
  if (by === undefined || next === undefined || next.by !== undefined) return false;
  if (by.wasNumbered && !by.process.wasKilled) return false;
  const listings = world.processesOf(by.process.stack).flatMap((each) => world.run(each).listings);
  // A later write may have made it so again.
  return !listings.some((each) => each.at <= next.visibleAt && isShown(version, each));
}

/** The stack's own late job made an equal record, which may count as the one that was sent again. */
function hasLateTwin(world: Observer, { by, identity, record }: Version): boolean {
  const others = [...world.records.values()].filter(
    (each) => each !== record && each.creator === record.creator,
  );
  return others.some(({ versions: [made] }) => {
    const isEqual = made?.identity === identity && made?.by?.process === by?.process;
    return isEqual && made !== undefined && gapOfWrite(made) === "late job";
  });
}

const textOf = ({ record, view }: Version) => view && shownOf(record.domain, view).text;

/** The run has succeeded, its first listing of the zone had the record, and no resource that it deletes ignored it. */
function hasRead(world: Observer, process: Process, { identity = "", record }: Version): boolean {
  const { first, hasSucceeded, kind, program, saved } = world.run(process);
  const isListed = first.get(record.domain)?.shown.has(record.id) === true;
  return (
    hasSucceeded &&
    kind !== "preview" &&
    isListed &&
    !isIgnored([...program, ...saved], record.domain, identity)
  );
}
