/** The lines that records name: what their domain has none of, or wants another line for first, is refused before anything is sent. */
import type { LineReader } from "../api";
import { nearest, ownerOf, placeOf, type DeclaredRecord, type DnsRecord } from "../dns";
import { groupBy } from "../gather";
import { knownLines, noLine, reason, type KnownLines, type Reason } from "../problems";
import type { Settings } from "../settings";
import { clause } from "../words";
import type { Declaration } from "./declaration";
import type { Plan } from "./plan/plan";
import { recordsName, type Wording } from "./wording";
import type { RefusedWrite } from "./write/result";
import type { Zone, Zones } from "./zones/zone";

const mostNamed = 20;

/** Lines that services of this kind are known to have: no call is made for them, and where a domain has none, the write is refused. */
const common = ["电信", "联通", "移动", "教育网", "国内", "国外", "搜索引擎"];

/** What they are called in English. */
const english: ReadonlyMap<string, string> = new Map([
  ["telecom", "电信"],
  ["china telecom", "电信"],
  ["unicom", "联通"],
  ["china unicom", "联通"],
  ["mobile", "移动"],
  ["china mobile", "移动"],
  ["education", "教育网"],
  ["cernet", "教育网"],
  ["domestic", "国内"],
  ["china", "国内"],
  ["foreign", "国外"],
  ["overseas", "国外"],
  ["search", "搜索引擎"],
  ["search engine", "搜索引擎"],
]);

export class Lines {
  constructor(
    private readonly reader: LineReader,
    private readonly settings: Settings,
  ) {}

  /**
   * A reason for each line that records would be put on and their domain does not have, and one for those whose names have no
   * record on the default line; with these records.
   */
  async refusals(
    { create, changes }: Pick<Plan, "create" | "changes">,
    { records: declared, isAlone }: Declaration,
    zones: Zones,
    wording: Wording,
  ) {
    const byLine = groupBy([...create, ...changes.map(({ record }) => record)], (record) => record.line);
    const refusals: { readonly why: Reason; readonly records: readonly DeclaredRecord[] }[] = [];
    // One after the other: what one domain has, others of its grade are not asked about.
    for (const [line, ofLine] of byLine) {
      if (line === undefined) continue;
      for (const [domain, records] of groupBy(ofLine, (record) => record.domain)) {
        const zone = zones.get(domain);
        if (zone === undefined || !(await this.isUnknown(zone, line))) continue;
        refusals.push({
          why: reason("line.unknown", {
            what: recordsName(records, wording),
            domain,
            line,
            ...(await this.known(zone, line)),
          }),
          records,
        });
      }
    }
    const told = new Set(refusals.flatMap(({ records }) => records));
    const first =
      isAlone === true ? withoutDefault(create, declared, zones).filter((record) => !told.has(record)) : [];
    if (first.length > 0)
      refusals.push({
        why: reason("line.first", { what: recordsName(first, wording), records: first.length }),
        records: first,
      });
    return refusals;
  }

  /** A refusal, with what is known of the domain's lines where it may be about the line. @param zone as it was read after it */
  async explained(refused: RefusedWrite, { line }: DnsRecord, zone: Zone): Promise<RefusedWrite> {
    const { domain } = zone;
    const also = (said: string): RefusedWrite => ({ ...refused, text: `${clause(refused.text)}; ${said}` });
    if (line === undefined) {
      // The listing shows the default line, so its name was right.
      if (zone.defaultLine !== undefined) return refused;
      return also(
        `it was sent on the line "${this.settings.defaultLine}", and no record of ${domain} shows what the account calls its default line: if it is another name, set defaultLine (pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine)`,
      );
    }
    if (zone.entries.some(({ record }) => record.line === line)) return refused;
    const known = await this.known(zone, line);
    if (await this.isUnknown(zone, line))
      return { ...also(noLine({ domain, line, ...known })), hasNoLine: true };
    return also(`no record of ${domain} stands on the line "${line}"; ${knownLines(known)}`);
  }

  /** Whether the domain has no such line. Where the service does not tell, the write will. */
  private async isUnknown(zone: Zone, line: string): Promise<boolean> {
    return (
      !common.includes(line) &&
      !zone.entries.some(({ record }) => record.line === line) &&
      this.reader.isUnknown(zone, line)
    );
  }

  /** What is known of the domain's lines, and the nearest to one that it does not have. */
  private async known(zone: Zone, line: string): Promise<KnownLines> {
    const inUse = [
      ...new Set([
        zone.defaultLine ?? this.settings.defaultLine,
        ...zone.entries.flatMap(({ record }) => record.line ?? []),
      ]),
    ];
    const custom = [...new Set(await this.reader.custom(zone))]
      .filter((name) => !inUse.includes(name))
      .sort();
    return {
      guess: english.get(line.toLowerCase()) ?? nearest(line, [...inUse, ...custom, "default", ...common]),
      inUse: shown(inUse),
      custom: shown(custom),
    };
  }
}

/** Those on other lines whose names have no record on the default line, which the service wants first (service-notes.md, code 31). */
function withoutDefault(
  create: readonly DeclaredRecord[],
  declared: readonly DeclaredRecord[],
  zones: Zones,
): DeclaredRecord[] {
  const ofOthers = create.filter(({ domain, name, line }) => {
    const zone = zones.get(domain);
    // Where no listing shows what the account calls its default line, this may be it. Whether the service's own NS records count at the apex, no document says.
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
