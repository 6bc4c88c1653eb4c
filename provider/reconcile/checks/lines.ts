/**
 * A record is refused before any write if its domain lacks its line, or needs a record on the default line
 * first.
 */
import type { LineReader } from "../../api";
import { nearest, ownerOf, placeOf, type DeclaredRecord, type DnsRecord } from "../../dns";
import { groupBy } from "../../support/collections";
import { reason, type Reason } from "../../problems";
import type { Settings } from "../../settings";
import { clause } from "../../support/text";
import type { Declaration } from "../declaration";
import type { Plan } from "../plan/plan";
import { declaredLines, lineHelp, type Wording } from "../wording";
import type { RefusedWrite } from "../write/result";
import type { Zone, Zones } from "../zones/zone";

const mostNamed = 20;

/** Lines of every such service, for which no call is made. */
const common = ["电信", "联通", "移动", "教育网", "国内", "国外", "搜索引擎"];

export class Lines {
  constructor(
    private readonly reader: LineReader,
    private readonly settings: Settings,
  ) {}

  async check(
    { create, changes }: Plan,
    { records: declared, isAlone }: Declaration,
    zones: Zones,
    wording: Wording,
  ): Promise<Reason[]> {
    const reasons: Reason[] = [];
    const refused = new Set<DeclaredRecord>();
    const byLine = groupBy([...create, ...changes.map(({ record }) => record)], (record) => record.line);
    // One by one, because domains of one grade have the same lines.
    for (const [line, ofLine] of byLine) {
      if (line === undefined) continue;
      for (const [domain, records] of groupBy(ofLine, (record) => record.domain)) {
        const zone = zones.get(domain);
        if (zone === undefined || !(await this.isUnknown(zone, line))) continue;
        const hint = await this.hint(zone, line);
        reasons.push(reason("line.unknown", { domain, line, hint }, declaredLines(records, wording)));
        for (const record of records) refused.add(record);
      }
    }
    const first = isAlone === true ? withoutDefault(create, declared, zones) : [];
    const others = groupBy(
      first.filter((record) => !refused.has(record)),
      (record) => record.domain,
    );
    for (const [domain, records] of others)
      reasons.push(
        reason("line.first", { domain, later: lineHelp(wording.how) }, declaredLines(records, wording)),
      );
    return reasons;
  }

  async explained(refused: RefusedWrite, { line }: DnsRecord, zone: Zone): Promise<RefusedWrite> {
    const { domain } = zone;
    const withAddition = (addition: string): RefusedWrite => ({
      ...refused,
      text: `${clause(refused.text)}; ${addition}`,
    });
    if (line === undefined) {
      // The listing shows the default line, so its name was right.
      if (zone.defaultLine !== undefined) return refused;
      return withAddition(
        `it was sent on the line "${this.settings.defaultLine}", and no record of ${domain} shows what the account calls its default line: if it is another name, set defaultLine (pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine)`,
      );
    }
    if (isInUse(zone, line)) return { ...refused, hasLine: true };
    const explained = withAddition(
      `no record of ${domain} is on line "${line}"; ${await this.hint(zone, line)}`,
    );
    return common.includes(line) ? { ...explained, hasLine: true } : explained;
  }

  private async isUnknown(zone: Zone, line: string): Promise<boolean> {
    return !common.includes(line) && !isInUse(zone, line) && this.reader.isUnknown(zone, line);
  }

  private async hint(zone: Zone, line: string): Promise<string> {
    const inUse = [
      ...new Set([
        zone.defaultLine ?? this.settings.defaultLine,
        ...zone.entries.flatMap(({ record }) => record.line ?? []),
      ]),
    ];
    const custom = [...new Set(await this.reader.custom(zone))]
      .filter((name) => !inUse.includes(name))
      .sort();
    const guess = nearest(line, [...inUse, ...custom, ...common]);
    const lists = `lines in use there: ${shown(inUse)}${custom.length === 0 ? "" : `; custom lines: ${shown(custom)}`}`;
    return guess === undefined || guess === line ? lists : `did you mean "${guess}"? (${lists})`;
  }
}

function isInUse({ entries }: Zone, line: string): boolean {
  return entries.some(({ record }) => record.line === line);
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

function shown(names: readonly string[]): string {
  return names.slice(0, mostNamed).join(", ") + (names.length > mostNamed ? ", …" : "");
}
