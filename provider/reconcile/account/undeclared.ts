/** Live records that no resource declares. */
import type { Declaration } from "../declaration";
import { refOf, type RecordRef } from "../memory/ledger";
import { domainReasons } from "../wording";
import { reason } from "../../problems";
import { warnOf } from "../../support/reporter";
import type { Run } from "../run";
import { errorText } from "../../support/text";
import type { LiveEntry } from "../zones/zone";

export async function findUndeclared(
  { siblings, zones }: Run,
  { report }: Declaration,
): Promise<LiveEntry[]> {
  if (report === undefined) return [];
  await siblings.quiet.wait();
  const read = await zones.getAll(report.domains);
  return [...read.values()].flatMap(({ entries }) =>
    entries.filter((entry) => !entry.hold && siblings.isUnmanaged(entry) && !report.ignored(entry.record)),
  );
}

/**
 * It never rejects, because the state must keep the written records.
 * @param known the handled records
 */
export async function reportOtherUndeclared(
  run: Run,
  declaration: Declaration,
  known: readonly RecordRef[],
): Promise<void> {
  const own = new Set(known.map(refOf));
  try {
    const undeclared = await findUndeclared(run, declaration);
    reportUndeclared(
      run,
      declaration,
      undeclared.filter((live) => !own.has(refOf(live))),
    );
  } catch (error) {
    warnOf(run.reporter, [reason("live.not-looked-for", { detail: errorText(error) })]);
  }
}

export function reportUndeclared(run: Run, declaration: Declaration, undeclared: readonly LiveEntry[]): void {
  const { reporter, siblings } = run;
  const { hidesForeign: hides, ...wording } = siblings.wording(declaration);
  const code = declaration.report?.remove === true ? "live.undeclared-goes" : "live.undeclared";
  warnOf(reporter, domainReasons(code, undeclared, { ...wording, hides, hidesForeign: hides }));
}
