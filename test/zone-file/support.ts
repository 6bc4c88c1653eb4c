import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordText } from "../../provider/dns";
import { readZoneFile, type ZoneFileOptions, type ZoneFileResult } from "../../provider/dns/zone-file";
import { problemLine } from "../support/problems";

export const fixtures = join(__dirname, "fixtures");
export const fixture = (name: string) => readFileSync(join(fixtures, name), "utf8");

export function read(text: string, more: Partial<ZoneFileOptions> = {}) {
  return readZoneFile(text, { file: "a.zone", domain: "example.com", defaultLine: "默认", ...more });
}

export const shown = ({ records }: ZoneFileResult) =>
  records.map((record) => `${record.ttl} ${recordText(record)}`);

export const messages = ({ problems }: ZoneFileResult) => problems.map(problemLine);
export const notes = (result: ZoneFileResult) => result.notes.map(({ text }) => text);
