/** The text of a zone file, read back after it is written, and a program that declares it. */
import { relative } from "node:path";
import {
  readZoneFile,
  writeZoneFile,
  type WriteOptions,
  type ZoneFileResult,
  type ZoneToWrite,
} from "../provider/dns/zone-file";
import { groupBy } from "../provider/support/collections";
import { count, number } from "../provider/support/text";

export interface ZoneText {
  readonly text: string;
  readonly read: ZoneFileResult;
  readonly comments: Comments;
}

export type Comments = readonly { readonly reason: string; readonly count: number }[];

export function zoneText(zone: ZoneToWrite, options: WriteOptions): ZoneText {
  const { domain } = zone;
  const text = writeZoneFile(zone, options);
  const read = readZoneFile(text, { file: `${domain}.zone`, domain, ...options });
  const omitted = text.matchAll(/^; not declared \((.*?)(?:, id [^():]*)?\): /gm);
  const comments = [...groupBy(omitted, ([, reason = ""]) => reason)]
    .map(([reason, all]) => ({ reason, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  return { text, read, comments };
}

export function commentLines(comments: Comments): string[] {
  const total = comments.reduce((sum, each) => sum + each.count, 0);
  if (total === 0) return [];
  return [
    `${count(total, "record")} not declared, but in the file as comments:`,
    ...comments.map((each) => `  ${number(each.count)}: ${each.reason}`),
  ];
}

export interface WrittenZone {
  readonly domain: string;
  readonly path: string;
  readonly declared: number;
  readonly apexNs?: boolean;
}

/** The lines of a program in this folder. An empty zone file cannot be declared and becomes a comment. */
export function programOf(zones: readonly WrittenZone[]): string[] {
  const lines = zones.flatMap(({ domain, path, apexNs, declared }) => {
    const [name, file] = [domain, relative("", path).replaceAll("\\", "/")].map((text) =>
      JSON.stringify(text),
    );
    const more = apexNs ? ", apexNs: true" : "";
    const line = `new Zone(${name}, { domain: ${name}, file: ${file}${more} }, { protect: true });`;
    return declared === 0
      ? ["// Write the first record into the file: a Zone takes an empty one for a mistake.", `// ${line}`]
      : [line];
  });
  const options =
    "// The option `protect` keeps the engine from deleting the zone. The input `protect` has patterns of records.";
  return ['import { Zone } from "pulumi-legacydns";', "", options, ...lines];
}
