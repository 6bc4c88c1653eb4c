/** The base of all builders. A program in JavaScript may pass any argument. */
import { nearest } from "../../support/nearest";
import { didYouMean, about, reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { kindOf } from "../../support/text";
import { kindProblem, wholeNumber, flawed } from "../record";

/** A builder's record: a spec for `RecordBatch` and `Zone`, and the fields of a `Record` besides its domain. */
export interface BuiltRecord {
  /** Relative to the domain; `@` is the domain itself. */
  readonly name: string;
  readonly type: "CAA" | "CNAME" | "MX" | "NS" | "SRV" | "TXT";
  readonly value: string;
  /** MX only, unless the value begins with it. */
  readonly priority?: number;
  readonly ttl?: number | string;
}

export interface BuilderOptions {
  /** Seconds from 1, or a time with units (`"1h"`). Default: the setting `defaultTtl`, and any live TTL is accepted. */
  readonly ttl?: number | string;
}

export interface NamedOptions extends BuilderOptions {
  /** Relative to the domain. Default: the domain itself. */
  readonly name?: string;
}

export type OneOrMore<T> = T | readonly T[];

export function elements(given: unknown): readonly { readonly value: unknown; readonly suffix: string }[] {
  if (given === undefined) return [];
  return Array.isArray(given)
    ? given.map((value: unknown, index) => ({ value, suffix: `[${index}]` }))
    : [{ value: given, suffix: "" }];
}

type Fields = Readonly<Record<string, unknown>>;

export class Making {
  readonly problems: Reason[] = [];

  constructor(private readonly builder: string) {}

  problem(field: string, why: Reason): undefined {
    this.problems.push(about(`${this.builder}:${field === "" ? "" : ` ${field}:`}`, why));
    return undefined;
  }

  unfit(field: string, given: string, what: string, example: string): undefined {
    return this.problem(field, reason("value.unfit", { given: showPlain(given), what, example }));
  }

  fields(given: unknown, names: readonly string[]): Fields {
    if (given === undefined) return {};
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      this.problem(
        "",
        reason("field.kind", { kind: kindOf(given), what: "an object", example: `{ ${names.join(", ")} }` }),
      );
      return {};
    }
    for (const key of Object.keys(given)) {
      if (names.includes(key)) continue;
      const hint = didYouMean(nearest(key, names), `the fields are ${names.join(", ")}`);
      this.problem(key, reason("field.unknown", { hint }));
    }
    return { ...given };
  }

  texts(field: string, given: unknown): string[] {
    return elements(given).flatMap(({ value, suffix }) => {
      const text = this.text(`${field}${suffix}`, value);
      return text === undefined ? [] : [text];
    });
  }

  text(field: string, given: unknown): string | undefined {
    if (typeof given === "string" && given.trim() !== "") return given.trim();
    return this.problem(
      field,
      given === undefined
        ? reason("field.missing", { example: "a text" })
        : typeof given === "string"
          ? reason("value.empty", { example: "a text" })
          : kindProblem(given, "text", '"example"'),
    );
  }

  word(field: string, given: unknown, words: readonly string[]): string | undefined {
    if (given === undefined || (typeof given === "string" && words.includes(given))) return given;
    return this.problem(
      field,
      reason("word.unknown", {
        given: typeof given === "string" ? showPlain(given) : kindOf(given),
        hint: `write one of ${words.map((each) => JSON.stringify(each)).join(", ")}`,
      }),
    );
  }

  flag(field: string, given: unknown): boolean | undefined {
    if (given === undefined || typeof given === "boolean") return given;
    return this.problem(field, kindProblem(given, "true or false", "true"));
  }

  whole(field: string, given: unknown, low: number, high: number): number | undefined {
    if (given === undefined) return undefined;
    const number = wholeNumber(given, low, high);
    return typeof number === "number" ? number : this.problem(field, number);
  }

  below(labels: string, name: unknown): string {
    if (name === undefined || name === "@" || name === "") return labels;
    if (typeof name === "string") return `${labels}.${name}`;
    this.problem("name", kindProblem(name, "name", '"shop"'));
    return labels;
  }

  name(given: unknown): string {
    if (given === undefined || given === "") return "@";
    if (typeof given === "string") return given;
    this.problem("name", kindProblem(given, "name", '"www", or "@" for the domain itself'));
    return "@";
  }

  record(type: BuiltRecord["type"], name: string, value: string, ttl: unknown): BuiltRecord {
    const data = this.problems.length === 0 ? value : flawed(this.problems);
    const isTtl = typeof ttl === "number" || typeof ttl === "string";
    return { name, type, value: data, ...(isTtl && { ttl }) };
  }

  list(type: BuiltRecord["type"], name: string, records: readonly BuiltRecord[]): BuiltRecord[] {
    return this.problems.length === 0 ? [...records] : [this.record(type, name, "", undefined)];
  }
}
