/** The SDKs in the repository, and a text of their digests that a test compares. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";

export const sdkFolder = join(root, "sdk");
export const generator = join(__dirname, "sdk");
export const schemaFile = join(root, "native", "schema.json");
/** Beside the SDKs: {@link fingerprint} as it was when they were made. */
export const fingerprintFile = join(sdkFolder, "MADE-FROM");

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

export function fingerprint(): string {
  const digest = (files: readonly string[]): string => {
    const hash = createHash("sha256");
    for (const file of files)
      hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
    return hash.digest("hex");
  };
  const source = [schemaFile, ...filesBelow(generator)];
  const made = existsSync(sdkFolder)
    ? ["go", "python"].flatMap((language) => filesBelow(join(sdkFolder, language)))
    : [];
  return `schema and generator ${digest(source)}\nSDKs ${digest(made.filter((file) => !file.includes("__pycache__")))}\n`;
}
