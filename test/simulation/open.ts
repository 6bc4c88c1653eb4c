/**
 * Seeds whose schedules meet a defect that is open (docs/invariants.md, Bugs found): the test leaves them out, and each
 * goes from this list with the defect.
 */
export const knownOpen: ReadonlySet<number> = new Set([]);
