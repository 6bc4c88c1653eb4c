/**
 * TTLs: seconds from 1, a time with units as zone files have them (`1h`, `1d12h`), or `default`. In the state a value
 * may say in brackets what a refresh found about the record: `600 (disabled)`.
 */
import { lowerAscii } from "./ascii";
import { reason, type Reason } from "../problems";
import type { DeclaredRecord, Ttl } from "./record";
import { showPlain, type Show } from "./quoting";

/**
 * What a refresh found: switched off, another TTL or data than declared, a record that nobody declares, or of a single
 * record that it is as declared and that what the console had made of it is live beside it.
 */
export type Note = "disabled" | "drifted" | "not declared" | "another is live";

/** A declared record as the state holds it: with what a refresh found about it. */
export interface DeclaredEntry extends DeclaredRecord {
  /** True where `note` is `disabled`. */
  readonly disabled?: true;
  readonly note?: Note;
  /** The TTL that is live, where it is another than the declared one. */
  readonly liveTtl?: number;
}

/** RFC 2181 §8. */
const maxTtl = 2 ** 31 - 1;
const notes: readonly Note[] = ["disabled", "drifted", "not declared", "another is live"];

/** A TTL as a program writes it: seconds as a number, a time with units, or `default`. */
export function readTtl(given: unknown, show: Show): { readonly ttl: Ttl } | { readonly problem: Reason } {
  if (given === "default") return { ttl: given };
  const value = typeof given === "string" && !/^\d*$/.test(given) ? secondsOf(given) : given;
  if (typeof given === "string" && typeof value !== "number") return { problem: textProblem(given, show) };
  if (typeof value !== "number") return { problem: reason("ttl.kind", { kind: kindOf(value) }) };
  if (value === 0) return { problem: reason("ttl.zero") };
  if (!Number.isInteger(value) || value < 0) return { problem: reason("ttl.unfit", { given: value }) };
  if (value > maxTtl) return { problem: reason("ttl.long", { given: value, most: maxTtl }) };
  return { ttl: value };
}

/** Why a text is no TTL: a part of an hour is one in smaller units. */
function textProblem(given: string, show: Show): Reason {
  const [all, whole = "", part = "", unit = ""] = /^(\d{0,9})[.,](\d{1,9})\s*([smhdw]?)$/i.exec(given) ?? [];
  if (all === undefined) {
    const isNumber = show === showPlain && /^[1-9]\d*$/.test(given) && Number(given) <= maxTtl;
    return reason("ttl.text", {
      given: show(given),
      instead: isNumber ? `the number ${given}` : "the seconds as a number",
    });
  }
  const seconds = (Number(whole + part) * (units.get(lowerAscii(unit)) ?? 1)) / 10 ** part.length;
  const isSaid = show === showPlain && Number.isInteger(seconds) && seconds > 0 && seconds <= maxTtl;
  return reason("ttl.fraction", {
    given: show(given),
    instead: isSaid ? waysToWrite(seconds) : "them as a number",
  });
}

/** `5400, "90m" or "1h30m"`. */
function waysToWrite(seconds: number): string {
  const times = [...new Set([inOneUnit(seconds), inUnits(seconds)])].map((time) => `"${time}"`);
  return [[seconds, ...times.slice(0, -1)].join(", "), ...times.slice(-1)].join(" or ");
}

/** `90m`. */
function inOneUnit(seconds: number): string {
  const [unit, size] = [...units].reverse().find(([, each]) => seconds % each === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

/** `1h30m`. */
function inUnits(seconds: number): string {
  let rest = seconds;
  return [...units].reverse().reduce((text, [unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? text : `${text}${count}${unit}`;
  }, "");
}

/** A TTL as the state holds it: as a program writes it, or with a note, such as `600 (disabled)`. */
export function readStateTtl(
  value: unknown,
  show: Show,
): { readonly ttl: Ttl; readonly note?: Note } | { readonly problem: Reason } {
  if (typeof value !== "string" || !value.endsWith(")")) return readTtl(value, show);
  const note = notes.find((each) => value.endsWith(` (${each})`));
  if (note === undefined) return readTtl(value, show);
  const word = value.slice(0, -(note.length + 3));
  const read = readTtl(/^\d{1,10}$/.test(word) ? Number(word) : word, show);
  return "problem" in read ? read : { ttl: read.ttl, note };
}

/** The inverse of {@link readStateTtl}: `600`, `"default"`, `"600 (disabled)"`. */
export function stateTtl(entry: {
  readonly ttl: Ttl;
  readonly note?: Note | undefined;
  readonly disabled?: boolean;
}): number | string {
  const note = entry.note ?? (entry.disabled === true ? "disabled" : undefined);
  return note === undefined ? entry.ttl : `${entry.ttl} (${note})`;
}

/** The properties that say a note. */
export function noted(note: Note | undefined): { readonly note?: Note; readonly disabled?: true } {
  if (note === undefined) return {};
  return note === "disabled" ? { note, disabled: true } : { note };
}

const units: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86400],
  ["w", 604800],
]);

/** The seconds of a word such as `3600` or `1h30m` (RFC 2308 §4, with the units of BIND); undefined for any other word. */
export function secondsOf(word: string): number | undefined {
  let sum = 0;
  let count: number | undefined;
  for (let at = 0; at < word.length; at++) {
    const digit = word.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      count = (count ?? 0) * 10 + digit;
      continue;
    }
    const unit = units.get(lowerAscii(word.charAt(at)));
    if (unit === undefined || count === undefined) return undefined;
    sum += count * unit;
    count = undefined;
  }
  // A number stands alone, or has a unit.
  if (count === undefined) return word === "" ? undefined : sum;
  return /[^\d]/.test(word) ? undefined : count;
}

/** A value's kind, for messages: `null`, `a number`, `a list`. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}
