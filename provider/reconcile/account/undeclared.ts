/** Live records that no resource declares, determined after all resources have been checked. */
import type { Declaration } from "../declaration";
import { groupBy } from "../../gather";
import { refOf, type RecordRef } from "../memory/ledger";
import { anybodysText } from "../wording";
import { reason, textOf } from "../../problems";
import type { Run } from "../run";
import { errorText } from "../../words";
import type { LiveEntry } from "../zones/zone";

/**
 * The undeclared records in the domains that a resource reports on.
 * @throws LegacyDnsError if a zone cannot be read
 */
export async function findUndeclared(
  { siblings, zones }: Run,
  { report }: Declaration,
): Promise<LiveEntry[]> {
  if (report === undefined) return [];
  await siblings.quiet.wait();
  const read = await zones.getAll(report.domains);
  return [...read.values()].flatMap(({ entries }) =>
    entries.filter((entry) => !entry.hold && siblings.isNobodys(entry) && !report.ignored(entry.record)),
  );
}

/**
 * Reports an update's other findings. It never rejects, because the state must keep the written records.
 * @param known the handled records
 */
export async function tellOtherUndeclared(
  run: Run,
  declaration: Declaration,
  known: readonly RecordRef[],
): Promise<void> {
  const own = new Set(known.map(refOf));
  try {
    const undeclared = await findUndeclared(run, declaration);
    tellUndeclared(
      run,
      declaration,
      undeclared.filter((live) => !own.has(refOf(live))),
    );
  } catch (error) {
    run.reporter.warn(textOf(reason("live.not-looked-for", { why: errorText(error) })));
  }
}

/** Warns about undeclared records. */
export function tellUndeclared(run: Run, declaration: Declaration, undeclared: readonly LiveEntry[]): void {
  const { reporter, siblings } = run;
  const wording = siblings.wording(declaration);
  for (const [domain, entries] of groupBy(undeclared, ({ domain }) => domain)) {
    const names = anybodysText(entries, wording);
    const removed = declaration.report?.remove === true;
    reporter.warn(textOf(reason("live.undeclared", { domain, names, live: entries.length, removed })));
  }
}
