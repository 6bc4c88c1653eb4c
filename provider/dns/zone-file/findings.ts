/**
 * What the reading of a file brings to light: records, problems and notes, each with its place in the file. Readers
 * collect all of them and never throw.
 */
import { conflictsOf } from "../conflicts";
import { isError, reason, type Problem, type Reason } from "../../problems";
import type { DeclaredRecord } from "../record";

/** A place in a file. */
export interface SourcePosition {
  /** As messages call the file: its path from the repository's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

/** A problem in a file; `path` is its position: `zones/example.com.zone:12:5`. */
export interface ZoneFileProblem extends Problem {
  readonly position: SourcePosition;
}

/** A record and where its line, or its spec, begins. */
export type ZoneFileRecord = DeclaredRecord & { readonly position: SourcePosition };

/** What a file declares. */
export interface ZoneFileResult {
  /** In the order of the file. */
  readonly records: ZoneFileRecord[];
  /** All at once; records are complete only where no problem is an error. */
  readonly problems: ZoneFileProblem[];
  /** What was passed over on purpose: the SOA record, the NS records of the apex. */
  readonly notes: string[];
}

/** `zones/example.com.zone:12:5`, as compilers write it and editors follow it. */
export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/** The problems of a file that are listed, and the warnings. */
const mostListed = 100;

/** Those of one file and kind that were found. */
interface Tally {
  readonly isError: boolean;
  count: number;
  /** The place of the first that is not listed. */
  more?: SourcePosition;
}

/** Collects a {@link ZoneFileResult}. */
export class Findings {
  readonly records: ZoneFileRecord[] = [];
  readonly notes: string[] = [];
  /** How many errors were found, listed or not. */
  errors = 0;
  private readonly problems: ZoneFileProblem[] = [];
  private readonly tallies = new Map<string, Tally>();

  /** @param why a function makes an error; it is called only if the error is listed */
  tell(position: SourcePosition, why: Reason | (() => Reason)): undefined {
    const tally = this.tally(position.file, typeof why === "function" || isError(why));
    tally.count += 1;
    if (tally.isError) this.errors += 1;
    if (tally.count <= mostListed) this.list(position, typeof why === "function" ? why() : why);
    else tally.more ??= position;
    return undefined;
  }

  /** How many problems are listed: see {@link hideSince}. */
  get listed(): number {
    return this.problems.length;
  }

  /**
   * Hides all problems but the first that were listed since: those of a file that is no zone file. Its words may be
   * secrets, and each message would quote one.
   */
  hideSince(listed: number, file: string): void {
    const [first, ...others] = this.problems.slice(listed);
    if (first === undefined || others.length === 0) return;
    this.problems.length = listed + 1;
    this.tallies.delete(tallyKey(file, true));
    this.tallies.delete(tallyKey(file, false));
    this.list(first.position, reason("file.no-zone", { file }));
  }

  private list(position: SourcePosition, why: Reason): void {
    this.problems.push({ ...why, path: positionText(position), position });
  }

  private tally(file: string, error: boolean): Tally {
    const key = tallyKey(file, error);
    const found = this.tallies.get(key) ?? { isError: error, count: 0 };
    this.tallies.set(key, found);
    return found;
  }

  note(position: SourcePosition, message: string): void {
    this.notes.push(`${positionText(position)}: ${message}`);
  }

  /** All of it, with what is wrong between the records, at the place of each. */
  result(): ZoneFileResult {
    this.addConflicts();
    for (const { isError, count, more } of this.tallies.values()) {
      if (more === undefined) continue;
      const parts = { count: count - mostListed };
      this.list(more, isError ? reason("file.more-problems", parts) : reason("file.more-warnings", parts));
    }
    const { records, problems, notes } = this;
    return { records, problems, notes };
  }

  private addConflicts(): void {
    const positions = new Map<string, SourcePosition>();
    const claims = this.records.map((record) => {
      const path = positionText(record.position);
      positions.set(path, record.position);
      return { record, path, known: true };
    });
    for (const problem of conflictsOf(claims, "")) {
      const position = positions.get(problem.path);
      if (position !== undefined) this.tell(position, problem);
    }
  }
}

function tallyKey(file: string, error: boolean): string {
  return `${error ? "errors" : "warnings"} ${file}`;
}
