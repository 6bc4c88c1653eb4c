import { readFileSync } from "node:fs";

/** Its own name resolves wherever the package is installed. */
export function packageVersion(): string {
  const file = require.resolve("pulumi-legacydns/package.json");
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
