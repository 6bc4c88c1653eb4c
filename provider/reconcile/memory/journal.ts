/**
 * The journal of intents: each write is noted on disk before it leaves, and the note stays until the process has ended well.
 * After a kill, the next process reads which records may be on their way.
 */
import { Stamps, type Clock } from "../../support/clock";
import { type DnsRecord } from "../../dns";
import { domainsOf, smallest } from "../../support/collections";
import type { Reporter } from "../../support/reporter";
import type { Settings } from "../../settings";
import { listedAt } from "../timeline";
import { snapshotAge } from "../zones/reader";
import { Claims } from "./claims";
import type { Deed, Stored } from "./journal-file";
import { JournalFolder } from "./journal-folder";
import { byDigest, digestOf } from "./ledger";

/** A write of another process. */
export interface Intent extends Stored {
  /** Those of the records asked about that it may be of. */
  readonly records: readonly DnsRecord[];
  /** Those of the records asked about that it may change into others. */
  readonly left: readonly DnsRecord[];
}

/** A write in the journal. */
export interface JournalEntry {
  /** It leaves now, perhaps once more. */
  sending(): void;
  accepted(job: string): void;
  /** Nothing was written. */
  notDone(): void;
  /** It has ended. @param made digests of the records that it made: a listing may not show them yet */
  ended(made: readonly string[]): void;
}

export class Journal {
  readonly claims: Claims;
  private readonly folder: JournalFolder;
  /** Others' writes with a known outcome: their names, alone or each with a record's digest. */
  private readonly known = new Set<string>();

  /**
   * @param project a resource of another project is not this one's
   * @param engine the engine's address: the processes of one update have one
   */
  constructor(
    settings: Settings,
    clock: Clock,
    reporter: Reporter,
    private readonly project = "",
    stamps: Stamps = new Stamps(clock),
    engine?: string,
  ) {
    this.folder = new JournalFolder(settings, clock, reporter, stamps);
    this.claims = new Claims(this.folder, project, engine);
  }

  /** The process ends well. */
  close(): void {
    this.folder.close();
  }

  /**
   * Notes a write before it is sent. A disk that cannot be written is a warning, and the write goes on.
   * @param leaves the records of a change as they are until then
   */
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
        folder.end(id, folder.clock.now());
        folder.append(() => ({ id, ended: folder.stamp(), made: folder.marked(made) }));
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
    const { clock, settings } = this.folder;
    const files = this.folder.tidied();
    if (files.length === 0 || asked.length === 0) return [];
    const floor = clock.now() - snapshotAge;
    const zones = new Map(domainsOf(asked).map((domain) => [domain, readAt(domain) || floor]));
    const oldest = smallest(zones.values());
    const read = this.folder.reader(byDigest(asked));
    const intentOf = (stored: Stored, closed: boolean): Intent[] => {
      const shownAt = listedAt(settings, stored);
      if (shownAt <= oldest || this.known.has(nameOf(stored))) return [];
      // Any record may be meant by a line that cannot be read, and any record of its domains if the key is lost.
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

  /** The outcome of another's write is known. @param records those that it is known of; if they are left out, all */
  foundOut(write: Stored, records?: readonly DnsRecord[]): void {
    if (records === undefined) this.known.add(nameOf(write));
    for (const record of records ?? []) this.known.add(nameOf(write, record));
  }

  /**
   * Closes the entry of another process's job, so that no later run asks about it.
   * @param outcomes by digest; if one of the job's records is missing, the entry stays open
   */
  sawEnd(job: string, outcomes: ReadonlyMap<string, { readonly kind: string }>): void {
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
      folder.append(() => ({ id, ended: folder.stamp(), made }), { file });
    }
  }
}

/** Names a write among those of all processes, or a record of it; one that was sent again has a new name. */
function nameOf({ file, id, at }: Stored, record?: DnsRecord): string {
  return `${file} ${id} ${at}${record === undefined ? "" : ` ${digestOf(record)}`}`;
}
