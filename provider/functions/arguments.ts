/** The arguments of a look-up. */
import type { DomainKeys } from "../api";
import { canonicalDomain, kindOf, nearest } from "../dns";
import { placeName } from "../dns/names";
import { knownTypes, meantType, registeredTypes } from "../dns/types";
import { about, didYouMean, reason, type Problem, type Reason } from "../problems";

/** No name lies in it. */
const NO_ZONE = "zone.invalid";

export interface DomainArgs {
  /** The zone's name; this or `domainId`. */
  readonly domain?: string | undefined;
  /** The service's domain id; this or `domain`. */
  readonly domainId?: string | number | undefined;
}

export function problemsOf(lookup: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: `${lookup}: ${problem.path}` }));
}

/** Values in the wire's form. It collects problems. */
export class ArgumentReader {
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly found: Problem[] = [];

  constructor(
    private readonly lookup: string,
    args: unknown,
    private readonly names: readonly string[],
  ) {
    this.values = this.objectOf(args);
    for (const [name, value] of Object.entries(this.values)) {
      if (value === undefined || names.includes(name)) continue;
      const hint = didYouMean(nearest(name, names), `the arguments are ${names.join(", ")}`);
      this.problem(name, reason("field.unknown", { hint }));
    }
  }

  problem(path: string, why: Reason): undefined {
    this.found.push({ ...why, path });
    return undefined;
  }

  private has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.wrongKind(name, "a text", "a text");
    return value.trim() === "" ? this.problem(name, reason("value.empty", { example: "a text" })) : value;
  }

  requiredText(name: string): string {
    return this.values[name] === "" ? "" : this.required(name, this.text(name));
  }

  texts(name: string): string[] {
    const value = this.values[name];
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
    if (value !== undefined) this.wrongKind(name, "a list of texts", "a list");
    this.required(name, undefined);
    return [];
  }

  private domain(): string | undefined {
    const text = this.text("domain");
    if (text === undefined) return undefined;
    const canonical = canonicalDomain(text.trim());
    return "domain" in canonical ? canonical.domain : this.problem("domain", canonical.problem);
  }

  domainKeys(): DomainKeys {
    const domain = this.domain();
    const domainId = this.id("domainId");
    if (!this.has("domain") && !this.has("domainId"))
      this.problem("domain", reason("field.missing", { example: '{ domain: "example.com" }, or domainId' }));
    this.oneOf(["domain", "domainId"]);
    return domainId === undefined ? { domain: domain ?? "" } : { domainId };
  }

  oneOf(names: readonly string[]): void {
    if (names.every((name) => this.has(name))) this.problem(names.join(", "), reason("field.several"));
  }

  id(name: string): string | undefined {
    return this.matching(name, /^\d{1,19}$/, "an id", "a whole number, such as 1234567");
  }

  private matching(name: string, form: RegExp, what: string, example: string): string | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string") return this.wrongKind(name, what, example);
    const given = JSON.stringify(value);
    return form.test(text) ? text : this.problem(name, reason("value.unfit", { given, what, example }));
  }

  requiredId(name: string, example: string): string {
    return this.required(name, this.id(name), example);
  }

  label(name: string, example: string): string {
    const value = this.values[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
    return this.required(name, this.text(name), example);
  }

  positive(name: string, unit: string): number | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    const [what, example] = [`a whole number of ${unit}`, "a number from 1"];
    if (typeof value !== "number") return this.wrongKind(name, what, example);
    if (Number.isSafeInteger(value) && value >= 1) return value;
    return this.problem(name, reason("value.unfit", { given: value, what, example }));
  }

  word<W>(name: string, words: Readonly<Record<string, W>>): W | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (Object.hasOwn(words, text)) return words[text];
    const known = Object.keys(words);
    const guess = nearest(text, known);
    const hint = didYouMean(guess && JSON.stringify(guess), `the values are ${known.join(", ")}`);
    return this.problem(name, reason("word.unknown", { given: JSON.stringify(text), hint }));
  }

  recordType(): string | undefined {
    const text = this.text("type");
    if (text === undefined) return undefined;
    const upper = text.trim().toUpperCase();
    if (knownTypes.includes(upper) || registeredTypes.has(upper)) return upper;
    const meant = meantType(upper);
    if (meant === undefined) return text;
    const why = reason("type.unknown", { hint: didYouMean(meant, "") });
    return this.problem("type", about(JSON.stringify(text), why));
  }

  /** The host label of the argument `name`. */
  hostLabel({ domain, domainId }: DomainKeys): string | undefined {
    const name = this.text("name")?.trim();
    if (name === undefined || domain === "") return undefined;
    const given = JSON.stringify(this.text("name"));
    if (domainId !== undefined && name.endsWith("."))
      return this.problem("name", about(given, reason("name.outside", { zones: `domain ${domainId}` })));
    const placed = placeName(name, new Set([domain ?? NO_ZONE]), true);
    return "name" in placed ? placed.name : this.problem("name", about(given, placed.problem));
  }

  lineId(): string | undefined {
    const example = "a number such as 0 (the default line), or two such as 10=0";
    return this.matching("lineId", /^\d{1,19}(?:=\d{1,19})?$/, "a line's id", example);
  }

  get problems(): readonly Problem[] {
    // Nothing is missing in arguments that are no object.
    const whole = this.found.filter(({ path }) => path === "arguments");
    return whole.length > 0 ? whole : this.found;
  }

  private required(name: string, value: string | undefined, example = "it"): string {
    if (value === undefined && !this.has(name)) this.problem(name, reason("field.missing", { example }));
    return value ?? "";
  }

  private wrongKind(name: string, what: string, example: string): undefined {
    const value = this.values[name];
    const later = isOutput(value) ? "an Output" : value instanceof Promise ? "a Promise" : undefined;
    return this.problem(
      name,
      later === undefined
        ? reason("field.kind", { kind: kindOf(value), what, example })
        : reason("value.pending", { what: later, lookup: this.lookup }),
    );
  }

  private objectOf(args: unknown): Readonly<Record<string, unknown>> {
    if (args === undefined || args === null) return {};
    if (typeof args === "object" && !Array.isArray(args)) return { ...args };
    const example = `{ ${this.names.join(", ")} }`;
    this.problem("arguments", reason("field.kind", { kind: kindOf(args), what: "an object", example }));
    return {};
  }
}

/** The SDK's own check would load it. */
function isOutput(value: unknown): boolean {
  return typeof value === "object" && value !== null && "__pulumiOutput" in value;
}
