/** A journal's file: a line per event. Lines of every earlier version can be read. */
import * as fs from "node:fs";
import { z } from "zod";

/** A write that a process was about to make, or made. */
export interface Stored {
  readonly file: string;
  readonly id: number;
  readonly deed: Deed;
  /** Milliseconds of this process's time, just before it was sent for the last time. */
  readonly at: number;
  readonly domains: readonly string[];
  /** Of the records' keys; of a change, of the keys that the records get. */
  readonly marks: readonly string[];
  /** Of the keys that the records of a change leave. */
  readonly leaves?: readonly string[] | undefined;
  /** Its process ended well, so that the state of the resource tells of it. */
  readonly closed: boolean;
  /** Names the key of its marks; undefined where they are plain digests. */
  readonly key?: string | undefined;
  /** Of the process; versions before this one did not note it. */
  readonly project?: string | undefined;
  /** The job's number, where the answer came. */
  readonly job?: string;
  /** When the job was seen to have ended; `marks` are then those of what it made. */
  readonly ended?: number;
}

/** What one process noted. */
export interface Notes {
  readonly file: string;
  /** When the last of it was noted, in milliseconds of this process's time. */
  readonly last: number;
  readonly writes: readonly Stored[];
  /**
   * What no state may tell of: records that a resource of a project gave up and another took over; and creations, unless
   * the process ended well, so that the engine had every answer.
   */
  readonly unsaved: readonly Pick<Stored, "marks" | "key" | "project">[];
  /** Live records that a resource has taken for its own, by the run in which it did: their numbers. */
  readonly taken: readonly (Pick<Stored, "marks" | "key"> & { readonly run: string })[];
}

const marks = z.string().transform((text) => (text === "" ? [] : text.split(" ")));
/** Version 1 noted digests without a key. */
const keyed = { v: z.literal([1, 2]), key: z.string().optional() };
const deed = z.enum(["create", "change", "remove"]).default("create");
export type Deed = z.output<typeof deed>;
const about = { v: z.literal(1), id: z.number() };
const line = z.union([
  z.object({
    ...keyed,
    id: z.number(),
    at: z.number(),
    domains: z.array(z.string()),
    digests: marks,
    leaves: marks.optional(),
    deed,
    project: z.string().optional(),
  }),
  z.object({ ...about, sent: z.number() }),
  z.object({ ...about, job: z.string() }),
  z.object({ ...about, refused: z.literal(true) }),
  z.object({ ...about, ended: z.number(), made: marks }),
  z.object({ v: z.literal(1), closed: z.number() }),
  z.object({ ...keyed, handed: marks, project: z.string() }),
  z.object({ ...keyed, taken: marks, run: z.string() }),
]);

/** A file's notes; undefined where it cannot be read. @param timed converts a noted time to this process's */
export function readNotes(file: string, timed: (at: number) => number): Notes | undefined {
  let [text, modified] = ["", 0];
  try {
    text = fs.readFileSync(file, "utf8");
    modified = fs.statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
  const writes = new Map<number, Stored>();
  const handed: Notes["unsaved"][number][] = [];
  const taken: Notes["taken"][number][] = [];
  let closed = false;
  const amend = (id: number, news: Partial<Stored>): void => {
    const known = writes.get(id);
    if (known) writes.set(id, { ...known, ...news });
  };
  for (const entry of text.split("\n").flatMap(parseLine)) {
    if ("closed" in entry) closed = true;
    else if ("handed" in entry) handed.push({ project: entry.project, marks: entry.handed, key: entry.key });
    else if ("taken" in entry) taken.push({ run: entry.run, marks: entry.taken, key: entry.key });
    else if ("sent" in entry) amend(entry.id, { at: timed(entry.sent) });
    else if ("job" in entry) amend(entry.id, { job: entry.job });
    else if ("refused" in entry) writes.delete(entry.id);
    else if ("ended" in entry) amend(entry.id, { ended: timed(entry.ended), marks: entry.made });
    else {
      const { digests, ...begun } = entry;
      writes.set(begun.id, { ...begun, file, closed: false, at: timed(begun.at), marks: digests });
    }
  }
  const all = [...writes.values()].map((write) => ({ ...write, closed }));
  const last =
    all.length > 0 && handed.length === 0
      ? Math.max(...all.flatMap(({ at, ended = at }) => [at, ended]))
      : timed(modified);
  return {
    file,
    last,
    writes: all,
    unsaved: closed ? handed : [...handed, ...all.filter(({ deed }) => deed === "create")],
    taken,
  };
}

/** Half a line is left by a kill, and no write followed it. */
function parseLine(text: string): z.output<typeof line>[] {
  try {
    return [line.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}
