/**
 * Record data, one codec per type: what a program, a presentation text or the service writes becomes the canonical
 * value. An unknown type keeps its value byte for byte.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { hasLoneSurrogate, lowerAscii, upperAscii } from "./ascii";
import { canonicalLabels, withoutDot } from "./names";
import { nearest } from "./nearest";
import { quote, skipSpace, skipWord, trimSpace, unquote, unquoteOne, type Show } from "./quoting";
import { registeredTypes } from "./types";

/** Canonical data, or what is wrong with it and in which part. Data that is `unfit` can be written down, but not declared. */
export type Data =
  | { readonly value: string; readonly priority?: number; readonly note?: string; readonly unfit?: string }
  | { readonly problem: string; readonly part: "value" | "priority" };

export interface Source {
  readonly value: string;
  readonly priority: number | undefined;
  /** Presentation text: quotes and escapes have RFC 1035's meaning. */
  readonly presentation: boolean;
  readonly show: Show;
}

type Codec = (source: Source) => Data;

const wrong = (problem: string, part: "value" | "priority" = "value"): Data => ({ problem, part });

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

const typeCharacters = /^[^\s"\\;[\]()]+$/u;
const ttlLike = /^\d[\dsmhdw]*$/i;

/** A record type in upper case, as the service and zone files write it; only ASCII letters have a case. */
export function canonicalType(type: string): { readonly type: string; readonly known: boolean } | { readonly problem: string } {
  if (codecs.has(type)) return { type, known: true };
  const upper = upperAscii(type);
  if (codecs.has(upper)) return { type: upper, known: true };
  if (upper === "SOA") return { problem: "SOA: the service makes this record itself; take it out of the program" };
  if (!typeCharacters.test(type) || ttlLike.test(type) || upper === "IN" || upper === "DEFAULT") {
    return { problem: `is no record type; write one such as ${knownTypes.join(", ")}` };
  }
  return { type: upper, known: false };
}

/** The type that is meant by one which DNS does not have and which is a letter away from a known one. */
export function meantType(type: string): string | undefined {
  return registeredTypes.has(upperAscii(type)) ? undefined : nearest(type, knownTypes);
}

/** The note on a type that is not known. */
export function unknownTypeNote(type: string, show: Show): string {
  return `${show(type)} is a type that this provider does not know: its values go to the service unchecked, byte for byte`;
}

/** A record's data in canonical form. */
export function canonicalData(type: string, source: Source): Data {
  const data = (codecs.get(type) ?? withoutPriority(type, opaque))(source);
  return "value" in data && hasLoneSurrogate(data.value) ? { ...data, unfit: halfCharacter } : data;
}

/** Why a text with half a surrogate pair is refused. */
const halfCharacter = "the text holds half a character (a lone surrogate), which UTF-8 does not have; take it out, or write the whole character";

function withoutPriority(type: string, codec: Codec): Codec {
  return (source) =>
    source.priority === undefined
      ? codec(source)
      : wrong(`a record of type ${type} has no priority; take it out, or use type MX`, "priority");
}

function address({ value: given, show }: Source, family: 4 | 6): Data {
  const value = trimSpace(given);
  const found = isIP(value);
  if (found === 4 && family === 4) return { value };
  if (found === 6 && family === 6) {
    if (!value.includes("%")) return { value: canonicalIPv6(value) };
    return wrong(`${show(value)} has an interface ("%…"), which means nothing in DNS; write the address alone`);
  }
  if (found === 4) return wrong(`${show(value)} is an IPv4 address; use type A`);
  if (found === 6) return wrong(`${show(value)} is an IPv6 address; use type AAAA`);
  const example = family === 4 ? "192.0.2.1" : "2001:db8::1";
  return wrong(`${show(value)} is no IPv${family} address; write one such as "${example}"`);
}

/** RFC 5952 §4, and §5 for IPv4-mapped addresses. */
function canonicalIPv6(text: string): string {
  const parsed = ipaddr.IPv6.parse(text.includes(".") ? hexTail(text) : text);
  return parsed.isIPv4MappedAddress() ? `::ffff:${parsed.toIPv4Address().toString()}` : parsed.toRFC5952String();
}

/** `::192.0.2.1` as `::c000:201`: ipaddr.js takes this deprecated form for an IPv4-mapped address (2.5.0). */
function hexTail(text: string): string {
  const colon = text.lastIndexOf(":");
  const [a = 0, b = 0, c = 0, d = 0] = text.slice(colon + 1).split(".").map(Number);
  return `${text.slice(0, colon + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function hostData({ value, show }: Source, type: string): Data {
  return target(trimSpace(value), type, show);
}

/** An absolute host name with the dot; `.` alone means "none" for MX (RFC 7505) and SRV (RFC 2782). */
function target(text: string, type: string, show: Show): Data {
  if (text === "." && (type === "MX" || type === "SRV")) return { value: "." };
  const bare = withoutDot(text);
  const family = isIP(bare);
  if (family !== 0) {
    const address = `${show(text)} is an IPv${family} address, but ${article(type)} record points to a host name`;
    const use = family === 4 ? "A" : "AAAA";
    return wrong(type === "CNAME" ? `${address}; use type ${use}` : `${address}; name a host that has an ${use} record`);
  }
  const host = canonicalLabels(bare, false);
  if (typeof host !== "string") return wrong(`${show(text)} is no host name: it ${host.problem}`);
  if (!host.includes(".")) {
    return wrong(`${show(text)} is a single label; write the whole host name, such as "host.example.com."`);
  }
  return { value: `${host}.` };
}

function article(type: string): string {
  return type === "CNAME" || type === "CAA" ? `a ${type}` : `an ${type}`;
}

function mx({ value, priority, show }: Source): Data {
  const fields = fieldsOf(value);
  const [first = "", second] = fields;
  if (fields.length > 2) return wrong(`${show(value)} is not "priority host", such as "10 mx1.example.com."`);
  const written = second === undefined ? undefined : uint(first, 65535);
  if (second !== undefined && written === undefined) {
    return wrong(`${show(first)} is no priority; write a whole number from 0 to 65535 before the host`);
  }
  if (written !== undefined && priority !== undefined && written !== priority) return twoPriorities(written, priority, show);
  const chosen = written ?? priority;
  if (chosen === undefined) {
    return wrong('is missing: an MX record needs one; write priority: 10, or "10 mx1.example.com." as the value', "priority");
  }
  const data = target(second ?? first, "MX", show);
  if ("problem" in data) return data;
  const unusual = chosen < 1 || chosen > 20;
  return {
    value: data.value,
    priority: chosen,
    ...(unusual ? { note: `${show(String(chosen))} lies outside 1-20, and the service may refuse it as an MX priority` } : {}),
  };
}

function srv({ value, priority, show }: Source): Data {
  const fields = fieldsOf(value);
  if (fields.length === 3 && priority !== undefined) fields.unshift(String(priority));
  const [first = "", weight = "", port = "", host = ""] = fields;
  if (fields.length !== 4) {
    return wrong(`${show(value)} is not "priority weight port host", such as "10 5 5060 sip.example.com."`);
  }
  const numbers: number[] = [];
  for (const [index, field] of [first, weight, port].entries()) {
    const number = uint(field, 65535);
    const what = ["priority", "weight", "port"][index] ?? "";
    if (number === undefined) return wrong(`${show(field)} is no SRV ${what}; write a whole number from 0 to 65535`);
    numbers.push(number);
  }
  const [written = 0] = numbers;
  if (priority !== undefined && written !== priority) return twoPriorities(written, priority, show);
  const data = target(host, "SRV", show);
  return "problem" in data ? data : { value: `${numbers.join(" ")} ${data.value}` };
}

function twoPriorities(inValue: number, given: number, show: Show): Data {
  const problem = `${show(String(given))} is given, but the value says ${show(String(inValue))}; write the priority once`;
  return wrong(problem, "priority");
}

function caa({ value, show }: Source): Data {
  const trimmed = trimSpace(value);
  const flagsEnd = skipWord(trimmed, 0);
  const tagStart = skipSpace(trimmed, flagsEnd);
  const tagEnd = skipWord(trimmed, tagStart);
  const rest = trimmed.slice(skipSpace(trimmed, tagEnd));
  if (rest === "") return wrong(`${show(value)} is not "flags tag value", such as '0 issue "letsencrypt.org"'`);
  const flags = uint(trimmed.slice(0, flagsEnd), 255);
  if (flags === undefined) return wrong(`${show(trimmed.slice(0, flagsEnd))} is no CAA flags; write a whole number from 0 to 255`);
  const tag = lowerAscii(trimmed.slice(tagStart, tagEnd));
  if (!/^[a-z0-9]+$/.test(tag)) return wrong(`${show(tag)} is no CAA tag; write letters and digits, such as issue (RFC 8659 §4.1)`);
  const plain = rest.startsWith('"') ? unquote(rest) : rest;
  if (plain === undefined) return wrong(`${show(rest)} is no quoted text; write quotes inside it as \\"`);
  const data = { value: `${flags} ${tag} ${quote(plain)}` };
  return caaTags.includes(tag) ? data : { ...data, note: unknownTag(tag, show) };
}

/** IANA's registry of CAA properties (RFC 8659 §7.1 and later). */
const caaTags: readonly string[] = ["issue", "issuewild", "iodef", "contactemail", "contactphone", "issuemail", "issuevmc"];

function unknownTag(tag: string, show: Show): string {
  // The nearest to a secret word would tell it.
  const meant = show(tag).includes(tag) ? nearest(tag, caaTags) : undefined;
  const rather = meant === undefined ? `the known ones are ${caaTags.join(", ")}` : `did you mean ${meant}?`;
  return `${show(tag)} is no CAA tag that certificate authorities know, and none of them heeds it; ${rather}`;
}

/** A spec's value between quotes is presentation text; any other value is the text itself. */
function text({ value, presentation, show }: Source): Data {
  const quoted = value.startsWith('"') && (presentation || value.endsWith('"'));
  const joined = quoted ? unquote(value) : undefined;
  if (joined !== undefined) return textData(joined);
  if (!quoted || !presentation) return textData(value);
  return wrong(`${show(value)} is no quoted text; close every quote, and write quotes inside the text as \\"`);
}

/** What fits into RDLENGTH's 65535 octets as strings of 255, each with its length (RFC 1035 §3.2.1, §3.3). */
const longestText = 65_279;
/** Beyond it an answer over UDP is cut short by most resolvers (RFC 6891 §6.2.5). */
const longText = 4096;

/** A text; the service takes a quote at either end for quoting, and lists what stands between them (service-notes.md, Records). */
export function textData(value: string): Data {
  if (value.length > 1 && value.startsWith('"') && value.endsWith('"')) return { value, unfit: quotesOfItsOwn };
  if (value.length <= longText / 4) return { value };
  const octets = Buffer.byteLength(value);
  const size = `the text has ${octets.toLocaleString("en-US")} octets`;
  if (octets > longestText) return wrong(`${size}; a TXT record holds at most ${longestText.toLocaleString("en-US")} (RFC 1035 §3.3)`);
  return octets <= longText ? { value } : { value, note: `${size}: no document of the service names a limit, and it may refuse so long a TXT; resolvers fetch it over TCP` };
}

/** Why a text that begins and ends with a quote is refused. */
const quotesOfItsOwn =
  "the text begins and ends with quotes of its own, which the service takes for quoting: its record could not be told from that of the text without them; leave them out";

function opaque({ value, presentation }: Source): Data {
  const alone = presentation && value.startsWith('"') ? unquoteOne(value) : undefined;
  return { value: alone ?? value };
}

/** What keeps an unknown type's value from standing in a text as it is; single spaces between words may. */
const notPlain = /^$|^ | {2}| $|[^\S ]|["\\;()[\]\x00-\x1f\x7f]/;

/** Canonical data as it stands in a record's text. */
export function presentData(type: string, value: string, priority: number | undefined): string {
  if (type === "TXT") return quote(value);
  if (type === "MX") return priority === undefined ? value : `${priority} ${value}`;
  return codecs.has(type) || !notPlain.test(value) ? value : quote(value);
}

function fieldsOf(value: string): string[] {
  const fields: string[] = [];
  for (let at = skipSpace(value, 0); at < value.length; ) {
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
