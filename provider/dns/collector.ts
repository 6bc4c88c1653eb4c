/** Collects the records and problems of an expansion. */
import { pathOf, type Claim, type Where } from "./conflicts";
import { absoluteWithin, hyphenProblem, placeName, type Placed } from "./names";
import { showPlain, showSecret, type Show } from "./quoting";
import { about, didYouMean, reason, type Problem, type Reason } from "../problems";
import { recordOf, isDefaultLine } from "./text";
import {
  type DeclaredEntry,
  type Note,
  type DnsRecord,
  type RecordData,
  type Ttl,
  type UnknownRecord,
} from "./record";
import { canonicalData, canonicalType, meantType, type Data } from "./types";

export interface Line {
  readonly owner: string;
  readonly ttl: Ttl;
  readonly type: string;
  readonly data: string;
  readonly line?: string;
}

export interface ExpandOptions {
  /** The setting `defaultLine`. Records omit the default line, under this name or a known one. */
  readonly defaultLine: string;
  /** The engine's text for an unknown value. */
  readonly unknown?: string;
  readonly sensitive?: boolean;
  readonly secrets?: ReadonlySet<number>;
  /** Indices of elements whose names are another resource's output: these may be absolute without a dot. */
  readonly computed?: ReadonlySet<number>;
  /** Names may be absolute in a batch over several domains, too. */
  readonly absolute?: true;
}

export interface Common {
  readonly type: string;
  readonly line: string | undefined;
  /** Undefined if it is unknown. */
  readonly ttl: Ttl | undefined;
  readonly note?: Note | undefined;
}

export class Collector {
  readonly problems: Problem[] = [];
  readonly records: DeclaredEntry[] = [];
  readonly claims: Claim[] = [];
  readonly unknowns: UnknownRecord[] = [];
  private isSecret = false;
  private isComputed = false;
  private readonly types = new Map<string, string>();

  constructor(
    readonly domains: ReadonlySet<string>,
    readonly options: ExpandOptions,
  ) {
    this.begin(-1);
  }

  get show(): Show {
    return this.isSecret ? showSecret : showPlain;
  }

  begin(index: number): void {
    this.isSecret = this.options.sensitive === true || this.options.secrets?.has(index) === true;
    this.isComputed = this.options.computed?.has(index) === true;
  }

  report(where: Where, why: Reason, field = ""): undefined {
    this.problems.push({ ...why, path: this.at(where, field) });
    return undefined;
  }

  at(where: Where, field: string): string {
    const path = pathOf(where);
    return path === "" || field === "" ? path + field : `${path}.${field}`;
  }

  isUnknown(value: unknown): boolean {
    return this.options.unknown !== undefined && value === this.options.unknown;
  }

  type(written: string, show: Show, where: Where, field?: string): string | undefined {
    const known = this.types.get(written);
    if (known !== undefined) return known;
    const read = canonicalType(written);
    if ("problem" in read) {
      const { problem } = read;
      return this.report(where, problem.code === "type.soa" ? problem : about(show(written), problem), field);
    }
    this.types.set(written, read.type);
    if (read.known) return read.type;
    const meant = meantType(written);
    const given = show(written);
    const why =
      meant === undefined
        ? reason("type.unchecked", { given })
        : about(given, reason("type.unknown", { hint: didYouMean(meant, "") }));
    this.report(where, why, field);
    return read.type;
  }

  place(written: string, show: Show, where: Where, field?: string): Placed | undefined {
    const { domains, options } = this;
    const name = this.isComputed ? absoluteWithin(written, domains) : written;
    const placed = placeName(name, domains, options.absolute !== true);
    const problem = "problem" in placed ? placed.problem : hyphenProblem(placed.name);
    if (problem !== undefined) return this.report(where, about(show(written), problem), field);
    return "problem" in placed ? undefined : placed;
  }

  line(written: string | undefined): string | undefined {
    return written === undefined || isDefaultLine(written, this.options.defaultLine) ? undefined : written;
  }

  data(type: string, value: string, priority: number | undefined, presentation: boolean): Data {
    return canonicalData(type, { value, priority, presentation, show: this.show });
  }

  addLine(parts: Line, path: string): void {
    const placed = this.place(parts.owner, this.show, path);
    const type = this.type(parts.type, this.show, path);
    if (type === undefined) return;
    const data = this.data(type, parts.data, undefined, true);
    if ("problem" in data) {
      const { part, problem } = data;
      return this.report(path, part === "priority" ? about("the priority:", problem) : problem);
    }
    const finding = data.unfit ?? data.note;
    if (finding !== undefined) this.report(path, finding);
    if (placed === undefined) return;
    this.add(placed, data, { type, line: this.line(parts.line), ttl: parts.ttl }, path);
  }

  add(
    placed: Placed | undefined,
    data: RecordData | "value" | "priority",
    common: Common,
    path: Where,
  ): void {
    const { ttl, note } = common;
    if (placed === undefined || typeof data === "string" || ttl === undefined)
      return this.addUnknown(placed, data, common, path);
    for (const record of this.recordsOf(placed, data, common)) {
      const entry: DeclaredEntry = Object.assign(record, { ttl });
      if (note !== undefined) Object.assign(entry, { note });
      if (this.isSecret) Object.assign(entry, { secret: true as const });
      this.records.push(entry);
      this.claims.push({ record: entry, path, known: true });
    }
  }

  private addUnknown(
    placed: Placed | undefined,
    data: RecordData | "value" | "priority",
    common: Common,
    path: Where,
  ): void {
    const part = typeof data === "string" ? data : this.isSecret ? "value" : "ttl";
    const isShown =
      typeof data !== "string" && !this.isSecret && (placed !== undefined || common.ttl !== undefined);
    const shown = isShown ? data : { value: "" };
    const { ttl = "default" } = common;
    for (const record of this.recordsOf(placed ?? { name: "" }, shown, common)) {
      this.unknowns.push({ record, ttl, what: placed === undefined ? "name" : part });
      if (placed !== undefined) this.claims.push({ record, path, known: part === "ttl" });
    }
  }

  private recordsOf({ name, domain }: Placed, data: RecordData, { type, line }: Common): DnsRecord[] {
    const recordIn = (each: string): DnsRecord => recordOf(each, name, type, data, line);
    return domain === undefined ? Array.from(this.domains, recordIn) : [recordIn(domain)];
  }
}
