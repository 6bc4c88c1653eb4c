/** Whose records they are. */
import type { Run } from "../run";
import type { LiveEntry } from "../zones/zone";

/** By this stack: as another resource's ledger says, or the journal after a kill. */
export function createdAmong(
  { journal, siblings }: Pick<Run, "journal" | "siblings">,
  entries: readonly LiveEntry[],
): (live: LiveEntry) => boolean {
  const ofJournal = journal.unsaved(entries);
  return (live) => ofJournal.has(live) || siblings.owned.isCreated(live);
}
