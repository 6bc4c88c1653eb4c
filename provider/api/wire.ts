/**
 * The vocabulary of the wire: small zod readers for a service whose types flip between answers (a number here, its
 * text there, `false` for an empty text). Each either understands a value or says what it expected; none ever
 * repeats the value, which may be secret.
 */
import { z } from "zod";

const UNREADABLE = Symbol("unreadable");

/** A reader from one function: a single pass per value, since a listing holds thousands. */
function reader<T>(expected: string, read: (value: unknown) => T | typeof UNREADABLE): z.ZodType<T> {
  // Optional on the way in, so that a missing key reaches the reader, which knows whether that will do.
  return z
    .unknown()
    .optional()
    .transform((value, context) => {
      const result = read(value);
      if (result === UNREADABLE) {
        const found =
          value === undefined
            ? "nothing"
            : Array.isArray(value)
              ? "a list"
              : isObject(value)
                ? "an object"
                : value === null
                  ? "null"
                  : `a ${typeof value}`;
        context.issues.push({
          code: "custom",
          message: `expected ${expected}, found ${found}`,
          input: undefined,
        });
        return z.NEVER;
      }
      return result;
    });
}

/** A reader of what a caller can do without: what is missing, null or not to be understood reads as undefined. */
function maybe<T>(read: (value: unknown) => T | typeof UNREADABLE): z.ZodType<T | undefined> {
  return z
    .unknown()
    .optional()
    .transform((value) => {
      if (isNone(value)) return undefined;
      const result = read(value);
      return result === UNREADABLE ? undefined : result;
    });
}

/** How the service writes that it says nothing. */
function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

const integerOf = (value: unknown): number | undefined => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
};

const textOf = (value: unknown): string | typeof UNREADABLE =>
  typeof value === "string"
    ? value
    : typeof value === "number" && Number.isFinite(value)
      ? String(value)
      : UNREADABLE;

/** A text that must be there; a number counts as its digits. */
export const text = reader("a text", textOf);

/** A text that may be missing, as which an empty one counts. */
export const maybeText = maybe(textOf);

/** A word that may be missing and means something where it is empty. */
export const maybeEmpty: z.ZodType<string | undefined> = z
  .unknown()
  .optional()
  .transform((value) => {
    const word = textOf(value);
    return word === UNREADABLE ? undefined : word;
  });

const idOf = (value: unknown): string | typeof UNREADABLE => {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? String(value) : UNREADABLE;
  return typeof value === "string" && /^[A-Za-z0-9-]{1,64}$/.test(value) ? value : UNREADABLE;
};

/** The id of a record or job: always text, whichever way it came. */
export const id = reader("an id", idOf);

/** An id that may be missing; `0` and its texts mean none. */
export const maybeId = maybe((value) => (value === 0 || value === "0" ? UNREADABLE : idOf(value)));

/** A whole number that may be missing; may be negative. */
export const maybeInteger = maybe((value) => integerOf(value) ?? UNREADABLE);

/**
 * A host label: `@` is the apex in answers, an empty text in requests (service-notes, Records). One that is missing is
 * no apex.
 */
export const hostLabel = reader("a host label", (value) => (value === "" ? "@" : textOf(value)));

/** A host label that may be missing. */
export const maybeHostLabel: z.ZodType<string | undefined> = maybeEmpty.transform((label) =>
  label === "" ? "@" : label,
);

/** A limit of a package: numbers and flags come in one list; any other text stays as it is. */
export const limitValue = reader(
  "a number or a text",
  (value): number | boolean | string | typeof UNREADABLE => {
    if (typeof value === "boolean") return value;
    const number = integerOf(value);
    if (number !== undefined) return number;
    return value === "yes" ? true : value === "no" ? false : typeof value === "string" ? value : UNREADABLE;
  },
);

/** A word of an enumeration, in any case of its letters; undefined for what is none of them. */
export function maybeWord<const W extends string>(...words: readonly W[]): z.ZodType<W | undefined> {
  return maybe((value) => {
    const lower = typeof value === "string" ? value.toLowerCase() : undefined;
    return words.find((candidate) => candidate === lower) ?? UNREADABLE;
  });
}

/** A whole number from 0 that may be missing. */
export const maybeCount = maybe((value) => {
  const number = integerOf(value);
  return number === undefined || number < 0 ? UNREADABLE : number;
});

const TRUE = new Set<unknown>([true, 1, "1", "yes", "true", "enable", "enabled"]);
const FALSE = new Set<unknown>([false, 0, "0", "no", "false", "disable", "disabled"]);

/** A yes or no in any of its spellings, which may be missing. */
export const maybeFlag = maybe((value) => {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  return TRUE.has(word) ? true : FALSE.has(word) ? false : UNREADABLE;
});

/**
 * A point in time; undefined for any other text. The service writes Beijing time without a zone
 * (service-notes, Transport); a date alone stays a date. Dates are a courtesy: a broken one fails no listing.
 */
export const maybeTime = maybe((value) =>
  typeof value === "string" ? (zoned(value) ?? UNREADABLE) : UNREADABLE,
);

/** `2015-01-18 12:00:00` → `2015-01-18T12:00:00+08:00`; undefined for any other text. */
export function zoned(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/.exec(text.trim());
  const [, day, time] = match ?? [];
  if (day === undefined) return undefined;
  const iso = time === undefined ? day : `${day}T${time}+08:00`;
  const parsed = new Date(iso);
  // Date rolls 02-30 over to March: compare the day of the month with the one that was written.
  const days = new Date(`${day}T00:00:00Z`);
  if (
    Number.isNaN(parsed.getTime()) ||
    Number.isNaN(days.getTime()) ||
    days.toISOString().slice(0, 10) !== day
  )
    return undefined;
  return iso;
}

/** A list; `null`, `false`, `""`, a missing key and an empty object (how PHP writes an empty map) read as empty. */
export function list<T>(element: z.ZodType<T>): z.ZodType<T[]> {
  return maybeList(element).transform((items) => items ?? []);
}

/** A list, or undefined where the service tells none; `{}` is how PHP writes an empty one. */
export function maybeList<T>(element: z.ZodType<T>): z.ZodType<T[] | undefined> {
  return z
    .unknown()
    .optional()
    .transform((value): unknown =>
      isNone(value) || value === false ? undefined : isEmptyMap(value) ? [] : value,
    )
    .pipe(z.array(element).optional());
}

/** An object that may be missing, which then tells nothing; `[]` is how PHP writes an empty one. */
export function maybeObject<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z
    .unknown()
    .optional()
    .transform((value): unknown => (isObject(value) ? value : {}))
    .pipe(schema);
}

function isEmptyMap(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Narrows to a plain JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The name servers of an object, under whichever key ends in `_ns` and holds a list of texts (service-notes,
 * Transport: the key carries the service's own word); undefined where it names none.
 */
export function nameServersOf(raw: Readonly<Record<string, unknown>>): string[] | undefined {
  for (const [key, value] of Object.entries(raw)) {
    const names =
      key.endsWith("_ns") && Array.isArray(value)
        ? value.filter((item) => typeof item === "string" && item !== "")
        : [];
    if (names.length > 0) return names;
  }
  return undefined;
}

/** `{ [key]: value }`, or nothing at all where the value is undefined: an absent key, as exact optional types want. */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const part: { [P in K]?: V } = {};
  if (value !== undefined) part[key] = value;
  return part;
}
