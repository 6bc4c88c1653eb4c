/** Provenance that no state has: who created a live record, and which process has taken one over. */
import { digest } from "../../dns";
import type { JournalFolder } from "./journal-folder";
import { refOf, type RecordRef } from "./ledger";

export class Claims {
  constructor(
    private readonly folder: JournalFolder,
    private readonly project: string,
    private readonly engine: string | undefined,
  ) {}

  /** After a kill, or a move from a deleted resource, no state names their creator. */
  unsaved<T extends object>(asked: ReadonlyMap<string, T>): T[] {
    const notes = this.folder
      .files()
      .flatMap(({ unsaved }) => unsaved.filter(({ project }) => project === this.project));
    if (notes.length === 0) return [];
    const read = this.folder.reader(asked);
    return notes.flatMap((each) => read(each) ?? []);
  }

  noteReleased(digests: readonly string[]): void {
    const { folder, project } = this;
    if (digests.length > 0)
      folder.add(() => ({ released: folder.marked(digests), key: folder.keyName, project }));
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
    const notes =
      engine === undefined
        ? []
        : folder.files().flatMap(({ taken }) => taken.filter((each) => each.run === run));
    const marks = new Set(notes.flatMap((each) => (each.key === folder.keyName ? each.marks : [])));
    return (live) => marks.size > 0 && marks.has(folder.mark(takeoverMark(live)));
  }
}

function takeoverMark(record: RecordRef): string {
  return digest(refOf(record));
}
