/**
 * Record data as the words of a master file, made canonical by the same codecs as specs. Names are relative to the
 * origin here (RFC 1035 §5.1); everything else is the codecs' word.
 */
import { canonicalData, textData } from "../data";
import { reason, type Reason } from "../../problems";
import { quote, showPlain, unescape } from "../quoting";
import { registeredTypes } from "../types";
import { hostOf, isAddress, isTime } from "./fields";
import type { Token } from "./scan";

/** Canonical data; or what is wrong, and with which word (undefined: with the record). */
export type Rdata =
  { readonly value: string; readonly priority?: number; readonly warnings: readonly Fault[] } | Fault;

interface Fault {
  readonly problem: Reason;
  readonly token: Token | undefined;
}

/** How many words, which of them are names, and how a message shows the whole. */
interface Shape {
  readonly words: number;
  readonly names: readonly number[];
  readonly form: string;
}

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["A", { words: 1, names: [], form: "an address, such as 192.0.2.1" }],
  ["AAAA", { words: 1, names: [], form: "an address, such as 2001:db8::1" }],
  ["CNAME", { words: 1, names: [0], form: "a host name" }],
  ["NS", { words: 1, names: [0], form: "a host name" }],
  ["MX", { words: 2, names: [1], form: "a priority and a host, such as 10 mx1.example.com." }],
  [
    "SRV",
    { words: 4, names: [3], form: "priority, weight, port and host, such as 10 5 5060 sip.example.com." },
  ],
  ["SOA", { words: 7, names: [], form: "a name server, a mailbox, a serial number, three times and a TTL" }],
  ["CAA", { words: 3, names: [], form: 'flags, a tag and a value, such as 0 issue "letsencrypt.org"' }],
]);

/** Of records that the service makes itself, and that are only read to know where they end. */
const ownType = new Set(["SOA", "NS"]);

/**
 * The data of a record in canonical form.
 * @param type canonical, one of `knownTypes` or `registeredTypes`, or `SOA`.
 * @returns undefined where only an unknown origin would tell.
 */
export function readRdata(
  type: string,
  tokens: readonly Token[],
  origin: string | undefined,
  domain: string,
): Rdata | undefined {
  const [first] = tokens;
  const shape = shapes.get(type);
  if (first === undefined) {
    const form = shape?.form ?? (type === "TXT" ? "text in quotes" : "its data");
    return { problem: reason("data.missing", { type, form }), token: undefined };
  }
  if (first.raw === "\\#" && !first.quoted) {
    const problem = reason("data.generic", { type });
    return { problem, token: first };
  }
  if (type === "TXT") return readText(tokens);
  if (shape === undefined) return readPassedOn(type, tokens, registeredTypes.get(type) ?? [], origin, domain);
  const extra = tokens[shape.words];
  if (tokens.length !== shape.words) {
    const parenthesis = ownType.has(type) && tokens.length > 1;
    return {
      problem: reason("data.form", { type, form: shape.form, count: tokens.length, parenthesis }),
      token: extra,
    };
  }
  const warnings: Fault[] = [];
  const words: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const word =
      type === "CAA" && index === 2
        ? quotedWord(token)
        : plainWord(token, shape.names.includes(index), origin, domain, warnings);
    if (typeof word !== "string") return word;
    words.push(word);
  }
  return type === "SOA" ? readSoa(words, tokens, warnings) : viaCodec(type, words, tokens, warnings);
}

/** The service makes its own SOA record; what the file says is read all the same, lest it swallow the records that follow. */
function readSoa(words: readonly string[], tokens: readonly Token[], warnings: readonly Fault[]): Rdata {
  for (const [index, token] of tokens.entries()) {
    if (index < 2) continue;
    const good =
      index === 2 ? /^\d{1,10}$/.test(token.raw) && Number(token.raw) < 2 ** 32 : isTime(token.raw);
    if (good) continue;
    return {
      problem: reason(index === 2 ? "soa.serial" : "soa.time", { given: showPlain(token.raw) }),
      token,
    };
  }
  return { value: words.join(" "), warnings };
}

function viaCodec(
  type: string,
  words: readonly string[],
  tokens: readonly Token[],
  warnings: Fault[],
): Rdata {
  const data = canonicalData(type, {
    value: words.join(" "),
    priority: undefined,
    presentation: true,
    show: showPlain,
  });
  if ("problem" in data) return ofWord(data.problem, words, tokens);
  if (data.unfit !== undefined) return ofWord(data.unfit, words, tokens);
  if (data.note !== undefined) warnings.push({ problem: data.note, token: tokens[0] });
  const { value, priority } = data;
  return priority === undefined ? { value, warnings } : { value, priority, warnings };
}

/** A problem with its place: the codecs know no positions, but show the word that is wrong. */
function ofWord(problem: Reason, words: readonly string[], tokens: readonly Token[]): Fault {
  const { of, parts } = problem;
  const given = parts !== undefined && "given" in parts ? parts.given : undefined;
  const at = words.findIndex((word) => given === showPlain(word) || of?.startsWith(showPlain(word)) === true);
  return { problem, token: tokens[at === -1 ? 0 : at] };
}

function plainWord(
  token: Token,
  isName: boolean,
  origin: string | undefined,
  domain: string,
  warnings: Fault[],
): string | Fault | undefined {
  if (isName && !isAddress(token)) {
    const name = hostOf(token, origin, domain);
    if (name === undefined) return undefined;
    if ("problem" in name) return { problem: name.problem, token };
    if (name.warning !== undefined) warnings.push({ problem: name.warning, token });
    return `${name.host}.`;
  }
  if (!token.quoted) return token.raw;
  return { problem: reason("data.quoted", { given: showPlain(token.raw) }), token };
}

function quotedWord(token: Token): string | Fault {
  const plain = unescape(token.raw);
  return plain === undefined ? notUtf8(token) : quote(plain);
}

function notUtf8(token: Token | undefined): Fault {
  return { problem: reason("text.octets"), token };
}

/** One or more strings, joined without a space (RFC 7208 §3.3); an octet of UTF-8 may stand on either side of a split. */
function readText(tokens: readonly Token[]): Rdata {
  const value = unescape(
    tokens.length === 1 ? (tokens[0]?.raw ?? "") : tokens.map((token) => token.raw).join(""),
  );
  if (value === undefined) return notUtf8(tokens[0]);
  const warnings: Fault[] = [];
  const cut = tokens.find((token) => token.cut && !token.quoted);
  if (cut !== undefined) {
    const problem = reason("text.cut");
    warnings.push({ problem, token: cut });
  }
  const second = tokens.find((token, index) => index > 0 && !token.quoted && !token.joined);
  if (second !== undefined) {
    const problem = reason("text.joined");
    warnings.push({ problem, token: second });
  }
  for (const token of tokens) {
    const octets = octetsOf(token.raw);
    if (octets <= maxString) continue;
    const problem = reason("text.string", { octets, most: maxString });
    warnings.push({ problem, token });
  }
  const data = textData(value);
  if ("problem" in data) return { problem: data.problem, token: tokens[0] };
  if (data.unfit !== undefined) return { problem: data.unfit, token: tokens[0] };
  if (data.note !== undefined) warnings.push({ problem: data.note, token: tokens[0] });
  return { value, warnings };
}

const maxString = 255;

/** The octets of a string, of which an escape is one. */
function octetsOf(raw: string): number {
  return raw.length * 3 <= maxString ? 0 : Buffer.byteLength(raw.replace(/\\(?:\d{3}|[^])/g, "."));
}

/** Data that goes to the service byte for byte. Only its relative names are made absolute (RFC 1035 §5.1). */
function readPassedOn(
  type: string,
  tokens: readonly Token[],
  names: readonly number[],
  origin: string | undefined,
  domain: string,
): Rdata | undefined {
  const warnings: Fault[] = [];
  let text = "";
  for (const [index, token] of tokens.entries()) {
    const word = token.quoted
      ? `"${token.raw}"`
      : names.includes(index)
        ? absoluteName(token, origin, domain, warnings)
        : token.raw;
    if (typeof word !== "string") return word;
    text += text === "" || token.joined ? word : ` ${word}`;
  }
  return viaCodec(type, [text], tokens, warnings);
}

/** An absolute name as it is written; a relative one with the origin behind it. */
function absoluteName(
  token: Token,
  origin: string | undefined,
  domain: string,
  warnings: Fault[],
): string | Fault | undefined {
  const { raw } = token;
  if (raw.endsWith(".") || isAddress(token)) return raw;
  const whole = plainWord(token, true, origin, domain, warnings);
  if (typeof whole !== "string" || origin === undefined) return whole;
  const written = raw === "@" ? "" : `${raw}.`;
  return origin === "" ? written : `${written}${origin}.`;
}
