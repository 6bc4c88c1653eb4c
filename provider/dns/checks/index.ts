/**
 * Checks for legal records that are hardly meant. They take linear time. A name is missing only if the
 * whole zone is known.
 */
import { targetChecks } from "./targets";
import { nameChecks } from "./names";
import { mailChecks } from "./mail";
import { recordTypes, typeOf } from "../types";
import { groupBy } from "../../support/collections";
import { checkCodes, type CheckCode, type Reason } from "../../problems";
import { compareTexts, zoneOrder } from "../names";
import { describeRecord } from "../text";
import { levelOf, type CheckLevel, type CheckLevels } from "./levels";
import { ZoneIndex, type ZoneRecord, type ZoneView, type Checks } from "./view";

export * from "./levels";
export { hostOf } from "./targets";
export { upwards, type ZoneRecord, type ZoneView } from "./view";

export interface CheckFinding extends Reason<CheckCode> {
  readonly domain: string;
  /** One of the declared records. */
  readonly subject: ZoneRecord;
}

export function checkZone(view: ZoneView, isOff: (code: CheckCode) => boolean = () => false): CheckFinding[] {
  const zone = new ZoneIndex(view);
  const found: { readonly order: string; readonly finding: CheckFinding }[] = [];
  for (const [type, records] of groupBy(view.declared, (record) => record.type)) {
    const codes = codesOf(type).filter((code) => !isOff(code));
    for (const record of records)
      for (const code of codes) {
        const note = table[code](record, zone);
        if (note === undefined || note === false) continue;
        const { domain } = record;
        const text = describeRecord(record);
        const line = note === true ? { text } : { text, note };
        found.push({
          order: orderOf(record, text, code),
          finding: { code, parts: undefined, of: `${domain}:`, records: [line], domain, subject: record },
        });
      }
  }
  return found.sort((a, b) => compareTexts(a.order, b.order)).map(({ finding }) => finding);
}

/** The mark of a secret differs from process to process. */
function orderOf(record: ZoneRecord, text: string, code: CheckCode): string {
  const own = record.secret === true ? "" : text;
  return `${zoneOrder(record.name)}\0\0${record.type}\0${own}\0${code}`;
}

/** @returns one finding for each domain and code, because rendering every record of a large zone takes long */
export function divideFindings(
  findings: readonly CheckFinding[],
  levels: CheckLevels,
): Readonly<Record<Exclude<CheckLevel, "off">, readonly CheckFinding[]>> {
  const groups = [...groupBy(findings, ({ domain, code }) => `${domain} ${code}`).values()];
  const merged = groups.map((these) => ({
    ...these[0],
    records: these.flatMap(({ records = [] }) => records),
  }));
  const of = (wanted: CheckLevel): CheckFinding[] =>
    merged.filter(({ code }) => levelOf(code, levels) === wanted);
  return { refuse: of("refuse"), warn: of("warn"), note: of("note") };
}

const table: Checks = { ...targetChecks, ...nameChecks, ...mailChecks };

const ofTypes: ReadonlySet<CheckCode> = new Set(recordTypes.flatMap(({ checks }) => checks));

export const commonChecks: readonly CheckCode[] = checkCodes.filter((code) => !ofTypes.has(code));

export function codesOf(type: string): readonly CheckCode[] {
  return [...(typeOf(type)?.checks ?? []), ...commonChecks];
}
