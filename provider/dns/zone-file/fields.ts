/** Words with one meaning everywhere in a master file: names (RFC 1035 §5.1), times and classes. */
import { isIP } from "node:net";
import { canonicalLabels, isWithin, withoutDot } from "../names";
import { about, reason, type Fault, type Reason } from "../../problems";
import { showPlain, upperAscii } from "../quoting";
import type { Grammar } from "../scan";
import { readTtl, secondsOf, type Ttl } from "../record";
import type { Token } from "./tokens";

export interface Host {
  readonly host: string;
  /** Probably, a dot was forgotten. */
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
export function isAddress({ raw }: Token): boolean {
  return /[\d.]$|:/.test(raw) && isIP(withoutDot(raw)) !== 0;
}

export function isTime(raw: string): boolean {
  return raw >= "0" && raw < ":" && secondsOf(raw) !== undefined;
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
