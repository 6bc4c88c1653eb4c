/** Parts of messages. */
import { visible } from "./visible";

export function clause(text: string): string {
  return text.replace(/\.$/, "");
}

/** In linear time, unlike a pattern with `+$`. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}

const mostListed = 10;

export function listed(texts: readonly string[], most = mostListed): string {
  const shown = texts.slice(0, most).join("; ");
  return texts.length > most ? `${shown}; and ${number(texts.length - most)} more` : shown;
}

export function count(n: number, noun: string): string {
  return `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function number(n: number): string {
  // The first use of `toLocaleString` takes 20 ms.
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function named(domains: readonly string[]): string {
  const [first = "no domain", ...rest] = domains;
  if (rest.length === 0) return first;
  return `${first} and ${rest.length} more ${rest.length === 1 ? "domain" : "domains"}`;
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

export function errorText(error: unknown): string {
  return visible(error instanceof Error ? error.message : String(error));
}

/** The signs of records that a diff of declarations does not show, or shows as another change. */
export const signWords = {
  "=": "live already",
  "!": "blocked: stays as it is",
  ".": "retained",
  "?": "stays, unless the update finds another value",
} as const;

export const planWords = {
  create: "to create",
  adopt: "to adopt",
  update: "to update",
  delete: "to delete",
  blocked: "blocked",
  retained: "retained",
  undecided: "compared at the update",
  unchanged: "unchanged",
} as const;
