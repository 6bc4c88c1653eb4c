/** Readers of the service's JSON, whose types vary. An error never repeats the value, which may be secret. */
import { kindOf } from "../support/text";

export type Wire = Readonly<Record<string, unknown>>;
export type Form = Readonly<Record<string, string>>;

/** The one function of all texts of the service. Every shown text has passed it. */
export interface Clean {
  /** Conceals secrets, shortens, and escapes invisible characters. */
  text(text: string): string;
  /** The same, for a message, which may repeat any value of the request. */
  message(text: string, limit?: number): string;
  /** Whether a text contains the token. For data, which must stay as they are. */
  exposes(text: string): boolean;
}

export type Decoder<T> = (value: unknown, whole: Wire, clean: Clean) => T;

export type Read<R> = R extends Decoder<infer T> ? T : never;

export class Unreadable extends Error {
  readonly path: string[] = [];

  constructor(expected: string, found: unknown) {
    super(`expected ${expected}, found ${kindOf(found)}`);
  }
}

type Field = Decoder<unknown> | readonly [wireName: string, decoder: Decoder<unknown>];
type Fields = Readonly<Record<string, Field>>;
type Value<F> = F extends readonly [string, infer R] ? Read<R> : Read<F>;
type Optional<F> = { [K in keyof F]: undefined extends Value<F[K]> ? K : never }[keyof F];
/** This form keeps the comments of the fields. */
type Present<F, K extends keyof F> = { readonly [P in K]: Value<F[P]> };
type Maybe<F, K extends keyof F> = { readonly [P in K]?: Exclude<Value<F[P]>, undefined> };
export type Entity<F extends Fields> = Present<F, Exclude<keyof F, Optional<F>>> & Maybe<F, Optional<F>>;

export function entity<F extends Fields>(fields: F): Decoder<Entity<F>> {
  const rows = Object.entries(fields).map(([name, field]): [string, string, Decoder<unknown>] =>
    typeof field === "function" ? [name, snakeCase(name), field] : [name, ...field],
  );
  return (wire, _whole, clean) => {
    if (!isObject(wire)) throw new Unreadable("an object", wire);
    const result: Record<string, unknown> = {};
    let at = "";
    try {
      for (const [name, key, decoder] of rows) {
        at = key;
        const value = decoder(wire[key], wire, clean);
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

export function read<T>(wire: Wire, key: string, decoder: Decoder<T>, clean: Clean): T {
  try {
    return decoder(wire[key], wire, clean);
  } catch (error) {
    throw within(key, error);
  }
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function needed<T>(expected: string, read: Decoder<T | undefined>): Decoder<T> {
  return (value, whole, clean) => {
    const result = read(value, whole, clean);
    if (result === undefined) throw new Unreadable(expected, value);
    return result;
  };
}

function maybe<T>(read: Decoder<T | undefined>): Decoder<T | undefined> {
  return (value, whole, clean) => (isNone(value) ? undefined : read(value, whole, clean));
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

export function wordOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}

const written =
  (write: (text: string, clean: Clean) => string): Decoder<string | undefined> =>
  (value, _whole, clean) => {
    const found = wordOf(value);
    return found === undefined ? undefined : write(found, clean);
  };

export const maybeEmpty = written((text, clean) => clean.text(text));
export const text = needed("a text", maybeEmpty);
export const maybeText = maybe(maybeEmpty);
export const maybeMessage = maybe(written((text, clean) => clean.message(text)));
export const maybeLowerCase = maybe(written((text, clean) => clean.text(text).toLowerCase()));

/** A part of a record's identity, as it is. */
export const maybeExactEmpty = written((text, clean) => {
  if (clean.exposes(text)) throw new Unreadable("a text without the login token", text);
  return text;
});
export const exactText = needed("a text", maybeExactEmpty);
export const maybeExactText = maybe(maybeExactEmpty);

const idOf: Decoder<string | undefined> = (value, _whole, clean) => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value !== "string" || !/^[A-Za-z0-9-]{1,64}$/.test(value)) return undefined;
  return /^\d{1,20}$/.test(value) || clean.text(value) === value ? value : undefined;
};

export const id = needed("an id", idOf);
export const maybeId = maybe((value, whole, clean) =>
  value === 0 || value === "0" ? undefined : idOf(value, whole, clean),
);

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
export const maybeHostLabel: Decoder<string | undefined> = (value, whole, clean) =>
  value === "" ? "@" : maybeExactEmpty(value, whole, clean);
export const hostLabel = needed("a host label", maybeHostLabel);

export const limitValue: Decoder<number | boolean | string | undefined> = (value, _whole, clean) => {
  if (typeof value === "boolean") return value;
  if (value === "yes" || value === "no") return value === "yes";
  return integerOf(value) ?? (typeof value === "string" ? clean.text(value) : undefined);
};

export function maybeWord<const W extends string>(...words: readonly W[]): Decoder<W | undefined> {
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
export function neededList<T>(element: Decoder<T>): Decoder<T[]> {
  return (value, whole, clean) => {
    const items = isObject(value) && Object.keys(value).length === 0 ? [] : value;
    if (!Array.isArray(items)) throw new Unreadable("a list", value);
    return items.map((item: unknown, index) => {
      try {
        return element(item, whole, clean);
      } catch (error) {
        throw within(String(index), error);
      }
    });
  };
}

export function maybeList<T>(element: Decoder<T>): Decoder<T[] | undefined> {
  const read = neededList(element);
  return (value, whole, clean) => (isNone(value) || value === false ? undefined : read(value, whole, clean));
}

export function list<T>(element: Decoder<T>): Decoder<T[]> {
  const read = maybeList(element);
  return (value, whole, clean) => read(value, whole, clean) ?? [];
}

export function maybeObject<T>(decoder: Decoder<T>): Decoder<T> {
  return (value, whole, clean) => decoder(isObject(value) ? value : {}, whole, clean);
}

export function isObject(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The key begins with a word of the service and ends in `_ns` (service-notes, Transport). */
export const nameServers: Decoder<string[] | undefined> = (_value, whole, clean) => {
  for (const [key, value] of Object.entries(whole)) {
    if (!key.endsWith("_ns") || !Array.isArray(value)) continue;
    const names = value.filter((item) => typeof item === "string" && item !== "");
    if (names.length > 0) return names.map(clean.text);
  }
  return undefined;
};
