/** A live zone as the text of a file, with the proof that declaring it creates nothing. Pure. */
import { recordKey, recordText } from "../../provider/dns";
import type { LiveRecord, ZoneFileResult } from "../../provider/dns/zone-file";
import { isError, reason, textOf } from "../../provider/problems";
import { createOnly } from "../../provider/reconcile/declaration";
import { planRecords } from "../../provider/reconcile/plan/plan";
import type { Zone } from "../../provider/reconcile/zones/zone";
import { CommandError } from "../errors";
import { zoneText, type Comments, type Form, type WrittenZone } from "../zone-text";

export interface ZoneFile extends Omit<WrittenZone, "path"> {
  readonly text: string;
  readonly comments: Comments;
  /** The number of the service's own NS records, which are not in the file. */
  readonly own: number;
}

/** Each attempt removes the records that conflict with others. Five attempts suffice for any zone. */
const writings = 5;

/** @throws CommandError if the file would not adopt its records: a defect of this package or of the zone */
export function zoneFileOf(zone: Zone, form: Form, defaultLine: string): ZoneFile {
  const { domain } = zone;
  const entries = zone.entries.filter(({ hold }) => !hold);
  const apexNs = entries.some(
    ({ record, enabled }) => enabled && record.type === "NS" && record.name === "@",
  );
  let records = entries.map(({ record, ttl, enabled, id }): LiveRecord => ({ ...record, ttl, enabled, id }));
  const header: string[] = [];
  for (let writing = 1; writing <= writings; writing += 1) {
    const { text, read, comments } = zoneText(form, { domain, records }, { defaultLine, apexNs, header });
    const conflicting = conflictsIn(read);
    if (conflicting.size === 0) {
      prove(read, zone);
      const own = zone.entries.length - entries.length;
      return { domain, form, text, declared: read.records.length, comments, own, apexNs };
    }
    for (const record of records)
      if (conflicting.has(recordKey(record)))
        header.push(
          `not declared (it excludes other records of its name, id ${record.id ?? "unknown"}): ${recordText(record)}`,
        );
    records = records.filter((record) => !conflicting.has(recordKey(record)));
  }
  throw new CommandError(reason("import.exclusive", { domain }));
}

function conflictsIn({ records, problems }: ZoneFileResult): Set<string> {
  return new Set(
    problems.filter(isError).map((problem) => {
      const record = records.find(({ position }) => position.line === problem.position.line);
      if (record !== undefined) return recordKey(record);
      const detail = `the file cannot be read back: ${textOf(problem)}`;
      throw new CommandError(reason("command.defect", { detail }));
    }),
  );
}

function prove({ records }: ZoneFileResult, zone: Zone): void {
  const plan = planRecords({
    records,
    zones: new Map([[zone.domain, zone]]),
    owned: new Set(),
    declaredElsewhere: () => false,
    adopt: true,
    may: createOnly,
  });
  const wrong = [...plan.create, ...plan.obstacles.map(({ record }) => record)];
  if (wrong.length === 0) return;
  const detail = `${zone.domain}: records would not be adopted`;
  const lines = wrong.map((record) => ({ text: recordText(record) }));
  throw new CommandError(reason("command.defect", { detail }, lines));
}
