/** Patterns for live records: `NAME [TYPE [VALUE]]`, each with `*` (docs/records.md). */
import { lowerAscii } from "./quoting";
import { about, didYouMean, reason, type Problem, type Reason } from "../problems";
import type { DnsRecord } from "./record";
import { canonicalType, meantType } from "./types";

type Subject = Pick<DnsRecord, "name" | "type"> & Partial<Pick<DnsRecord, "value" | "priority">>;
export type Matcher = (record: Subject) => boolean;

/** The parts between the stars. */
type Glob = readonly string[];

interface Pattern {
  readonly name: Glob;
  readonly type: string | undefined;
  /** For a record of the type. */
  readonly value: ((type: string) => Glob) | undefined;
}

/** @param domains a name that ends with one is absolute, and would match nothing */
function parse(text: string, domains: readonly string[] = []): Pattern | Reason {
  const [, name = "", type = "*", value] = /^(\S+)(?:\s+(\S+)(?:\s+(.+))?)?$/s.exec(text.trim()) ?? [];
  const canonical = type === "*" ? undefined : canonicalType(type);
  // A value may be a secret of the program.
  const given = JSON.stringify(value === undefined ? text : `${name} ${type} …`);
  const isAbsolute =
    name.endsWith(".") || domains.some((domain) => `.${lowerAscii(name)}`.endsWith(`.${domain}`));
  if (name === "" || isAbsolute || (canonical !== undefined && "problem" in canonical))
    return reason("value.unfit", {
      given,
      what: isAbsolute ? "a pattern, whose name is relative to the domain" : "a pattern",
      example: '"_acme-challenge*" or "* TXT v=spf1*"',
    });
  const meant = canonical?.known === false ? meantType(type) : undefined;
  if (meant !== undefined)
    return about(`${given}: ${type}`, reason("type.unknown", { hint: didYouMean(meant, "") }));
  return {
    name: lowerAscii(name).split("*"),
    type: canonical?.type,
    value: value === undefined ? undefined : globsOf(value),
  };
}

function matches(parts: Glob, text: string): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function globsOf(value: string): (type: string) => Glob {
  const text = spelt("TXT", value).split("*");
  const other = spelt("*", value).split("*");
  return (type) => (type === "TXT" ? text : other);
}

/** In the spelling that a user may write: a host in any case, with its final dot or without. A text keeps its case. */
function spelt(type: string, text: string): string {
  if (type === "TXT") return text.replace(/^"(.*)"$/s, "$1");
  return lowerAscii(text).replaceAll('"', "").replace(/\.$/, "");
}

/** An MX with its priority, and without it. */
function dataOf({ type, value = "", priority }: Subject): string[] {
  const data = spelt(type, value);
  return priority === undefined ? [data] : [data, `${priority} ${data}`];
}

export function patternProblems(
  patterns: readonly string[],
  input: string,
  domains: readonly string[] = [],
): Problem[] {
  return patterns
    .map((text) => parse(text, domains))
    .flatMap((parsed, index) => ("code" in parsed ? [{ ...parsed, path: `${input}[${index}]` }] : []));
}

export function patternMatcher(patterns: readonly string[]): Matcher {
  const parsed = patterns
    .map((text) => parse(text))
    .flatMap((pattern) => ("code" in pattern ? [] : [pattern]));
  return (record) =>
    parsed.some(
      ({ name, type, value }) =>
        matches(name, record.name) &&
        (type === undefined || type === record.type) &&
        (value === undefined || dataOf(record).some((data) => matches(value(record.type), data))),
    );
}
