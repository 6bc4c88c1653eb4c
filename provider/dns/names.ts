/**
 * Names: lower case A-labels (RFC 5890) in the lengths of RFC 1035 §2.3.4. The first label may be `*`.
 * Some packages also allow one `*` beside other characters: a mixed wildcard (api.md, Domain.Purview).
 */
import { isIP } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { about, reason, type Fault, type Reason } from "../problems";
import { showPlain, lowerAscii } from "./quoting";

const maxLabel = 63;
const maxName = 253;
/** The time for encoding grows with the square of the length. */
const maxForeign = 1024;
const foreign = /[^\x00-\x7f]/;
const foreignDots = /[\u3002\uff0e\uff61]/g;
const otherAscii = /[\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]/;

export function canonicalDomain(input: string): { readonly domain: string } | Fault {
  const fault = (problem: Reason): Fault => ({ problem: about(showPlain(input), problem) });
  const bare = withoutDot(input);
  if (bare === "" || isIP(bare) !== 0) return fault(reason("domain.unfit"));
  const labels = canonicalLabels(bare, false);
  if (typeof labels !== "string") return fault(labels.problem);
  if (!labels.includes(".")) return fault(reason("domain.unfit"));
  const problem = aLabelProblem(labels) ?? numberProblem(labels) ?? hyphenProblem(labels);
  return problem === undefined ? { domain: labels } : fault(problem);
}

export function withoutDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

export function canonicalLabels(text: string, wildcard: boolean): string | Fault {
  const ascii = foreign.test(text) ? toAscii(text) : text;
  if (typeof ascii !== "string") return ascii;
  const lower = lowerAscii(ascii);
  if (!plainLabels.test(lower))
    for (const [index, label] of lower.split(".").entries()) {
      const problem = labelProblem(label, index + 1, wildcard);
      if (problem !== undefined) return { problem };
    }
  return lower.length > maxName ? { problem: reason("name.long") } : lower;
}

const plainLabels = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

function labelProblem(label: string, number: number, wildcard: boolean): Reason | undefined {
  if (label === "") return reason("label.unfit", { number });
  const plain = wildcard ? label.replaceAll("*", "") : label;
  if (/[^a-z0-9_-]/.test(plain)) return reason("label.unfit", { number });
  const stars = label.length - plain.length;
  if (stars > 1 || (stars === 1 && number > 1)) return reason("name.stars");
  if (label.length <= maxLabel) return undefined;
  return reason("name.long");
}

/** The service refuses a label with a hyphen at either end (RFC 1123 §2.1). */
export function hyphenProblem(name: string): Reason | undefined {
  if (!name.includes("-") || !/(?:^|\.)-|-(?:\.|$)/.test(name)) return undefined;
  const labels = name.split(".");
  return reason("label.unfit", { number: labels.findIndex((label) => /^-|-$/.test(label)) + 1 });
}

/** No top-level domain is a number (RFC 3696 §2). */
export function numberProblem(name: string): Reason | undefined {
  return /(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name) ? reason("name.number") : undefined;
}

/** A label that begins with `xn--` and encodes no name (RFC 5890 §2.3.2.1). */
export function aLabelProblem(domain: string): Reason | undefined {
  const isBad = (label: string): boolean => {
    if (!label.startsWith("xn--")) return false;
    // Node.js 24 and newer return a label that encodes nothing as it is.
    const decoded = domainToUnicode(label);
    return decoded === label || domainToASCII(decoded) !== label;
  };
  const at = domain.includes("xn--") ? domain.split(".").findIndex(isBad) : -1;
  return at === -1 ? undefined : reason("label.unfit", { number: at + 1 });
}

/** Encodes each label alone, so that underscores survive. East Asian dots are dots (RFC 3490 §3.1). */
function toAscii(text: string): string | Fault {
  if (text.length > maxForeign) return { problem: reason("name.long") };
  const labels: string[] = [];
  for (const label of text.replace(foreignDots, ".").split(".")) {
    const composed = foreign.test(label) ? label.normalize("NFKC") : label;
    const ascii = foreign.test(composed) && !otherAscii.test(composed) ? domainToASCII(composed) : composed;
    if ((ascii === "" && label !== "") || ascii.includes(".") || foreign.test(ascii)) {
      return { problem: reason("label.unfit", { number: labels.length + 1 }) };
    }
    labels.push(ascii);
  }
  return labels.join(".");
}

export function zoneOf(host: string, domains: Pick<ReadonlySet<string>, "has">): string | undefined {
  for (let rest = host; ; rest = rest.slice(rest.indexOf(".") + 1)) {
    if (domains.has(rest)) return rest;
    if (!rest.includes(".")) return undefined;
  }
}

export function isWithin(host: string, domain: string): boolean {
  return host.endsWith(domain) && (host.length === domain.length || host.at(-domain.length - 1) === ".");
}

export function relativeTo(host: string, domain: string): string {
  return host === domain ? "@" : host.slice(0, -(domain.length + 1));
}

/** A sort key: the apex first, then labels from the right. */
export function zoneOrder(name: string): string {
  if (name === "@") return "";
  return name.includes(".") ? name.split(".").reverse().join("\0") : name;
}

export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function ownerOf(name: string, domain: string): string {
  return name === "@" ? `${domain}.` : `${name}.${domain}.`;
}

export function hostName(name: string | undefined, domain: string): string {
  return withoutDot(
    name?.endsWith(".") === true
      ? name
      : ownerOf(name === undefined || name === "" ? "@" : name, withoutDot(domain)),
  );
}

/** Without a domain, the name belongs to every domain of the batch. */
export interface Placed {
  readonly name: string;
  readonly domain?: string;
}

export function placeName(input: string, domains: ReadonlySet<string>, single: boolean): Placed | Fault {
  if (input === "@" || input === "") return { name: "@" };
  if (input.endsWith(".")) return placeAbsolute(input, domains, single);
  const name = canonicalLabels(input, true);
  if (typeof name !== "string") return name;
  for (const domain of domains) {
    if (isWithin(name, domain)) {
      const relative = showPlain(relativeTo(name, domain));
      return { problem: reason("name.repeats-domain", { relative, name }) };
    }
    if (name.length + 1 + domain.length > maxName) return { problem: reason("name.long") };
  }
  return { name };
}

export function absoluteWithin(input: string, domains: ReadonlySet<string>): string {
  if (input === "" || input.endsWith(".")) return input;
  const host = canonicalLabels(input, true);
  return typeof host === "string" && zoneOf(host, domains) !== undefined ? `${input}.` : input;
}

function placeAbsolute(input: string, domains: ReadonlySet<string>, single: boolean): Placed | Fault {
  if (single && domains.size > 1) {
    return { problem: reason("name.absolute-in-many", { count: domains.size }) };
  }
  const host = canonicalLabels(input.slice(0, -1), true);
  if (typeof host !== "string") return host;
  const domain = zoneOf(host, domains);
  if (domain !== undefined) return { domain, name: relativeTo(host, domain) };
  if (domains.size === 0) return { name: "@" };
  const [first = ""] = domains;
  const zones = domains.size === 1 ? first : `any of the ${domains.size} domains`;
  return { problem: reason("name.outside", { zones }) };
}

/** Absolute if the relative name ends in the domain (`www.example.com.example.com.`). */
export function specName(record: { readonly name: string; readonly domain: string }): string {
  const { name, domain } = record;
  return name === domain || name.endsWith(`.${domain}`) ? ownerOf(name, domain) : name;
}
