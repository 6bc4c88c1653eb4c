/** The records and shares that a resource of another provider takes over in the same update. */
import { digest } from "../../dns";
import type { JournalFolder } from "./journal-folder";
import { refOf, type RecordRef } from "./ledger";

export class Handover {
  /** @param engine the engine's address, which the processes of one update have in common */
  constructor(
    private readonly folder: JournalFolder,
    private readonly engine: string | undefined,
  ) {}

  /** Another process of the update may be about to remove records that a resource takes over. */
  takeOver(records: readonly RecordRef[]): void {
    const { engine, folder } = this;
    if (records.length === 0 || engine === undefined) return;
    const taken = folder.marked(records.map((each) => digest(refOf(each))));
    folder.add(() => ({ taken, key: folder.keyName, run: digest(engine) }));
  }

  takenOver(): (live: RecordRef) => boolean {
    const { engine, folder } = this;
    const run = digest(engine ?? "");
    const notes = engine === undefined ? [] : folder.files().flatMap(({ taken }) => taken);
    const own = notes.filter((each) => each.run === run && each.key === folder.keyName);
    const marks = new Set(own.flatMap((each) => each.marks));
    return (live) => marks.size > 0 && marks.has(folder.mark(digest(refOf(live))));
  }
}
