/**
 * Reads the arguments of a look-up. Each method returns a value in the wire's form or collects a problem, so that one error
 * lists all mistakes of a call.
 */
import { canonicalDomain, nearest } from "../dns";
import { knownTypes, registeredTypes } from "../dns/types";
import { textOf } from "../problems";

/** Known record types. Another type passes unchanged unless it looks like a misspelling of one of these. */
const RECORD_TYPES = [
  ...knownTypes,
  ...registeredTypes.keys(),
  "SOA",
  "ALIAS",
  "ANAME",
  "显性URL",
  "隐性URL",
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

/** A domain for messages: `example.com`, `domain 2059079`. */
export function domainText({ domain, domainId }: DomainKeys): string {
  return domain ?? `domain ${domainId}`;
}

export class ArgumentReader {
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly found: string[] = [];
  /** Wrong arguments. They do not count as missing. */
  private readonly faulty = new Set<string>();
  private shape: string | undefined;

  /**
   * @param lookup the function's name.
   * @param names all its arguments.
   */
  constructor(
    private readonly lookup: string,
    args: unknown,
    private readonly names: readonly string[],
  ) {
    this.values = this.objectOf(args);
    for (const [name, value] of Object.entries(this.values)) {
      if (value === undefined || names.includes(name)) continue;
      const guess = nearest(name, names);
      this.problem(
        `${JSON.stringify(name)} is no argument; ${guess === undefined ? `the arguments are ${names.join(", ")}` : `did you mean ${guess}?`}`,
      );
    }
  }

  problem(text: string): void {
    this.found.push(text);
  }

  /** Whether the argument is there, even if it is wrong. */
  has(name: string): boolean {
    return this.values[name] !== undefined || this.faulty.has(name);
  }

  /** A text. Undefined if it is missing or wrong. */
  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.wrong(name, `must be a text, not ${kindOf(value)}`, value);
    return value.trim() === "" ? this.wrong(name, "is empty: write a text, or leave it out") : value;
  }

  /** A text that must be there; it may be empty. If it is missing or wrong, that is a problem and the result is empty. */
  requiredText(name: string): string {
    const value = this.values[name];
    if (typeof value === "string") return value;
    if (value === undefined) this.problem(`${name} is missing`);
    else this.wrong(name, `must be a text, not ${kindOf(value)}`, value);
    return "";
  }

  /** A list of texts that must be there. If it is missing or wrong, that is a problem and the result is empty. */
  texts(name: string): string[] {
    const value = this.values[name];
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
    if (value === undefined) this.problem(`${name} is missing`);
    else this.wrong(name, `must be a list of texts`, value);
    return [];
  }

  /** The zone's name, as A-labels. */
  domain(): string | undefined {
    const value = this.values["domain"];
    if (value === "")
      return this.wrong("domain", `is empty: write the zone's name, for example "example.com"`);
    const text = this.text("domain");
    if (text === undefined) return undefined;
    const canonical = canonicalDomain(text.trim());
    if ("domain" in canonical) return canonical.domain;
    this.problem(`domain: ${textOf(canonical.problem)}`);
    this.faulty.add("domain");
    return undefined;
  }

  /** A domain by its name or its id. One of them must be there. The result counts only if there is no problem. */
  domainKeys(): DomainKeys {
    const domain = this.domain();
    const domainId = this.id("domainId");
    if (!this.has("domain") && !this.has("domainId"))
      this.problem(
        `domain and domainId are both missing: give one of them, for example { domain: "example.com" }`,
      );
    if (this.has("domain") && this.has("domainId"))
      this.problem("domain and domainId are both given: keep one of them");
    return domainId === undefined ? { domain: domain ?? "" } : { domainId };
  }

  /** An id of digits, also as a number. */
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

  /** An id that must be there. If it is not, that is a problem and the result is empty. */
  requiredId(name: string, where: string): string {
    const id = this.id(name);
    if (id === undefined && !this.has(name)) this.problem(`${name} is missing: ${where}`);
    return id ?? "";
  }

  /** An identifier of any form, also as a number. If it is missing, that is a problem and the result is empty. */
  label(name: string, where: string): string {
    const value = this.values[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
    if (typeof value === "string" && value.trim() === "") return this.wrong(name, `is empty: ${where}`) ?? "";
    const text = this.text(name);
    if (text === undefined && !this.has(name)) this.problem(`${name} is missing: ${where}`);
    return text ?? "";
  }

  /** A whole number from 1. */
  positive(name: string, unit: string): number | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
    if (typeof value !== "number") return this.wrong(name, `must be a number, not ${kindOf(value)}`, value);
    return this.wrong(name, `is ${value}: it must be a whole number of ${unit} from 1`);
  }

  /** A word of a table: argument → word of the wire. */
  word<W>(name: string, words: Readonly<Record<string, W>>): W | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (Object.hasOwn(words, text)) return words[text];
    const guess = nearest(text, Object.keys(words));
    const rather =
      guess === undefined
        ? `the values are ${Object.keys(words).join(", ")}`
        : `did you mean ${JSON.stringify(guess)}?`;
    return this.wrong(name, `is ${JSON.stringify(text)}, which is not known; ${rather}`);
  }

  /** A record type, in upper case if it is known. */
  recordType(): string | undefined {
    const text = this.text("type");
    if (text === undefined) return undefined;
    const upper = text.trim().toUpperCase();
    if (RECORD_TYPES.includes(upper)) return upper;
    const guess = nearest(upper, RECORD_TYPES);
    // The service has types of its own.
    return guess === undefined
      ? text
      : this.wrong("type", `is ${JSON.stringify(text)}, which is no record type; did you mean ${guess}?`);
  }

  /** All problems. Arguments that are no object are one problem. */
  get problems(): readonly string[] {
    return this.shape === undefined ? this.found : [this.shape];
  }

  private wrong(name: string, what: string, value?: unknown): undefined {
    this.faulty.add(name);
    const inOutput = `${this.lookup}Output takes it as it is`;
    if (isOutput(value))
      this.problem(`${name} is an Output, whose value a promise cannot wait for; ${inOutput}`);
    else if (value instanceof Promise) this.problem(`${name} is a Promise: await it; or ${inOutput}`);
    else this.problem(`${name} ${what}`);
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
