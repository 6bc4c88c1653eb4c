/** Presentation lines: `NAME [TTL] [IN] TYPE DATA [[line]]`. The comment `; line=…` names a line. */
import { upperAscii } from "./ascii";
import type { Show } from "./quoting";
import { about, reason, type Fault } from "../problems";
import type { Ttl } from "./record";
import { lineOf, scanLine, splitData, type Grammar } from "./scan";
import { readTtl, secondsOf } from "./ttl";

export interface Line {
  readonly owner: string;
  readonly ttl: Ttl;
  readonly type: string;
  readonly data: string;
  readonly line?: string;
}

const isSeconds = (word: string): boolean => /^\d{1,15}$/.test(word);
const startsWithDigit = (word: string): boolean => word >= "0" && word < ":";

const grammar: Grammar = {
  isTtl: (word) =>
    word === "default" || (startsWithDigit(word) && (isSeconds(word) || secondsOf(word) !== undefined)),
  isClass: (word) => word.length === 2 && upperAscii(word) === "IN",
};

export function splitLine(written: string, show: Show): Line | Fault | undefined {
  const scanned = scanLine(written, grammar);
  if (scanned === undefined) return undefined;
  const { owner, type, comment } = scanned;
  const named = comment === undefined ? undefined : lineOf(comment);
  if (named !== undefined && "problem" in named) return named;
  if (owner.startsWith('"') && /^\s*"[^"]*"(?:\s+;|\s*$)/.test(written))
    return { problem: reason("word.quoted", { given: "the whole line" }) };
  const ttl = readTtl(
    isSeconds(scanned.ttl ?? "") ? Number(scanned.ttl) : (scanned.ttl ?? "default"),
    show,
    scanned.ttl,
  );
  if ("problem" in ttl) return ttl;
  const parts = splitData(scanned.data);
  if ("problem" in parts) return parts;
  if (startsWithDigit(type))
    return {
      problem: about(
        show(type),
        reason("type.unknown", { hint: `write it with a TTL such as 600 or 1h before it` }),
      ),
    };
  if (named !== undefined && parts.line !== undefined && named.line !== parts.line)
    return { problem: reason("line.two") };
  return { owner, type, ...ttl, ...parts, ...named };
}
