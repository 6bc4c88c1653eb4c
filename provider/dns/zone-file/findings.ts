/** The result of reading a file. Readers never throw. */
import { gather } from "../../support/collections";
import { conflictsOf } from "../conflicts";
import { isError, reason, type Problem, type Reason } from "../../problems";
import type { DeclaredRecord } from "../record";

export interface SourcePosition {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

export interface ZoneFileProblem extends Problem {
  readonly position: SourcePosition;
}

export type ZoneFileRecord = DeclaredRecord & { readonly position: SourcePosition };

export interface ZoneFileResult {
  /** Complete if no problem is an error. */
  readonly records: ZoneFileRecord[];
  readonly problems: ZoneFileProblem[];
  /** Skipped records of the service: SOA, and NS of the apex. */
  readonly notes: string[];
}

export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

const mostListed = 100;

interface Tally {
  count: number;
  readonly more: "file.more-problems" | "file.more-warnings";
  firstUnlisted?: SourcePosition;
}

/** BIND suggests it for one `$GENERATE` line. */
const mostRecords = 65_536;
/** As many as zone files may have. */
export const mostCharacters = 32 * 1024 * 1024;

export function tooMuch(most: string): Reason {
  return reason("file.generated", { most });
}

export class Findings {
  readonly records: ZoneFileRecord[] = [];
  readonly notes: string[] = [];
  errors = 0;
  private readonly problems: ZoneFileProblem[] = [];
  /** File → errors and warnings. */
  private readonly tallies = new Map<string, readonly [Tally, Tally]>();
  private readonly generated = { records: 0, characters: 0 };

  /** @param why a function makes an error; it is called only if the error is listed */
  report(position: SourcePosition, why: Reason | (() => Reason)): undefined {
    const isCounted = typeof why === "function" || isError(why);
    const [errors, warnings] = gather<string, readonly [Tally, Tally]>(this.tallies, position.file, [
      { count: 0, more: "file.more-problems" },
      { count: 0, more: "file.more-warnings" },
    ]);
    const tally = isCounted ? errors : warnings;
    tally.count += 1;
    if (isCounted) this.errors += 1;
    if (tally.count <= mostListed) this.list(position, typeof why === "function" ? why() : why);
    else tally.firstUnlisted ??= position;
    return undefined;
  }

  get listed(): number {
    return this.problems.length;
  }

  /** Keeps only the first problem. In a file that is no zone file, each message could quote a secret. */
  hideSince(listed: number, file: string): void {
    const [first, ...others] = this.problems.slice(listed);
    if (first === undefined || others.length === 0) return;
    this.problems.length = listed + 1;
    this.tallies.delete(file);
    this.list(first.position, reason("file.no-zone", { file }));
  }

  private list(position: SourcePosition, why: Reason): void {
    this.problems.push({ ...why, path: positionText(position), position });
  }

  note(position: SourcePosition, message: string): void {
    this.notes.push(`${positionText(position)}: ${message}`);
  }

  /**
   * Counts records of a `$GENERATE` line or of lists: a few words could make more than memory holds.
   * @returns the problem if there are too many
   */
  take(records: number, characters: number): Reason | undefined {
    const { generated } = this;
    if (generated.records + records > mostRecords) return tooMuch(`${mostRecords} records`);
    if (generated.characters + characters > mostCharacters) return tooMuch(`${mostCharacters} characters`);
    generated.records += records;
    generated.characters += characters;
    return undefined;
  }

  result(): ZoneFileResult {
    const positions = new Map<string, SourcePosition>();
    const claims = this.records.map((record) => {
      const path = positionText(record.position);
      positions.set(path, record.position);
      return { record, path, known: true };
    });
    for (const problem of conflictsOf(claims, "")) {
      const position = positions.get(problem.path);
      if (position !== undefined) this.report(position, problem);
    }
    for (const { count, more, firstUnlisted } of [...this.tallies.values()].flat())
      if (firstUnlisted !== undefined) this.list(firstUnlisted, reason(more, { count: count - mostListed }));
    const { records, problems, notes } = this;
    return { records, problems, notes };
  }
}
