/** One spec, judged field by field. Each problem has its path (`records[3].value[1]`). */
import { hasLoneSurrogate } from "./ascii";
import type { Collector, Common } from "./collector";
import type { Where } from "./conflicts";
import { flawsOf, isOfOutput } from "./flaw";
import type { Placed } from "./names";
import { nearest } from "../support/nearest";
import { didYouMean, reason, textOf, type Reason } from "../problems";
import { showPlain } from "./quoting";
import type { Ttl } from "./record";
import { kindOf, readStateTtl, readTtl } from "./ttl";
import { typeOf, type Data } from "./types";

/** Lists make every combination: two names and two values are four records. */
export interface PlainRecordSpec {
  readonly name?: string | readonly string[];
  readonly type: string;
  readonly value: string | readonly string[];
  readonly ttl?: Ttl | string;
  /** MX, or SRV with three fields in its value. */
  readonly priority?: number;
  readonly line?: string;
}

export const specFields: readonly string[] = ["name", "type", "value", "ttl", "priority", "line"];

interface Item {
  readonly value: unknown;
  /** The element in a path: `value[1]`. */
  readonly suffix: string;
}

interface Priority {
  readonly number: number | undefined;
  readonly isUnknown: boolean;
}

type Read = Extract<Data, { readonly value: string }> | { readonly what: "value" | "priority" };

/** Without `lists` it is a record of the state: no lists, and its TTL may have a note. */
export function expandSpec(
  collector: Collector,
  spec: object,
  path: Where,
  { lists }: { readonly lists: boolean },
): void {
  new SpecReader(collector, { ...spec }, path, lists).expand();
}

class SpecReader {
  /** Problems of several values that are reported once. */
  private readonly reported = new Set<string>();

  constructor(
    private readonly collector: Collector,
    private readonly given: Readonly<Record<string, unknown>>,
    private readonly path: Where,
    private readonly lists: boolean,
  ) {}

  expand(): void {
    const { collector, given } = this;
    const meant = this.misspelt();
    const isUnknown = collector.isUnknown(given["type"]) || collector.isUnknown(given["line"]);
    const name = given["name"] === undefined ? "@" : given["name"];
    const names = this.items("name", name).map((item) => this.name(item));
    // A misspelt field is not missing as well.
    const isLost = (field: string): boolean => given[field] === undefined && meant?.has(field) === true;
    const type = isLost("type") ? undefined : this.type(given["type"]);
    const line = this.line(given["line"]);
    const ttl = this.ttl(given["ttl"]);
    const priority = this.priority(given["priority"], type);
    const values = isLost("value") ? [] : this.items("value", given["value"]);
    if (isUnknown) {
      if (meant === undefined && ttl !== undefined) collector.unknowns.push({ what: "spec" });
      return;
    }
    for (const item of values) {
      const read = this.value(item, type, priority);
      // The misspelt field may be the name, and the record in another place.
      if (
        meant !== undefined ||
        read === undefined ||
        type === undefined ||
        line === undefined ||
        ttl === undefined
      )
        continue;
      const common: Common = { type, line: line.name, ...ttl };
      for (const name of names) {
        if (name === undefined) continue;
        const of = this.recordPath(name.suffix, item.suffix);
        if ("what" in read) collector.addUnknown(name.placed, common, of, read.what);
        else collector.add(name.placed, read, common, of);
      }
    }
  }

  /** @returns the fields that unknown ones may stand for */
  private misspelt(): Set<string | undefined> | undefined {
    let meant: Set<string | undefined> | undefined;
    for (const key in this.given) {
      if (specFields.includes(key)) continue;
      const guess = nearest(key, specFields);
      (meant ??= new Set()).add(guess);
      const hint = didYouMean(guess, `a record has ${specFields.join(", ")}`);
      this.tell(key, reason("field.unknown", { hint }));
    }
    return meant;
  }

  private tell(field: string, why: Reason): undefined {
    return this.collector.tell(this.collector.at(this.path, field), why);
  }

  private recordPath(name: string, value: string): Where {
    const parts = name === "" || value === "" ? name + value : `${name}, ${value}`;
    if (parts !== "") return this.collector.at(this.path, parts);
    return this.path === "" ? "name" : this.path;
  }

  private items(field: "name" | "value", given: unknown): readonly Item[] {
    if (!Array.isArray(given)) return [{ value: given, suffix: "" }];
    if (this.lists && given.length > 0)
      return given.map((value: unknown, index) => ({ value, suffix: `${field}[${index}]` }));
    this.tell(field, this.lists ? reason("field.empty-list", { field }) : reason("field.list", { field }));
    return [];
  }

  private name({ value, suffix }: Item): { placed: Placed | undefined; suffix: string } | undefined {
    const { collector } = this;
    if (collector.isUnknown(value)) return { placed: undefined, suffix };
    const field = suffix === "" ? "name" : suffix;
    if (typeof value !== "string") return this.tell(field, reason("name.kind", { kind: kindOf(value) }));
    if (isOfOutput(value)) return this.tell(field, reason("output.as-text"));
    const placed = collector.place(value, () => collector.at(this.path, field), showPlain);
    return placed === undefined ? undefined : { placed, suffix };
  }

  private type(given: unknown): string | undefined {
    const { collector } = this;
    if (collector.isUnknown(given)) return undefined;
    if (given === undefined) return this.tell("type", reason("type.missing"));
    if (typeof given !== "string") return this.tell("type", reason("type.kind", { kind: kindOf(given) }));
    return collector.type(given, () => collector.at(this.path, "type"), showPlain);
  }

  private line(given: unknown): { readonly name: string | undefined } | undefined {
    if (given === undefined) return { name: undefined };
    if (this.collector.isUnknown(given)) return undefined;
    if (typeof given !== "string" || given === "")
      return this.tell(
        "line",
        reason("line.unfit", { given: given === "" ? "an empty text" : kindOf(given) }),
      );
    if (hasLoneSurrogate(given)) return this.tell("line", reason("line.half-character"));
    return { name: this.collector.line(given) };
  }

  private ttl(given: unknown): Omit<Common, "type" | "line"> | undefined {
    if (given === undefined) return { ttl: "default", ttlUnknown: false };
    if (this.collector.isUnknown(given)) return { ttl: "default", ttlUnknown: true };
    const { show } = this.collector;
    const read = this.lists ? readTtl(given, show) : readStateTtl(given, show);
    return "problem" in read ? this.tell("ttl", read.problem) : { ...read, ttlUnknown: false };
  }

  private priority(given: unknown, type: string | undefined): Priority | undefined {
    if (given === undefined) return { number: undefined, isUnknown: false };
    if (type !== undefined && typeOf(type)?.priority === undefined)
      return this.tell("priority", reason("priority.needless", { type }));
    if (this.collector.isUnknown(given)) return { number: undefined, isUnknown: true };
    if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= 65535)
      return { number: given, isUnknown: false };
    return this.tell(
      "priority",
      reason("priority.unfit", { given: typeof given === "number" ? String(given) : kindOf(given) }),
    );
  }

  private value(
    { value, suffix }: Item,
    type: string | undefined,
    priority: Priority | undefined,
  ): Read | undefined {
    const { collector } = this;
    if (collector.isUnknown(value)) return priority && { what: "value" };
    const field = suffix === "" ? "value" : suffix;
    if (value === undefined) return this.tell(field, reason("value.missing"));
    if (typeof value !== "string") return this.tell(field, reason("value.kind", { kind: kindOf(value) }));
    const flaws = flawsOf(value);
    for (const flaw of flaws ?? [])
      this.tell(field, collector.show === showPlain ? flaw : reason("builder.secret"));
    if (flaws !== undefined) return undefined;
    if (value === "") return this.tell(field, reason("value.empty"));
    if (isOfOutput(value)) return this.tell(field, reason("output.as-text"));
    if (type === undefined) return undefined;
    // The value is judged even if its priority is wrong.
    const isOpen = priority === undefined || priority.isUnknown;
    const assumed = isOpen && typeOf(type)?.priority !== undefined ? 1 : priority?.number;
    const data = collector.data(type, value, assumed, false);
    const isPriority = "problem" in data && data.part === "priority";
    if ("problem" in data && !(isOpen && isPriority))
      return this.tellOnce(isPriority ? "priority" : field, data.problem);
    if ("unfit" in data && data.unfit !== undefined) return this.tell(field, data.unfit);
    if (priority === undefined) return undefined;
    if (priority.isUnknown || "problem" in data) return { what: "priority" };
    if (data.note !== undefined) this.tell(priority.number === undefined ? field : "priority", data.note);
    return data;
  }

  private tellOnce(field: string, why: Reason): undefined {
    const text = `${field} ${textOf(why)}`;
    if (this.reported.has(text)) return undefined;
    this.reported.add(text);
    return this.tell(field, why);
  }
}
