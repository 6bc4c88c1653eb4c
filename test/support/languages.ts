/** What programs in other languages need to run here, kept outside the checkout and made once per machine. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A Python with the SDK of this version of the engine. @returns the interpreter */
export function pythonWithSdk(version: string): string {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "pulumi-legacydns");
  const folder = join(cache, `python-${version}-1`);
  const python = join(folder, "bin", "python");
  if (existsSync(join(folder, "ready"))) return python;
  mkdirSync(cache, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  // A virtual environment knows its own path, so it is made where it stays, and marked when it is whole.
  execFileSync("python3", ["-m", "venv", folder], { stdio: "ignore" });
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `pulumi==${version}`, "parver", "semver", "setuptools==80.9.0", "wheel"], { stdio: "ignore" });
  mkdirSync(join(folder, "making"));
  renameSync(join(folder, "making"), join(folder, "ready"));
  return python;
}
