/**
 * The journal: what a process was about to write, on disk before the write leaves, and kept until the process has ended
 * well. One that is killed between a write and its saved state leaves its file behind; the next one then knows which
 * records may be on their way. Marks only, never values: digests keyed with a secret of this machine, since an address can
 * be guessed from its digest. One file per process, a line per event, so that concurrent processes never meet.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { Stamps, type Clock } from "../../clock";
import { digest, recordKey, type DnsRecord } from "../../dns";
import { appendPrivate, privateKey, removePrivate } from "../../private-file";
import type { Reporter } from "../../report";
import type { Settings } from "../../settings";
import { snapshotAge } from "../zones/reader";
import { modified, readNotes, type Deed, type Intent, type Notes, type Stored } from "./journal-file";

export type { Intent } from "./journal-file";

/** By a record's digest, its domain. */
export type Wanted = ReadonlyMap<string, string>;

/** These records, as they are asked about. */
export function wantedOf(records: readonly DnsRecord[]): Wanted {
  return new Map(records.map((record) => [digest(recordKey(record)), record.domain]));
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

interface Key {
  readonly secret: Buffer;
  /** Tells keys apart, and nothing of the secret. */
  readonly name: string;
}

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
  /** When what others noted was, as it was understood when it was first seen. */
  private readonly times = new Map<string, number>();
  private broken = false;
  private hasHanded = false;
  private kept: Key | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly reporter: Reporter,
    /** The engine's project: what a resource of another one made is nothing of this one's. */
    private readonly project = "",
    private readonly stamps: Stamps = new Stamps(clock),
  ) {
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
    this.append(() => ({ v: 2, id, at: this.stamps.stored(at), domains, digests: this.marked(digests), key: this.key().name, ...(deed === "create" ? {} : { deed }) }), true);
    this.own.set(id, undefined);
    return {
      sending: () => {
        const now = this.clock.now();
        if (now > at) this.append(() => ({ v: 1, id, sent: this.stamps.stored(now) }), true);
        at = now;
      },
      accepted: (job) => this.append(() => ({ v: 1, id, job }), true),
      refused: () => {
        this.own.delete(id);
        this.append(() => ({ v: 1, id, refused: true }));
      },
      ended: (made) => {
        const now = this.clock.now();
        this.own.set(id, now);
        this.append(() => ({ v: 1, id, ended: this.stamps.stored(now), made: this.marked(made) }));
      },
    };
  }

  /**
   * What other processes were about to write of these records, as far as nobody here has found out what came of it.
   * @param readAt when a domain's zone was read, in milliseconds of this process's time: what was listed then is left out
   */
  othersOf(wanted: Wanted, readAt: (domain: string) => number): Intent[] {
    const others = this.others();
    if (others.length === 0) return [];
    const own = this.ownKey();
    const digestOf = new Map([...wanted.keys()].flatMap((each) => [[each, each], ...(own ? [[mark(own, each), each] as const] : [])] as const));
    return others.flatMap((stored) => {
      const { marks, key, ...intent } = stored;
      // Marks of a key that is lost tell nothing: any record of its domains may be meant.
      const isForeign = key !== undefined && key !== own?.name && marks.length > 0;
      const digests = isForeign ? [...wanted].flatMap(([each, domain]) => (intent.domains.includes(domain) ? [each] : [])) : marks.map((each) => digestOf.get(each) ?? each);
      const isKnown = (name: string | undefined): boolean => this.known.has(`${nameOf(stored)} ${name}`);
      const listedAt = this.listedAt(intent);
      const isNews = (each: string, i: number): boolean => {
        const domain = wanted.get(each);
        return domain !== undefined && readAt(domain) < listedAt && !isKnown(each) && !isKnown(marks[i]);
      };
      return digests.some(isNews) ? [{ ...intent, digests }] : [];
    });
  }

  /** Whether another process has removed, or was about to remove, what a listing may still show. */
  hasRemovals(): boolean {
    return this.others().some(({ deed }) => deed === "remove");
  }

  /**
   * Of these records, those that this stack made though no state tells of it: a process was making them that has not
   * ended well, or a resource that is gone gave them to another.
   */
  unsaved(wanted: ReadonlySet<string>): ReadonlySet<string> {
    const files = this.files();
    const own = files.length === 0 ? undefined : this.ownKey();
    const digestOf = new Map([...wanted].map((each) => [own ? mark(own, each) : each, each]));
    const found = new Set<string>();
    const note = (marks: readonly string[], key: string | undefined): void => {
      for (const each of marks) {
        const known = key === undefined ? each : key === own?.name ? digestOf.get(each) : undefined;
        if (known !== undefined && wanted.has(known)) found.add(known);
      }
    };
    for (const { intents, handed } of files) {
      for (const { deed, closed, marks, key } of intents) if (deed === "create" && !closed) note(marks, key);
      for (const { project, marks, key } of handed) if (project === this.project) note(marks, key);
    }
    return found;
  }

  /** Notes that a resource gave up records which this stack made, and that another has taken over, whose state is saved. */
  handOver(digests: readonly string[]): void {
    if (digests.length === 0) return;
    this.hasHanded = true;
    this.append(() => ({ v: 2, handed: this.marked(digests), key: this.key().name, project: this.project }), true);
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
    const own = this.ownKey();
    for (const { file, id, ended, marks, key, job: noted } of this.others()) {
      if (noted !== job || ended !== undefined || (key !== undefined && key !== own?.name)) continue;
      const byMark = new Map([...outcomes].map(([each, outcome]) => [own === undefined || key === undefined ? each : mark(own, each), outcome]));
      if (!marks.every((each) => byMark.has(each))) continue;
      const made = marks.filter((each) => byMark.get(each)?.kind === "made");
      this.append(() => ({ v: 1, id, ended: this.stamps.stored(this.clock.now()), made: made.join(" ") }), false, file);
    }
  }

  /** This machine's key for marks. @throws where the disk has none and takes none */
  private key(): Key {
    if (this.kept) return this.kept;
    const secret = privateKey(join(this.settings.stateDir, "journal.key"));
    return (this.kept = { secret, name: createHash("sha256").update(secret).digest("hex").slice(0, 8) });
  }

  /** The key, where there is one. */
  private ownKey(): Key | undefined {
    try {
      return this.key();
    } catch {
      return undefined;
    }
  }

  private marked(digests: readonly string[]): string {
    const key = this.key();
    return digests.map((each) => mark(key, each)).join(" ");
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
    else this.append(() => ({ v: 1, closed: this.stamps.stored(now) }));
  }

  private others(): Stored[] {
    const intents: Stored[] = [];
    for (const { file, intents: all, handed } of this.files()) {
      const found = all.filter((intent) => this.isOpen(intent));
      intents.push(...found);
      // What every listing must show by now needs no file any more, unless no state tells who made it. Its process may
      // live, and be about to note another write: no operation is idle for so long.
      const last = all.length > 0 && handed.length === 0 ? Math.max(...all.map(({ at, ended = 0 }) => Math.max(at, ended))) : this.stamps.read(modified(file));
      const unsaved = handed.length > 0 || all.some(({ deed, closed }) => deed === "create" && !closed);
      if (found.length === 0 && this.clock.now() - last > (unsaved ? aMonth : anHour)) removePrivate(file);
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
    return names.flatMap((name) => {
      const file = join(this.folder, name);
      if (!name.startsWith(this.prefix) || file === this.file) return [];
      return [{ file, ...readNotes(file, (id, at) => this.timeOf(`${name} ${id} ${at}`, at)) }];
    });
  }

  /** A stored time as this process's: what was noted later than now counts as when it was first seen. */
  private timeOf(name: string, stored: number): number {
    const known = this.times.get(name);
    if (known !== undefined) return known;
    const at = this.stamps.read(stored);
    this.times.set(name, at);
    return at;
  }

  /**
   * Whether a zone that some process has in hand may have been read before it listed the write. A job with a number can
   * be asked about for a day.
   */
  private isOpen(intent: Stored): boolean {
    return this.clock.now() < this.listedAt(intent) + snapshotAge;
  }

  /** When every listing must show what came of a write. */
  private listedAt({ at, ended, job }: Pick<Intent, "at" | "ended" | "job">): number {
    const { indexDelay, jobTimeout } = this.settings;
    if (ended !== undefined) return ended + indexDelay * 1000;
    return at + (job === undefined ? (indexDelay + jobTimeout) * 1000 : aDay);
  }

  /** @param flush whether it must be on the disk before anything else happens */
  private append(entry: () => object, flush = false, file = this.file): void {
    if (this.broken) return;
    try {
      appendPrivate(file, `${JSON.stringify(entry())}\n`, { flush });
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
function nameOf({ file, id, noted }: Pick<Intent, "file" | "id" | "noted">): string {
  return `${file} ${id} ${noted}`;
}

function mark({ secret }: Key, each: string): string {
  return createHmac("sha256", secret).update(each).digest("base64url").slice(0, 16);
}
