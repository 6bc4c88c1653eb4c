/** The frame of a script. */
import { resolve } from "node:path";
import { reasonOf } from "./programs";

export const root = resolve(__dirname, "../..");

/** Runs a script's work. An error becomes a line on standard error, and the exit code 1. */
export function main(name: string, work: () => unknown): void {
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => {
      process.stderr.write(`${name}: ${reasonOf(error)}\n`);
      process.exitCode = 1;
    });
}
