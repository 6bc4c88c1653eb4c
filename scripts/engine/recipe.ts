/**
 * What the cached engine is made from, as one key: another version, platform, module file or flag is another folder,
 * so a cache never serves an engine that the checkout would make differently.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CLI, DYNAMIC_PROVIDER, NODEJS_HOST } from "./programs";

/** One program built from one Go module that pins it. */
export interface GoProgram {
  /** The folder with go.mod and go.sum. */
  readonly folder: string;
  readonly program: string;
  readonly package: string;
  readonly version: string;
  /** The oldest Go that the module accepts. */
  readonly go: string;
}

/** Everything that decides what the engine's folder holds. */
export interface Recipe {
  readonly key: string;
  readonly version: string;
  readonly go: readonly GoProgram[];
  /** The script of the npm package that is laid beside the two programs. */
  readonly dynamicProvider: string;
}

/** Without C: the result is the same whether a C compiler is there or not. */
export const GO_ENVIRONMENT = {
  GOFLAGS: "-mod=readonly -trimpath -buildvcs=false",
  // go.sum in this folder pins every module; no further service has to be reachable.
  GOSUMDB: "off",
  GOTOOLCHAIN: "local",
  GOWORK: "off",
  CGO_ENABLED: "0",
} as const;

const PKG = "github.com/pulumi/pulumi/pkg/v3";
const SDK = "github.com/pulumi/pulumi/sdk/v3";

/** The arguments of `go` that build `program` into the file `output`. */
export function goArguments(program: GoProgram, output: string): string[] {
  // Without the version linked in, the engine calls itself a development build and refuses some plugins.
  const ldflags = `-s -w -X ${SDK}/go/common/version.Version=v${program.version}`;
  return ["build", "-tags", "osusergo,grpcnotrace", "-ldflags", ldflags, "-o", output, program.package];
}

/** Reads the module files beside this file and the installed SDK. */
export async function readRecipe(): Promise<Recipe> {
  const hash = createHash("sha256").update(JSON.stringify(GO_ENVIRONMENT));
  const go: GoProgram[] = [];
  for (const { folder, program, module, path } of [
    { folder: "pulumi", program: CLI, module: PKG, path: `${PKG}/cmd/pulumi` },
    {
      folder: "nodejs-host",
      program: NODEJS_HOST,
      module: SDK,
      path: `${SDK}/nodejs/cmd/pulumi-language-nodejs`,
    },
  ]) {
    const read = async (name: string): Promise<string> =>
      // A checkout with other line ends is the same recipe.
      (await readFile(join(__dirname, folder, name), "utf8")).replaceAll("\r\n", "\n");
    const text = await read("go.mod");
    const made: GoProgram = {
      folder: join(__dirname, folder),
      program,
      package: path,
      version: required(text, new RegExp(`${module} v(\\S+)`), `${folder}/go.mod: the version of ${module}`),
      go: required(text, /^go (\S+)$/m, `${folder}/go.mod: the version of Go`),
    };
    go.push(made);
    hash.update(JSON.stringify([text, await read("go.sum"), goArguments(made, program)]));
  }
  const [cli] = go;
  if (cli === undefined) throw new Error("the recipe names no program");
  const dynamicProvider = join(require.resolve("@pulumi/pulumi/package.json"), "..", DYNAMIC_PROVIDER);
  hash.update(await readFile(dynamicProvider));
  const key = `${cli.version}-${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 12)}`;
  return { key, version: cli.version, go, dynamicProvider };
}

function required(text: string, pattern: RegExp, what: string): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${what} is missing`);
  return found;
}
