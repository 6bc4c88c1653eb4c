/**
 * The journal notes each write on disk before it leaves, and keeps the note until the process has ended well. After a kill,
 * the next process reads which records may be on their way. It holds no values: digests keyed with a secret of this machine.
 * One file per process.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { Stamps, type Clock } from "../../clock";
import { digest, type DnsRecord } from "../../dns";
import { domainsOf, gather } from "../../gather";
import { appendPrivate, machineKey, removePrivate } from "../../private-file";
import type { Reporter } from "../../report";
import type { Settings } from "../../settings";
import { errorText } from "../../words";
import { snapshotAge } from "../zones/reader";
import { readNotes, type Deed, type Notes, type Stored } from "./journal-file";
import { byDigest, digestOf, refOf, type RecordRef } from "./ledger";

/** A write of another process, and those of the records asked about that it may be of, or that it may make others. */
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
  /** What is known of others' writes: their names, alone or each with a record's digest. */
  private readonly known = new Set<string>();
  /** Times that others noted, as first understood. */
  private readonly times = new Map<string, number>();
  private broken = false;
  /** This machine's key; its name tells keys apart, and nothing of the secret. */
  private kept: { readonly name: string; readonly mark: (digest: string) => string } | undefined;

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
    this.folder = join(settings.stateDir, "journal");
    this.prefix = `${digest(settings.baseUrl)}.`;
    this.file = join(this.folder, `${this.prefix}${randomBytes(9).toString("hex")}.jsonl`);
  }

  /**
   * Notes a write before it is sent. A disk that cannot be written is a warning, and the write goes on. @param leaves what the
   * records of a change are until then
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
        key: this.key().name,
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
   * Other processes' writes of these records whose outcome is not known here. @param readAt when a domain's zone was read,
   * in milliseconds of this process's time @param adopting those of the records that no resource answers for: what a run that ended
   * well has made of a record, the state of its resource tells, and no other's
   */
  othersOf(
    asked: readonly DnsRecord[],
    readAt: (domain: string) => number,
    adopting: ReadonlySet<DnsRecord> = new Set(),
  ): Intent[] {
    const others = this.others();
    if (others.length === 0) return [];
    const read = this.reader(byDigest(asked));
    return others.flatMap((stored) => {
      // Any record of its domains may be meant where the key is lost.
      const ofMarks = (marks: readonly string[]): DnsRecord[] =>
        read({ marks, key: stored.key }) ?? asked.filter(({ domain }) => stored.domains.includes(domain));
      const [records, left] = [
        ofMarks(stored.marks),
        ofMarks(stored.leaves ?? []).filter((record) => !stored.closed || adopting.has(record)),
      ];
      const listedAt = this.listedAt(stored);
      const isNews = (record: DnsRecord): boolean =>
        readAt(record.domain) < listedAt && !this.known.has(nameOf(stored, record));
      return !this.known.has(nameOf(stored)) && [...records, ...left].some(isNews)
        ? [{ ...stored, records, left }]
        : [];
    });
  }

  /**
   * Of these records those that this stack made though no state says so: a process was killed while it made them, or a
   * resource that is gone gave them to another. @param asked by digest
   */
  unsaved<T extends object>(asked: ReadonlyMap<string, T>): T[] {
    const files = this.files();
    if (files.length === 0) return [];
    const read = this.reader(asked);
    const noted = files.flatMap(({ unsaved }) =>
      unsaved.filter(({ project = this.project }) => project === this.project),
    );
    return noted.flatMap((each) => read(each) ?? []);
  }

  /** Notes records that this stack made, and that another resource has taken over. @param digests of their keys */
  handOver(digests: readonly string[]): void {
    if (digests.length === 0) return;
    // It never ends: the file stays.
    this.own.set((this.count += 1), undefined);
    this.append(
      () => ({ v: 2, handed: this.marked(digests), key: this.key().name, project: this.project }),
      true,
    );
  }

  /** Notes live records that a resource takes for its own: the engine has a process for each provider, and another may be about to remove them. */
  take(records: readonly RecordRef[]): void {
    const { engine } = this;
    if (records.length === 0 || engine === undefined) return;
    this.own.set((this.count += 1), this.clock.now());
    this.append(
      () => ({
        v: 2,
        taken: this.marked(records.map(takenDigest)),
        key: this.key().name,
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
    const { name, mark } = this.key();
    const marks = new Set(notes.flatMap((each) => (each.key === name ? each.marks : [])));
    return (live) => marks.has(mark(takenDigest(live)));
  }

  /** The outcome of another's write is known: of these records, or of all that it is about. */
  foundOut(write: Stored, records?: readonly DnsRecord[]): void {
    if (records === undefined) this.known.add(nameOf(write));
    for (const record of records ?? []) this.known.add(nameOf(write, record));
  }

  /**
   * Notes the end of another process's job, so that no later run asks about it. @param outcomes by digest; where one of the
   * job's is missing, the entry stays open
   */
  sawEnd(job: string, outcomes: ReadonlyMap<string, { readonly kind: string }>): void {
    const noted = this.others().filter((write) => write.job === job && write.ended === undefined);
    if (noted.length === 0) return;
    const read = this.reader(outcomes);
    for (const { file, id, marks, key } of noted) {
      const known = read({ marks, key });
      if (known?.length !== marks.length) continue;
      const made = marks.filter((_, i) => known[i]?.kind === "made").join(" ");
      this.append(() => ({ v: 1, id, ended: this.stamps.stored(this.clock.now()), made }), false, file);
    }
  }

  /** This machine's key for marks. @throws where the disk has none and takes none */
  private key(): NonNullable<Journal["kept"]> {
    if (this.kept) return this.kept;
    const secret = machineKey(this.settings.stateDir);
    const name = createHash("sha256").update(secret).digest("hex").slice(0, 8);
    return (this.kept = {
      name,
      mark: (each) => createHmac("sha256", secret).update(each).digest("base64url").slice(0, 16),
    });
  }

  /** What tells which of these a note is of; undefined where the key of its marks is lost. @param values by digest */
  private reader<T extends object>(
    values: ReadonlyMap<string, T>,
  ): (note: Pick<Stored, "marks" | "key">) => T[] | undefined {
    let own: Journal["kept"];
    try {
      own = this.key();
    } catch {
      // Then plain digests can be read.
    }
    const byMark = new Map(
      [...values].flatMap(([each, value]) => (own ? [[own.mark(each), value] as const] : [])),
    );
    return ({ marks, key }) => {
      if (key !== undefined && key !== own?.name && marks.length > 0) return undefined;
      return marks.flatMap((each) => (key === undefined ? values : byMark).get(each) ?? []);
    };
  }

  private marked(digests: readonly string[]): string {
    return digests.map(this.key().mark).join(" ");
  }

  /** Ends well: the engine has every answer. The file stays while a write is open, or so young that another process may have read the zone before it. */
  close(): void {
    const now = this.clock.now();
    const young = this.settings.indexDelay * 1000 + snapshotAge;
    const open = [...this.own.values()].some((ended) => ended === undefined || now - ended < young);
    if (!open) removePrivate(this.file);
    else this.append(() => ({ v: 1, closed: this.stamps.stored(now) }));
  }

  private others(): Stored[] {
    const open: Stored[] = [];
    for (const { file, last, writes, unsaved } of this.files()) {
      // Some process may have read the zone before it listed the write.
      const found = writes.filter((write) => this.clock.now() < this.listedAt(write) + snapshotAge);
      open.push(...found);
      // Every listing shows it by now. Its process may live and note another write, but no operation is idle for so long.
      if (found.length === 0 && this.clock.now() - last > (unsaved.length > 0 ? aMonth : anHour))
        removePrivate(file);
    }
    return open.sort((a, b) => a.at - b.at);
  }

  private files(): Notes[] {
    let names: string[];
    try {
      names = fs.readdirSync(this.folder);
    } catch {
      return [];
    }
    return names.flatMap((name) => {
      const file = join(this.folder, name);
      if (!name.startsWith(this.prefix) || file === this.file) return [];
      return (
        readNotes(file, (stored) => gather(this.times, `${name} ${stored}`, this.stamps.read(stored))) ?? []
      );
    });
  }

  /** When every listing shows the outcome of a write. A job with a number is asked about for a day. */
  private listedAt({ at, ended, job }: Stored): number {
    const { indexDelay, jobTimeout, requestTimeout } = this.settings;
    if (ended !== undefined) return ended + indexDelay * 1000;
    return at + (job === undefined ? (requestTimeout + jobTimeout + indexDelay) * 1000 : aDay);
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
