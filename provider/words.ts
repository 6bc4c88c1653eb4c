/** The small words of every message: numbers, lists and names. */
import { visible } from "./support/visible";

/** A text that goes on: without the full stop at its end. */
export function clause(text: string): string {
  return text.replace(/\.$/, "");
}

/** How many of a list a message names. */
export const mostListed = 10;

/** At most ten of a list, then how many more. */
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

/** An error's message, whatever was thrown. */
export function errorText(error: unknown): string {
  return visible(error instanceof Error ? error.message : String(error));
}
