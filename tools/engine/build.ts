/**
 * Builds the engine from Go modules, for machines that reach package registries only. Newer hosts for
 * Node.js than 3.68.0 are in no published Go module; the protocol has stayed compatible.
 */
import { createHash, type Hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath, run } from "../support/programs";
import { CLI, DYNAMIC_PROVIDER, NODEJS_HOST } from "./programs";

/** No C compiler, no checksum service (go.sum pins every module), no other Go than the installed one. */
export const GO_ENVIRONMENT = {
  GOFLAGS: "-mod=readonly -trimpath -buildvcs=false",
  GOSUMDB: "off",
  GOTOOLCHAIN: "local",
  GOWORK: "off",
  CGO_ENABLED: "0",
} as const;

const PKG = "github.com/pulumi/pulumi/pkg/v3";
export const SDK = "github.com/pulumi/pulumi/sdk/v3";

const sdkManifest = require.resolve("@pulumi/pulumi/package.json");
export const { version: installedSdk } = JSON.parse(readFileSync(sdkManifest, "utf8")) as { version: string };
/** The npm package has the program that starts the process of dynamic providers. */
const dynamicProvider = join(sdkManifest, "..", DYNAMIC_PROVIDER);

type Recipe = ReturnType<typeof recipeOf>;

/** @param path of the program in its module */
export function recipeOf(name: string, program: string, module: string, path: string) {
  const folder = join(__dirname, name);
  const [mod = "", sum = ""] = ["go.mod", "go.sum"].map((file) => readFileSync(join(folder, file), "utf8"));
  const version = new RegExp(`${module} v(\\S+)`).exec(mod)?.[1] ?? "";
  // An engine without a version calls itself a development build and refuses some plugins.
  const flags = `-s -w -X ${SDK}/go/common/version.Version=v${version}`;
  const options = ["build", "-tags", "osusergo,grpcnotrace", "-ldflags", flags, "-o"];
  const argumentsFor = (output: string): string[] => [...options, output, `${module}/${path}`];
  return { folder, program, version, mod, sum, argumentsFor };
}

/** The engines that tests run with. Each has a folder here: all tests use `pulumi`, the version matrix also `newest`. */
export type Edition = "pulumi" | "newest";

const recipesOf = (edition: Edition): readonly Recipe[] => [
  recipeOf(edition, CLI, PKG, "cmd/pulumi"),
  recipeOf("nodejs-host", NODEJS_HOST, SDK, "nodejs/cmd/pulumi-language-nodejs"),
];

export function versionOf(edition: Edition): string {
  return recipesOf(edition)[0]?.version ?? "";
}

/** The Go version that a build needs. */
export function goOf(edition: Edition): string {
  const versions = recipesOf(edition).map(({ mod }) => /^go (\S+)$/m.exec(mod)?.[1] ?? "");
  return versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1) ?? "";
}

export function digestOf(recipes: readonly Recipe[]): Hash {
  const hash = createHash("sha256").update(JSON.stringify(GO_ENVIRONMENT));
  for (const { program, mod, sum, argumentsFor } of recipes)
    hash.update(JSON.stringify([mod, sum, argumentsFor(program)]));
  return hash;
}

/** The engine's name in the cache. @param sdk the version that Pulumi's installer would get */
export function engineKey(sdk = installedSdk, edition: Edition = "pulumi"): string {
  const recipes = recipesOf(edition);
  const hash = digestOf(recipes).update(readFileSync(dynamicProvider)).update(sdk);
  return `${recipes[0]?.version ?? ""}-${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 12)}`;
}

type Say = (line: string) => void;

export async function build(
  edition: Edition,
  scratch: string,
  env: NodeJS.ProcessEnv,
  say: Say,
): Promise<string> {
  const bin = await compile(recipesOf(edition), scratch, env, say);
  await copyFile(dynamicProvider, join(bin, DYNAMIC_PROVIDER));
  await chmod(join(bin, DYNAMIC_PROVIDER), 0o755);
  return bin;
}

export async function compile(
  recipes: readonly Recipe[],
  scratch: string,
  env: NodeJS.ProcessEnv,
  say: Say,
): Promise<string> {
  const go = await findOnPath("go", env);
  if (go === undefined) throw new Error("there is no Go on the PATH");
  const bin = join(scratch, "bin");
  await mkdir(bin);
  for (const { folder, program, version, argumentsFor } of recipes) {
    const began = Date.now();
    const report = (): void =>
      say(`building ${program} ${version} from Go modules: ${Math.round((Date.now() - began) / 1000)} s`);
    report();
    const timer = setInterval(report, 10_000);
    try {
      // The programs are for this machine, also if the user builds for another one.
      const own = { ...GO_ENVIRONMENT, GOTMPDIR: scratch, GOOS: "", GOARCH: "" };
      const options = { env: { ...env, ...own }, cwd: folder, limit: 1_800_000 };
      await run(go, argumentsFor(join(bin, program)), options);
    } finally {
      clearInterval(timer);
    }
  }
  return bin;
}
