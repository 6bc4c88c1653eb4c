/** The result of reading a file. Readers never throw. */
import { gather } from "../../support/collections";
import { conflictsOf } from "../conflicts";
import { isError, reason, type Problem, type Reason } from "../../problems";
import type { DeclaredRecord } from "../record";

export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

export interface ZoneFileProblem extends Problem {
  readonly position: SourcePosition;
}

export interface ZoneFileNote {
  readonly position: SourcePosition;
  readonly message: string;
  /** The message after its place. */
  readonly text: string;
}

export type ZoneFileRecord = DeclaredRecord & { readonly position: SourcePosition };

export interface ZoneFileResult {
  /** Complete if no problem is an error. */
  readonly records: ZoneFileRecord[];
  readonly problems: ZoneFileProblem[];
  /** Skipped records of the service: SOA, and NS of the apex. */
  readonly notes: ZoneFileNote[];
}

export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

const mostLines = 10;

interface Tally {
  count: number;
  unlisted?: SourcePosition;
}

/** The numbers of findings at a moment. */
interface FindingsMark {
  readonly problems: number;
  readonly records: number;
  readonly notes: number;
}

export class Findings {
  /** @param mostListed the number of problems per file, and of warnings, that are listed */
  constructor(private readonly mostListed: number) {}

  readonly records: ZoneFileRecord[] = [];
  readonly notes: ZoneFileNote[] = [];
  private readonly problems: ZoneFileProblem[] = [];
  /** File → message → lines. */
  private readonly lineNotes = new Map<string, Map<string, Set<number>>>();
  private readonly tallies = {
    "file.more-problems": new Map<string, Tally>(),
    "file.more-warnings": new Map<string, Tally>(),
  };

  /** @param why a function makes an error; it is called only if the error is listed */
  report(position: SourcePosition, why: Reason | (() => Reason)): undefined {
    const isCounted = typeof why === "function" || isError(why);
    const tallies = this.tallies[isCounted ? "file.more-problems" : "file.more-warnings"];
    const tally = gather<string, Tally>(tallies, position.file, { count: 0 });
    tally.count += 1;
    if (tally.count <= this.mostListed) this.list(position, typeof why === "function" ? why() : why);
    else tally.unlisted ??= position;
    return undefined;
  }

  /** Lines with the same message become one note. */
  noteLine(file: string, line: number, message: string): void {
    const messages = gather(this.lineNotes, file, new Map<string, Set<number>>());
    gather(messages, message, new Set<number>()).add(line);
  }

  mark(): FindingsMark {
    const { problems, records, notes } = this;
    return { problems: problems.length, records: records.length, notes: notes.length };
  }

  /** Names the file in place of all findings since. If it is no zone file, each of them could quote a secret. */
  hideSince(mark: FindingsMark, file: string): void {
    const first = this.problems.slice(mark.problems).find(({ position }) => position.file === file);
    for (const list of ["problems", "records", "notes"] as const) this[list].length = mark[list];
    for (const tallies of [...Object.values(this.tallies), this.lineNotes]) tallies.delete(file);
    this.list(first?.position ?? { file, line: 1, column: 1 }, reason("file.no-zone", { file }));
  }

  private list(position: SourcePosition, why: Reason): void {
    this.problems.push({ ...why, path: positionText(position), position });
  }

  note(position: SourcePosition, message: string): void {
    this.notes.push({ position, message, text: `${positionText(position)}: ${message}` });
  }

  result(): ZoneFileResult {
    const positions = new Map<string, SourcePosition>();
    const claims = this.records.map((record) => {
      const path = positionText(record.position);
      positions.set(path, record.position);
      return { record, path, known: true };
    });
    for (const problem of conflictsOf(claims)) {
      const position = positions.get(problem.path);
      if (position !== undefined) this.report(position, problem);
    }
    for (const more of ["file.more-problems", "file.more-warnings"] as const)
      for (const { count, unlisted } of this.tallies[more].values())
        if (unlisted !== undefined) this.list(unlisted, reason(more, { count: count - this.mostListed }));
    for (const [file, messages] of this.lineNotes)
      for (const [mark, [...lines]] of messages) {
        const message = `${mark}: ${lineList(lines)}`;
        const position = { file, line: lines[0] ?? 1, column: 1 };
        this.notes.push({ position, message, text: `${file}: ${message}` });
      }
    const { records, problems, notes } = this;
    return { records, problems, notes };
  }
}

function lineList(lines: readonly number[]): string {
  const more = lines.length - mostLines;
  return `line ${lines.slice(0, mostLines).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
