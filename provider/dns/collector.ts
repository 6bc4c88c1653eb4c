/**
 * The collector of an expansion: it judges parts of records, collects problems with their paths, and
 * makes the records.
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
  readonly defaultLine: string;
  /** The engine's text for an unknown value. */
  readonly unknown?: string;
  /** All values are secret. */
  readonly sensitive?: boolean;
  /** Indices of secret elements. */
  readonly secrets?: ReadonlySet<number>;
  /** Indices of elements whose names are another resource's output: these may be absolute without a dot. */
  readonly computed?: ReadonlySet<number>;
  /** Names may be absolute in a batch over several domains, too. */
  readonly absolute?: true;
  /** The beginning of paths. Default: `records`. */
  readonly path?: string;
}

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

  private get isHidden(): boolean {
    return this.isSecret || this.options.sensitive === true;
  }

  get show(): Show {
    return this.isHidden ? showSecret : showPlain;
  }

  begin(index: number): void {
    this.isSecret = this.options.secrets?.has(index) === true;
    this.isComputed = this.options.computed?.has(index) === true;
  }

  tell(path: string, why: Reason): undefined {
    this.problems.push({ ...why, path });
    return undefined;
  }

  at(where: Where, field: string): string {
    const path = pathOf(where, this.list);
    return path === "" ? field : `${path}.${field}`;
  }

  isUnknown(value: unknown): boolean {
    return this.options.unknown !== undefined && value === this.options.unknown;
  }

  /** The first record of an unknown type gets a note. */
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

  line(written: string | undefined): string | undefined {
    return written === undefined || isDefaultLine(written, this.options.defaultLine) ? undefined : written;
  }

  data(type: string, value: string, priority: number | undefined, presentation: boolean): Data {
    return canonicalData(type, { value, priority, presentation, show: this.show });
  }

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

  /** Adds a record in its domain or in all of them. */
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

  addUnknown(placed: Placed | undefined, common: Common, path: Where, what: "value" | "priority"): void {
    if (placed === undefined) return this.addUnnamed(common, { value: "" });
    for (const record of this.recordsOf(placed, { value: "" }, common)) {
      this.unknowns.push({ record, ttl: common.ttlUnknown ? "default" : common.ttl, what });
      this.claims.push({ record, path, known: false });
    }
  }

  /** A record with an unknown name takes part in no conflict. */
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
