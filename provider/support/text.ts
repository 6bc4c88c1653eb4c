/** Parts of messages: numbers, lists and names. */
import { visible } from "./visible";

/** The text without its final full stop. */
export function clause(text: string): string {
  return text.replace(/\.$/, "");
}

/** The number of list elements in a message. */
export const mostListed = 10;

/** At most `most` elements, then the number of the others. */
export function listed(texts: readonly string[], most = mostListed): string {
  const shown = texts.slice(0, most).join("; ");
  return texts.length > most ? `${shown}; and ${number(texts.length - most)} more` : shown;
}

/** `1 record`, `1,000 records`. */
export function count(n: number, noun: string): string {
  return `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
}

function number(n: number): string {
  return n.toLocaleString("en-US");
}

/** `example.com`, or `example.com and 39 more domains`. */
export function named(domains: readonly string[]): string {
  const [first = "no domain", ...rest] = domains;
  if (rest.length === 0) return first;
  return `${first} and ${rest.length} more ${rest.length === 1 ? "domain" : "domains"}`;
}

/** The path of a page in the package and in the repository. */
export function page(name: string): string {
  return `docs/${name}.md`;
}

/** The message of any thrown value. */
export function errorText(error: unknown): string {
  return visible(error instanceof Error ? error.message : String(error));
}

/** The words that count the records of a plan: in the preview, in `plan` and in its reports. */
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
