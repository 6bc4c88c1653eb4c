/**
 * Writes whole files. A temporary file is renamed, so that a failure leaves no half file and keeps the old
 * one.
 */
import { randomBytes } from "node:crypto";
import { link, mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { visible } from "../provider/support/visible";
import { errorText } from "../provider/support/text";
import { CommandError } from "./errors";
import { removing } from "./temporary";

export async function writeWhole(file: string, text: string, overwrite: boolean): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await removing(beside, async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(beside, visible(text), { flag: "wx" });
      // Unlike a rename, a link fails if the file exists by now.
      if (overwrite) await rename(beside, file);
      else await link(beside, file);
    });
  } catch (error) {
    throw explained(file, error);
  }
}

function explained(file: string, error: unknown): CommandError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  if (code === "ENOTDIR" || (code === "EEXIST" && path === dirname(file)))
    return new CommandError(`--out ${file}: ${dirname(file)} is no folder; name another place`);
  if (code === "EEXIST") return new CommandError(`--out ${file} exists already; --force overwrites it`);
  if (code === "EISDIR") return new CommandError(`--out ${file} is a folder; name a file in it`);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new CommandError(`--out ${file} cannot be written: no permission`);
  return new CommandError(`--out ${file} cannot be written: ${errorText(error)}`);
}
