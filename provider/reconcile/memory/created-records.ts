/** The records that this project's runs created and no state has yet, from the journal's files. */
import { digest } from "../../dns";
import { groupBy } from "../../support/collections";
import { perObject } from "../../support/per-object";
import { listedAt } from "../timeline";
import type { Zone } from "../zones/zone";
import type { JournalWrite } from "./journal-file";
import type { JournalFolder } from "./journal-folder";
import { refOf, type RecordRef } from "./ledger";

export interface OwnedEntry extends RecordRef {
  readonly key: string;
}

export class CreatedRecords {
  private readonly marksIn = perObject(
    ({ byKey }: Zone) => new Set([...byKey.keys()].map((key) => this.folder.mark(digest(key)))),
  );

  constructor(
    private readonly folder: JournalFolder,
    private readonly project: string,
  ) {}

  /**
   * Those of `entries` that no state names: after a kill, or a move from a deleted resource. From then on, the journal
   * has them by id: a person may delete one and make an equal one.
   */
  among<T extends OwnedEntry>(entries: readonly T[]): ReadonlySet<T> {
    const { folder } = this;
    const notes = entries.length === 0 ? [] : this.unsavedNotes();
    const found = new Set<T>();
    if (notes.length === 0) return found;
    const byText = groupBy(entries, (each) => folder.mark(digest(each.key)));
    const byId = new Map(entries.map((each) => [folder.mark(digestWithId(each)), each]));
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

  /**
   * A new listing may not show what these writes must have made by now. Later, an equal record of another run may be live.
   * @param latest the last listing of a domain
   */
  noteAbsent(domain: string, latest: (domain: string) => Zone | undefined): void {
    const { folder } = this;
    for (const { marks, write } of this.unsavedWrites()) {
      if (!write.domains.includes(domain)) continue;
      const shownAt = listedAt(folder.settings, write);
      const read = write.domains.flatMap((each) => latest(each) ?? []);
      if (read.length < write.domains.length || read.some(({ readAt }) => readAt < shownAt)) continue;
      const live = read.map(this.marksIn);
      this.recognise(
        write,
        marks.filter((mark) => !live.some((known) => known.has(mark))),
      );
    }
  }

  /** This process has made the records, so no earlier run of the project did. */
  noteMade(made: readonly OwnedEntry[]): void {
    const writes = made.length === 0 ? [] : this.unsavedWrites();
    if (writes.length === 0) return;
    const texts = new Set(made.map(({ key }) => this.folder.mark(digest(key))));
    for (const { marks, write } of writes)
      this.recognise(
        write,
        marks.filter((mark) => texts.has(mark)),
      );
  }

  /** Records that leave a deleted resource for another one. */
  noteReleased(entries: readonly OwnedEntry[]): void {
    const { folder, project } = this;
    if (entries.length > 0)
      folder.add(() => ({
        released: folder.marked(entries.map(digestWithId)),
        key: folder.keyName,
        project,
      }));
  }

  /**
   * @param texts marks of texts
   * @param as their records. Without them, the write did not make any
   */
  private recognise({ file, id }: JournalWrite, texts: readonly string[], as?: readonly OwnedEntry[]): void {
    const { folder } = this;
    if (texts.length > 0)
      folder.append(() => ({ id, found: texts.join(" "), as: as && folder.marked(as.map(digestWithId)) }), {
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
}

/** A recreated record has another number and is unmanaged. */
export function digestWithId({ domain, id, key }: OwnedEntry): string {
  return digest(`${key} ${refOf({ domain, id })}`);
}
