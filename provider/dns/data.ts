/**
 * Record data, one codec per type: what a program, a presentation text or the service writes becomes the canonical
 * value. An unknown type keeps its value byte for byte.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { hasLoneSurrogate, lowerAscii, upperAscii } from "./ascii";
import { canonicalLabels, hyphenProblem, numberProblem, withoutDot } from "./names";
import { nearest } from "./nearest";
import { about, reason, type Reason } from "../problems";
import { quote, skipSpace, skipWord, trimSpace, unquote, unquoteOne, type Show } from "./quoting";
import { invisible } from "../support/visible";
import { registeredTypes } from "./types";

/** Canonical data, or what is wrong with it and in which part. Data that is `unfit` can be written down, but not declared. */
export type Data =
  | { readonly value: string; readonly priority?: number; readonly note?: Reason; readonly unfit?: Reason }
  | { readonly problem: Reason; readonly part: "value" | "priority" };

export interface Source {
  readonly value: string;
  readonly priority: number | undefined;
  /** Presentation text: quotes and escapes have RFC 1035's meaning. */
  readonly presentation: boolean;
  readonly show: Show;
}

type Codec = (source: Source) => Data;

const wrong = (problem: Reason, part: "value" | "priority" = "value"): Data => ({ problem, part });

const codecs: ReadonlyMap<string, Codec> = new Map<string, Codec>([
  ["A", withoutPriority("A", (source) => address(source, 4))],
  ["AAAA", withoutPriority("AAAA", (source) => address(source, 6))],
  ["CNAME", withoutPriority("CNAME", (source) => hostData(source, "CNAME"))],
  ["MX", mx],
  ["NS", withoutPriority("NS", (source) => hostData(source, "NS"))],
  ["TXT", withoutPriority("TXT", text)],
  ["SRV", srv],
  ["CAA", withoutPriority("CAA", caa)],
]);

/** The types whose data is understood. */
export const knownTypes: readonly string[] = [...codecs.keys()];

/** No digit comes first: a word that begins with one is a TTL. */
const typeCharacters = new RegExp(`^(?!\\d)[^\\s${invisible}"\\\\;[\\]()]+$`, "u");

/** A record type in upper case, as the service and zone files write it; only ASCII letters have a case. */
export function canonicalType(
  type: string,
): { readonly type: string; readonly known: boolean } | { readonly problem: Reason } {
  if (codecs.has(type)) return { type, known: true };
  const upper = upperAscii(type);
  if (codecs.has(upper)) return { type: upper, known: true };
  if (upper === "SOA") return { problem: reason("type.soa") };
  if (!typeCharacters.test(type) || upper === "IN" || upper === "DEFAULT") {
    return { problem: reason("type.unfit", { known: knownTypes.join(", ") }) };
  }
  return { type: upper, known: false };
}

/** The type that is meant by one which DNS does not have and which is a letter away from a known one. */
export function meantType(type: string): string | undefined {
  return registeredTypes.has(upperAscii(type)) ? undefined : nearest(type, knownTypes);
}

/** The note on a type that is not known. */
export function unknownTypeNote(type: string, show: Show): Reason {
  return reason("type.unchecked", { given: show(type) });
}

/** A record's data in canonical form. */
export function canonicalData(type: string, source: Source): Data {
  const data = (codecs.get(type) ?? withoutPriority(type, opaque))(source);
  return "value" in data && hasLoneSurrogate(data.value) ? { ...data, unfit: halfCharacter } : data;
}

/** Why a text with half a surrogate pair is refused. */
const halfCharacter = reason("text.half-character");

function withoutPriority(type: string, codec: Codec): Codec {
  return (source) =>
    source.priority === undefined ? codec(source) : wrong(reason("priority.needless", { type }), "priority");
}

function address({ value: given, show }: Source, family: 4 | 6): Data {
  const value = trimSpace(given);
  const found = isIP(value);
  if (found === 4 && family === 4) return { value };
  if (found === 6 && family === 6) {
    if (!value.includes("%")) return { value: canonicalIPv6(value) };
    return wrong(reason("address.interface", { given: show(value) }));
  }
  if (found === 4) return wrong(reason("address.is-ipv4", { given: show(value) }));
  if (found === 6) return wrong(reason("address.is-ipv6", { given: show(value) }));
  const example = family === 4 ? "192.0.2.1" : "2001:db8::1";
  return wrong(reason("address.unfit", { given: show(value), family, example }));
}

/** RFC 5952 §4, and §5 for IPv4-mapped addresses. */
function canonicalIPv6(text: string): string {
  const parsed = ipaddr.IPv6.parse(text.includes(".") ? hexTail(text) : text);
  return parsed.isIPv4MappedAddress()
    ? `::ffff:${parsed.toIPv4Address().toString()}`
    : parsed.toRFC5952String();
}

/** `::192.0.2.1` as `::c000:201`: ipaddr.js takes this deprecated form for an IPv4-mapped address (2.5.0). */
function hexTail(text: string): string {
  const colon = text.lastIndexOf(":");
  const [a = 0, b = 0, c = 0, d = 0] = text
    .slice(colon + 1)
    .split(".")
    .map(Number);
  return `${text.slice(0, colon + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function hostData({ value, show }: Source, type: string): Data {
  return target(trimSpace(value), type, show);
}

/**
 * An absolute host name with the dot. `.` alone means "none" for MX (RFC 7505) and SRV (RFC 2782). Only a CNAME may point
 * to a wildcard's own name: the others need a host (RFC 1123 §2.1).
 */
function target(text: string, type: string, show: Show): Data {
  if (text === ".")
    return type === "MX" || type === "SRV" ? { value: "." } : wrong(reason("host.root", { type }));
  const bare = withoutDot(text);
  const family = isIP(bare);
  if (family !== 0) {
    return wrong(reason("host.address", { given: show(text), family, type }));
  }
  const host = canonicalLabels(bare, type === "CNAME");
  const noHost = (problem: Reason): Reason => about(`${show(text)} is no host name: it`, problem);
  if (typeof host !== "string") return wrong(noHost(host.problem));
  if (!host.includes(".")) {
    return wrong(reason("host.single-label", { given: show(text) }));
  }
  const problem = hyphenProblem(host) ?? numberProblem(host);
  return problem === undefined ? { value: `${host}.` } : { value: `${host}.`, unfit: noHost(problem) };
}

function mx({ value, priority, show }: Source): Data {
  const fields = fieldsOf(value);
  const [first = "", second] = fields;
  if (fields.length > 2) return wrong(reason("mx.form", { given: show(value) }));
  const written = second === undefined ? undefined : uint(first, 65535);
  if (second !== undefined && written === undefined) {
    return wrong(reason("mx.priority", { given: show(first) }));
  }
  if (written !== undefined && priority !== undefined && written !== priority)
    return twoPriorities(written, priority, show);
  const chosen = written ?? priority;
  if (chosen === undefined) {
    return wrong(reason("mx.priority-missing"), "priority");
  }
  const data = target(second ?? first, "MX", show);
  if ("problem" in data) return data;
  const unusual = chosen < 1 || chosen > 20;
  return {
    ...data,
    priority: chosen,
    ...(unusual ? { note: reason("mx.priority-unusual", { given: show(String(chosen)) }) } : {}),
  };
}

function srv({ value, priority, show }: Source): Data {
  const fields = fieldsOf(value);
  if (fields.length === 3 && priority !== undefined) fields.unshift(String(priority));
  const [first = "", weight = "", port = "", host = ""] = fields;
  if (fields.length !== 4) {
    return wrong(reason("srv.form", { given: show(value) }));
  }
  const numbers: number[] = [];
  for (const [index, field] of [first, weight, port].entries()) {
    const number = uint(field, 65535);
    const what = ["priority", "weight", "port"][index] ?? "";
    if (number === undefined) return wrong(reason("srv.number", { given: show(field), what }));
    numbers.push(number);
  }
  const [written = 0] = numbers;
  if (priority !== undefined && written !== priority) return twoPriorities(written, priority, show);
  const data = target(host, "SRV", show);
  return "problem" in data ? data : { ...data, value: `${numbers.join(" ")} ${data.value}` };
}

function twoPriorities(inValue: number, given: number, show: Show): Data {
  const problem = reason("priority.twice", { given: show(String(given)), written: show(String(inValue)) });
  return wrong(problem, "priority");
}

function caa({ value, show }: Source): Data {
  const trimmed = trimSpace(value);
  const flagsEnd = skipWord(trimmed, 0);
  const tagStart = skipSpace(trimmed, flagsEnd);
  const tagEnd = skipWord(trimmed, tagStart);
  const rest = trimmed.slice(skipSpace(trimmed, tagEnd));
  if (rest === "") return wrong(reason("caa.form", { given: show(value) }));
  const flags = uint(trimmed.slice(0, flagsEnd), 255);
  if (flags === undefined) return wrong(reason("caa.flags", { given: show(trimmed.slice(0, flagsEnd)) }));
  const tag = lowerAscii(trimmed.slice(tagStart, tagEnd));
  if (!/^[a-z0-9]+$/.test(tag)) return wrong(reason("caa.tag", { given: show(tag) }));
  const plain = rest.startsWith('"') ? unquote(rest) : rest;
  if (plain === undefined) return wrong(reason("caa.quotes", { given: show(rest) }));
  const data = { value: `${flags} ${tag} ${quote(plain)}` };
  return caaTags.includes(tag) ? data : { ...data, note: unknownTag(tag, show) };
}

/** IANA's registry of CAA properties (RFC 8659 §7.1 and later). */
const caaTags: readonly string[] = [
  "issue",
  "issuewild",
  "iodef",
  "contactemail",
  "contactphone",
  "issuemail",
  "issuevmc",
];

function unknownTag(tag: string, show: Show): Reason {
  // The nearest to a secret word would tell it.
  const meant = show(tag).includes(tag) ? nearest(tag, caaTags) : undefined;
  return reason("caa.tag-unknown", { given: show(tag), guess: meant, known: caaTags.join(", ") });
}

/** A spec's value between quotes is presentation text; any other value is the text itself. */
function text({ value, presentation, show }: Source): Data {
  const quoted = value.startsWith('"') && (presentation || value.endsWith('"'));
  const joined = quoted ? unquote(value) : undefined;
  if (joined !== undefined) return textData(joined);
  if (!quoted || !presentation) return textData(value);
  return wrong(reason("text.quotes", { given: show(value) }));
}

/** What fits into RDLENGTH's 65535 octets as strings of 255, each with its length (RFC 1035 §3.2.1, §3.3). */
const longestText = 65_279;
/** Beyond it an answer over UDP is cut short by most resolvers (RFC 6891 §6.2.5). */
const longText = 4096;

/** A text; the service takes a quote at either end for quoting, and lists what stands between them (service-notes.md, Records). */
export function textData(value: string): Data {
  if (value.length > 1 && value.startsWith('"') && value.endsWith('"'))
    return { value, unfit: quotesOfItsOwn };
  if (value.trim() !== value) return { value, unfit: spaceAtEnds };
  if (value === "") return { value, note: reason("text.empty") };
  if (value.length <= longText / 4) return { value };
  const octets = Buffer.byteLength(value);
  if (octets > longestText) return wrong(reason("text.too-long", { octets, most: longestText }));
  return octets <= longText ? { value } : { value, note: reason("text.long", { octets }) };
}

/** Why a text that begins and ends with a quote is refused. */
const quotesOfItsOwn = reason("text.own-quotes");

/** Why a text is refused that begins or ends with white space, of whatever script. */
const spaceAtEnds = reason("text.space-at-ends");

function opaque({ value: given, presentation }: Source): Data {
  const value = (presentation && given.startsWith('"') ? unquoteOne(given) : undefined) ?? given;
  return value.trim() === value ? { value } : { value, unfit: spaceAtEnds };
}

/** What keeps an unknown type's value from standing in a text as it is; single spaces between words may. */
const notPlain = new RegExp(`^$|^ | {2}| $|[^\\S ]|["\\\\;()[\\]${invisible}]`, "u");

/** Canonical data as it stands in a record's text. */
export function presentData(type: string, value: string, priority: number | undefined): string {
  if (type === "TXT") return quote(value);
  if (type === "MX") return priority === undefined ? value : `${priority} ${value}`;
  return codecs.has(type) || !notPlain.test(value) ? value : quote(value);
}

function fieldsOf(value: string): string[] {
  const fields: string[] = [];
  for (let at = skipSpace(value, 0); at < value.length;) {
    const end = skipWord(value, at);
    fields.push(value.slice(at, end));
    at = skipSpace(value, end);
  }
  return fields;
}

/** A whole number in decimal digits, at most `max`. */
function uint(text: string, max: number): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= max ? number : undefined;
}
