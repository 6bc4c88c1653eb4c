/**
 * The collector of an expansion: it judges the parts of a record, gathers every problem with its path, and makes the
 * records in all their domains. Specs, lines and the state's own form all end here, so that one rule serves them all.
 */
import { canonicalData, canonicalType, meantType, unknownTypeNote, type Data } from "./data";
import { pathOf, type Claim, type Where } from "./conflicts";
import { isDefaultLine } from "./default-line";
import { absoluteWithin, hyphenProblem, placeName, type Placed } from "./names";
import { showPlain, showSecret, type Show } from "./quoting";
import { about, reason, type Problem, type Reason } from "../problems";
import type { Ttl } from "./record";
import { recordOf, typeProblem } from "./text";
import { noted, type DeclaredEntry, type Note } from "./ttl";
import type { UnknownRecord } from "./unknowns";

export interface ExpandOptions {
  /** The setting `defaultLine`; the default line, by this name or one that is known, is left out of records. */
  readonly defaultLine: string;
  /** The text that the engine puts in place of a value that is not known yet. */
  readonly unknown?: string;
  /** Values are secret: messages show name, type and a mark, never a value, and the records say so. */
  readonly sensitive?: boolean;
  /** Which elements of a list of records are secret, in the same way. */
  readonly secrets?: ReadonlySet<number>;
  /** Which elements of a list of records have names that nobody wrote into the program: these may be absolute without a dot. */
  readonly computed?: ReadonlySet<number>;
  /** Names may be absolute in a batch over several domains, too. */
  readonly absolute?: true;
  /** What paths begin with: `records` unless told (nothing, for a single record). */
  readonly path?: string;
}

/** What is common to the records of one spec or line. */
export interface Common {
  readonly type: string;
  readonly line: string | undefined;
  readonly ttl: Ttl;
  readonly note?: Note | undefined;
  /** The TTL is not known yet. */
  readonly ttlUnknown: boolean;
}

export class Collector {
  readonly problems: Problem[] = [];
  readonly records: DeclaredEntry[] = [];
  readonly claims: Claim[] = [];
  readonly unknowns: UnknownRecord[] = [];
  private secret = false;
  private computed = false;
  private readonly types = new Map<string, string>();

  constructor(
    readonly domains: ReadonlySet<string>,
    readonly options: ExpandOptions,
  ) {}

  /** Whether what is being read is secret. */
  private get isHidden(): boolean {
    return this.secret || this.options.sensitive === true;
  }

  /** How messages show a value that is being read. */
  get show(): Show {
    return this.isHidden ? showSecret : showPlain;
  }

  /** From now on an element of the list is read. */
  begin(index: number): void {
    this.secret = this.options.secrets?.has(index) === true;
    this.computed = this.options.computed?.has(index) === true;
  }

  tell(path: string, why: Reason): undefined {
    this.problems.push({ ...why, path });
    return undefined;
  }

  /** The path of the list of records. */
  get list(): string {
    return this.options.path ?? "records";
  }

  /** The path of a field, or of a part of one. */
  at(where: Where, field: string): string {
    const path = pathOf(where, this.list);
    return path === "" ? field : `${path}.${field}`;
  }

  isUnknown(value: unknown): boolean {
    return this.options.unknown !== undefined && value === this.options.unknown;
  }

  /** The type in canonical form; a note says once that a type is not known. @param path made where there is a problem */
  type(written: string, path: () => string, show: Show): string | undefined {
    const known = this.types.get(written);
    if (known !== undefined) return known;
    const read = canonicalType(written);
    if ("problem" in read) return this.tell(path(), typeProblem(written, read.problem, show));
    this.types.set(written, read.type);
    const meant = read.known ? undefined : meantType(written);
    // A record that a state holds stays one, whatever its type.
    if (meant !== undefined) this.tell(path(), reason("type.meant", { given: show(written), meant }));
    else if (!read.known) this.tell(path(), unknownTypeNote(written, show));
    return read.type;
  }

  /** Where a written name lies. @param path made where there is a problem */
  place(written: string, path: () => string, show: Show, single: boolean): Placed | undefined {
    const placed = placeName(
      this.computed ? absoluteWithin(written, this.domains) : written,
      this.domains,
      single && this.options.absolute !== true,
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

  /** Adds a record with known data, in its domain or in all of them; without a place where its name is not known yet. */
  add(
    placed: Placed | undefined,
    data: { value: string; priority?: number },
    common: Common,
    path: Where,
  ): void {
    if (placed === undefined)
      return this.addUnnamed(common, this.isHidden || common.ttlUnknown ? { value: "" } : data);
    for (const domain of this.domainsOf(placed)) {
      const record = recordOf(domain, placed.name, common.type, data, common.line);
      if (common.ttlUnknown) {
        this.unknowns.push({
          record: this.isHidden ? { ...record, value: "" } : record,
          ttl: "default",
          what: this.isHidden ? "value" : "ttl",
        });
        this.claims.push({
          record: this.isHidden ? Object.assign(record, { secret: true as const }) : record,
          path,
          known: true,
        });
        continue;
      }
      const entry: DeclaredEntry = Object.assign(record, { ttl: common.ttl });
      if (common.note !== undefined) Object.assign(entry, noted(common.note));
      if (this.isHidden) Object.assign(entry, { secret: true });
      this.records.push(entry);
      this.claims.push({ record: entry, path, known: true });
    }
  }

  /** Adds a record whose value or priority is not known yet. */
  addUnknown(placed: Placed | undefined, common: Common, path: Where, what: "value" | "priority"): void {
    if (placed === undefined) return this.addUnnamed(common, { value: "" });
    for (const domain of this.domainsOf(placed)) {
      const record = recordOf(domain, placed.name, common.type, { value: "" }, common.line);
      this.unknowns.push({ record, ttl: common.ttlUnknown ? "default" : common.ttl, what });
      this.claims.push({ record, path, known: false });
    }
  }

  /** Adds a record whose name is not known yet: it has no place, so that nothing can be said of what it stands beside. */
  private addUnnamed(
    { type, line, ttl, ttlUnknown }: Common,
    data: { value: string; priority?: number },
  ): void {
    for (const domain of this.domains) {
      this.unknowns.push({
        record: recordOf(domain, "", type, data, line),
        ttl: ttlUnknown ? "default" : ttl,
        what: "name",
      });
    }
  }

  private domainsOf(placed: Placed): Iterable<string> {
    return placed.domain === undefined ? this.domains : [placed.domain];
  }
}
