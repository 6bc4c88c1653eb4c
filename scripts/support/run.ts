/** Child processes with a time limit. */
import { execFile } from "node:child_process";

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly limit: number;
}

/**
 * @returns the standard output, trimmed
 * @throws Error if the program does not end with code 0 within the limit, with the last 12 lines that it printed
 */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { limit, ...others } = options;
  return new Promise((resolve, reject) => {
    const all = { ...others, timeout: limit, maxBuffer: 1 << 26, windowsHide: true };
    execFile(program, args, all, (error, out, err) => {
      if (error === null) return resolve(out.trim());
      if (typeof error.code === "string")
        return reject(new Error(`${program} could not be started: ${error.message}`, { cause: error }));
      const how = error.killed === true ? `took longer than ${limit / 1000} s` : endOf(error);
      const tail = (err.trim() || out.trim()).split("\n").slice(-12);
      reject(new Error(`${[`${program} ${how}`, ...tail].join("\n")}`.trim(), { cause: error }));
    });
  });
}

function endOf({
  code,
  signal,
}: {
  readonly code?: number | string | null;
  readonly signal?: string;
}): string {
  return `ended with ${signal ?? `code ${code ?? "unknown"}`}`;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
