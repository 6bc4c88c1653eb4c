/** Zones as master files or YAML, read back after they are written, and a program that declares them. */
import { relative } from "node:path";
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
  const omitted = text.matchAll(/^\s*[;#] not declared \((.*?)(?:, id [^():]*)?\): /gm);
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
    ...comments.map((each) => `  ${each.count.toLocaleString("en-US")}: ${each.reason}`),
  ];
}

export interface WrittenZone {
  readonly domain: string;
  readonly form: Form;
  readonly path: string;
  readonly declared: number;
  readonly apexNs: boolean;
}

/** The lines of a program in this folder. An empty zone file cannot be declared and becomes a comment. */
export function programOf(zones: readonly WrittenZone[]): string[] {
  const lines = zones.flatMap(({ domain, form, path, apexNs, declared }) => {
    const [name, file] = [domain, relative("", path).replaceAll("\\", "/")].map((text) =>
      JSON.stringify(text),
    );
    const more = apexNs && form === "zone" ? ", apexNs: true" : "";
    const line = `new Zone(${name}, { domain: ${name}, file: ${file}${more} }, { protect: true });`;
    return declared === 0 && form === "zone"
      ? ["// Write the first record into the file: a Zone takes an empty one for a mistake.", `// ${line}`]
      : [line];
  });
  return ['import { Zone } from "pulumi-legacydns";', "", ...lines];
}
