/** A journal's file: a line per event. */
import * as fs from "node:fs";
import { z } from "zod";
import type { Clock, Stamps } from "../../support/clock";
import { isCode, openPrivate } from "../../support/private-file";
import { errorText } from "../../support/text";

export interface JournalWrite {
  readonly file: string;
  /** Its number in the file; 0 if its line cannot be read. */
  readonly id: number;
  readonly deed: Deed;
  /** Milliseconds of this process's time, just before the last try. */
  readonly at: number;
  readonly domains: readonly string[];
  readonly marks: readonly string[];
  readonly leaves?: readonly string[] | undefined;
  /** Names the key of its marks. Another login token has another. */
  readonly key: string;
  readonly project: string;
  readonly job?: string;
  /** When the job ended. `marks` are then those of the created records. */
  readonly ended?: number;
}

type Marks = Pick<JournalWrite, "marks" | "key">;

/** Records that the process created and no state has. `write`: if only their texts are known. */
interface UnsavedRecords extends Marks, Pick<JournalWrite, "project"> {
  readonly write?: JournalWrite;
}

const marks = z.string().transform((text) => (text === "" ? [] : text.split(" ")));
const deed = z.enum(["create", "change", "remove"]).default("create");
export type Deed = z.output<typeof deed>;
const about = { id: z.number() };
const keyed = { key: z.string() };
const line = z.union([
  z.object({
    ...about,
    ...keyed,
    at: z.number(),
    domains: z.array(z.string()),
    digests: marks,
    leaves: marks.optional(),
    deed,
    project: z.string(),
  }),
  z.object({ ...about, sent: z.number() }),
  z.object({ ...about, job: z.string() }),
  z.object({ ...about, refused: z.literal(true) }),
  z.object({ ...about, ended: z.number(), made: marks, as: marks.optional() }),
  z.object({ ...about, found: marks, as: marks.optional() }),
  z.object({ closed: z.number() }),
  z.object({ ...keyed, released: marks, project: z.string() }),
  z.object({ ...keyed, taken: marks, run: z.string() }),
]);

type Entry = z.output<typeof line>;

/** A line without an end is being written, or was cut if it is older than this. Milliseconds. */
const longestAppend = 1_000;

/** Another process's file. */
export class JournalFile {
  readonly writes = new Map<number, JournalWrite>();
  private readonly released: UnsavedRecords[] = [];
  /** Write and mark of a text → the mark of the record; undefined if the write did not make it. */
  private readonly found = new Map<string, string | undefined>();
  readonly taken: (Marks & { readonly run: string })[] = [];
  private unsavedNow: readonly UnsavedRecords[] | undefined;
  closed = false;
  isReported = false;
  /** Why the whole file cannot be read. */
  unreadable: string | undefined;
  /** The latest possible time of an unreadable line. */
  private damagedAt: number | undefined;
  private size = -1;
  /** The end of the last whole line, in bytes. */
  private end = 0;
  private modified = 0;
  changedAt: number;

  constructor(
    readonly path: string,
    private readonly clock: Clock,
    private readonly stamps: Stamps,
  ) {
    this.changedAt = clock.now();
  }

  /** @returns false if the file is gone */
  refresh(): boolean {
    try {
      const stats = fs.statSync(this.path);
      const { size, mtimeMs } = stats;
      if (size === this.size && mtimeMs === this.modified) return true;
      this.modified = mtimeMs;
      this.changedAt = this.stamps.read(Math.round(mtimeMs));
      if (!stats.isFile()) throw new Error(`${this.path} is not a file`);
      this.end = Math.min(this.end, size);
      this.read(bytesOf(this.path, this.end, size));
      this.size = size;
      return true;
    } catch (error) {
      if (isCode(error, "ENOENT")) return false;
      this.unreadable = errorText(error);
      this.damagedAt ??= this.changedAt;
      return true;
    }
  }

  /** An unreadable line may have noted a write of any record. */
  get unknown(): JournalWrite | undefined {
    const isWhole = this.size === this.end && this.size > 0;
    const isCut = !isWhole && Math.abs(this.clock.wall() - this.modified) >= longestAppend;
    const at = isCut ? this.changedAt : this.damagedAt;
    return at === undefined
      ? undefined
      : { file: this.path, id: 0, deed: "create", at, domains: [], marks: [], key: "", project: "" };
  }

  get unsaved(): readonly UnsavedRecords[] {
    if (this.closed) return this.released;
    const created = [...this.writes.values()].filter(({ deed }) => deed === "create");
    return (this.unsavedNow ??= [...this.released, ...created.flatMap((write) => this.unsavedOf(write))]);
  }

  /** By text only until a process knows the record: a person may delete it and make an equal one. */
  private unsavedOf(write: JournalWrite): UnsavedRecords[] {
    const { id, marks: all, key, project } = write;
    const open = all.filter((mark) => !this.found.has(nameOf(id, mark)));
    return [
      { marks: all.flatMap((mark) => this.found.get(nameOf(id, mark)) ?? []), key, project },
      { marks: open, key, project, write },
    ].filter(({ marks: { length } }) => length > 0);
  }

  private read(bytes: Buffer): void {
    const whole = bytes.lastIndexOf("\n") + 1;
    this.end += whole;
    for (const text of bytes.toString("utf8", 0, whole).split("\n")) {
      if (text === "") continue;
      const entry = parseLine(text);
      if (entry !== undefined) this.enter(entry);
      else this.damagedAt = this.changedAt;
    }
  }

  private enter(entry: Entry): void {
    this.unsavedNow = undefined;
    const at = (stored: number): number => this.stamps.read(stored);
    if ("closed" in entry) this.closed = true;
    else if ("released" in entry)
      this.released.push({ project: entry.project, marks: entry.released, key: entry.key });
    else if ("taken" in entry) this.taken.push({ run: entry.run, marks: entry.taken, key: entry.key });
    else if ("sent" in entry) this.amend(entry.id, { at: at(entry.sent) });
    else if ("job" in entry) this.amend(entry.id, { job: entry.job });
    else if ("found" in entry) this.recognise(entry.id, entry.found, entry.as);
    else if ("refused" in entry) this.writes.delete(entry.id);
    else if ("ended" in entry) {
      const { id, made, as = [] } = entry;
      this.amend(id, { ended: at(entry.ended), marks: made });
      if (as.length === made.length) this.recognise(id, made, as);
    } else {
      const { digests, ...begun } = entry;
      this.writes.set(begun.id, { ...begun, file: this.path, at: at(begun.at), marks: digests });
    }
  }

  private recognise(write: number, texts: readonly string[], as: readonly string[] = []): void {
    for (const [i, mark] of texts.entries()) this.found.set(nameOf(write, mark), as[i]);
  }

  private amend(id: number, news: Partial<JournalWrite>): void {
    const known = this.writes.get(id);
    if (known) this.writes.set(id, { ...known, ...news });
  }
}

function nameOf(write: number, mark: string): string {
  return `${write} ${mark}`;
}

function parseLine(text: string): Entry | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function bytesOf(file: string, from: number, to: number): Buffer {
  const open = openPrivate(file);
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, fs.readSync(open, bytes, 0, bytes.length, from));
  } finally {
    fs.closeSync(open);
  }
}
