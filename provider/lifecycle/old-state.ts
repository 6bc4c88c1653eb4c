/**
 * The first form of the state, which earlier versions wrote, as the state of today: records were a flat object from
 * canonical text to TTL, with what a refresh had found in the place of the TTL (`"600 (disabled)"`), and the ledger an
 * output that every diff showed. The next update writes today's form.
 */
import { parseRecordText, readStateTtl, zoneText, type DeclaredEntry } from "../dns";
import { textsOf } from "./options";

type Props = Readonly<Record<string, unknown>>;

/** Whether inputs hold their records in the first form. */
export function isFirstForm({ records }: Props): boolean {
  return typeof records === "object" && records !== null;
}

/** Inputs or outputs in today's form: the same object where they are in it already. */
export function moved(props: Props): Props {
  if (!isFirstForm(props) && props["ledger"] === undefined) return props;
  const { ledger, records, ...rest } = props;
  return {
    ...rest,
    ...(ledger === undefined ? {} : { __ledger: ledger }),
    ...(records === undefined
      ? {}
      : { records: isFirstForm(props) ? textOf(records, textsOf(props["domains"])) : records }),
  };
}

/** Values stay in the text where the property is secret as a whole. */
function textOf(records: unknown, domains: readonly string[]): string {
  const entries: DeclaredEntry[] = [];
  for (const [text, value] of Object.entries(records ?? {})) {
    const read = parseRecordText(text, domains);
    const ttl = readStateTtl(value, () => "a TTL of the state");
    // Such an entry has never been anything: no version could read it.
    if ("problem" in read || "problem" in ttl) continue;
    const note = ttl.note === undefined ? {} : { note: ttl.note };
    const live = ttl.note === "drifted" && ttl.ttl !== "default" ? { liveTtl: ttl.ttl } : {};
    entries.push({ ...read.record, ttl: ttl.ttl, ...note, ...live });
  }
  return zoneText({ records: entries, unknowns: [] });
}
