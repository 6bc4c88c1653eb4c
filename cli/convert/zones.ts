/** Converted records as the texts of zone files, judged by the rules of a program's own specs and read back. */
import { expandSpecs } from "../../provider/dns";
import { positionText, readYamlZone, readZoneFile, writeYamlZone, writeZoneFile, type LiveRecord } from "../../provider/dns/zone-file";
import { CommandError } from "../errors";
import { commentsIn, type Comments } from "../import/file";
import type { Conversion } from "./conversion";

export interface ConvertedZone {
  readonly domain: string;
  readonly text: string;
  /** How many records the file declares. */
  readonly records: number;
  /** The others, which stand in it as comments, by their reasons. */
  readonly comments: Comments;
}

/** The zones in the order of their names; empty where anything is wrong, which is then among the conversion's problems. */
export function convertedZones(conversion: Conversion, form: "zone" | "yaml", defaultLine: string, source: string): ConvertedZone[] {
  const zones = [...conversion.zones].sort(([a], [b]) => (a < b ? -1 : 1)).map(([domain, written]) => {
    const specs = written.map(({ position: _position, ...spec }) => spec);
    const { records, problems } = expandSpecs(domain, specs, { defaultLine });
    for (const { severity, path, message } of problems) {
      const [, index = "", field = ""] = /^records\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      const record = written[Number(index)];
      // What is said of another record names its place in the list: its place in the file is of more use.
      const said = message.replace(/records\[(\d+)\]/g, (all, other: string) => {
        const position = written[Number(other)]?.position;
        return position === undefined ? all : positionText(position);
      });
      const text = field === "" ? said : `${field}: ${said}`;
      if (record === undefined) conversion.problems.push(`${domain}: ${text}`);
      else if (severity === "error") conversion.error(record.position, text);
      else conversion.note(record.position, text);
    }
    return { domain, records: records.flatMap((record): LiveRecord[] => (record.ttl === "default" ? [] : [{ ...record, ttl: record.ttl, enabled: true }])) };
  });
  if (conversion.problems.length > 0) return [];
  return zones.map(({ domain, records }) => written(domain, records, form, defaultLine, source));
}

/** @throws CommandError where the file would not declare what was converted, which is a defect of ours */
function written(domain: string, records: readonly LiveRecord[], form: "zone" | "yaml", defaultLine: string, source: string): ConvertedZone {
  const options = { defaultLine, header: [`converted from ${source}`] };
  const text = form === "zone" ? writeZoneFile({ domain, records }, options) : writeYamlZone({ domain, records }, options);
  const file = `${domain}.${form}`;
  const read = form === "zone" ? readZoneFile(text, { file, domain, defaultLine }) : readYamlZone(text, { file, domain, defaultLine });
  const comments = commentsIn(text);
  const left = comments.reduce((sum, { count }) => sum + count, 0);
  const error = read.problems.find(({ severity }) => severity === "error");
  const empty = read.records.length === 0;
  if ((error !== undefined && !empty) || read.records.length + left !== records.length) {
    throw new CommandError(`${domain}: the file cannot be read back as it was written${error === undefined ? "" : ` (${error.message})`}. Nothing was written; this is a defect worth a report`);
  }
  return { domain, text, records: read.records.length, comments };
}
