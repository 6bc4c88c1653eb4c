/** The state file of the `emulator` command. */
import { z } from "zod";
import { seedSchema } from "../../emulator";
import { reason, type RecordLine } from "../../provider/problems";
import { CommandError } from "../errors";
import { readInput } from "../files";

export async function readState(file: string): Promise<z.output<typeof seedSchema>> {
  const text = await readInput("--state", file);
  try {
    return seedSchema.parse(JSON.parse(text));
  } catch (error) {
    const parts = { path: file, what: "an emulator", make: "curl -s URL/_admin/snapshot > FILE" };
    throw new CommandError({ ...reason("state.unfit", parts, faultsIn(error)), path: "--state" });
  }
}

/** A line per wrong value. */
export function faultsIn(error: unknown): RecordLine[] {
  if (!(error instanceof z.ZodError))
    return [{ text: error instanceof Error ? error.message : String(error) }];
  return error.issues.map(({ path, message }) =>
    path.length === 0 ? { text: message } : { text: z.core.toDotPath(path), note: message },
  );
}
