/**
 * Records whose value, priority or TTL a preview does not know yet. A value stands as a marker key in the state, such as
 * `www.example.com. A (known after the update)`; canonical text never looks like one, since it quotes parentheses.
 */
import { escapeLine, unescape } from "./quoting";

/** A record that is not known yet; `text` is its key in the state. */
export interface UnknownRecord {
  readonly text: string;
  readonly path: string;
  /** What is not known. With the TTL alone unknown, `text` is the record's canonical text. */
  readonly what: "value" | "priority" | "ttl";
}

const marker = /^(\S+) (\S+) \((?:\d+, )?known after the update\)(?: \[(.*)\])?$/s;

/** The marker of the `number`th record of one name, type and line. */
export function markerText(owner: string, type: string, number: number, line: string | undefined): string {
  const count = number === 1 ? "" : `${number}, `;
  const text = `${owner} ${type} (${count}known after the update)`;
  return line === undefined ? text : `${text} [${escapeLine(line)}]`;
}

/** The parts of a marker; undefined for any other text. */
export function parseMarker(text: string): { owner: string; type: string; line?: string } | undefined {
  const [, owner, type, escapedLine] = marker.exec(text) ?? [];
  if (owner === undefined || type === undefined) return undefined;
  const line = escapedLine === undefined ? undefined : unescape(escapedLine);
  return line === undefined ? { owner, type } : { owner, type, line };
}
