/** Record data as words of a master file. Relative names become absolute. */
import { about, reason, type Fault, type Reason } from "../../problems";
import { quote, showPlain, unescape } from "../quoting";
import { canonicalData, registeredTypes, typeOf, type Data, type RecordType } from "../types";
import { textData } from "../types/txt";
import { hostOf, isAddress } from "./fields";
import type { Token } from "./tokens";

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
  // Codecs have no positions, but show the word.
  const tokenOf = ({ of, parts }: Reason): Token | undefined => {
    const given = parts !== undefined && "given" in parts ? parts.given : undefined;
    const isIt = (word: string): boolean =>
      given === showPlain(word) || of?.startsWith(showPlain(word)) === true;
    return tokens[Math.max(0, words.findIndex(isIt))];
  };
  return result(canonicalData(type, source), tokens, warnings, tokenOf);
}

function result(
  data: Data,
  [first]: readonly Token[],
  warnings: WordFault[],
  tokenOf: (problem: Reason) => Token | undefined = () => first,
): Rdata {
  if ("problem" in data) return { problem: data.problem, token: tokenOf(data.problem) };
  if (data.unfit !== undefined) return { problem: data.unfit, token: tokenOf(data.unfit) };
  if (data.note !== undefined) warnings.push({ problem: data.note, token: first });
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
