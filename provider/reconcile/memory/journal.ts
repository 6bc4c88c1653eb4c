/**
 * The journal notes each write on disk before it leaves, and keeps the note until the process has ended well. After a kill,
 * the next process reads which records may be on their way. It holds no values: digests keyed with a secret of this machine.
 * One file per process.
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

export type Wanted = ReadonlyMap<string, string>;

export function wantedOf(records: readonly DnsRecord[]): Wanted {
  return new Map(records.map((record) => [digest(recordKey(record)), record.domain]));
}

/** A write in the journal. */
export interface JournalEntry {
  /** It leaves now, perhaps once more. */
  sending(): void;
  accepted(job: string): void;
  /** Nothing was written. */
  notDone(): void;
  /** It has ended and made these, which a listing may not show yet. */
  ended(made: readonly string[]): void;
}

interface Key {
  readonly secret: Buffer;
  /** Tells keys apart, and nothing of the secret. */
  readonly name: string;
}

const anHour = 3_600_000;
const aDay = 86_400_000;
/** How long what a killed process made is known. */
const aMonth = 30 * aDay;

export class Journal {
  private readonly folder: string;
  private readonly file: string;
  private readonly prefix: string;
  private count = 0;
  /** When each write of this process ended; undefined while it is open. */
  private readonly own = new Map<number, number | undefined>();
  /** What is known of others' writes: their names, each with a record's digest. */
  private readonly known = new Set<string>();
  /** When others noted a write, as first understood. */
  private readonly times = new Map<string, number>();
  private broken = false;
  private hasHanded = false;
  private kept: Key | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly reporter: Reporter,
    /** A resource of another project is not this one's. */
    private readonly project = "",
    private readonly stamps: Stamps = new Stamps(clock),
  ) {
    this.folder = join(settings.stateDir, "journal");
    this.prefix = `${digest(settings.baseUrl)}.`;
    this.file = join(this.folder, `${this.prefix}${randomBytes(9).toString("hex")}.jsonl`);
  }

  /** Notes a write before it is sent. A disk that cannot be written is a warning, and the write goes on. */
  begin(domains: readonly string[], digests: readonly string[], deed: Deed = "create"): JournalEntry {
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
      notDone: () => {
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
   * Other processes' writes of these records whose outcome is not known here. @param readAt when a domain's zone was read,
   * in milliseconds of this process's time
   */
  othersOf(wanted: Wanted, readAt: (domain: string) => number): Intent[] {
    const others = this.others();
    if (others.length === 0) return [];
    const own = this.ownKey();
    const read = readerOf(own, wanted.keys());
    return others.flatMap((stored) => {
      const { marks, key, ...intent } = stored;
      // Marks of a key that is lost tell nothing: any record of its domains may be meant.
      const isForeign = key !== undefined && key !== own?.name && marks.length > 0;
      const digests = isForeign ? [...wanted].flatMap(([each, domain]) => (intent.domains.includes(domain) ? [each] : [])) : marks.map((each) => read(each, key) ?? each);
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
   * The records that this stack made though no state says so: a process was killed while it made them, or a resource that is
   * gone gave them to another.
   */
  unsaved(wanted: ReadonlySet<string>): ReadonlySet<string> {
    const files = this.files();
    if (files.length === 0) return new Set();
    const read = readerOf(this.ownKey(), wanted);
    const noted = files.flatMap(({ intents, handed }) => [
      ...intents.filter(({ deed, closed }) => deed === "create" && !closed),
      ...handed.filter(({ project }) => project === this.project),
    ]);
    return new Set(noted.flatMap(({ marks, key }) => marks.flatMap((each) => read(each, key) ?? [])));
  }

  /** Notes records that this stack made, and that another resource has taken over. */
  handOver(digests: readonly string[]): void {
    if (digests.length === 0) return;
    this.hasHanded = true;
    this.append(() => ({ v: 2, handed: this.marked(digests), key: this.key().name, project: this.project }), true);
  }

  /** The outcome of these records of another's write is known. */
  foundOut(intent: Intent, digests: Iterable<string>): void {
    for (const each of digests) this.known.add(`${nameOf(intent)} ${each}`);
  }

  /**
   * Notes the end of another process's job, so that no later run asks about it. @param outcomes by digest; where one of the
   * job's is missing, the entry stays open
   */
  sawEnd(job: string, outcomes: ReadonlyMap<string, { readonly kind: string }>): void {
    const noted = this.others().filter((intent) => intent.job === job && intent.ended === undefined);
    if (noted.length === 0) return;
    const read = readerOf(this.ownKey(), outcomes.keys());
    for (const { file, id, marks, key } of noted) {
      if (!marks.every((each) => read(each, key) !== undefined)) continue;
      const made = marks.filter((each) => outcomes.get(read(each, key) ?? "")?.kind === "made");
      this.append(() => ({ v: 1, id, ended: this.stamps.stored(this.clock.now()), made: made.join(" ") }), false, file);
    }
  }

  /** This machine's key for marks. @throws where the disk has none and takes none */
  private key(): Key {
    if (this.kept) return this.kept;
    const secret = privateKey(join(this.settings.stateDir, "journal.key"));
    return (this.kept = { secret, name: createHash("sha256").update(secret).digest("hex").slice(0, 8) });
  }

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
   * Ends well: the engine has every answer. The file stays while a write is open, or so young that another process may have
   * read the zone before it.
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
      // Every listing shows it by now. Its process may live and note another write, but no operation is idle for so long.
      const last = all.length > 0 && handed.length === 0 ? Math.max(...all.map(({ at, ended = 0 }) => Math.max(at, ended))) : this.stamps.read(modified(file));
      const unsaved = handed.length > 0 || all.some(({ deed, closed }) => deed === "create" && !closed);
      if (found.length === 0 && this.clock.now() - last > (unsaved ? aMonth : anHour)) removePrivate(file);
    }
    return intents.sort((a, b) => a.at - b.at);
  }

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

  /** A stored time as this process's. */
  private timeOf(name: string, stored: number): number {
    const known = this.times.get(name);
    if (known !== undefined) return known;
    const at = this.stamps.read(stored);
    this.times.set(name, at);
    return at;
  }

  /** Whether some process may have read the zone before it listed the write. A job with a number is asked about for a day. */
  private isOpen(intent: Stored): boolean {
    return this.clock.now() < this.listedAt(intent) + snapshotAge;
  }

  /** When every listing shows the outcome of a write. */
  private listedAt({ at, ended, job }: Pick<Intent, "at" | "ended" | "job">): number {
    const { indexDelay, jobTimeout } = this.settings;
    if (ended !== undefined) return ended + indexDelay * 1000;
    return at + (job === undefined ? (indexDelay + jobTimeout) * 1000 : aDay);
  }

  /** @param flush the entry must be on disk before the call returns */
  private append(entry: () => object, flush = false, file = this.file): void {
    if (this.broken) return;
    try {
      appendPrivate(file, `${JSON.stringify(entry())}\n`, { flush });
    } catch (error) {
      // Another process's file may be gone or not writable: the next run asks again.
      if (file !== this.file) return;
      this.broken = true;
      const why = error instanceof Error ? error.message : String(error);
      this.reporter.warn(
        `the journal cannot be written (${why}). The deployment goes on; but if it is killed, the next one cannot know what was on its way. Set stateDir (LEGACYDNS_STATE_DIR) to a folder that can be written`,
      );
    }
  }
}

/** Names an intent among those of all processes; one that was sent again has a new name. */
function nameOf({ file, id, noted }: Pick<Intent, "file" | "id" | "noted">): string {
  return `${file} ${id} ${noted}`;
}

/** What reads marks as the digests that they are of; undefined for others, and for those of a key that is lost. */
function readerOf(own: Key | undefined, digests: Iterable<string>): (mark: string, key: string | undefined) => string | undefined {
  const plain = new Set(digests);
  const byMark = new Map(own === undefined ? [] : [...plain].map((each) => [mark(own, each), each]));
  return (each, key) => (key === undefined ? (plain.has(each) ? each : undefined) : key === own?.name ? byMark.get(each) : undefined);
}

function mark({ secret }: Key, each: string): string {
  return createHmac("sha256", secret).update(each).digest("base64url").slice(0, 16);
}
