/** Records on another line than the default one. Only the service knows its lines. */
import { ownerOf, placeOf, type DeclaredRecord, type DnsRecord } from "../../dns";
import { groupBy } from "../../support/collections";
import { reason, type Reason } from "../../problems";
import { clause } from "../../support/text";
import type { Declaration } from "../declaration";
import type { Plan } from "../plan/plan";
import { declaredLines, type Wording } from "../wording";
import type { Zone, Zones } from "../zones/zone";

/** Lines of every such service. */
const common = ["电信", "联通", "移动", "教育网", "国内", "国外", "搜索引擎"];

/** A record is refused before any write if its name has none on the default line. */
export function checkLines(
  { create }: Plan,
  { records: declared, isAlone }: Declaration,
  zones: Zones,
  wording: Wording,
): Reason[] {
  const first = isAlone === true ? withoutDefault(create, declared, zones) : [];
  return [...groupBy(first, (record) => record.domain)].map(([domain, records]) =>
    reason("line.first", { domain }, declaredLines(records, wording)),
  );
}

/** Why a creation was refused. */
export interface RefusalText {
  readonly text: string;
  /** The domain probably has the record's line. */
  readonly hasLine: boolean;
}

/** @param defaultLine the setting */
export function explainLine(text: string, { line }: DnsRecord, zone: Zone, defaultLine: string): RefusalText {
  const { domain } = zone;
  const withAddition = (addition: string): string => `${clause(text)}; ${addition}`;
  if (line === undefined) {
    // The listing shows the default line, so its name was right.
    if (zone.defaultLine !== undefined) return { text, hasLine: false };
    const addition = `it was sent on the line "${defaultLine}", and no record of ${domain} shows what the account calls its default line: if it is another name, set defaultLine (pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine)`;
    return { text: withAddition(addition), hasLine: false };
  }
  if (zone.entries.some(({ record }) => record.line === line)) return { text, hasLine: true };
  return {
    text: withAddition(`no record of ${domain} is on line "${line}"`),
    hasLine: common.includes(line),
  };
}

/** The service wants a record on the default line first (service-notes.md, code 31). */
function withoutDefault(
  create: readonly DeclaredRecord[],
  declared: readonly DeclaredRecord[],
  zones: Zones,
): DeclaredRecord[] {
  const ofOthers = create.filter(({ domain, name, line }) => {
    const zone = zones.get(domain);
    // If no listing shows the default line's name, this may be it.
    return (
      line !== undefined &&
      name !== "@" &&
      zone?.defaultLine !== undefined &&
      !zone.byPlace.has(placeOf({ name }))
    );
  });
  if (ofOthers.length === 0) return ofOthers;
  const onDefault = new Set(
    declared.flatMap(({ domain, name, line }) => (line === undefined ? [ownerOf(name, domain)] : [])),
  );
  return ofOthers.filter(({ domain, name }) => !onDefault.has(ownerOf(name, domain)));
}
