/** One spec, judged field by field. Each problem has its path (`records[3].value[1]`). */
import type { Collector, Common } from "./collector";
import type { Where } from "./conflicts";
import type { Placed } from "./names";
import { nearest } from "../support/nearest";
import { didYouMean, reason, type Reason } from "../problems";
import { showPlain, hasLoneSurrogate } from "./quoting";
import { kindOf } from "../support/text";
import { kindProblem, readStateTtl, readTtl, wholeNumber, flawsOf, isOfOutput } from "./record";
import { typeOf, type Data } from "./types";

/** Lists of names and values make every combination. */
const specFields: readonly string[] = ["name", "type", "value", "ttl", "priority", "line"];

interface Item {
  readonly value: unknown;
  readonly field: string;
}

type Priority = number | "none" | "unknown";

type Read = Extract<Data, { readonly value: string }> | "value" | "priority";

export class SpecReader {
  /** @param lists if false, it is a record of the state: no lists, and its TTL may have a note */
  constructor(
    private readonly collector: Collector,
    private readonly given: Readonly<Record<string, unknown>>,
    private readonly path: Where,
    private readonly lists: boolean,
  ) {}

  expand(): void {
    const { collector, given } = this;
    const isMisspelt = this.isMisspelt();
    const isUnknown = collector.isUnknown(given["type"]) || collector.isUnknown(given["line"]);
    const name = given["name"] === undefined ? "@" : given["name"];
    const names = this.items("name", name).map((item) => this.name(item));
    const type = this.type(given["type"]);
    const line = this.line(given["line"]);
    const ttl = this.ttl(given["ttl"]);
    const priority = this.priority(given["priority"], type);
    const values = this.items("value", given["value"]);
    if (isUnknown) {
      if (!isMisspelt && ttl !== undefined) collector.unknowns.push({ what: "spec" });
      return;
    }
    for (const item of values) {
      const read = this.value(item, type, priority);
      if (read === undefined || type === undefined || line === undefined || ttl === undefined) continue;
      // The misspelt field may be the name, and the record in another place.
      if (isMisspelt) continue;
      const common: Common = { type, line: line.name, ...ttl };
      for (const name of names)
        if (name !== undefined)
          collector.add(name.placed, read, common, this.recordPath(name.field, item.field));
    }
  }

  private isMisspelt(): boolean {
    const unknown = Object.keys(this.given).filter((key) => !specFields.includes(key));
    for (const key of unknown) {
      const hint = didYouMean(nearest(key, specFields), `a record has ${specFields.join(", ")}`);
      this.report(key, reason("field.unknown", { hint }));
    }
    return unknown.length > 0;
  }

  private report(field: string, why: Reason): undefined {
    return this.collector.report(this.path, why, field);
  }

  private recordPath(...fields: readonly string[]): Where {
    const elements = fields.filter((field) => field.endsWith("]"));
    if (elements.length > 0) return this.collector.at(this.path, elements.join(", "));
    return this.path === "" ? "name" : this.path;
  }

  private items(field: "name" | "value", given: unknown): readonly Item[] {
    if (!Array.isArray(given)) return [{ value: given, field }];
    if (this.lists && given.length > 0)
      return given.map((value: unknown, index) => ({ value, field: `${field}[${index}]` }));
    this.report(
      field,
      this.lists
        ? reason("value.empty", { example: `at least one ${field}` })
        : reason("field.kind", {
            kind: "a list",
            what: `a ${field}`,
            example: "a RecordBatch for several records",
          }),
    );
    return [];
  }

  private text({ value, field }: Item, example: string): string | undefined {
    if (typeof value !== "string")
      return this.report(field, kindProblem(value, field.replace(/\[.*/, ""), example));
    return value !== "" && isOfOutput(value) ? this.report(field, reason("output.as-text")) : value;
  }

  private name(item: Item): { placed: Placed | undefined; field: string } | undefined {
    const { collector, path } = this;
    const { value, field } = item;
    if (collector.isUnknown(value)) return { placed: undefined, field };
    const text = this.text(item, '"www", or "@" for the apex');
    const placed = text === undefined ? undefined : collector.place(text, showPlain, path, field);
    return placed && { placed, field };
  }

  private type(value: unknown): string | undefined {
    if (this.collector.isUnknown(value)) return undefined;
    if (value === undefined)
      return this.report("type", reason("field.missing", { example: "a type such as A, CNAME or TXT" }));
    const text = this.text({ value, field: "type" }, '"A", "CNAME" or "TXT"');
    return text === undefined ? undefined : this.collector.type(text, showPlain, this.path, "type");
  }

  private line(given: unknown): { readonly name: string | undefined } | undefined {
    if (given === undefined) return { name: undefined };
    if (this.collector.isUnknown(given)) return undefined;
    if (typeof given !== "string" || given === "") {
      const kind = given === "" ? "an empty text" : kindOf(given);
      const example = "the line's name";
      return this.report("line", reason("field.kind", { kind, what: "a line", example }));
    }
    if (hasLoneSurrogate(given)) return this.report("line", reason("text.half-character"));
    return { name: this.collector.line(given) };
  }

  private ttl(given: unknown): Omit<Common, "type" | "line"> | undefined {
    if (given === undefined) return { ttl: "default" };
    if (this.collector.isUnknown(given)) return { ttl: undefined };
    const { show } = this.collector;
    const read = this.lists ? readTtl(given, show) : readStateTtl(given, show);
    return "problem" in read ? this.report("ttl", read.problem) : read;
  }

  private priority(given: unknown, type: string | undefined): Priority | undefined {
    if (given === undefined) return "none";
    if (type !== undefined && typeOf(type)?.priority === undefined)
      return this.report("priority", reason("priority.needless", { type }));
    if (this.collector.isUnknown(given)) return "unknown";
    const number = wholeNumber(given, 0, 65535);
    return typeof number === "number" ? number : this.report("priority", number);
  }

  private value(item: Item, type: string | undefined, priority: Priority | undefined): Read | undefined {
    const { collector } = this;
    const { value, field } = item;
    if (collector.isUnknown(value)) return priority === undefined ? undefined : "value";
    if (value === undefined)
      return this.report(field, reason("field.missing", { example: "the record's data as text" }));
    const text = this.text(item, '"192.0.2.1"');
    if (text === undefined) return undefined;
    const flaws = flawsOf(text);
    for (const flaw of flaws ?? [])
      this.report(field, collector.show === showPlain ? flaw : reason("builder.secret"));
    if (flaws !== undefined) return undefined;
    if (text === "")
      return this.report(field, reason("value.empty", { example: "the record's data, or remove it" }));
    if (type === undefined) return undefined;
    // The value is judged even if its priority is wrong.
    const isOpen = priority === undefined || priority === "unknown";
    const written = typeof priority === "number" ? priority : undefined;
    const assumed = isOpen && typeOf(type)?.priority !== undefined ? 1 : written;
    const data = collector.data(type, text, assumed, false);
    if ("problem" in data) {
      if (data.part === "value") return this.report(field, data.problem);
      if (isOpen) return priority && "priority";
      return this.report("priority", data.problem);
    }
    if (data.unfit !== undefined) return this.report(field, data.unfit);
    if (priority === "unknown") return "priority";
    if (priority === undefined) return undefined;
    if (data.note !== undefined) this.report(written === undefined ? field : "priority", data.note);
    return data;
  }
}
