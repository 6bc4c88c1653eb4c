/**
 * `npm run --silent sdk`: makes the SDKs for Node.js, Python and Go from native/schema.json. It builds the engine's own
 * generators from their Go modules, which takes some minutes for the first time.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprint, fingerprintFile, generator, schemaFile, sdkFolder } from "./plugin/sdks";

const folder = mkdtempSync(join(tmpdir(), "legacydns-sdk-"));
try {
  const program = join(folder, "sdk");
  const env = { ...process.env, GOFLAGS: "-mod=readonly", GOSUMDB: "off", GOTOOLCHAIN: "local", GOWORK: "off", CGO_ENABLED: "0" };
  execFileSync("go", ["build", "-o", program, "."], { cwd: generator, env, stdio: "inherit" });
  for (const language of ["go", "nodejs", "python"]) rmSync(join(sdkFolder, language), { recursive: true, force: true });
  execFileSync(program, [schemaFile, sdkFolder], { stdio: "inherit" });
  // The project's file names it there.
  copyFileSync(join(sdkFolder, "python", "pulumi_legacydns", "README.md"), join(sdkFolder, "python", "README.md"));
  writeFileSync(fingerprintFile, fingerprint());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
