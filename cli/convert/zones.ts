/**
 * Zone files of converted records. The records are checked like a program's specs, and the files are read
 * back.
 */
import { expandSpecs } from "../../provider/dns";
import {
  positionText,
  readYamlZone,
  readZoneFile,
  writeYamlZone,
  writeZoneFile,
  type LiveRecord,
} from "../../provider/dns/zone-file";
import { isOf, isError, shown, type Reason } from "../../provider/problems";
import { CommandError } from "../errors";
import { commentsIn, type Comments } from "../import/file";
import type { Conversion } from "./conversion";

export interface ConvertedZone {
  readonly domain: string;
  readonly text: string;
  readonly records: number;
  readonly comments: Comments;
}

/**
 * The zones, sorted by name. If anything is wrong, the result is empty and the conversion has the problems.
 */
export function convertedZones(
  conversion: Conversion,
  form: "zone" | "yaml",
  defaultLine: string,
  source: string,
): ConvertedZone[] {
  const zones = [...conversion.zones]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, written]) => {
      const specs = written.map(({ position: _position, ...spec }) => spec);
      const { records, problems } = expandSpecs(domain, specs, { defaultLine });
      // The position in the file helps more than the index in the list.
      const inFile = (path: string): string =>
        path.replace(/^records\[(\d+)\]/, (all, index: string) => {
          const position = written[Number(index)]?.position;
          return position === undefined ? all : positionText(position);
        });
      for (const problem of problems) {
        const [, index = "", field = ""] = /^records\[(\d+)\]\.?(.*)$/.exec(problem.path) ?? [];
        const record = written[Number(index)];
        const text = shown({ ...moved(problem, inFile), path: field });
        if (record === undefined) conversion.fileError(domain, text);
        else if (isError(problem)) conversion.error(record.position, text);
        else conversion.note(record.position, text);
      }
      return {
        domain,
        records: records.flatMap((record): LiveRecord[] =>
          record.ttl === "default" ? [] : [{ ...record, ttl: record.ttl, enabled: true }],
        ),
      };
    });
  if (conversion.problems.count > 0) return [];
  return zones.map(({ domain, records }) => written(domain, records, form, defaultLine, source));
}

function moved(why: Reason, place: (path: string) => string): Reason {
  const { parts, records } = why;
  if (parts !== undefined && "at" in parts)
    return { ...why, parts: { ...parts, at: place(String(parts.at)) } };
  if (!isOf(why, "cname.beside") || records === undefined) return why;
  return { ...why, records: records.map(({ text, note = "" }) => ({ text, note: place(note) })) };
}

/**
 * @throws CommandError if the file does not declare the converted records, which is a defect of this package
 */
function written(
  domain: string,
  records: readonly LiveRecord[],
  form: "zone" | "yaml",
  defaultLine: string,
  source: string,
): ConvertedZone {
  const options = { defaultLine, header: [`converted from ${source}`] };
  const text =
    form === "zone"
      ? writeZoneFile({ domain, records }, options)
      : writeYamlZone({ domain, records }, options);
  const file = `${domain}.${form}`;
  const read =
    form === "zone"
      ? readZoneFile(text, { file, domain, defaultLine })
      : readYamlZone(text, { file, domain, defaultLine });
  const comments = commentsIn(text);
  const left = comments.reduce((sum, { count }) => sum + count, 0);
  const error = read.problems.find(isError);
  const empty = read.records.length === 0;
  if ((error !== undefined && !empty) || read.records.length + left !== records.length) {
    throw new CommandError(
      `${domain}: the file cannot be read back as it was written${error === undefined ? "" : ` (${shown(error)})`}. Nothing was written; this is a defect worth a report`,
    );
  }
  return { domain, text, records: read.records.length, comments };
}
