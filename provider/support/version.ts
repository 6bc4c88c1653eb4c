import { readFileSync } from "node:fs";

/** The package's version. Its own name resolves to its folder wherever it is installed. */
export function packageVersion(): string {
  const file = require.resolve("pulumi-legacydns/package.json");
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
