/**
 * Records as the state holds them: one flat object from canonical text to TTL, in the order of a zone, so that the
 * engine's own diff of it reads like a zone diff.
 */
import type { DnsRecord } from "./record";
import { recordText } from "./text";
import { stateTtl, type DeclaredEntry } from "./ttl";

/**
 * The flat object from text to TTL: a number, `"default"`, or with a note `"600 (disabled)"`. Sorted by domain, then
 * the apex first, names by their labels from the right, type and text.
 */
export function recordsToState(entries: readonly DeclaredEntry[]): Record<string, number | string> {
  const rows = entries.map((entry) => ({ order: orderKey(entry), text: recordText(entry), entry }));
  rows.sort((a, b) => compare(a.order, b.order) || compare(a.text, b.text));
  const state: Record<string, number | string> = {};
  for (const { text, entry } of rows) state[text] = stateTtl(entry);
  return state;
}

/** Sorts below every character of a name, so that a parent comes before its children. */
const separator = "\u0000";

function orderKey({ domain, name, type }: DnsRecord): string {
  if (name === "@") return `${domain}${separator}${separator}${type}`;
  const labels = name.includes(".") ? name.split(".").reverse().join(separator) : name;
  return `${domain}${separator}${labels}${separator}${separator}${type}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
