/** Python's formatter and linter, kept outside the checkout and installed once per machine. */
import { join } from "node:path";
import { cacheFolder, makeOnce } from "../../scripts/support/cache";
import { run } from "../../scripts/support/programs";

const version = "0.17.6";

/** @returns the program */
export function ruff(): Promise<string> {
  const { env } = process;
  const program = (folder: string): string => join(folder, "bin/ruff");
  return makeOnce({
    place: join(cacheFolder(env), "ruff", version),
    name: "ruff",
    say: () => undefined,
    check: async (folder) => {
      await run(program(folder), ["--version"], { env, limit: 60_000 });
      return program(folder);
    },
    make: async (scratch) => {
      const folder = join(scratch, "ruff");
      const options = ["--quiet", "--disable-pip-version-check", "--target", folder];
      await run("python3", ["-m", "pip", "install", ...options, `ruff==${version}`], { env, limit: 300_000 });
      return folder;
    },
  });
}
