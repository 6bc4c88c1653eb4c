/** The tested versions. docs/compatibility.md has the results. .github/workflows/check.yml runs the same. */

export interface Combination {
  readonly node: string;
  readonly sdk: string;
}

/** The lower end of `engines`, and the newest of each line that the registry had when this was written. */
export const nodes = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"] as const;
/** The lower end of `peerDependencies`, the lock file's (the last for Node.js 20), and the newest. */
export const sdks = ["3.150.0", "3.248.0", "3.270.0"] as const;

const needs22 = "3.249.0";

export function combinations(): Combination[] {
  return nodes.flatMap((node) => {
    const accepted = sdks.filter((sdk) => !node.startsWith("20.") || isBefore(sdk, needs22));
    return [...new Set([accepted.at(0), accepted.at(-1)])].flatMap((sdk) =>
      sdk === undefined ? [] : [{ node, sdk }],
    );
  });
}

function isBefore(a: string, b: string): boolean {
  return a.localeCompare(b, "en", { numeric: true }) < 0;
}

/**
 * The tests of a combination: files, connections, texts, the SDK's mocks, and stories with the dynamic
 * provider of the packed package and with the native plugin. No test of speed is among them.
 */
export const tests = [
  "test/api/retry.test.ts",
  "test/api/transport.test.ts",
  "test/dns/names.test.ts",
  "test/dns/specs.test.ts",
  "test/settings.test.ts",
  "test/package/testing.test.ts",
  "test/zone-file/source.test.ts",
  "test/zone-file/yaml.test.ts",
  "test/promises/tarball.test.ts",
  "test/pulumi/native-import.test.ts",
] as const;
