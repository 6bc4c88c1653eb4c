/** Compares the declared records of a name with a name server's answer. */
import { randomBytes } from "node:crypto";
import type * as dnsPacket from "dns-packet";
import { fromLive, quote, recordText, type DeclaredEntry, type DnsRecord } from "../../provider/dns";
import { groupBy, largest, split } from "../../provider/support/collections";
import type { Question, Reply, Server, Servers } from "./ask";

export interface RecordSet {
  readonly domain: string;
  readonly name: string;
  readonly type: AskedType;
  readonly declared: readonly DeclaredEntry[];
  /** On other lines. A server answers callers from such a line with them alone. */
  readonly onLines: readonly DeclaredEntry[];
  readonly servers: readonly Server[];
  /** Whether a record may be served beside the declared ones. */
  readonly expects: Expected;
}

interface Verdict {
  /** `line`: the server regards the asker as on a line with other records. */
  readonly kind: "served" | "ttl" | "line" | "missing";
  readonly text: string;
}

/** Other types, such as URL forwards, are the service's own. */
const askedTypes = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA"] as const;
type AskedType = (typeof askedTypes)[number];

function askedType(type: string | undefined): AskedType | undefined {
  return askedTypes.find((each) => each === type);
}

export function whyNotAsked({ name, type, line }: DnsRecord): string | undefined {
  if (line !== undefined) return `line ${line}`;
  if (isMixedWildcard(name)) return "mixed wildcard";
  return askedType(type) === undefined ? `type ${type}` : undefined;
}

/** Only the service knows which names `a*` matches (RFC 4592 has whole labels only). */
function isMixedWildcard(name: string): boolean {
  return name.includes("*") && !/^\*(\.|$)/.test(name);
}

export function recordSets(
  records: readonly DeclaredEntry[],
  servers: Servers,
  expects: Expected,
): RecordSet[] {
  const sets = groupBy(records, ({ domain, name, type }) => `${domain} ${name} ${type}`);
  return [...sets.values()].flatMap((all) => {
    const [declared, onLines] = split(all, ({ line }) => line === undefined);
    const { domain = "", name = "", type: written } = declared[0] ?? {};
    const type = askedType(written);
    if (type === undefined || isMixedWildcard(name)) return [];
    return [{ domain, name, type, declared, onLines, servers: servers.get(domain) ?? [], expects }];
  });
}

export function questionOf({ domain, name, type }: RecordSet): Question {
  const label = name.startsWith("*") ? `verify-${randomBytes(8).toString("hex")}${name.slice(1)}` : name;
  return { name: label === "@" ? domain : `${label}.${domain}`, type };
}

export interface Judgement {
  /** One for each declared record. */
  readonly verdicts: readonly Verdict[];
  /** Served beside the declared records. */
  readonly further: readonly DnsRecord[];
  /** How long a cache keeps the answer, in seconds. */
  readonly ttl: number;
}

export type Expected = (record: DnsRecord) => boolean;

export function judge(set: RecordSet, question: Question, reply: Reply): Judgement {
  const found = servedRecords(set, question, reply);
  const served = new Map(found.map(({ record, ttl }) => [recordText(record), ttl]));
  const lines = new Map(set.onLines.map(({ line = "", ...record }) => [recordText(record), line]));
  const [first = ""] = served.keys();
  const line = [...served.keys()].every((text) => lines.has(text)) ? lines.get(first) : undefined;
  const verdicts = set.declared.map((record): Verdict => {
    const ttl = served.get(recordText(record));
    if (ttl !== undefined)
      return { kind: record.ttl === "default" || record.ttl === ttl ? "served" : "ttl", text: `TTL ${ttl}` };
    if (line !== undefined) return { kind: "line", text: line };
    return { kind: "missing", text: servedText(found, question, reply) };
  });
  const declared = new Set(set.declared.map(recordText));
  // The service keeps NS records of its own at the apex.
  const isOfService = set.name === "@" && set.type === "NS";
  const others = found.filter(({ record }) => {
    const text = recordText(record);
    return !declared.has(text) && !lines.has(text) && !isOfService && !set.expects(record);
  });
  return {
    verdicts,
    further: others.map(({ record }) => record),
    ttl: largest(found.length > 0 ? [...served.values()] : negativeTtls(reply), 0),
  };
}

/** RFC 2308 §5. */
function negativeTtls({ authorities }: Reply): number[] {
  return authorities.flatMap((each) =>
    each.type === "SOA" ? [Math.min(each.ttl ?? 0, each.data.minimum ?? 0)] : [],
  );
}

interface Served {
  readonly record: DnsRecord;
  readonly ttl: number;
}

function servedRecords({ domain, name, type }: RecordSet, question: Question, reply: Reply): Served[] {
  const matching = (section: readonly dnsPacket.Answer[]): Served[] =>
    section.flatMap((answer) => {
      const data = answer.type === type && sameName(answer.name, question.name) ? dataOf(answer) : undefined;
      if (data === undefined) return [];
      const record = fromLive({ domain, name, type, line: "", ...data }, { defaultLine: "" });
      return [{ record, ttl: "ttl" in answer ? (answer.ttl ?? 0) : 0 }];
    });
  const answers = matching(reply.answers);
  if (answers.length > 0) return answers;
  // A delegation is in the authority section, its servers' addresses in the additional section (RFC 1034
  // §4.3.2).
  return matching(type === "NS" ? reply.authorities : reply.additionals);
}

function dataOf(
  answer: dnsPacket.Answer,
): { readonly value: string; readonly priority?: number } | undefined {
  if (answer.type === "A" || answer.type === "AAAA") return { value: answer.data };
  if (answer.type === "CNAME" || answer.type === "NS") return { value: dotted(answer.data) };
  if (answer.type === "MX")
    return { value: dotted(answer.data.exchange), priority: answer.data.preference ?? 0 };
  if (answer.type === "TXT")
    // In quotes, because a text that contains quotes would be read as quoted strings.
    return { value: quote(Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))).toString()) };
  if (answer.type === "SRV") {
    const { priority = 0, weight = 0, port, target } = answer.data;
    return { value: `${priority} ${weight} ${port} ${dotted(target)}` };
  }
  if (answer.type === "CAA")
    return { value: `${answer.data.flags ?? 0} ${answer.data.tag} ${quote(answer.data.value)}` };
  return undefined;
}

function servedText(found: readonly Served[], question: Question, reply: Reply): string {
  if (reply.rcode === "NXDOMAIN") return "no such name";
  if (reply.rcode !== "NOERROR") return `refused to answer (${reply.rcode})`;
  const texts = found.map(({ record }) => dataText(record)).sort();
  if (texts.length > 0) return texts.join(", ");
  for (const answer of reply.answers)
    if (answer.type === "CNAME" && sameName(answer.name, question.name))
      return `CNAME ${dotted(answer.data)}`;
  for (const answer of reply.authorities)
    if (answer.type === "NS") return `${dotted(answer.name)} is delegated to ${dotted(answer.data)}`;
  return "nothing";
}

export function dataText(record: DnsRecord): string {
  return recordText(record).replace(/^\S+ \S+ /, "");
}

function sameName(a: string, b: string): boolean {
  return a.replace(/\.$/, "").toLowerCase() === b.toLowerCase();
}

function dotted(name: string): string {
  return name.endsWith(".") ? name : `${name}.`;
}
