/** Record data as words of a zone file. Relative names become absolute. */
import { isIP } from "node:net";
import { canonicalLabels, isWithin, withoutDot } from "../names";
import { about, reason, type Fault, type Reason } from "../../problems";
import { showPlain, upperAscii, quote, unescape } from "../quoting";
import type { Grammar } from "../scan";
import { isTime, readTtl, secondsOf, type Ttl } from "../record";
import type { Token } from "./tokens";
import { canonicalData, registeredTypes, typeOf, type Data, type RecordType } from "../types";
import { textData } from "../types/known";

interface WordFault extends Fault {
  readonly token: Token | undefined;
}

export type Rdata =
  { readonly value: string; readonly priority?: number; readonly warnings: readonly WordFault[] } | WordFault;

/** The service makes its own SOA record, but a broken one could hide records. */
const soa: Pick<RecordType, "fields" | "form"> = {
  fields: ["word", "word", "word", "word", "word", "word", "word"],
  form: "a name server, a mailbox, a serial number, three times and a TTL",
};

interface Place {
  readonly origin: string | undefined;
  readonly domain: string;
}

export function readRdata(type: string, tokens: readonly Token[], place: Place): Rdata | undefined {
  const [first] = tokens;
  const { fields, form } = (type === "SOA" ? soa : typeOf(type)) ?? { fields: undefined, form: "its data" };
  if (first === undefined)
    return { problem: about("the data is", reason("field.missing", { example: form })), token: undefined };
  if (first.raw === "\\#" && !first.quoted)
    return { problem: reason("data.generic", { given: "\\#" }), token: first };
  if (fields === "strings") return readStrings(tokens);
  if (fields === undefined) return readPassedOn(type, tokens, place);
  if (tokens.length !== fields.length) {
    const parts = { given: showPlain(tokens.map(({ raw }) => raw).join(" "), 24), type, form };
    return { problem: reason("data.form", parts), token: tokens[fields.length] };
  }
  const warnings: WordFault[] = [];
  const words: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const word =
      fields[index] === "text"
        ? textWord(token)
        : plainWord(token, fields[index] === "host", place, warnings);
    if (typeof word !== "string") return word && { ...word, token };
    words.push(word);
  }
  return type === "SOA" ? { value: words.join(" "), warnings } : viaCodec(type, words, tokens, warnings);
}

function viaCodec(
  type: string,
  words: readonly string[],
  tokens: readonly Token[],
  warnings: WordFault[],
): Rdata {
  const source = { value: words.join(" "), priority: undefined, presentation: true, show: showPlain };
  return result(canonicalData(type, source), tokens, warnings);
}

function result(data: Data, [token]: readonly Token[], warnings: WordFault[]): Rdata {
  if ("problem" in data) return { problem: data.problem, token };
  if (data.unfit !== undefined) return { problem: data.unfit, token };
  if (data.note !== undefined) warnings.push({ problem: data.note, token });
  const { value, priority } = data;
  return priority === undefined ? { value, warnings } : { value, priority, warnings };
}

function plainWord(
  token: Token,
  isName: boolean,
  { origin, domain }: Place,
  warnings: WordFault[],
): string | Fault | undefined {
  if (isName && !isAddress(token)) {
    const name = hostOf(token, origin, domain);
    if (name === undefined || "problem" in name) return name;
    if (name.warning !== undefined) warnings.push({ problem: name.warning, token });
    return `${name.host}.`;
  }
  return token.quoted ? { problem: reason("word.quoted", { given: showPlain(token.raw) }) } : token.raw;
}

function textWord({ raw }: Token): string | Fault {
  const plain = unescape(raw);
  return plain === undefined ? { problem: reason("text.octets") } : quote(plain);
}

/** A character's octets may be in two strings. */
function readStrings(tokens: readonly Token[]): Rdata {
  const value = unescape(tokens.map(({ raw }) => raw).join(""));
  if (value === undefined) return { problem: reason("text.octets"), token: tokens[0] };
  const warnings: WordFault[] = [];
  const cut = tokens.find((token) => token.cut && !token.quoted);
  if (cut !== undefined) warnings.push({ problem: reason("text.unquoted"), token: cut });
  const word = tokens.find((token, index) => index > 0 && !token.quoted && !token.joined);
  if (word !== undefined) warnings.push({ problem: reason("text.unquoted"), token: word });
  for (const token of tokens) {
    const octets = octetsIn(token.raw);
    if (octets <= maxString) continue;
    warnings.push({ problem: reason("text.string", { octets }), token });
  }
  return result(textData(value), tokens, warnings);
}

const maxString = 255;

function octetsIn(raw: string): number {
  return raw.length * 3 <= maxString ? 0 : Buffer.byteLength(raw.replace(/\\(?:\d{3}|[^])/g, "."));
}

/** Relative names become absolute (RFC 1035 §5.1); the rest passes byte for byte. */
function readPassedOn(type: string, tokens: readonly Token[], place: Place): Rdata | undefined {
  const warnings: WordFault[] = [];
  const names = registeredTypes.get(type);
  let text = "";
  for (const [index, token] of tokens.entries()) {
    const isName = !token.quoted && names?.includes(index) === true;
    const word = isName ? absoluteName(token, place, warnings) : token.quoted ? `"${token.raw}"` : token.raw;
    if (typeof word !== "string") return word && { ...word, token };
    text += text === "" || token.joined ? word : ` ${word}`;
  }
  return viaCodec(type, [text], tokens, warnings);
}

function absoluteName(token: Token, place: Place, warnings: WordFault[]): string | Fault | undefined {
  const { raw } = token;
  if (raw.endsWith(".") || isAddress(token)) return raw;
  const whole = plainWord(token, true, place, warnings);
  if (typeof whole !== "string" || place.origin === undefined) return whole;
  const written = raw === "@" ? "" : `${raw}.`;
  return place.origin === "" ? written : `${written}${place.origin}.`;
}

export interface Host {
  readonly host: string;
  readonly warning?: Reason;
}

/** A file may be anything, and its words may be secrets. */
export const showToken = (raw: string): string => showPlain(raw, 24);

export function hostOf(
  { raw, quoted }: Token,
  origin: string | undefined,
  domain: string,
): Host | Fault | undefined {
  if (quoted) return { problem: reason("word.quoted", { given: showToken(raw) }) };
  if (raw === "@") return origin === undefined ? undefined : { host: origin };
  if (raw === ".") return { host: "" };
  const plain = raw.includes("\\") ? unescapeName(raw) : raw;
  if (plain === undefined) return { problem: about(showToken(raw), reason("label.unfit", { number: 1 })) };
  const labels = canonicalLabels(withoutDot(plain), true);
  if (typeof labels !== "string") return { problem: about(showToken(raw), labels.problem) };
  if (plain.endsWith(".")) return { host: labels };
  if (origin === undefined) return undefined;
  const host = canonicalLabels(origin === "" ? labels : `${labels}.${origin}`, true);
  if (typeof host !== "string") return { problem: about(showToken(raw), host.problem) };
  if (!isWithin(labels, domain) || !isWithin(origin, domain)) return { host };
  return { host, warning: reason("name.no-dot", { given: showToken(raw), host, written: labels }) };
}

function unescapeName(raw: string): string | undefined {
  let isLegal = true;
  const plain = raw.replace(/\\(\d{3}|[^])/g, (_, escaped: string) => {
    const character = escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped;
    isLegal &&= /^[A-Za-z0-9_*-]$/.test(character);
    return character;
  });
  return isLegal ? plain : undefined;
}

/** RFC 1035 makes an address relative to the origin, which is never meant. */
function isAddress({ raw }: Token): boolean {
  return /[\d.]$|:/.test(raw) && isIP(withoutDot(raw)) !== 0;
}

export function ttlOf(raw: string): { readonly ttl: Ttl } | Fault {
  return readTtl(secondsOf(raw), showPlain, raw);
}

export function isInternet(raw: string): boolean {
  return /^(?:IN|CLASS1)$/i.test(raw);
}

const otherClass = /^(?:CH|CHAOS|HS|HESIOD|CS|ANY|NONE|CLASS\d{1,5})$/i;

export const grammar: Grammar = {
  isTtl: isTime,
  isClass: (raw) => isInternet(raw) || otherClass.test(raw),
};

export const isSoa = ({ raw }: Token): boolean => upperAscii(raw) === "SOA";
