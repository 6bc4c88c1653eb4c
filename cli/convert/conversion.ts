/**
 * The result of a conversion: records by domain with their positions, problems, and notes about omitted
 * parts.
 */
import { canonicalDomain, quote } from "../../provider/dns";
import { textOf } from "../../provider/problems";
import { positionText, type SourcePosition } from "../../provider/dns/zone-file";

export interface ConvertedRecord {
  /** Absolute with the dot, or `@`. */
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** As in the file; undefined for the default. */
  readonly ttl: string | undefined;
  readonly priority?: number;
  readonly line?: string;
  readonly position: SourcePosition;
}

/** The record as a spec of this package. */
export interface ConvertedSpec extends Omit<ConvertedRecord, "ttl"> {
  readonly ttl: string | number;
}

const mostListed = 100;

export class FileLines {
  private readonly listed: string[] = [];
  /** File → number of its lines. */
  private readonly counts = new Map<string, number>();
  count = 0;

  /** @param kind the word for several lines: `problems` */
  constructor(private readonly kind: string) {}

  add(file: string, line: string): void {
    const count = (this.counts.get(file) ?? 0) + 1;
    this.counts.set(file, count);
    this.count += 1;
    if (count <= mostListed) this.listed.push(line);
  }

  /** The listed lines, then a line for each file that has more. */
  list(): string[] {
    const more = [...this.counts].filter(([, count]) => count > mostListed);
    return [
      ...this.listed,
      ...more.map(([file, count]) => `${file}: ${count - mostListed} more ${this.kind} are not listed`),
    ];
  }
}

export class Conversion {
  readonly zones = new Map<string, ConvertedSpec[]>();
  readonly problems = new FileLines("problems");
  readonly notes = new FileLines("notes");

  /** @param defaultTtl seconds, for records without a TTL */
  constructor(readonly defaultTtl: number) {}

  error(position: SourcePosition, message: string): undefined {
    this.problems.add(position.file, `${positionText(position)}: ${message}`);
    return undefined;
  }

  fileError(file: string, message: string): undefined {
    this.problems.add(file, `${file}: ${message}`);
    return undefined;
  }

  note(position: SourcePosition, message: string): undefined {
    this.notes.add(position.file, `${positionText(position)}: ${message}`);
    return undefined;
  }

  /** A note about a whole file. @param folder its folder, whose notes are counted together */
  fileNote(folder: string, file: string, message: string): void {
    this.notes.add(folder, `${file}: ${message}`);
  }

  /** Adds a zone, which may stay empty. @returns its canonical name; undefined after a problem */
  zone(written: string, position: SourcePosition): string | undefined {
    const found = canonicalDomain(written);
    if ("problem" in found) return this.error(position, textOf(found.problem));
    if (!this.zones.has(found.domain)) this.zones.set(found.domain, []);
    return found.domain;
  }

  /**
   * Adds a record.
   * @param name relative to the domain, even with a final dot; `@` or empty for the domain itself
   */
  add(domain: string, { name, ttl, ...rest }: ConvertedRecord): void {
    const owner = name === "" || name === "@" ? "@" : `${name}.${domain}.`;
    const seconds = ttl !== undefined && /^\d{1,10}$/.test(ttl) ? Number(ttl) : ttl;
    this.zones.get(domain)?.push({ ...rest, name: owner, ttl: seconds ?? this.defaultTtl });
  }
}

/**
 * The text as a spec's value. A text that begins with a quote needs quotes, because a spec reads it as quoted
 * strings.
 */
export function ownText(text: string): string {
  return text === "" || text.startsWith('"') ? quote(text) : text;
}
