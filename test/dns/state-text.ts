/** The text of the state, written from lines and read back. */
import { deepEqual } from "node:assert/strict";
import { readZoneText, recordKey, zoneText, type DeclaredEntry } from "../../provider/dns";
import { read } from "../zone-file/support";
import { expand } from "./expand";

export function text(specs: unknown) {
  const expansion = expand(specs);
  deepEqual(expansion.problems, []);
  return zoneText(expansion);
}

export const textOf = (records: readonly DeclaredEntry[]) => zoneText({ records, unknowns: [] });

export const readBack = (text: string) => readZoneText(text, { domains: ["example.com"] });

/** The text as a zone file of example.com. */
export const readAsFile = (text: string) => read(text, { apexNs: true });

export function sorted(entries: readonly DeclaredEntry[]) {
  return [...entries].sort((a, b) => (recordKey(a) < recordKey(b) ? -1 : 1));
}
