/** Compares the declared records of a name with a name server's answer. Pure. */
import type * as dnsPacket from "dns-packet";
import { fromLive, ownerOf, quote, recordText, type DnsRecord } from "../../provider/dns";
import type { Question, Reply } from "./ask";
import type { Declared } from "./declared";

/** The declared records of one name and type, on the default line and on others. */
export interface RecordSet {
  readonly domain: string;
  readonly name: string;
  readonly type: AskedType;
  readonly declared: readonly Declared[];
  /**
   * On other lines. A server answers callers from such a line with them, instead of the default line's
   * records.
   */
  readonly onLines: readonly Declared[];
}

export type Verdict =
  | { readonly kind: "served" }
  | { readonly kind: "ttl"; readonly ttl: number }
  /** The server regards the asker as on a line with other records. */
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "missing"; readonly served: string };

const askedTypes = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA"] as const;

/** A type that DNS serves as declared. Others, such as URL forwards, are the service's own. */
export type AskedType = (typeof askedTypes)[number];

function askedType(type: string): AskedType | undefined {
  return askedTypes.find((each) => each === type);
}

export interface NotAsked {
  /** Absolute, with the dot. */
  readonly name: string;
  readonly type: string;
  readonly reason: string;
}

export function notAskedOf(records: readonly Declared[]): NotAsked[] {
  return records.flatMap(({ record }) => {
    const reason = whyNotAsked(record);
    return reason === undefined
      ? []
      : [{ name: ownerOf(record.name, record.domain), type: record.type, reason }];
  });
}

/** The reason why no server is asked for a record; undefined if servers are asked. */
export function whyNotAsked({ name, type, line }: DnsRecord): string | undefined {
  if (line !== undefined) return `line ${line}`;
  // Only the service knows which names `a*` matches (RFC 4592 has whole labels only).
  if (isMixedWildcard(name)) return "mixed wildcard";
  return askedType(type) !== undefined ? undefined : `type ${type}`;
}

function isMixedWildcard(name: string): boolean {
  return name.includes("*") && !/^\*(\.|$)/.test(name);
}

export function recordSets(records: readonly Declared[]): RecordSet[] {
  const sets = new Map<
    string,
    { domain: string; name: string; type: AskedType; declared: Declared[]; onLines: Declared[] }
  >();
  for (const each of records) {
    const { domain, name, line } = each.record;
    const type = askedType(each.record.type);
    if (type === undefined || isMixedWildcard(name)) continue;
    const key = `${domain} ${name} ${type}`;
    const set = sets.get(key) ?? { domain, name, type, declared: [], onLines: [] };
    sets.set(key, set);
    (line === undefined ? set.declared : set.onLines).push(each);
  }
  return [...sets.values()].filter(({ declared }) => declared.length > 0);
}

/** The question for a record set. For a wildcard it has a random label. */
export function questionOf({ domain, name, type }: RecordSet, random: () => string): Question {
  const label = name.startsWith("*") ? `verify-${random()}${name.slice(1)}` : name;
  return { name: label === "@" ? domain : `${label}.${domain}`, type };
}

export function judge(set: RecordSet, question: Question, reply: Reply): Verdict[] {
  const found = servedRecords(set, question, reply);
  const served = new Map(found.map(({ record, ttl }) => [recordText(record), ttl]));
  const lines = new Map(
    set.onLines.map(({ record: { line = "", ...record } }) => [recordText(record), line]),
  );
  const [first] = served.keys();
  const fromLine =
    first !== undefined && [...served.keys()].every((text) => lines.has(text)) ? lines.get(first) : undefined;
  return set.declared.map(({ record, sensitive }): Verdict => {
    const ttl = served.get(recordText(record));
    if (ttl !== undefined)
      return record.ttl === "default" || record.ttl === ttl ? { kind: "served" } : { kind: "ttl", ttl };
    if (fromLine !== undefined) return { kind: "line", line: fromLine };
    return { kind: "missing", served: servedText(found, question, reply, sensitive) };
  });
}

interface Served {
  readonly record: DnsRecord;
  readonly ttl: number;
}

function servedRecords(set: RecordSet, question: Question, reply: Reply): Served[] {
  const matching = (section: readonly dnsPacket.Answer[]): Served[] =>
    section.flatMap((answer) => {
      if (answer.type !== question.type || !sameName(answer.name, question.name)) return [];
      const data = dataOf(answer);
      if (data === undefined) return [];
      const { domain, name, type } = set;
      const record = fromLive({ domain, name, type, line: "", ...data }, { defaultLine: "" });
      return [{ record, ttl: "ttl" in answer ? (answer.ttl ?? 0) : 0 }];
    });
  const answers = matching(reply.answers);
  if (answers.length > 0) return answers;
  // A delegation is in the authority section, its servers' addresses in the additional section (RFC 1034
  // §4.3.2).
  return matching(set.type === "NS" ? reply.authorities : reply.additionals);
}

/** An answer's data in the form of a service's listing. */
function dataOf(
  answer: dnsPacket.Answer,
): { readonly value: string; readonly priority?: number } | undefined {
  if (answer.type === "A" || answer.type === "AAAA") return { value: answer.data };
  if (answer.type === "CNAME" || answer.type === "NS") return { value: dotted(answer.data) };
  if (answer.type === "MX")
    return { value: dotted(answer.data.exchange), priority: answer.data.preference ?? 0 };
  if (answer.type === "TXT") {
    const parts = Array.isArray(answer.data) ? answer.data : [answer.data];
    const bytes = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
    // In quotes, because a text that contains quotes would be read as quoted strings.
    return { value: quote(bytes.toString()) };
  }
  if (answer.type === "SRV") {
    const { priority = 0, weight = 0, port, target } = answer.data;
    return { value: `${priority} ${weight} ${port} ${dotted(target)}` };
  }
  if (answer.type === "CAA")
    return { value: `${answer.data.flags ?? 0} ${answer.data.tag} ${quote(answer.data.value)}` };
  return undefined;
}

/** A readable text of the answer in place of a missing record. */
function servedText(found: readonly Served[], question: Question, reply: Reply, sensitive: boolean): string {
  if (reply.rcode === "NXDOMAIN") return "no such name";
  if (reply.rcode !== "NOERROR") return `refused to answer (${reply.rcode})`;
  if (found.length > 0)
    return sensitive
      ? "another value"
      : found
          .map(({ record }) => dataText(record))
          .sort()
          .join(", ");
  const alias = reply.answers.find(
    (answer) => answer.type === "CNAME" && sameName(answer.name, question.name),
  );
  if (alias?.type === "CNAME") return `CNAME ${dotted(alias.data)}`;
  const delegation = reply.authorities.find((answer) => answer.type === "NS");
  return delegation?.type === "NS"
    ? `${dotted(delegation.name)} is delegated to ${dotted(delegation.data)}`
    : "nothing";
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
