/** SPF records as text (RFC 7208). */
import { isIP } from "node:net";
import { withoutDot } from "./names";

export const mostLookups = 10;

export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** @returns for each term that costs a look-up, the domain that it includes or redirects to */
export function lookupTerms(text: string): (string | undefined)[] {
  const terms = text.split(" ");
  // Receivers ignore `redirect` beside `all` (RFC 7208 §6.1).
  const ends = terms.some((term) => /^[+?~-]?all$/i.test(term));
  return terms.flatMap((term): (string | undefined)[] => {
    const [, modifier, redirected] = /^(redirect)=(.*)$/i.exec(term) ?? [];
    const [, mechanism = modifier, domain = redirected] =
      /^[+?~-]?(include|a|mx|ptr|exists)(?:[:/](.*))?$/i.exec(term) ?? [];
    if (mechanism === undefined || (modifier !== undefined && ends)) return [];
    const follows = /^(include|redirect)$/i.test(mechanism) && domain !== undefined && domain !== "";
    return [follows ? withoutDot(domain.toLowerCase()) : undefined];
  });
}

const mechanism = /^[+?~-]?([a-z][a-z0-9]*)(?:([:/])(.*))?$/i;
const modifier = /^([a-z][a-z0-9_.-]*)=(.*)$/i;

const isDomainTerm = (rest: string): boolean => rest.startsWith(":") && isSpfDomain(rest.slice(1));

const mechanisms: ReadonlyMap<string, (rest: string) => boolean> = new Map([
  ["all", (rest: string) => rest === ""],
  ["include", isDomainTerm],
  ["exists", isDomainTerm],
  ["a", isHostTerm],
  ["mx", isHostTerm],
  ["ptr", (rest: string) => rest === "" || isDomainTerm(rest)],
  ["ip4", (rest: string) => rest.startsWith(":") && isNetwork(rest.slice(1), 4)],
  ["ip6", (rest: string) => rest.startsWith(":") && isNetwork(rest.slice(1), 6)],
]);

/** Labels and macros. The end is a top label or a macro (RFC 7208 §7.1). */
export function isSpfDomain(text: string): boolean {
  const bare = withoutDot(text);
  return (
    isIP(bare) === 0 &&
    /^(?:[\x21-\x24\x26-\x7e]|%[%_-]|%\{[a-z]\d*r?[.+,/_=-]*\})+$/i.test(bare) &&
    (/\.(?!\d+$)[a-z0-9-]+$/i.test(bare) || bare.endsWith("}"))
  );
}

function isHostTerm(rest: string): boolean {
  const found = /^(?::(.+?))?(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/.exec(rest);
  if (found === null) return false;
  const [, domain, bits4 = "0", bits6 = "0"] = found;
  return (domain === undefined || isSpfDomain(domain)) && Number(bits4) <= 32 && Number(bits6) <= 128;
}

export function isNetwork(text: string, family: 4 | 6): boolean {
  const [, address = "", bits = "0"] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) === family && Number(bits) <= (family === 4 ? 32 : 128);
}

/** A fault in the grammar of a mail record. `part` is a term, a tag or a character. */
export interface MailFault {
  readonly kind: "missing" | "unfit" | "twice";
  readonly part: string;
}

export function spfFault(text: string): MailFault | undefined {
  if (!isSpf(text)) return { kind: "missing", part: "v=spf1" };
  const seen = new Set<string>();
  let ends = false;
  for (const term of text.split(" ").slice(1)) {
    if (term === "") continue;
    const fault = termFault(term, seen, ends);
    if (fault !== undefined) return { kind: fault, part: term };
    ends ||= /^[+?~-]?all$/i.test(term);
  }
  return ends && seen.has("redirect") ? { kind: "twice", part: "redirect" } : undefined;
}

function termFault(term: string, seen: Set<string>, ends: boolean): MailFault["kind"] | undefined {
  const [, given, value = ""] = modifier.exec(term) ?? [];
  if (given !== undefined) {
    const name = given.toLowerCase();
    if (mechanisms.has(name)) return "unfit";
    if (name !== "redirect" && name !== "exp") return undefined;
    if (seen.has(name)) return "twice";
    seen.add(name);
    return isSpfDomain(value) ? undefined : "unfit";
  }
  const [, name = "", mark = "", rest = ""] = mechanism.exec(term) ?? [];
  const isLegal = mechanisms.get(name.toLowerCase());
  if (isLegal?.(`${mark}${rest}`) !== true) return "unfit";
  return ends ? "twice" : undefined;
}
