/**
 * The lines that records name. No operation of the documented interface lists them all, but a listing that is filtered by a
 * line tells whether the domain has it (api.md, Record.List): so what has none is refused before anything is sent.
 */
import { LegacyDnsError, ServiceError, type Client } from "../api";
import { nearest, type DeclaredRecord, type DnsRecord } from "../dns";
import { groupBy } from "../gather";
import { knownLines, noLine, reason, type KnownLines, type Reason } from "../problems";
import type { Settings } from "../settings";
import { clause } from "../words";
import type { Plan } from "./plan/plan";
import { recordsName, type Wording } from "./wording";
import type { RefusedWrite } from "./write/result";
import type { Zone, Zones } from "./zones/zone";

/** What the service says of a line and a domain. */
type Answer = "has" | "has none" | "does not tell";

const mostNamed = 20;

/** Lines that services of this kind are known to have: no call is made for them, and where a domain has none, the write is refused. */
const common = ["电信", "联通", "移动", "教育网", "国内", "国外", "搜索引擎"];

interface Refused {
  readonly why: Reason;
  readonly records: readonly DeclaredRecord[];
}

export class Lines {
  /** By domain and line: what the service says. */
  private readonly asked = new Map<string, Promise<Answer>>();
  /** Grades with a line that is not a domain's own: other domains of the grade are not asked about it. */
  private readonly had = new Set<string>();
  /** Names of custom lines, by domain. */
  private readonly custom = new Map<string, Promise<readonly string[] | undefined>>();

  constructor(
    private readonly client: Client,
    private readonly settings: Settings,
  ) {}

  /** A reason for each line that records would be put on and their domain does not have, with these records. */
  async refusals({ create, changes }: Pick<Plan, "create" | "changes">, zones: Zones, wording: Wording): Promise<Refused[]> {
    const byLine = groupBy([...create, ...changes.map(({ record }) => record)], (record) => record.line);
    const refusals: Refused[] = [];
    // One after the other: what one domain has, others of its grade are not asked about.
    for (const [line, ofLine] of byLine) {
      if (line === undefined) continue;
      for (const [domain, records] of groupBy(ofLine, (record) => record.domain)) {
        const zone = zones.get(domain);
        if (zone === undefined || !(await this.isUnknown(zone, line))) continue;
        refusals.push({ why: reason("line.unknown", { what: recordsName(records, wording), domain, line, ...(await this.known(zone, line)) }), records });
      }
    }
    return refusals;
  }

  /** A refusal, with what is known of the domain's lines where it may be about the line. @param zone as it was read after it */
  async explained(refused: RefusedWrite, { line }: DnsRecord, zone: Zone): Promise<RefusedWrite> {
    const { domain } = zone;
    const also = (said: string): RefusedWrite => ({ ...refused, text: `${clause(refused.text)}; ${said}` });
    if (line === undefined) {
      // The listing shows the default line, so its name was right.
      if (zone.defaultLine !== undefined) return refused;
      return also(`it was sent on the line "${this.settings.defaultLine}", and no record of ${domain} shows what the account calls its default line: if it is another name, set defaultLine (pulumi config set legacydns:defaultLine NAME)`);
    }
    if (zone.entries.some(({ record }) => record.line === line)) return refused;
    const known = await this.known(zone, line);
    if (await this.isUnknown(zone, line)) return { ...also(noLine({ domain, line, ...known })), hasNoLine: true };
    return also(`no record of ${domain} stands on the line "${line}"; ${knownLines(known)}`);
  }

  /** Whether the service says that the domain has no such line. Where it does not tell, the write will. */
  private async isUnknown(zone: Zone, line: string): Promise<boolean> {
    const ofGrade = `${zone.grade} ${line}`;
    if (common.includes(line) || this.had.has(ofGrade) || zone.entries.some(({ record }) => record.line === line)) return false;
    const key = `${zone.domain} ${line}`;
    const answer = this.asked.get(key) ?? this.ask(zone, line);
    this.asked.set(key, answer);
    if ((await answer) === "has" && (await this.customOf(zone))?.includes(line) === false) this.had.add(ofGrade);
    return (await answer) === "has none";
  }

  /** What is known of the domain's lines, and the nearest to one that it does not have. */
  private async known(zone: Zone, line: string): Promise<KnownLines> {
    const inUse = [...new Set([zone.defaultLine ?? this.settings.defaultLine, ...zone.entries.flatMap(({ record }) => record.line ?? [])])];
    const custom = [...new Set(await this.customOf(zone))].filter((name) => !inUse.includes(name)).sort();
    return { guess: nearest(line, [...inUse, ...custom, "default", ...common]), inUse: shown(inUse), custom: shown(custom) };
  }

  private ask({ domain, id }: Zone, line: string): Promise<Answer> {
    return this.client.call("Record.List", { domainId: id, line, length: 1 }, { target: domain }).then(
      () => "has",
      (error: unknown) => {
        if (!(error instanceof LegacyDnsError)) throw error;
        if (!(error instanceof ServiceError)) return "does not tell";
        if (error.noSuch("line")) return "has none";
        return error.noSuch("record") ? "has" : "does not tell";
      },
    );
  }

  /** The names of the domain's custom lines; undefined where the service does not tell. */
  private customOf({ domain, id }: Zone): Promise<readonly string[] | undefined> {
    const listed =
      this.custom.get(domain) ??
      this.client.call("Custom.Line.List", { domainId: id }, { target: domain }).then(
        ({ lines = [] }) => lines.flatMap(({ name }) => name ?? []),
        () => undefined,
      );
    this.custom.set(domain, listed);
    return listed;
  }
}

function shown(names: readonly string[]): string {
  return names.slice(0, mostNamed).join(", ") + (names.length > mostNamed ? ", …" : "");
}
