/** A journal's file: a line per event. Lines of every earlier version can be read. */
import * as fs from "node:fs";
import { z } from "zod";

export type Deed = "create" | "change" | "remove";

/** A write that another process was about to make, or made. */
export interface Intent {
  readonly file: string;
  readonly id: number;
  readonly deed: Deed;
  /** Milliseconds of this process's time, just before it was sent for the last time. */
  readonly at: number;
  /** The same as it is stored. */
  readonly noted: number;
  readonly domains: readonly string[];
  /** Digests of the records' keys; of a change, the keys that the records get. Records that the caller did not ask about have marks. */
  readonly digests: readonly string[];
  /** The job's number, where the answer came. */
  readonly job: string | undefined;
  /** When the job was seen to have ended; `digests` are then those of what it made. */
  readonly ended: number | undefined;
  /** True where its process ended well: the engine had every answer. */
  readonly closed: boolean;
}

export interface Stored extends Omit<Intent, "digests"> {
  readonly marks: readonly string[];
  /** Names the key of its marks; undefined where they are plain digests. */
  readonly key: string | undefined;
}

const begun = {
  id: z.number(),
  at: z.number(),
  domains: z.array(z.string()),
  digests: z.string(),
  deed: z.enum(["create", "change", "remove"]).default("create"),
};
const line = z.union([
  // Version 1 noted digests without a key.
  z.object({ v: z.literal(1), ...begun }),
  z.object({ v: z.literal(2), ...begun, key: z.string() }),
  z.object({ v: z.literal(1), id: z.number(), sent: z.number() }),
  z.object({ v: z.literal(1), id: z.number(), job: z.string() }),
  z.object({ v: z.literal(1), id: z.number(), refused: z.literal(true) }),
  z.object({ v: z.literal(1), id: z.number(), ended: z.number(), made: z.string() }),
  z.object({ v: z.literal(1), closed: z.number() }),
  z.object({ v: z.literal(1), handed: z.string(), project: z.string() }),
  z.object({ v: z.literal(2), handed: z.string(), key: z.string(), project: z.string() }),
]);

/** What one process noted. */
export interface Notes {
  readonly intents: readonly Stored[];
  /** Records that one resource gave up and another took over. */
  readonly handed: readonly (Pick<Stored, "marks" | "key"> & { readonly project: string })[];
}

/** A file's notes. Half a line is left by a kill, and no write followed it. @param timed converts a noted time to this process's */
export function readNotes(file: string, timed: (id: number, at: number) => number): Notes {
  const handed: { project: string; marks: string[]; key: string | undefined }[] = [];
  const intents = new Map<number, Stored>();
  const amend = (id: number, news: Partial<Stored>): void => {
    const known = intents.get(id);
    if (known) intents.set(id, { ...known, ...news });
  };
  let closed = false;
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch {
    return { intents: [], handed };
  }
  for (const each of text.split("\n")) {
    const entry = parseLine(each);
    if (entry === undefined) continue;
    if ("closed" in entry) closed = true;
    else if ("handed" in entry) handed.push({ project: entry.project, marks: words(entry.handed), key: entry.v === 2 ? entry.key : undefined });
    else if ("sent" in entry) amend(entry.id, { at: timed(entry.id, entry.sent), noted: entry.sent });
    else if ("job" in entry) amend(entry.id, { job: entry.job });
    else if ("refused" in entry) intents.delete(entry.id);
    else if ("ended" in entry) amend(entry.id, { ended: timed(entry.id, entry.ended), marks: words(entry.made) });
    else {
      const { id, at, domains, digests, deed } = entry;
      const key = entry.v === 2 ? entry.key : undefined;
      intents.set(id, { file, id, deed, at: timed(id, at), noted: at, domains, marks: words(digests), key, job: undefined, ended: undefined, closed });
    }
  }
  return { intents: [...intents.values()].map((intent) => ({ ...intent, closed })), handed };
}

function words(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

function parseLine(text: string): z.output<typeof line> | undefined {
  try {
    const parsed = line.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function modified(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
