/**
 * Patterns for records that somebody else looks after: `_acme-challenge*` (names, `*` stands for any characters),
 * `* TXT` (a type), `_acme-challenge* TXT` (both). Pure.
 */
import type { DnsRecord } from "./record";

/** What a pattern says. */
interface Pattern {
  readonly name: RegExp;
  readonly type: string | undefined;
}

function parse(text: string): Pattern | string {
  const [name = "", type, ...rest] = text.trim().split(/\s+/);
  if (name === "" || rest.length > 0) {
    return `${JSON.stringify(text)} is no pattern; write a name such as "_acme-challenge*", or a name and a type such as "* TXT"`;
  }
  const source = name.toLowerCase().replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*");
  return { name: new RegExp(`^${source}$`), type: type?.toUpperCase() };
}

/** What is wrong with the patterns, a sentence each; empty when they can be used. */
export function patternProblems(patterns: readonly string[]): { readonly index: number; readonly message: string }[] {
  return patterns.flatMap((text, index) => {
    const parsed = parse(text);
    return typeof parsed === "string" ? [{ index, message: parsed }] : [];
  });
}

/** Whether any of the patterns takes in the record; names are relative to the domain, `@` the apex. */
export function patternMatcher(patterns: readonly string[]): (record: Pick<DnsRecord, "name" | "type">) => boolean {
  const parsed = patterns.map(parse).filter((pattern): pattern is Pattern => typeof pattern !== "string");
  return ({ name, type }) => parsed.some((p) => p.name.test(name) && (p.type === undefined || p.type === type));
}
