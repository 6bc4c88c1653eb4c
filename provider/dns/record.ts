/** Records, their TTLs (in the state with a note: `600 (disabled)`), and other values of a program. */
import { groupBy } from "../support/collections";
import { reason, type Reason, type Fault, isReason } from "../problems";
import { kindOf } from "../support/text";
import { type Show, lowerAscii } from "./quoting";

/** The result of a refresh. `another is live`: the console made another record beside this one. */
export type Note = "disabled" | "drifted" | "not declared" | "another is live";

export interface DeclaredEntry extends DeclaredRecord {
  readonly note?: Note;
  readonly liveTtl?: number;
}

const maxTtl = 2 ** 31 - 1;
const notes: readonly Note[] = ["disabled", "drifted", "not declared", "another is live"];

export function readTtl(given: unknown, show: Show, written: unknown = given): { readonly ttl: Ttl } | Fault {
  if (given === "default") return { ttl: given };
  const value = typeof given === "string" && !/^\d*$/.test(given) ? secondsOf(given) : given;
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= maxTtl)
    return { ttl: value };
  const shown =
    typeof written === "string" ? show(written) : typeof value === "number" ? value : kindOf(value);
  return { problem: reason("ttl.unfit", { given: shown }) };
}

export function readStateTtl(
  value: unknown,
  show: Show,
): { readonly ttl: Ttl; readonly note?: Note } | Fault {
  const note = typeof value === "string" ? notes.find((each) => value.endsWith(` (${each})`)) : undefined;
  if (typeof value !== "string" || note === undefined) return readTtl(value, show);
  const word = value.slice(0, -(note.length + 3));
  const read = readTtl(/^\d{1,10}$/.test(word) ? Number(word) : word, show);
  return "problem" in read ? read : { ttl: read.ttl, note };
}

export function stateTtl({ ttl, note }: Pick<DeclaredEntry, "ttl" | "note">): number | string {
  return note === undefined ? ttl : `${ttl} (${note})`;
}

const units: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86400],
  ["w", 604800],
]);

/** RFC 2308 §4, with the units of BIND. */
export function secondsOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  if (!/^(?:\d+[smhdw])+$/i.test(word)) return undefined;
  let sum = 0;
  for (const [, count, unit = ""] of word.matchAll(/(\d+)(\D)/g))
    sum += Number(count) * (units.get(lowerAscii(unit)) ?? 0);
  return sum;
}

export function isTime(word: string): boolean {
  return word >= "0" && word < ":" && secondsOf(word) !== undefined;
}

export function kindProblem(value: unknown, field: string, example: string): Reason {
  return reason("field.kind", { kind: kindOf(value), what: `a ${field}`, example });
}

export function wholeNumber(value: unknown, low: number, high: number): number | Reason<"number.unfit"> {
  if (typeof value !== "number") return reason("number.unfit", { given: kindOf(value), low, high });
  const isLegal = Number.isInteger(value) && value >= low && value <= high;
  return isLegal ? value : reason("number.unfit", { given: String(value), low, high });
}

export function textOrKind(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : kindOf(value);
}

/** No data begins so: the service refuses control characters at a text's start. */
const beginning = "\u0000legacydns cannot build this: ";

export function flawed(problems: readonly Reason[]): string {
  return `${beginning}${JSON.stringify(problems)}`;
}

export function flawsOf(value: string): readonly Reason[] | undefined {
  if (!value.startsWith(beginning)) return undefined;
  try {
    const read: unknown = JSON.parse(value.slice(beginning.length));
    return Array.isArray(read) && read.every(isReason) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The SDK puts an explanation into a text such as `token=${output}`. */
export function isOfOutput(text: string): boolean {
  return text.includes("Calling ") && /Calling (?:\[to(?:String|JSON)\]|__str__) on an \[?Output/.test(text);
}

/** Two records are the same if their canonical texts are equal; the TTL is no part of the text. */
export interface DnsRecord {
  /** Lower case A-labels without the trailing dot. */
  readonly domain: string;
  /** Relative to the zone; `@` is the apex. */
  readonly name: string;
  readonly type: string;
  /**
   * Canonical data: a host has its dot, a text no quotes. SRV: `priority weight port target.`. CAA:
   * `flags tag "value"`. Unknown types: byte-exact.
   */
  readonly value: string;
  /** MX only, 0-65535. */
  readonly priority?: number;
  readonly line?: string;
}

export interface RecordData {
  readonly value: string;
  readonly priority?: number | undefined;
}

/** Seconds, or `default`: sent as the setting `defaultTtl`, matches any live TTL. */
export type Ttl = number | "default";

export interface DeclaredRecord extends DnsRecord {
  readonly ttl: Ttl;
  /** No message shows its value. */
  readonly secret?: true;
}

export type UnknownRecord =
  | {
      /** An unknown name or value is empty. With an unknown priority, the value is empty too. */
      readonly record: DnsRecord;
      readonly ttl: Ttl;
      readonly what: "value" | "priority" | "ttl" | "name";
    }
  | { readonly what: "spec" | "specs" };

/**
 * Live records that may be the unknown ones: those with the most equal known parts. An unknown spec may be
 * any number of records.
 * @returns live record → the index of the unknown one
 */
export function unknownsLiveAs<T extends { readonly record: DnsRecord }>(
  unknowns: readonly UnknownRecord[],
  live: readonly T[],
): Map<T, number> {
  const found = new Map<T, number>();
  for (const [byName, byData] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const alike = unknowns.flatMap((unknown, i) =>
      "record" in unknown &&
      (unknown.record.name !== "") === byName &&
      (unknown.record.value !== "") === byData
        ? [{ record: unknown.record, i }]
        : [],
    );
    if (alike.length === 0) continue;
    const keyOf = ({ domain, name, type, line, value, priority }: DnsRecord): string =>
      [domain, byName ? name : "", type, line ?? "", ...(byData ? [priority ?? "", value] : [])].join(" ");
    const free = groupBy(
      live.filter((each) => !found.has(each)),
      ({ record }) => keyOf(record),
    );
    for (const { record, i } of alike) {
      const first = free.get(keyOf(record))?.shift();
      if (first !== undefined) found.set(first, i);
    }
  }
  // Each unknown spec takes one; the last, or a list of specs, takes the rest.
  const indicesOf = (what: UnknownRecord["what"]): number[] =>
    unknowns.flatMap((unknown, i) => (unknown.what === what ? [i] : []));
  const specs = [...indicesOf("spec"), ...indicesOf("specs")];
  for (const [n, each] of live.filter((one) => !found.has(one)).entries()) {
    const spec = specs[n] ?? specs.at(-1);
    if (spec !== undefined) found.set(each, spec);
  }
  return found;
}
