/** The text of the state, written from lines and read back. */
import { deepEqual } from "node:assert/strict";
import { expandSpecs, readZoneText, recordKey, zoneText, type DeclaredEntry } from "../../provider/dns";
import { defaultLine } from "./arbitraries";

export function text(domains: string | string[], lines: unknown, unknown?: string) {
  const expansion = expandSpecs(domains, lines, {
    defaultLine,
    ...(unknown === undefined ? {} : { unknown }),
  });
  deepEqual(expansion.problems, []);
  return zoneText(expansion);
}

export const readBack = (text: string) => readZoneText(text, { domains: ["example.com"] });

export function sorted(entries: readonly DeclaredEntry[]) {
  return [...entries].sort((a, b) => (recordKey(a) < recordKey(b) ? -1 : 1));
}
