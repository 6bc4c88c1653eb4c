/**
 * The collector of an expansion. It judges the parts of a record, collects every problem with its path, and makes the
 * records in all their domains. Specs, lines and YAML files all use it.
 */
import { pathOf, type Claim, type Where } from "./conflicts";
import { isDefaultLine } from "./default-line";
import type { Line } from "./lines";
import { absoluteWithin, hyphenProblem, placeName, type Placed } from "./names";
import { showPlain, showSecret, type Show } from "./quoting";
import { about, reason, type Problem, type Reason } from "../problems";
import type { DnsRecord, Ttl } from "./record";
import { recordOf, typeProblem } from "./text";
import { noted, type DeclaredEntry, type Note } from "./ttl";
import { canonicalData, canonicalType, meantType, type Data } from "./types";
import type { UnknownRecord } from "./unknowns";

export interface ExpandOptions {
  /** The setting `defaultLine`. Records omit the default line, under this name or a known one. */
  readonly defaultLine: string;
  /** The text that the engine puts in the place of an unknown value. */
  readonly unknown?: string;
  /** All values are secret: messages show name, type and a mark. */
  readonly sensitive?: boolean;
  /** The indices of secret elements in the list of records. */
  readonly secrets?: ReadonlySet<number>;
  /** The indices of elements whose names are another resource's output: these may be absolute without a dot. */
  readonly computed?: ReadonlySet<number>;
  /** Names may be absolute in a batch over several domains, too. */
  readonly absolute?: true;
  /** The beginning of paths: `records` by default, nothing for a single record. */
  readonly path?: string;
}

/** The common part of the records of one spec or line. */
export interface Common {
  readonly type: string;
  readonly line: string | undefined;
  readonly ttl: Ttl;
  readonly note?: Note | undefined;
  readonly ttlUnknown: boolean;
}

type KnownData = Pick<DnsRecord, "value" | "priority">;

export class Collector {
  readonly problems: Problem[] = [];
  readonly records: DeclaredEntry[] = [];
  readonly claims: Claim[] = [];
  readonly unknowns: UnknownRecord[] = [];
  /** The path of the list of records. */
  readonly list: string;
  private isSecret = false;
  private isComputed = false;
  /** Written type → canonical type. */
  private readonly types = new Map<string, string>();

  constructor(
    readonly domains: ReadonlySet<string>,
    readonly options: ExpandOptions,
  ) {
    this.list = options.path ?? "records";
  }

  /** Whether the present value is secret. */
  private get isHidden(): boolean {
    return this.isSecret || this.options.sensitive === true;
  }

  /** How messages show the present value. */
  get show(): Show {
    return this.isHidden ? showSecret : showPlain;
  }

  /** Begins an element of the list. */
  begin(index: number): void {
    this.isSecret = this.options.secrets?.has(index) === true;
    this.isComputed = this.options.computed?.has(index) === true;
  }

  tell(path: string, why: Reason): undefined {
    this.problems.push({ ...why, path });
    return undefined;
  }

  /** The path of a field, or of a part of one. */
  at(where: Where, field: string): string {
    const path = pathOf(where, this.list);
    return path === "" ? field : `${path}.${field}`;
  }

  isUnknown(value: unknown): boolean {
    return this.options.unknown !== undefined && value === this.options.unknown;
  }

  /** The type in canonical form. The first record of an unknown type gets a note. */
  type(written: string, path: () => string, show: Show): string | undefined {
    const known = this.types.get(written);
    if (known !== undefined) return known;
    const read = canonicalType(written);
    if ("problem" in read) return this.tell(path(), typeProblem(written, read.problem, show));
    this.types.set(written, read.type);
    if (read.known) return read.type;
    const meant = meantType(written);
    const given = show(written);
    this.tell(
      path(),
      meant === undefined ? reason("type.unchecked", { given }) : reason("type.meant", { given, meant }),
    );
    return read.type;
  }

  /** The place of a written name. */
  place(written: string, path: () => string, show: Show): Placed | undefined {
    const placed = placeName(
      this.isComputed ? absoluteWithin(written, this.domains) : written,
      this.domains,
      this.options.absolute !== true,
    );
    const problem = "problem" in placed ? placed.problem : hyphenProblem(placed.name);
    if (problem !== undefined) return this.tell(path(), about(show(written), problem));
    return "problem" in placed ? undefined : placed;
  }

  /** A line's name; undefined for the default line. */
  line(written: string | undefined): string | undefined {
    return written === undefined || isDefaultLine(written, this.options.defaultLine) ? undefined : written;
  }

  data(type: string, value: string, priority: number | undefined, presentation: boolean): Data {
    return canonicalData(type, { value, priority, presentation, show: this.show });
  }

  /** Adds the records of a presentation line. */
  addLine(parts: Line, path: string): void {
    const placed = this.place(parts.owner, () => path, this.show);
    const type = this.type(parts.type, () => path, this.show);
    if (type === undefined) return;
    const data = this.data(type, parts.data, undefined, true);
    if ("problem" in data) {
      const { part, problem } = data;
      return this.tell(path, part === "priority" ? about("the priority", problem) : problem);
    }
    const said = data.unfit ?? data.note;
    if (said !== undefined) this.tell(path, said);
    if (placed === undefined) return;
    this.add(placed, data, { type, line: this.line(parts.line), ttl: parts.ttl, ttlUnknown: false }, path);
  }

  /** Adds a record with known data, in its domain or in all of them. An unknown name has no place. */
  add(placed: Placed | undefined, data: KnownData, common: Common, path: Where): void {
    const { isHidden } = this;
    const { ttl, ttlUnknown, note } = common;
    if (placed === undefined) return this.addUnnamed(common, isHidden || ttlUnknown ? { value: "" } : data);
    for (const record of this.recordsOf(placed, data, common)) {
      const secret = isHidden ? { secret: true as const } : {};
      if (ttlUnknown) {
        this.unknowns.push({
          record: isHidden ? { ...record, value: "" } : record,
          ttl: "default",
          what: isHidden ? "value" : "ttl",
        });
        this.claims.push({ record: Object.assign(record, secret), path, known: true });
        continue;
      }
      const entry: DeclaredEntry = Object.assign(record, { ttl });
      if (note !== undefined) Object.assign(entry, noted(note));
      if (isHidden) Object.assign(entry, secret);
      this.records.push(entry);
      this.claims.push({ record: entry, path, known: true });
    }
  }

  /** Adds a record with an unknown value or priority. */
  addUnknown(placed: Placed | undefined, common: Common, path: Where, what: "value" | "priority"): void {
    if (placed === undefined) return this.addUnnamed(common, { value: "" });
    for (const record of this.recordsOf(placed, { value: "" }, common)) {
      this.unknowns.push({ record, ttl: common.ttlUnknown ? "default" : common.ttl, what });
      this.claims.push({ record, path, known: false });
    }
  }

  /** Adds a record with an unknown name. It takes part in no conflict. */
  private addUnnamed(common: Common, data: KnownData): void {
    const ttl = common.ttlUnknown ? "default" : common.ttl;
    for (const record of this.recordsOf({ name: "" }, data, common))
      this.unknowns.push({ record, ttl, what: "name" });
  }

  private recordsOf({ name, domain }: Placed, data: KnownData, { type, line }: Common): DnsRecord[] {
    const domains = domain === undefined ? this.domains : [domain];
    return Array.from(domains, (each) => recordOf(each, name, type, data, line));
  }
}
