/**
 * What the reading of a file brings to light: records, problems and notes, each with its place in the file. Readers
 * collect all of them and never throw.
 */
import { conflictsOf } from "../conflicts";
import { type Problem, type Reason } from "../../problems";
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

/** Collects a {@link ZoneFileResult}. */
export class Findings {
  readonly records: ZoneFileRecord[] = [];
  readonly problems: ZoneFileProblem[] = [];
  readonly notes: string[] = [];

  tell(position: SourcePosition, why: Reason): undefined {
    this.problems.push({ ...why, path: positionText(position), position });
    return undefined;
  }

  note(position: SourcePosition, message: string): void {
    this.notes.push(`${positionText(position)}: ${message}`);
  }

  /** All of it, with what is wrong between the records, at the place of each. */
  result(): ZoneFileResult {
    this.addConflicts();
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
      if (position !== undefined) this.problems.push({ ...problem, position });
    }
  }
}
