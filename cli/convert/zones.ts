/** Zone files of converted records, which are checked like a program's specs. */
import { expandSpecs } from "../../provider/dns";
import { positionText, type LiveRecord } from "../../provider/dns/zone-file";
import { isError, isOf, reason, textOf, type Reason } from "../../provider/problems";
import { CommandError } from "../errors";
import { zoneText, type Comments, type Form } from "../zone-text";
import type { Conversion, ConvertedRecord } from "./conversion";

export interface ConvertedZone {
  readonly domain: string;
  readonly text: string;
  readonly declared: number;
  readonly comments: Comments;
}

/**
 * The zones, sorted by name. If anything is wrong, the result is empty and the conversion has the problems.
 * @param source the other tool's name
 */
export function convertedZones(
  conversion: Conversion,
  form: Form,
  defaultLine: string,
  source: string,
): ConvertedZone[] {
  const zones = [...conversion.zones]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, written]) => ({ domain, records: recordsOf(domain, written, conversion, defaultLine) }));
  if (conversion.problems.count > 0) return [];
  return zones.map(({ domain, records }) => {
    const options = { defaultLine, header: [`converted from ${source}`] };
    const { text, read, comments } = zoneText(form, { domain, records }, options);
    const left = comments.reduce((sum, { count }) => sum + count, 0);
    const declared = read.records.length;
    const error = declared === 0 ? undefined : read.problems.find(isError);
    if (error !== undefined || declared + left !== records.length)
      throw new CommandError(
        reason("command.defect", {
          detail: `${domain}: the file cannot be read back as it was written${error === undefined ? "" : ` (${textOf(error)})`}`,
        }),
      );
    return { domain, text, declared, comments };
  });
}

function recordsOf(
  domain: string,
  written: readonly ConvertedRecord[],
  conversion: Conversion,
  defaultLine: string,
): LiveRecord[] {
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
    const at = written[Number(index)]?.position ?? domain;
    const placed = { ...moved(problem, inFile), path: field };
    if (isError(problem)) conversion.error(at, placed);
    else conversion.note(at, textOf(placed));
  }
  return records.flatMap((record) =>
    record.ttl === "default" ? [] : [{ ...record, ttl: record.ttl, enabled: true }],
  );
}

function moved(why: Reason, place: (path: string) => string): Reason {
  const { parts, records } = why;
  if (parts !== undefined && "at" in parts)
    return { ...why, parts: { ...parts, at: place(String(parts.at)) } };
  if (!isOf(why, "cname.beside") || records === undefined) return why;
  return { ...why, records: records.map(({ text, note = "" }) => ({ text, note: place(note) })) };
}
