/** A live zone as the text of a file, with the proof that declaring it creates nothing. Pure. */
import { recordKey, recordText } from "../../provider/dns";
import {
  readYamlZone,
  readZoneFile,
  writeYamlZone,
  writeZoneFile,
  type LiveRecord,
  type ZoneFileResult,
} from "../../provider/dns/zone-file";
import { planRecords } from "../../provider/reconcile/plan/plan";
import type { Zone } from "../../provider/reconcile/zones/zone";
import { isError, shown } from "../../provider/problems";
import { CommandError } from "../errors";
import { createOnly } from "../../provider/reconcile/declaration";

export interface ZoneFile {
  readonly text: string;
  readonly declared: number;
  readonly comments: Comments;
  /** The number of the service's own NS records, which are not in the file. */
  readonly own: number;
  readonly apexNs: boolean;
}

/** Each attempt removes the records that conflict with others. Five attempts suffice for any zone. */
const writings = 5;

/** @throws CommandError if the file would not adopt its records: a defect of this package or of the zone */
export function zoneFileOf(zone: Zone, form: "zone" | "yaml", defaultLine: string): ZoneFile {
  const { domain } = zone;
  const entries = zone.entries.filter(({ hold }) => !hold);
  const apexNs = entries.some(
    ({ record, enabled }) => enabled && record.type === "NS" && record.name === "@",
  );
  let records = entries.map(({ record, ttl, enabled, id }): LiveRecord => ({ ...record, ttl, enabled, id }));
  const header: string[] = [];
  for (let writing = 1; writing <= writings; writing += 1) {
    const options = { defaultLine, apexNs, header };
    const text =
      form === "zone"
        ? writeZoneFile({ domain, records }, options)
        : writeYamlZone({ domain, records }, options);
    const read = readBack(text, form, { domain, defaultLine, apexNs });
    const conflicting = conflictsIn(read);
    if (conflicting.size === 0) {
      prove(read, zone);
      return {
        text,
        declared: read.records.length,
        comments: commentsIn(text),
        own: zone.entries.length - entries.length,
        apexNs,
      };
    }
    for (const record of records) {
      const message = conflicting.get(recordKey(record));
      if (message !== undefined)
        header.push(`not declared (${message}, id ${record.id ?? "unknown"}): ${recordText(record)}`);
    }
    records = records.filter((record) => !conflicting.has(recordKey(record)));
  }
  throw new CommandError(
    `${domain}: no file can declare this zone: its records exclude each other. Untangle them in the service's console first`,
  );
}

function readBack(
  text: string,
  form: "zone" | "yaml",
  { domain, defaultLine, apexNs }: { domain: string; defaultLine: string; apexNs: boolean },
): ZoneFileResult {
  const file = `${domain}.${form}`;
  return form === "zone"
    ? readZoneFile(text, { file, domain, defaultLine, apexNs })
    : readYamlZone(text, { file, domain, defaultLine });
}

function conflictsIn({ records, problems }: ZoneFileResult): Map<string, string> {
  const found = new Map<string, string>();
  for (const problem of problems) {
    if (!isError(problem)) continue;
    const record = records.find((each) => each.position.line === problem.position.line);
    if (record === undefined) throw new CommandError(`the file cannot be read back: ${shown(problem)}`);
    found.set(recordKey(record), "it excludes other records of its name");
  }
  return found;
}

/** Proves that every declared record is live, enabled and has the same TTL. */
function prove({ records }: ZoneFileResult, zone: Zone): void {
  const plan = planRecords({
    declared: records,
    zones: new Map([[zone.domain, zone]]),
    ours: new Set(),
    declaredElsewhere: () => false,
    adopt: true,
    may: createOnly,
  });
  const wrong = [...plan.create, ...plan.obstacles.map(({ record }) => record)];
  if (wrong.length === 0) return;
  throw new CommandError(
    `${zone.domain}: ${wrong.length} records would not be adopted as they are written, such as ${wrong.slice(0, 3).map(recordText).join("; ")}. Nothing was written; this is a defect worth a report`,
  );
}

export type Comments = readonly { readonly reason: string; readonly count: number }[];

export function commentsIn(text: string): Comments {
  const counts = new Map<string, number>();
  for (const [, reason = ""] of text.matchAll(/^\s*[;#] not declared \((.*?)(?:, id [^():]*)?\): /gm))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
