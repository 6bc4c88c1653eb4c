/**
 * Patterns for records outside the program: `_acme-challenge*` (a name), `* TXT` (a type),
 * `_acme-challenge* TXT` (both).
 */
import { lowerAscii } from "./quoting";
import { about, didYouMean, reason, type Problem, type Reason } from "../problems";
import type { DnsRecord } from "./record";
import { canonicalType, meantType } from "./types";

interface Pattern {
  readonly name: readonly string[];
  readonly type: string | undefined;
}

function parse(text: string): Pattern | Reason {
  const [written = "", type = "*", ...rest] = text.trim().split(/\s+/);
  const given = JSON.stringify(text);
  const canonical = type === "*" ? undefined : canonicalType(type);
  if (written === "" || rest.length > 0 || (canonical !== undefined && "problem" in canonical))
    return reason("value.unfit", { given, what: "a pattern", example: '"_acme-challenge*" or "* TXT"' });
  const meant = canonical?.known === false ? meantType(type) : undefined;
  if (meant !== undefined)
    return about(`${given}: ${type}`, reason("type.unknown", { hint: didYouMean(meant, "") }));
  return { name: lowerAscii(written).split("*"), type: canonical?.type };
}

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

export function patternProblems(patterns: readonly string[], input: string): Problem[] {
  return patterns
    .map(parse)
    .flatMap((parsed, index) => ("code" in parsed ? [{ ...parsed, path: `${input}[${index}]` }] : []));
}

export function patternMatcher(
  patterns: readonly string[],
): (record: Pick<DnsRecord, "name" | "type">) => boolean {
  const parsed = patterns.map(parse).flatMap((pattern) => ("code" in pattern ? [] : [pattern]));
  return ({ name, type }) =>
    parsed.some((p) => matches(p.name, name) && (p.type === undefined || p.type === type));
}
