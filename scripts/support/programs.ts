/** Programs on a PATH, and their versions. */
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The PATH of `env`. Windows spells it Path. */
export function pathOf(env: NodeJS.ProcessEnv): string {
  const key = Object.keys(env).find(
    (name) => name === "PATH" || (name === "Path" && process.platform === "win32"),
  );
  return (key === undefined ? undefined : env[key]) ?? "";
}

export async function findOnPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of pathOf(env).split(delimiter)) {
    if (folder !== "" && (await isProgram(join(folder, program)))) return join(folder, program);
  }
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

/** Compares the numbers of two versions. A suffix such as `-alpha` is ignored. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [numbers, least] = [version, minimum].map((text) =>
    (/[\d.]+/.exec(text)?.[0] ?? "0").split(".").map(Number),
  );
  const differences = (least ?? []).map((number, i) => (numbers?.[i] ?? 0) - number);
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
}
