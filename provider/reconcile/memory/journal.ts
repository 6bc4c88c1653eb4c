/**
 * The open writes of all processes of a machine. Each is noted on disk before it leaves, so that the next process knows
 * it after a kill.
 */
import { Stamps, type Clock } from "../../support/clock";
import { digest, type DnsRecord } from "../../dns";
import { domainsOf, smallest } from "../../support/collections";
import type { Reporter } from "../../support/reporter";
import type { Settings } from "../../settings";
import { listedAt } from "../timeline";
import { snapshotAge } from "../zones/reader";
import { CreatedRecords, digestWithId, type OwnedEntry } from "./created-records";
import { Handover } from "./handover";
import type { Deed, JournalWrite } from "./journal-file";
import { JournalFolder } from "./journal-folder";
import { byDigest, digestOf } from "./ledger";

export interface EarlierWrite extends JournalWrite {
  /** The requested records that it may be of. */
  readonly records: readonly DnsRecord[];
  /** Those that it may change into others. */
  readonly left: readonly DnsRecord[];
}

export interface JournalEntry {
  sending(): void;
  accepted(job: string): void;
  notDone(): void;
  /** @param made the written records: a listing may not show them yet */
  ended(made: readonly OwnedEntry[]): void;
}

export class Journal {
  /** Records that this project's runs created and no state has yet. */
  readonly created: CreatedRecords;
  readonly handover: Handover;
  private readonly folder: JournalFolder;
  /** Names of others' writes, or of their records, with a known outcome. */
  private readonly known = new Set<string>();

  constructor(
    settings: Settings,
    clock: Clock,
    reporter: Reporter,
    private readonly project = "",
    stamps: Stamps = new Stamps(clock),
    engine?: string,
  ) {
    this.folder = new JournalFolder(settings, clock, reporter, stamps);
    this.created = new CreatedRecords(this.folder, project);
    this.handover = new Handover(this.folder, engine);
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
        folder.append(() => ({ id, refused: true }));
      },
      ended: (made) => {
        if (deed === "create") this.created.noteMade(made);
        folder.append(() => ({ id, ended: folder.stamp(), ...this.marksOf(made) }));
      },
    };
  }

  /**
   * Other processes' writes of these records that the zones' readings need not show, and that `foundOut` has not settled.
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
    const isListed = (write: JournalWrite, at: number): boolean => listedAt(settings, write) <= at;
    const isNews = (write: JournalWrite, record: DnsRecord): boolean =>
      !isListed(write, zones.get(record.domain) ?? floor) && !this.known.has(nameOf(write, record));
    const recordsOf = this.recordsAmong(asked);
    return files
      .flatMap(({ closed, unknown, writes }) =>
        [...writes.values(), ...(unknown ? [unknown] : [])]
          .filter((write) => !isListed(write, oldest) && !this.known.has(nameOf(write)))
          .map((write) => ({
            ...write,
            records: recordsOf(write, write.marks),
            left: recordsOf(write, write.leaves).filter((record) => !closed || adopting.has(record)),
          })),
      )
      .filter((write) => [...write.records, ...write.left].some((record) => isNews(write, record)))
      .sort((a, b) => a.at - b.at);
  }

  /** A line that cannot be read may mean any record; without the key, any record of its domains. */
  private recordsAmong(
    asked: readonly DnsRecord[],
  ): (write: JournalWrite, marks: readonly string[] | undefined) => readonly DnsRecord[] {
    const read = this.folder.reader(byDigest(asked));
    return ({ domains, id, key }, marks) => {
      if (marks === undefined) return [];
      if (id === 0) return asked;
      return read({ marks, key }) ?? asked.filter(({ domain }) => domains.includes(domain));
    };
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
      const as = known.flatMap(({ entry }) => (entry === undefined ? [] : folder.mark(digestWithId(entry))));
      folder.append(() => ({ id, ended: folder.stamp(), made, as: as.join(" ") }), { file });
    }
  }

  private marksOf(made: readonly OwnedEntry[]) {
    return {
      made: this.folder.marked(made.map(({ key }) => digest(key))),
      as: this.folder.marked(made.map(digestWithId)),
    };
  }
}

/** A write that was sent again, or got its job's number in the meantime, has a new name. */
function nameOf({ file, id, at, job = "" }: JournalWrite, record?: DnsRecord): string {
  return `${file} ${id} ${at} ${job}${record === undefined ? "" : ` ${digestOf(record)}`}`;
}
