/** The result of reading a file. Readers never throw. */
import { conflictsOf } from "../conflicts";
import { isError, reason, type Problem, type Reason } from "../../problems";
import type { DeclaredRecord } from "../record";

export interface SourcePosition {
  /** Its path from the repository's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

/** `path` is the position: `zones/example.com.zone:12:5`. */
export interface ZoneFileProblem extends Problem {
  readonly position: SourcePosition;
}

/** The position is the beginning of its line or spec. */
export type ZoneFileRecord = DeclaredRecord & { readonly position: SourcePosition };

export interface ZoneFileResult {
  /** Complete if no problem is an error. */
  readonly records: ZoneFileRecord[];
  readonly problems: ZoneFileProblem[];
  /** Skipped records of the service: SOA, and NS of the apex. */
  readonly notes: string[];
}

/** As compilers write it and editors follow it. */
export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/** Per file: errors, and warnings. */
const mostListed = 100;

interface Tally {
  readonly isError: boolean;
  count: number;
  /** The first unlisted one. */
  more?: SourcePosition;
}

export class Findings {
  readonly records: ZoneFileRecord[] = [];
  readonly notes: string[] = [];
  /** With unlisted ones. */
  errors = 0;
  private readonly problems: ZoneFileProblem[] = [];
  private readonly tallies = new Map<string, Tally>();

  /** @param why a function makes an error; it is called only if the error is listed */
  report(position: SourcePosition, why: Reason | (() => Reason)): undefined {
    const tally = this.tally(position.file, typeof why === "function" || isError(why));
    tally.count += 1;
    if (tally.isError) this.errors += 1;
    if (tally.count <= mostListed) this.list(position, typeof why === "function" ? why() : why);
    else tally.more ??= position;
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
    this.tallies.delete(tallyKey(file, true));
    this.tallies.delete(tallyKey(file, false));
    this.list(first.position, reason("file.no-zone", { file }));
  }

  private list(position: SourcePosition, why: Reason): void {
    this.problems.push({ ...why, path: positionText(position), position });
  }

  private tally(file: string, isError: boolean): Tally {
    const key = tallyKey(file, isError);
    const found = this.tallies.get(key) ?? { isError, count: 0 };
    this.tallies.set(key, found);
    return found;
  }

  note(position: SourcePosition, message: string): void {
    this.notes.push(`${positionText(position)}: ${message}`);
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
    for (const { isError, count, more } of this.tallies.values()) {
      if (more === undefined) continue;
      const parts = { count: count - mostListed };
      this.list(more, isError ? reason("file.more-problems", parts) : reason("file.more-warnings", parts));
    }
    const { records, problems, notes } = this;
    return { records, problems, notes };
  }
}

function tallyKey(file: string, isError: boolean): string {
  return `${isError ? "errors" : "warnings"} ${file}`;
}
