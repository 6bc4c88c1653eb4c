/**
 * The journal notes each write on disk before it leaves, and keeps the note until the process has ended well.
 * After a kill, the next process reads which records may be on their way. It holds no values: digests under a
 * key that is derived from the login token. One file per process.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { Stamps, type Clock } from "../../clock";
import { digest, type DnsRecord } from "../../dns";
import { domainsOf, smallest } from "../../gather";
import { appendPrivate, listPrivate, removePrivate } from "../../private-file";
import type { Reporter } from "../../report";
import { noStateDir, type Settings } from "../../settings";
import { markKeyOf } from "../../support/mark-key";
import { errorText } from "../../words";
import { listedAt } from "../timeline";
import { snapshotAge } from "../zones/reader";
import { JournalFile, type Deed, type Stored } from "./journal-file";
import { byDigest, digestOf, refOf, type RecordRef } from "./ledger";

/**
 * A write of another process, and those of the records asked about that it may be of, or that it may make
 * others.
 */
export interface Intent extends Stored {
  readonly records: readonly DnsRecord[];
  readonly left: readonly DnsRecord[];
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

const anHour = 3_600_000;
/** How long a process works from one reading of a zone at most, in milliseconds. */
const longestUse = 600_000;
/** The time for which the journal keeps a killed process's records, in milliseconds. */
const aMonth = 30 * 86_400_000;
/** At most so many files are kept for that alone. */
const mostKept = 100;

export class Journal {
  private readonly folder: string;
  private readonly file: string;
  private readonly prefix: string;
  private count = 0;
  /** When each write of this process ended; undefined while it is open. */
  private readonly own = new Map<number, number | undefined>();
  /** Other processes' writes with a known outcome: their names, alone or with a record's digest. */
  private readonly known = new Set<string>();
  /** Name -> another process's file, as far as it was read. */
  private read = new Map<string, JournalFile>();
  private broken: boolean;
  private readonly markKey: Buffer;
  /** Tells keys apart, and contains nothing of the token. */
  private readonly keyName: string;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly reporter: Reporter,
    /** A resource of another project is not this one's. */
    private readonly project = "",
    private readonly stamps: Stamps = new Stamps(clock),
    /** The engine's address: the processes of one update have one. */
    private readonly engine?: string,
  ) {
    this.markKey = markKeyOf(settings.loginToken);
    this.keyName = createHash("sha256").update(this.markKey).digest("hex").slice(0, 8);
    this.folder = join(settings.stateDir, "journal");
    // The settings have a warning of their own then.
    this.broken = settings.stateDir === noStateDir;
    this.prefix = `${digest(settings.baseUrl)}.`;
    this.file = join(this.folder, `${this.prefix}${randomBytes(9).toString("hex")}.jsonl`);
  }

  /**
   * Notes a write before it is sent. If the disk cannot be written, it warns and the write continues.
   * @param leaves the former records of a change
   */
  begin(
    records: readonly DnsRecord[],
    deed: Deed = "create",
    leaves: readonly DnsRecord[] = [],
  ): JournalEntry {
    const id = (this.count += 1);
    const domains = domainsOf(records);
    let at = this.clock.now();
    this.append(() => {
      const more = {
        ...(deed === "create" ? {} : { deed }),
        ...(leaves.length === 0 ? {} : { leaves: this.marked(leaves.map(digestOf)) }),
      };
      return {
        v: 2,
        id,
        at: this.stamps.stored(at),
        domains,
        digests: this.marked(records.map(digestOf)),
        key: this.keyName,
        project: this.project,
        ...more,
      };
    }, true);
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
   * Other processes' writes of these records with an unknown outcome.
   * @param readAt the time of a zone's reading, in milliseconds of this process's time; 0 without a reading
   * @param adopting the records without an owner. An owner's state contains the result of a run that ended
   * well
   */
  othersOf(
    asked: readonly DnsRecord[],
    readAt: (domain: string) => number,
    adopting: ReadonlySet<DnsRecord> = new Set(),
  ): Intent[] {
    const files = this.others();
    if (files.length === 0 || asked.length === 0) return [];
    const floor = this.clock.now() - snapshotAge;
    const zones = new Map(domainsOf(asked).map((domain) => [domain, readAt(domain) || floor]));
    const oldest = smallest(zones.values());
    const read = this.reader(byDigest(asked));
    const intentOf = (stored: Stored, closed: boolean): Intent[] => {
      const shownAt = listedAt(this.settings, stored);
      if (shownAt <= oldest || this.known.has(nameOf(stored))) return [];
      // An unreadable line may concern any record. If the key is lost, it may concern any record of its
      // domains.
      const ofMarks = (marks: readonly string[]): readonly DnsRecord[] =>
        stored.id === 0
          ? asked
          : (read({ marks, key: stored.key }) ??
            asked.filter(({ domain }) => stored.domains.includes(domain)));
      const records = ofMarks(stored.marks);
      const left = (stored.leaves ? ofMarks(stored.leaves) : []).filter(
        (record) => !closed || adopting.has(record),
      );
      const isNews = (record: DnsRecord): boolean =>
        (zones.get(record.domain) ?? floor) < shownAt && !this.known.has(nameOf(stored, record));
      return records.some(isNews) || left.some(isNews) ? [{ ...stored, records, left }] : [];
    };
    return files
      .flatMap(({ closed, unknown, writes }) =>
        [...writes.values(), ...(unknown ? [unknown] : [])].flatMap((stored) => intentOf(stored, closed)),
      )
      .sort((a, b) => a.at - b.at);
  }

  /**
   * Those of these records that this stack created although no state contains that: the process was killed,
   * or they moved from a deleted resource.
   * @param asked by digest
   */
  unsaved<T extends object>(asked: ReadonlyMap<string, T>): T[] {
    const noted = this.files().flatMap(({ unsaved }) =>
      unsaved.filter(({ project = this.project }) => project === this.project),
    );
    if (noted.length === 0) return [];
    const read = this.reader(asked);
    return noted.flatMap((each) => read(each) ?? []);
  }

  /**
   * Notes records that this stack created and another resource has taken over.
   * @param digests of their keys
   */
  handOver(digests: readonly string[]): void {
    if (digests.length === 0) return;
    // It never ends: the file stays.
    this.own.set((this.count += 1), undefined);
    this.append(
      () => ({ v: 2, handed: this.marked(digests), key: this.keyName, project: this.project }),
      true,
    );
  }

  /**
   * Notes live records that a resource adopts. Each provider has a process, and another one may plan to
   * remove them.
   */
  take(records: readonly RecordRef[]): void {
    const { engine } = this;
    if (records.length === 0 || engine === undefined) return;
    this.own.set((this.count += 1), this.clock.now());
    this.append(
      () => ({
        v: 2,
        taken: this.marked(records.map(takenDigest)),
        key: this.keyName,
        run: digest(engine),
      }),
      true,
    );
  }

  /** Whether another process of this update has taken a live record for a resource of its own. */
  takenBeside(): (live: RecordRef) => boolean {
    const run = digest(this.engine ?? "");
    const notes =
      this.engine === undefined
        ? []
        : this.files().flatMap(({ taken }) => taken.filter((each) => each.run === run));
    if (notes.length === 0) return () => false;
    const marks = new Set(notes.flatMap((each) => (each.key === this.keyName ? each.marks : [])));
    return (live) => marks.has(this.mark(takenDigest(live)));
  }

  /** The outcome of another's write is known: of these records, or of all that it is about. */
  foundOut(write: Stored, records?: readonly DnsRecord[]): void {
    if (records === undefined) this.known.add(nameOf(write));
    for (const record of records ?? []) this.known.add(nameOf(write, record));
  }

  /**
   * Notes the end of another process's job, so that later runs do not ask about it.
   * @param outcomes by digest. If a record of the job is missing, the entry stays open
   */
  sawEnd(job: string, outcomes: ReadonlyMap<string, { readonly kind: string }>): void {
    const noted = this.files().flatMap(({ writes }) =>
      [...writes.values()].filter((write) => write.job === job && write.ended === undefined),
    );
    if (noted.length === 0) return;
    const read = this.reader(outcomes);
    for (const { file, id, marks, key } of noted) {
      const known = read({ marks, key });
      if (known?.length !== marks.length) continue;
      const made = marks.filter((_, i) => known[i]?.kind === "made").join(" ");
      this.append(() => ({ v: 1, id, ended: this.stamps.stored(this.clock.now()), made }), false, file);
    }
  }

  /**
   * Returns the values that a note names; undefined if another key made its marks.
   * @param values digest -> value
   */
  private reader<T extends object>(
    values: ReadonlyMap<string, T>,
  ): (note: Pick<Stored, "marks" | "key">) => T[] | undefined {
    const byMark = new Map([...values].map(([each, value]) => [this.mark(each), value]));
    return ({ marks, key }) => {
      if (key !== undefined && key !== this.keyName && marks.length > 0) return undefined;
      return marks.flatMap((each) => (key === undefined ? values : byMark).get(each) ?? []);
    };
  }

  private mark(text: string): string {
    return createHmac("sha256", this.markKey).update(text).digest("base64url").slice(0, 16);
  }

  private marked(digests: readonly string[]): string {
    return digests.map((each) => this.mark(each)).join(" ");
  }

  /**
   * Ends the journal after the engine has every answer. The file stays while a write is open, or while
   * another process may use a zone that was read before the last write was listed.
   */
  close(): void {
    const now = this.clock.now();
    const young = this.settings.indexDelay * 1000 + longestUse;
    const open = [...this.own.values()].some((ended) => ended === undefined || now - ended < young);
    if (!open) removePrivate(this.file);
    else this.append(() => ({ v: 1, closed: this.stamps.stored(now) }));
  }

  /** Other processes' files. Damage is reported, and unneeded files are removed. */
  private others(): readonly JournalFile[] {
    const files = this.files();
    const spent = files.filter((file) => !this.isInUse(file));
    const now = this.clock.now();
    const kept = new Set(
      spent
        .filter(({ last, unsaved }) => unsaved.length > 0 && now - last <= aMonth)
        .sort((a, b) => b.last - a.last)
        .slice(0, mostKept),
    );
    for (const file of spent) if (!kept.has(file)) removePrivate(file.path);
    for (const file of files) this.report(file);
    return files;
  }

  /** Whether a process may still need a file to know of its writes, or to add one. */
  private isInUse({ closed, last, unknown, writes }: JournalFile): boolean {
    const now = this.clock.now();
    // No operation is idle for an hour.
    if (now - last <= (closed ? longestUse : anHour)) return true;
    return [...writes.values(), ...(unknown ? [unknown] : [])].some(
      (write) => now < listedAt(this.settings, write) + longestUse,
    );
  }

  private report(file: JournalFile): void {
    const { isReported, path, unknown } = file;
    if (isReported || unknown === undefined) return;
    file.isReported = true;
    this.reporter.warn(
      `the journal file ${path} is damaged: it is empty, or holds lines that cannot be read. It may have noted a write, so missing records are looked for before they are created`,
    );
    this.append(() => ({ v: 1, damaged: this.stamps.stored(unknown.at) }), false, path);
  }

  private files(): readonly JournalFile[] {
    const files = listPrivate(this.folder).flatMap((name): [string, JournalFile][] => {
      const path = join(this.folder, name);
      if (!name.startsWith(this.prefix) || path === this.file) return [];
      const file = this.read.get(name) ?? new JournalFile(path, this.clock, this.stamps);
      return file.refresh() ? [[name, file]] : [];
    });
    this.read = new Map(files);
    return [...this.read.values()];
  }

  /** @param flush the entry must be on disk before the call returns */
  private append(entry: () => object, flush = false, file = this.file): void {
    if (this.broken) return;
    try {
      // The last line of another process's file may have no end.
      const before = file === this.file ? "" : "\n";
      appendPrivate(file, `${before}${JSON.stringify(entry())}\n`, { flush });
    } catch (error) {
      // Another process's file may be gone or not writable: the next run asks again.
      if (file !== this.file) return;
      this.broken = true;
      this.reporter.warn(
        `the journal cannot be written (${errorText(error)}). The deployment goes on; but if it is killed, the next one cannot know what was on its way. Set stateDir (LEGACYDNS_STATE_DIR) to a folder that can be written`,
      );
    }
  }
}

function takenDigest(record: RecordRef): string {
  return digest(refOf(record));
}

/** Names a write among those of all processes, or a record of it; one that was sent again has a new name. */
function nameOf({ file, id, at }: Stored, record?: DnsRecord): string {
  return `${file} ${id} ${at}${record === undefined ? "" : ` ${digestOf(record)}`}`;
}
