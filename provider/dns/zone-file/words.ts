/** The words of an entry: TTL and class in either order, then the type and its data. */
import { didYouMean, about, reason, type Reason } from "../../problems";
import { nearest } from "../../support/nearest";
import { upperAscii } from "../quoting";
import { takesWord, type Head } from "../scan";
import { canonicalType, knownTypes, registeredTypes } from "../types";
import { grammar, showToken } from "./rdata";
import type { Entry, Token } from "./tokens";

const allTypes = [...knownTypes, ...registeredTypes.keys()];

/** The words after the owner. */
export interface Words {
  readonly words: readonly Token[];
  readonly head: Readonly<Head>;
  readonly type: Token | undefined;
  readonly rest: readonly Token[];
}

export function wordsOf({ tokens, indented }: Entry): Words {
  const words = indented ? tokens : tokens.slice(1);
  const head: Head = { ttl: undefined, class: undefined };
  const at = words.findIndex(({ quoted, raw }) => quoted || !takesWord(head, raw, grammar));
  return { words, head, type: words[at], rest: words.slice(at + 1) };
}

export function typeNamed(raw: string): string | undefined {
  const upper = upperAscii(raw);
  if (upper === "SOA" || registeredTypes.has(upper)) return upper;
  const kind = canonicalType(raw);
  return "type" in kind && kind.known ? kind.type : undefined;
}

export function typeProblem({ raw, quoted }: Token, { indented, tokens }: Entry): Reason {
  if (quoted) return reason("word.quoted", { given: showToken(raw) });
  if (/^TYPE\d{1,5}$/i.test(raw)) return reason("data.generic", { given: raw });
  const next = indented ? upperAscii(tokens[1]?.raw ?? "") : "";
  if (grammar.isClass(next) || allTypes.includes(next)) return reason("line.indented");
  const meant = raw.length > 20 || /URL$/i.test(raw) ? undefined : nearest(raw, allTypes);
  const hint = didYouMean(meant, `zone files have ${knownTypes.join(", ")}; a Record may have another`);
  return about(showToken(raw), reason("type.unknown", { hint }));
}
