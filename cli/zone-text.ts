/** Zones as master files or YAML, read back after they are written. Pure. */
import {
  readYamlZone,
  readZoneFile,
  writeYamlZone,
  writeZoneFile,
  type WriteOptions,
  type ZoneFileResult,
  type ZoneToWrite,
} from "../provider/dns/zone-file";
import { groupBy } from "../provider/support/collections";
import { count } from "../provider/support/text";

const writers = { zone: writeZoneFile, yaml: writeYamlZone };
const readers = { zone: readZoneFile, yaml: readYamlZone };

export type Form = keyof typeof writers;
export const forms: readonly Form[] = ["zone", "yaml"];

export interface ZoneText {
  readonly text: string;
  readonly read: ZoneFileResult;
  readonly comments: Comments;
}

export type Comments = readonly { readonly reason: string; readonly count: number }[];

export function zoneText(form: Form, zone: ZoneToWrite, options: WriteOptions): ZoneText {
  const { domain } = zone;
  const text = writers[form](zone, options);
  const read = readers[form](text, { file: `${domain}.${form}`, domain, ...options });
  return { text, read, comments: commentsIn(text) };
}

function commentsIn(text: string): Comments {
  const found = text.matchAll(/^\s*[;#] not declared \((.*?)(?:, id [^():]*)?\): /gm);
  return [...groupBy(found, ([, reason = ""]) => reason)]
    .map(([reason, all]) => ({ reason, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/** `2 records not declared, but in the file as comments:`, then a line per reason; no lines without comments. */
export function commentLines(comments: Comments): string[] {
  const total = comments.reduce((sum, each) => sum + each.count, 0);
  if (total === 0) return [];
  return [
    `${count(total, "record")} not declared, but in the file as comments:`,
    ...comments.map((each) => `  ${each.count.toLocaleString("en-US")}: ${each.reason}`),
  ];
}
