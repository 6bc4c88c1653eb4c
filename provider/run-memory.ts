/**
 * What the processes of one run have said. A `pulumi up` starts a program and hosts for its preview, and others for its
 * update: each says what it finds, and the reader wants it once.
 */
import { createHash } from "node:crypto";
import * as path from "node:path";
import { z } from "zod";
import type { Clock } from "./clock";
import { readPrivateJson, writePrivate } from "./private-file";

/** How long the processes of one run may begin after each other, in milliseconds. */
const oneRun = 10 * 60_000;
/** Runs at once on a machine; of more, some are told twice. */
const mostRuns = 8;

const stored = z.array(z.object({ keys: z.array(z.string()), time: z.number(), said: z.array(z.string()) }));
type Runs = z.infer<typeof stored>;

/**
 * What the processes of a run have in common: the engine's address in one phase, and in both the address at which the
 * command line collects logs, where its version has one. Without the latter a preview and its update are two runs.
 */
export function runKeys(
  engine: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return [engine, env["PULUMI_LOG_OTLP_ENDPOINT"]].filter(
    (key): key is string => key !== undefined && key !== "",
  );
}

export class RunMemory {
  /** @param keys of which two processes of one run share one; without any a process is a run by itself. */
  constructor(
    private readonly stateDir: string,
    private readonly keys: readonly string[],
    private readonly clock: Pick<Clock, "now">,
  ) {}

  /** Whether no process of this run has said the text. It counts as said now. */
  isNew(text: string): boolean {
    if (this.keys.length === 0) return true;
    const file = path.join(this.stateDir, "said.json");
    const digest = createHash("sha256").update(text).digest("base64url").slice(0, 16);
    const now = this.clock.now();
    const runs = readRuns(file).filter(({ time }) => Math.abs(now - time) < oneRun);
    const own = runs.find(({ keys }) => keys.some((key) => this.keys.includes(key)));
    if (own?.said.includes(digest) === true) return false;
    const mine = {
      keys: [...new Set([...(own?.keys ?? []), ...this.keys])],
      time: now,
      said: [...(own?.said ?? []), digest],
    };
    writePrivate(file, `${JSON.stringify([...runs.filter((run) => run !== own), mine].slice(-mostRuns))}\n`);
    return true;
  }
}

function readRuns(file: string): Runs {
  const read = stored.safeParse(readPrivateJson(file));
  return read.success ? read.data : [];
}
