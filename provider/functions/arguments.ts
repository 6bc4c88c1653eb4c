/** The arguments of a look-up. One error lists all mistakes of a call. */
import { canonicalDomain, nearest } from "../dns";
import { knownTypes, registeredTypes } from "../dns/types";
import { didYouMean, textOf } from "../problems";

/** Another type passes unchanged unless it looks like a misspelling of one of these. */
const RECORD_TYPES = [
  ...knownTypes,
  ...registeredTypes.keys(),
  ...["SOA", "ALIAS", "ANAME", "显性URL", "隐性URL"],
];

/** The domain, by one of two arguments. */
export interface DomainArgs {
  /** The zone's name; this or `domainId`. */
  readonly domain?: string | undefined;
  /** The service's domain id; this or `domain`. */
  readonly domainId?: string | number | undefined;
}

/** A domain: its name as A-labels, or the service's id. */
export type DomainKeys =
  | { readonly domain: string; readonly domainId?: undefined }
  | { readonly domainId: string; readonly domain?: undefined };

/** `example.com`, `domain 2059079`. */
export function domainText({ domain, domainId }: DomainKeys): string {
  return domain ?? `domain ${domainId}`;
}

/** The mistakes of one call, as one text. */
export function problemText(lookup: string, problems: readonly string[]): string {
  const [first = ""] = problems;
  return problems.length === 1
    ? `${lookup}: ${first}`
    : `${lookup}: ${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`;
}

/** Each method returns a value in the wire's form. It collects a problem if the value is wrong. */
export class ArgumentReader {
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly found: string[] = [];
  /** Wrong arguments. They do not count as missing. */
  private readonly faulty = new Set<string>();
  private shape: string | undefined;

  /** @param names all arguments of the look-up */
  constructor(
    private readonly lookup: string,
    args: unknown,
    private readonly names: readonly string[],
  ) {
    this.values = this.objectOf(args);
    for (const [name, value] of Object.entries(this.values)) {
      if (value === undefined || names.includes(name)) continue;
      const hint = didYouMean(nearest(name, names), `the arguments are ${names.join(", ")}`);
      this.problem(`${JSON.stringify(name)} is no argument; ${hint}`);
    }
  }

  problem(text: string): void {
    this.found.push(text);
  }

  /** Whether the argument is there, even if it is wrong. */
  has(name: string): boolean {
    return this.values[name] !== undefined || this.faulty.has(name);
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.wrong(name, `must be a text, not ${kindOf(value)}`, value);
    return value.trim() === "" ? this.wrong(name, "is empty: write a text, or leave it out") : value;
  }

  /** It may be empty. */
  requiredText(name: string): string {
    return this.values[name] === "" ? "" : this.required(name, this.text(name));
  }

  texts(name: string): string[] {
    const value = this.values[name];
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
    if (value !== undefined) this.wrong(name, "must be a list of texts", value);
    this.required(name, undefined);
    return [];
  }

  /** As A-labels. */
  domain(): string | undefined {
    if (this.values["domain"] === "")
      return this.wrong("domain", `is empty: write the zone's name, for example "example.com"`);
    const text = this.text("domain");
    if (text === undefined) return undefined;
    const canonical = canonicalDomain(text.trim());
    if ("domain" in canonical) return canonical.domain;
    return this.wrong("domain", textOf(canonical.problem), undefined, ": ");
  }

  /** The result counts only if there is no problem. */
  domainKeys(): DomainKeys {
    const domain = this.domain();
    const domainId = this.id("domainId");
    const [hasName, hasId] = [this.has("domain"), this.has("domainId")];
    if (!hasName && !hasId)
      this.problem(
        `domain and domainId are both missing: give one of them, for example { domain: "example.com" }`,
      );
    if (hasName && hasId) this.problem("domain and domainId are both given: keep one of them");
    return domainId === undefined ? { domain: domain ?? "" } : { domainId };
  }

  /** Digits, also as a number. */
  id(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof text === "string" && /^\d{1,19}$/.test(text)) return text;
    if (typeof value !== "string" && typeof value !== "number")
      return this.wrong(name, `must be an id, not ${kindOf(value)}`, value);
    return this.wrong(
      name,
      `is ${JSON.stringify(value)}: an id is a whole number, such as 1234567, or its digits as a text`,
    );
  }

  /** A text of a given form, also as a number. @param rule the form in words */
  matching(name: string, form: RegExp, rule: string): string | undefined {
    const value = this.values[name];
    const text = typeof value === "number" ? String(value) : this.text(name);
    return text === undefined || form.test(text)
      ? text
      : this.wrong(name, `is ${JSON.stringify(text)}: ${rule}`);
  }

  requiredId(name: string, where: string): string {
    return this.required(name, this.id(name), where);
  }

  /** An identifier of any form, also as a number. */
  label(name: string, where: string): string {
    const value = this.values[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
    if (typeof value === "string" && value.trim() === "") return this.wrong(name, `is empty: ${where}`) ?? "";
    return this.required(name, this.text(name), where);
  }

  /** A whole number from 1. */
  positive(name: string, unit: string): number | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    if (typeof value !== "number") return this.wrong(name, `must be a number, not ${kindOf(value)}`, value);
    if (Number.isSafeInteger(value) && value >= 1) return value;
    return this.wrong(name, `is ${value}: it must be a whole number of ${unit} from 1`);
  }

  /** @param words argument → the service's word */
  word<W>(name: string, words: Readonly<Record<string, W>>): W | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (Object.hasOwn(words, text)) return words[text];
    const known = Object.keys(words);
    const guess = nearest(text, known);
    const hint = didYouMean(guess && JSON.stringify(guess), `the values are ${known.join(", ")}`);
    return this.wrong(name, `is ${JSON.stringify(text)}, which is not known; ${hint}`);
  }

  /** A record type, in upper case if it is known. The service has types of its own. */
  recordType(): string | undefined {
    const text = this.text("type");
    if (text === undefined) return undefined;
    const upper = text.trim().toUpperCase();
    if (RECORD_TYPES.includes(upper)) return upper;
    const guess = nearest(upper, RECORD_TYPES);
    return guess === undefined
      ? text
      : this.wrong("type", `is ${JSON.stringify(text)}, which is no record type; did you mean ${guess}?`);
  }

  /** Arguments that are no object are one problem. */
  get problems(): readonly string[] {
    return this.shape === undefined ? this.found : [this.shape];
  }

  private required(name: string, value: string | undefined, where?: string): string {
    if (value === undefined && !this.has(name))
      this.problem(`${name} is missing${where === undefined ? "" : `: ${where}`}`);
    return value ?? "";
  }

  private wrong(name: string, what: string, value?: unknown, between = " "): undefined {
    this.faulty.add(name);
    const inOutput = `${this.lookup}Output takes it as it is`;
    if (isOutput(value))
      this.problem(`${name} is an Output, whose value a promise cannot wait for; ${inOutput}`);
    else if (value instanceof Promise) this.problem(`${name} is a Promise: await it; or ${inOutput}`);
    else this.problem(`${name}${between}${what}`);
  }

  private objectOf(args: unknown): Readonly<Record<string, unknown>> {
    if (args === undefined || args === null) return {};
    if (typeof args === "object" && !Array.isArray(args) && !isOutput(args) && !(args instanceof Promise))
      return { ...args };
    const [first = "domain"] = this.names;
    this.shape = `the arguments must be an object with ${first}${this.names.length > 1 ? " and so on" : ""}, not ${kindOf(args)}`;
    return {};
  }
}

/** Like the SDK's own check, without loading the SDK. */
function isOutput(value: unknown): boolean {
  return typeof value === "object" && value !== null && "__pulumiOutput" in value;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
