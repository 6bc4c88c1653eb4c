import { readFileSync } from "node:fs";
import { z } from "zod";

/** The package's version. Its own name resolves to its folder wherever it is installed. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(require.resolve("pulumi-legacydns/package.json"), "utf8"),
  );
  return z.object({ version: z.string() }).parse(manifest).version;
}
