/** Programs: found on a PATH, and run with a time limit. */
import { execFile } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

export async function findOnPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env["PATH"] ?? "").split(delimiter))
    if (folder !== "" && (await isProgram(join(folder, program)))) return join(folder, program);
  return undefined;
}

export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/**
 * @param options the limit is in milliseconds
 * @returns the standard output, trimmed
 * @throws Error if the program does not end with code 0 within the limit, with the last 12 lines that it printed
 */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly limit: number },
): Promise<string> {
  const { limit, ...others } = options;
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...others, timeout: limit, maxBuffer: 1 << 26 }, (error, out, err) => {
      if (error === null) return resolve(out.trim());
      const { code, signal, killed, message } = error;
      let how = `ended with ${signal ?? `code ${code ?? "unknown"}`}`;
      if (killed === true) how = `took longer than ${limit / 1000} s`;
      else if (typeof code === "string") how = `could not be started: ${message}`;
      const tail = (err.trim() || out.trim()).split("\n").slice(-12);
      reject(new Error([`${program} ${how}`, ...tail].join("\n").trim(), { cause: error }));
    });
  });
}
