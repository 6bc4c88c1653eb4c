/** The state file of the `emulator` command. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { seedSchema } from "../../emulator";
import { errorText } from "../../provider/support/text";
import { CommandError } from "../errors";

const form =
  "A state file is JSON with accounts, domains and settings; a running emulator writes one at /_admin/snapshot";

export async function readState(file: string): Promise<z.output<typeof seedSchema>> {
  try {
    return seedSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    throw new CommandError(`--state ${file} ${problemOf(error)}. ${form}`);
  }
}

const failures: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file. Check the path, or leave --state out for an empty zone",
  EISDIR: "it is a folder. Name the file in it",
  EACCES: "this user may not read it. Change its permissions, or name another file",
};

function problemOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const lines = z.prettifyError(error).replaceAll(/\s*\n(?!✖)\s*/g, " ");
    return `is JSON, but no state file: ${lines.replaceAll("\n", "; ").replaceAll("✖ ", "")}`;
  }
  if (error instanceof SyntaxError) return `is no JSON (${error.message})`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return `cannot be read: ${failures[code] ?? errorText(error)}`;
}
