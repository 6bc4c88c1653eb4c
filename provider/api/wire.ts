/** Readers of the service's JSON, whose types vary. An error never repeats the value, which may be secret. */

export type Wire = Readonly<Record<string, unknown>>;
export type Form = Readonly<Record<string, string>>;

export type Reader<T> = (value: unknown, whole: Wire) => T;

export type Read<R> = R extends Reader<infer T> ? T : never;

export class Unreadable extends Error {
  readonly path: string[] = [];

  constructor(expected: string, found: unknown) {
    super(`expected ${expected}, found ${kindOf(found)}`);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

type Field = Reader<unknown> | readonly [wireName: string, reader: Reader<unknown>];
type Fields = Readonly<Record<string, Field>>;
type Value<F> = F extends readonly [string, infer R] ? Read<R> : Read<F>;
type Optional<F> = { [K in keyof F]: undefined extends Value<F[K]> ? K : never }[keyof F];
/** This form keeps the comments of the fields. */
type Present<F, K extends keyof F> = { readonly [P in K]: Value<F[P]> };
type Maybe<F, K extends keyof F> = { readonly [P in K]?: Exclude<Value<F[P]>, undefined> };
export type Entity<F extends Fields> = Present<F, Exclude<keyof F, Optional<F>>> & Maybe<F, Optional<F>>;

export function entity<F extends Fields>(fields: F): Reader<Entity<F>> {
  const rows = Object.entries(fields).map(([name, field]): [string, string, Reader<unknown>] =>
    typeof field === "function" ? [name, snakeCase(name), field] : [name, ...field],
  );
  return (wire) => {
    if (!isObject(wire)) throw new Unreadable("an object", wire);
    const result: Record<string, unknown> = {};
    let at = "";
    try {
      for (const [name, key, reader] of rows) {
        at = key;
        const value = reader(wire[key], wire);
        if (value !== undefined) result[name] = value;
      }
    } catch (error) {
      throw within(at, error);
    }
    return result as Entity<F>;
  };
}

function within(key: string, error: unknown): unknown {
  if (error instanceof Unreadable) error.path.unshift(key);
  return error;
}

export function read<T>(wire: Wire, key: string, reader: Reader<T>): T {
  try {
    return reader(wire[key], wire);
  } catch (error) {
    throw within(key, error);
  }
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function needed<T>(expected: string, read: (value: unknown) => T | undefined): (value: unknown) => T {
  return (value) => {
    const result = read(value);
    if (result === undefined) throw new Unreadable(expected, value);
    return result;
  };
}

function maybe<T>(read: (value: unknown) => T | undefined): (value: unknown) => T | undefined {
  return (value) => (isNone(value) ? undefined : read(value));
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

export function maybeEmpty(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}

export const text = needed("a text", maybeEmpty);
export const maybeText = maybe(maybeEmpty);
export const maybeLowerCase = maybe((value) => maybeEmpty(value)?.toLowerCase());

function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === "string" && /^[A-Za-z0-9-]{1,64}$/.test(value) ? value : undefined;
}

export const id = needed("an id", idOf);
export const maybeId = maybe((value) => (value === 0 || value === "0" ? undefined : idOf(value)));

function integerOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

export const maybeInteger = maybe(integerOf);
export const maybeCount = maybe((value) => {
  const number = integerOf(value);
  return number === undefined || number < 0 ? undefined : number;
});

/** `@` in answers, empty in requests (service-notes, Records). */
export function maybeHostLabel(value: unknown): string | undefined {
  return value === "" ? "@" : maybeEmpty(value);
}
export const hostLabel = needed("a host label", maybeHostLabel);

export function limitValue(value: unknown): number | boolean | string | undefined {
  if (typeof value === "boolean") return value;
  if (value === "yes" || value === "no") return value === "yes";
  return integerOf(value) ?? (typeof value === "string" ? value : undefined);
}

export function maybeWord<const W extends string>(...words: readonly W[]): (value: unknown) => W | undefined {
  return maybe((value) => {
    const lower = typeof value === "string" ? value.toLowerCase() : undefined;
    return words.find((candidate) => candidate === lower);
  });
}

const TRUE = new Set<unknown>([true, 1, "1", "yes", "true", "enable", "enabled"]);
const FALSE = new Set<unknown>([false, 0, "0", "no", "false", "disable", "disabled"]);

export const maybeFlag = maybe((value) => {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
});

/** Beijing time (service-notes, Transport). */
export const maybeTime = maybe((value) => {
  const text = typeof value === "string" ? value.trim() : "";
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const iso = time === undefined ? day : `${day}T${time}+08:00`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
});

/** PHP writes an empty list as an empty object. */
export function neededList<T>(element: Reader<T>): Reader<T[]> {
  return (value, whole) => {
    const items = isObject(value) && Object.keys(value).length === 0 ? [] : value;
    if (!Array.isArray(items)) throw new Unreadable("a list", value);
    return items.map((item: unknown, index) => {
      try {
        return element(item, whole);
      } catch (error) {
        throw within(String(index), error);
      }
    });
  };
}

export function maybeList<T>(element: Reader<T>): Reader<T[] | undefined> {
  const read = neededList(element);
  return (value, whole) => (isNone(value) || value === false ? undefined : read(value, whole));
}

export function list<T>(element: Reader<T>): Reader<T[]> {
  const read = maybeList(element);
  return (value, whole) => read(value, whole) ?? [];
}

export function maybeObject<T>(reader: Reader<T>): Reader<T> {
  return (value, whole) => reader(isObject(value) ? value : {}, whole);
}

export function isObject(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The key begins with a word of the service and ends in `_ns` (service-notes, Transport). */
export function nameServers(_value: unknown, whole: Wire): string[] | undefined {
  for (const [key, value] of Object.entries(whole)) {
    if (!key.endsWith("_ns") || !Array.isArray(value)) continue;
    const names = value.filter((item) => typeof item === "string" && item !== "");
    if (names.length > 0) return names;
  }
  return undefined;
}
