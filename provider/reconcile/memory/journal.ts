/**
 * The journal: each write is noted on disk before it leaves, so that the next process knows it after a
 * kill.
 */
import { Stamps, type Clock } from "../../support/clock";
import { digest, type DnsRecord } from "../../dns";
import { domainsOf, groupBy, smallest } from "../../support/collections";
import { perObject } from "../../support/per-object";
import type { Reporter } from "../../support/reporter";
import type { Settings } from "../../settings";
import { listedAt } from "../timeline";
import { snapshotAge } from "../zones/reader";
import type { Zone } from "../zones/zone";
import type { Deed, JournalWrite } from "./journal-file";
import { JournalFolder } from "./journal-folder";
import { byDigest, digestOf, refOf, type RecordRef } from "./ledger";

export interface EarlierWrite extends JournalWrite {
  /** The requested records that it may be of. */
  readonly records: readonly DnsRecord[];
  /** Those that it may change into others. */
  readonly left: readonly DnsRecord[];
}

interface OwnedEntry extends RecordRef {
  readonly key: string;
}

export interface JournalEntry {
  sending(): void;
  accepted(job: string): void;
  notDone(): void;
  /** @param made the written records: a listing may not show them yet */
  ended(made: readonly OwnedEntry[]): void;
}

export class Journal {
  private readonly folder: JournalFolder;
  /** Names of others' writes, or of their records, with a known outcome. */
  private readonly known = new Set<string>();

  constructor(
    settings: Settings,
    clock: Clock,
    reporter: Reporter,
    private readonly project = "",
    stamps: Stamps = new Stamps(clock),
    private readonly engine?: string,
  ) {
    this.folder = new JournalFolder(settings, clock, reporter, stamps);
  }

  close(): void {
    this.folder.close();
  }

  /** A disk that cannot be written is a warning. @param leaves the former records of a change */
  begin(
    records: readonly DnsRecord[],
    deed: Deed = "create",
    leaves: readonly DnsRecord[] = [],
  ): JournalEntry {
    const { folder } = this;
    const marksOf = (all: readonly DnsRecord[]): string => folder.marked(all.map(digestOf));
    let at = folder.clock.now();
    const id = folder.add((number) => ({
      id: number,
      at: folder.stamp(at),
      domains: domainsOf(records),
      digests: marksOf(records),
      key: folder.keyName,
      project: this.project,
      ...(deed === "create" ? {} : { deed }),
      ...(leaves.length === 0 ? {} : { leaves: marksOf(leaves) }),
    }));
    return {
      sending: () => {
        const now = folder.clock.now();
        if (now > at) folder.append(() => ({ id, sent: folder.stamp(now) }), { flush: true });
        at = now;
      },
      accepted: (job) => folder.append(() => ({ id, job }), { flush: true }),
      notDone: () => {
        folder.end(id, undefined);
        folder.append(() => ({ id, refused: true }));
      },
      ended: (made) => {
        if (deed === "create") this.notMadeEarlier(made);
        folder.end(id, folder.clock.now());
        folder.append(() => ({ id, ended: folder.stamp(), ...this.marksOf(made) }));
      },
    };
  }

  /**
   * Other processes' writes of these records with an unknown outcome.
   * @param readAt the time of a zone's reading; 0 without one
   * @param adopting the records without an owner that the plan adopts or changes. An owner's state contains the
   * result of a run that ended well
   */
  othersOf(
    asked: readonly DnsRecord[],
    readAt: (domain: string) => number,
    adopting: ReadonlySet<DnsRecord> = new Set(),
  ): EarlierWrite[] {
    const { clock, settings } = this.folder;
    const files = this.folder.tidied();
    if (files.length === 0 || asked.length === 0) return [];
    const floor = clock.now() - snapshotAge;
    const zones = new Map(domainsOf(asked).map((domain) => [domain, readAt(domain) || floor]));
    const oldest = smallest(zones.values());
    const read = this.folder.reader(byDigest(asked));
    const intentOf = (stored: JournalWrite, closed: boolean): EarlierWrite[] => {
      const shownAt = listedAt(settings, stored);
      if (shownAt <= oldest || this.known.has(nameOf(stored))) return [];
      // A line that cannot be read may mean any record; without the key, any record of its domains.
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

  foundOut(write: JournalWrite, records?: readonly DnsRecord[]): void {
    if (records === undefined) this.known.add(nameOf(write));
    for (const record of records ?? []) this.known.add(nameOf(write, record));
  }

  /** Closes the entry of another process's job, unless `outcomes` (by digest) lacks a record. */
  sawEnd(
    job: string,
    outcomes: ReadonlyMap<string, { readonly kind: string; readonly entry?: OwnedEntry }>,
  ): void {
    const { folder } = this;
    const noted = folder
      .files()
      .flatMap(({ writes }) =>
        [...writes.values()].filter((write) => write.job === job && write.ended === undefined),
      );
    if (noted.length === 0) return;
    const read = folder.reader(outcomes);
    for (const { file, id, marks, key } of noted) {
      const known = read({ marks, key });
      if (known?.length !== marks.length) continue;
      const made = marks.filter((_, i) => known[i]?.kind === "made").join(" ");
      const as = known.flatMap(({ entry }) => (entry === undefined ? [] : folder.mark(releaseMark(entry))));
      folder.append(() => ({ id, ended: folder.stamp(), made, as: as.join(" ") }), { file });
    }
  }

  /**
   * Those that runs of this project created and no state names: after a kill, or a move from a deleted resource. From
   * then on, the journal has them by id: a person may delete one and make an equal one.
   */
  unsaved<T extends OwnedEntry>(entries: readonly T[]): ReadonlySet<T> {
    const { folder } = this;
    const notes = entries.length === 0 ? [] : this.unsavedNotes();
    const found = new Set<T>();
    if (notes.length === 0) return found;
    const byText = groupBy(entries, (each) => folder.mark(digest(each.key)));
    const byId = new Map(entries.map((each) => [folder.mark(releaseMark(each)), each]));
    for (const { marks, write } of notes) {
      const certain = new Map<string, T>();
      for (const mark of marks) {
        const live = write === undefined ? byId.get(mark) : undefined;
        const [first, ...twins] = (write && byText.get(mark)) ?? [];
        for (const each of [live, first, ...twins]) if (each) found.add(each);
        // One of two twins is possibly a person's.
        if (first && twins.length === 0) certain.set(mark, first);
      }
      if (write) this.recognise(write, [...certain.keys()], [...certain.values()]);
    }
    return found;
  }

  /** The one of these records that the job made, if another process has seen the job's end. */
  madeBy<T extends OwnedEntry>(job: string, entries: readonly T[]): T | undefined {
    const { folder } = this;
    const made = new Set(folder.files().flatMap((file) => file.madeBy(job)));
    return entries.find((each) => made.has(folder.mark(releaseMark(each))));
  }

  /**
   * A new listing may not show what these writes must have made by now. Later, an equal record of another run may be live.
   * @param latest the last listing of a domain
   */
  noteAbsent(domain: string, latest: (domain: string) => Zone | undefined): void {
    const { folder } = this;
    const marksIn = perObject(
      ({ byKey }: Zone) => new Set([...byKey.keys()].map((key) => folder.mark(digest(key)))),
    );
    for (const { marks, write } of this.unsavedWrites()) {
      if (!write.domains.includes(domain)) continue;
      const shownAt = listedAt(folder.settings, write);
      const read = write.domains.flatMap((each) => latest(each) ?? []);
      if (read.length < write.domains.length || read.some(({ readAt }) => readAt < shownAt)) continue;
      const live = read.map(marksIn);
      this.recognise(
        write,
        marks.filter((mark) => !live.some((known) => known.has(mark))),
      );
    }
  }

  /** This process has made the records, so no earlier run of the project did. */
  private notMadeEarlier(made: readonly OwnedEntry[]): void {
    const writes = made.length === 0 ? [] : this.unsavedWrites();
    const texts = new Set(writes.length === 0 ? [] : made.map(({ key }) => this.folder.mark(digest(key))));
    for (const { marks, write } of writes)
      this.recognise(
        write,
        marks.filter((mark) => texts.has(mark)),
      );
  }

  /**
   * @param texts marks of texts
   * @param as their records. Without them, the write did not make any
   */
  private recognise({ file, id }: JournalWrite, texts: readonly string[], as?: readonly OwnedEntry[]): void {
    const { folder } = this;
    if (texts.length > 0)
      folder.append(() => ({ id, found: texts.join(" "), as: as && folder.marked(as.map(releaseMark)) }), {
        file,
      });
  }

  private unsavedWrites() {
    return this.unsavedNotes().flatMap(({ marks, write }) => (write === undefined ? [] : [{ marks, write }]));
  }

  private unsavedNotes() {
    const { folder, project } = this;
    return folder
      .files()
      .flatMap(({ unsaved }) =>
        unsaved.filter((each) => each.project === project && each.key === folder.keyName),
      );
  }

  private marksOf(made: readonly OwnedEntry[]) {
    return {
      made: this.folder.marked(made.map(({ key }) => digest(key))),
      as: this.folder.marked(made.map(releaseMark)),
    };
  }

  noteReleased(entries: readonly OwnedEntry[]): void {
    const { folder, project } = this;
    if (entries.length > 0)
      folder.add(() => ({
        released: folder.marked(entries.map(releaseMark)),
        key: folder.keyName,
        project,
      }));
  }

  /** Another process of the update may be about to remove records that a resource takes over. */
  takeOver(records: readonly RecordRef[]): void {
    const { engine, folder } = this;
    if (records.length === 0 || engine === undefined) return;
    const taken = folder.marked(records.map(takeoverMark));
    folder.add(() => ({ taken, key: folder.keyName, run: digest(engine) }), folder.clock.now());
  }

  takenOver(): (live: RecordRef) => boolean {
    const { engine, folder } = this;
    const run = digest(engine ?? "");
    const notes = engine === undefined ? [] : folder.files().flatMap(({ taken }) => taken);
    const own = notes.filter((each) => each.run === run && each.key === folder.keyName);
    const marks = new Set(own.flatMap((each) => each.marks));
    return (live) => marks.size > 0 && marks.has(folder.mark(takeoverMark(live)));
  }
}

/** A write that was sent again, or got its job's number in the meantime, has a new name. */
function nameOf({ file, id, at, job = "" }: JournalWrite, record?: DnsRecord): string {
  return `${file} ${id} ${at} ${job}${record === undefined ? "" : ` ${digestOf(record)}`}`;
}

/** A recreated record has another number and is unmanaged. */
function releaseMark({ domain, id, key }: OwnedEntry): string {
  return digest(`${key} ${refOf({ domain, id })}`);
}

function takeoverMark(record: RecordRef): string {
  return digest(refOf(record));
}
