/**
 * Patterns for records that somebody else looks after: `_acme-challenge*` (names, `*` stands for any characters),
 * `* TXT` (a type; `*` any), `_acme-challenge* TXT` (both). Pure.
 */
import { lowerAscii } from "./ascii";
import { canonicalType, meantType } from "./types";
import { reason, type Problem, type Reason } from "../problems";
import type { DnsRecord } from "./record";

/** What a pattern says. */
interface Pattern {
  /** What stands between the stars of the name. */
  readonly name: readonly string[];
  readonly type: string | undefined;
}

function parse(text: string): Pattern | Reason {
  const [name = "", type, ...rest] = text.trim().split(/\s+/);
  if (name === "" || rest.length > 0) {
    return reason("pattern.unfit", { given: JSON.stringify(text) });
  }
  if (type === undefined || type === "*") return { name: lowerAscii(name).split("*"), type: undefined };
  const canonical = canonicalType(type);
  if ("problem" in canonical) return reason("pattern.unfit", { given: JSON.stringify(text) });
  // A pattern that matches nothing would leave the records unprotected that it is meant for.
  const meant = canonical.known ? undefined : meantType(type);
  if (meant !== undefined) return reason("pattern.type", { given: JSON.stringify(text), type, meant });
  return { name: lowerAscii(name).split("*"), type: canonical.type };
}

/** Goes through the name once: the earliest place of each part is as good as any later one. */
function matches(parts: readonly string[], name: string): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** What is wrong with the patterns of an input; empty when they can be used. */
export function patternProblems(patterns: readonly string[], input: string): Problem[] {
  return patterns
    .map(parse)
    .flatMap((parsed, index) => ("code" in parsed ? [{ ...parsed, path: `${input}[${index}]` }] : []));
}

/** Whether any of the patterns takes in the record; names are relative to the domain, `@` the apex. */
export function patternMatcher(
  patterns: readonly string[],
): (record: Pick<DnsRecord, "name" | "type">) => boolean {
  const parsed = patterns.map(parse).flatMap((pattern) => ("code" in pattern ? [] : [pattern]));
  return ({ name, type }) =>
    parsed.some((p) => matches(p.name, name) && (p.type === undefined || p.type === type));
}
