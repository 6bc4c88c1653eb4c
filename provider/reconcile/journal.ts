/**
 * The journal: what a process was about to write, kept on disk until it has ended well. A process that is killed between
 * a write and its saved state leaves its file behind; the next one then knows which records may be on their way. Digests
 * only, never values. One file per process, a line per event, so that concurrent processes never meet.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../clock";
import { digest } from "../dns";
import { removePrivate } from "../private-file";
import type { Reporter } from "../report";
import type { Settings } from "../settings";
import { snapshotAge } from "./zones";

/** What is done to records: they are made, or become others, or go. */
export type Deed = "create" | "change" | "remove";

/** A write that another process was about to make, or made. */
export interface Intent {
  /** The file of the process that noted it. */
  readonly file: string;
  /** Which one it is in its file. */
  readonly id: number;
  readonly deed: Deed;
  /** Milliseconds since the epoch, just before it was sent for the last time. */
  readonly at: number;
  readonly domains: readonly string[];
  /** Of the records' keys; of what they become, where they are changed. */
  readonly digests: readonly string[];
  /** The job's number, where the answer came. */
  readonly job: string | undefined;
  /** When the job was seen to have ended; `digests` are then those of what it made. */
  readonly ended: number | undefined;
  /** True where its process ended well: the engine had every answer. */
  readonly closed: boolean;
}

/** A write in the journal. */
export interface Entry {
  /** It leaves now: noted once more where it had to wait, or had not left at an earlier try. */
  sending(): void;
  /** The service queued it as this job. */
  accepted(job: string): void;
  /** Nothing was written: there is nothing to look for. */
  refused(): void;
  /** It has ended and these are as they were to be; until the index shows them, another resource might make them again. */
  ended(made: readonly string[]): void;
}

const line = z.union([
  z.object({
    v: z.literal(1),
    id: z.number(),
    at: z.number(),
    domains: z.array(z.string()),
    digests: z.string(),
    deed: z.enum(["create", "change", "remove"]).default("create"),
  }),
  z.object({ v: z.literal(1), id: z.number(), sent: z.number() }),
  z.object({ v: z.literal(1), id: z.number(), job: z.string() }),
  z.object({ v: z.literal(1), id: z.number(), refused: z.literal(true) }),
  z.object({ v: z.literal(1), id: z.number(), ended: z.number(), made: z.string() }),
  z.object({ v: z.literal(1), closed: z.number() }),
  z.object({ v: z.literal(1), handed: z.string(), project: z.string() }),
]);

const anHour = 3_600_000;
const aDay = 86_400_000;
/** How long it is known what a killed process was making: so long a next run may let wait for itself. */
const aMonth = 30 * aDay;

export class Journal {
  private readonly folder: string;
  private readonly file: string;
  private readonly prefix: string;
  private count = 0;
  /** When each write of this process ended; undefined while it is open. */
  private readonly own = new Map<number, number | undefined>();
  /** What has been found out about others' writes: their names, each with a record's digest. */
  private readonly known = new Set<string>();
  private broken = false;
  private hasHanded = false;
  /** When this process began, in milliseconds since the epoch. */
  private readonly begun: number;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly reporter: Reporter,
    /** The engine's project: what a resource of another one made is nothing of this one's. */
    private readonly project = "",
  ) {
    this.begun = clock.now();
    this.folder = join(settings.stateDir, "journal");
    this.prefix = `${digest(settings.baseUrl)}.`;
    this.file = join(this.folder, `${this.prefix}${randomBytes(9).toString("hex")}.jsonl`);
  }

  /**
   * Notes a write before it is sent; what it returns is told how the service answered. A disk that cannot be written is
   * a warning: the write goes on.
   */
  begin(domains: readonly string[], digests: readonly string[], deed: Deed = "create"): Entry {
    const id = (this.count += 1);
    let at = this.clock.now();
    this.append({ v: 1, id, at, domains, digests: digests.join(" "), ...(deed === "create" ? {} : { deed }) });
    this.own.set(id, undefined);
    return {
      sending: () => {
        const now = this.clock.now();
        if (now > at) this.append({ v: 1, id, sent: now });
        at = now;
      },
      accepted: (job) => this.append({ v: 1, id, job }),
      refused: () => {
        this.own.delete(id);
        this.append({ v: 1, id, refused: true });
      },
      ended: (made) => {
        const now = this.clock.now();
        this.own.set(id, now);
        this.append({ v: 1, id, ended: now, made: made.join(" ") });
      },
    };
  }

  /**
   * What other processes were about to write of these records, as far as nobody here has found out what came of it.
   * @param readAt when the records' zones were read, in milliseconds since the epoch: what was listed then is left out
   */
  othersOf(wanted: ReadonlySet<string>, readAt: number): Intent[] {
    const isNew = (intent: Intent, each: string): boolean => wanted.has(each) && !this.known.has(`${nameOf(intent)} ${each}`);
    return this.others().filter((intent) => readAt < this.listedAt(intent) && intent.digests.some((each) => isNew(intent, each)));
  }

  /**
   * Of these records, those that this stack made though no state tells of it: a process was making them that has not
   * ended well, or a resource that is gone gave them to another.
   */
  unsaved(wanted: ReadonlySet<string>): ReadonlySet<string> {
    const found = new Set<string>();
    const note = (digests: Iterable<string>): void => {
      for (const each of digests) if (wanted.has(each)) found.add(each);
    };
    for (const { intents, handed } of this.files()) {
      for (const { deed, closed, digests } of intents) if (deed === "create" && !closed) note(digests);
      for (const { project, digests } of handed) if (project === this.project) note(digests);
    }
    return found;
  }

  /** Notes that a resource gave up records which this stack made, and that another has taken over, whose state is saved. */
  handOver(digests: readonly string[]): void {
    if (digests.length === 0) return;
    this.hasHanded = true;
    this.append({ v: 1, handed: digests.join(" "), project: this.project });
  }

  /** What came of these records of another's write is known: the zone shows it, or they were not made. */
  foundOut(intent: Intent, digests: Iterable<string>): void {
    for (const each of digests) this.known.add(`${nameOf(intent)} ${each}`);
  }

  /**
   * Another process's job was seen to have ended. Noted with its own entry, lest every later run asks and waits anew.
   * @param outcomes what became of its records, by digest; where one of the entry's is missing, the entry stays open
   */
  sawEnd(job: string, outcomes: ReadonlyMap<string, { readonly kind: string }>): void {
    for (const { file, id, ended, digests, job: noted } of this.others()) {
      if (noted !== job || ended !== undefined || !digests.every((each) => outcomes.has(each))) continue;
      const made = digests.filter((each) => outcomes.get(each)?.kind === "made");
      this.append({ v: 1, id, ended: this.clock.now(), made: made.join(" ") }, file);
    }
  }

  /**
   * Ends well: the engine has every answer. The file stays while something is open, or not in every listing that another
   * process may have in hand: a run that follows at once may give the same record to another resource.
   */
  close(): void {
    const now = this.clock.now();
    const young = (this.settings.indexDelay * 1000) + snapshotAge;
    const open = [...this.own.values()].some((ended) => ended === undefined || now - ended < young);
    if (!open && !this.hasHanded) removePrivate(this.file);
    else this.append({ v: 1, closed: now });
  }

  private others(): Intent[] {
    const intents: Intent[] = [];
    for (const { file, intents: all, handed } of this.files()) {
      const now = this.clock.now();
      const found = all.filter((intent) => this.isOpen(intent));
      intents.push(...found);
      // What every listing must show by now needs no file any more, unless no state tells who made it. Its process may
      // live, and be about to note another write: no operation is idle for so long.
      const last = all.length > 0 && handed.length === 0 ? Math.max(...all.map(({ at, ended = 0 }) => Math.max(at, ended))) : modified(file);
      const unsaved = handed.length > 0 || all.some(({ deed, closed }) => deed === "create" && !closed);
      if (found.length === 0 && now - last > (unsaved ? aMonth : anHour)) removePrivate(file);
    }
    return intents.sort((a, b) => a.at - b.at);
  }

  /** The files of the other processes and what they say. */
  private files(): (Notes & { readonly file: string })[] {
    let names: string[];
    try {
      names = fs.readdirSync(this.folder);
    } catch {
      return [];
    }
    const now = this.clock.now();
    return names.flatMap((name) => {
      const file = join(this.folder, name);
      if (!name.startsWith(this.prefix) || file === this.file) return [];
      // What was noted later than now was noted by a clock that has been put right since.
      return [{ file, ...readNotes(file, (at) => (at > now ? this.begun : at)) }];
    });
  }

  /**
   * Whether a zone that some process has in hand may have been read before it listed the write. A job with a number can
   * be asked about for a day.
   */
  private isOpen(intent: Intent): boolean {
    return this.clock.now() < this.listedAt(intent) + snapshotAge;
  }

  /** When every listing must show what came of a write. */
  private listedAt({ at, ended, job }: Pick<Intent, "at" | "ended" | "job">): number {
    const { indexDelay, jobTimeout } = this.settings;
    if (ended !== undefined) return ended + indexDelay * 1000;
    return at + (job === undefined ? (indexDelay + jobTimeout) * 1000 : aDay);
  }

  private append(entry: object, file = this.file): void {
    if (this.broken) return;
    try {
      fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      fs.appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch (error) {
      // What another process noted may be gone, or not be ours to write: then the next run asks once more.
      if (file !== this.file) return;
      this.broken = true;
      const why = error instanceof Error ? error.message : String(error);
      this.reporter.warn(
        `the journal cannot be written (${why}). The deployment goes on; but if it is killed, the next one cannot know what was on its way. Set stateDir (LEGACYDNS_STATE_DIR) to a folder that can be written`,
      );
    }
  }
}

/** Which intent it is, among those of all processes; one that was sent once more is news. */
function nameOf({ file, id, at }: Intent): string {
  return `${file} ${id} ${at}`;
}

/** What one process noted. */
interface Notes {
  readonly intents: readonly Intent[];
  readonly handed: readonly { readonly project: string; readonly digests: readonly string[] }[];
}

/**
 * A file's notes; half a line, left by a kill, was never followed by its write.
 * @param timed makes a noted time one that can be waited for
 */
function readNotes(file: string, timed: (at: number) => number): Notes {
  const handed: { project: string; digests: string[] }[] = [];
  const intents = new Map<number, Intent>();
  let closed = false;
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch {
    return { intents: [], handed };
  }
  for (const each of text.split("\n")) {
    const entry = parseLine(each);
    if (entry === undefined) continue;
    if ("closed" in entry) closed = true;
    else if ("handed" in entry) handed.push({ project: entry.project, digests: entry.handed.split(" ") });
    else if ("sent" in entry) {
      const known = intents.get(entry.id);
      if (known) intents.set(entry.id, { ...known, at: timed(entry.sent) });
    } else if ("job" in entry) {
      const known = intents.get(entry.id);
      if (known) intents.set(entry.id, { ...known, job: entry.job });
    } else if ("refused" in entry) {
      intents.delete(entry.id);
    } else if ("ended" in entry) {
      const known = intents.get(entry.id);
      if (known) intents.set(entry.id, { ...known, ended: timed(entry.ended), digests: entry.made.split(" ") });
    } else {
      const { id, at, domains, digests, deed } = entry;
      intents.set(id, { file, id, deed, at: timed(at), domains, digests: digests.split(" "), job: undefined, ended: undefined, closed });
    }
  }
  return { intents: [...intents.values()].map((intent) => ({ ...intent, closed })), handed };
}

function parseLine(text: string): z.output<typeof line> | undefined {
  try {
    const parsed = line.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function modified(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
