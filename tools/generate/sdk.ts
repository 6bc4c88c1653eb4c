/** The SDKs for Python and Go, from the schema. The first time, this builds the engine's generators, which needs Go. */
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../../cli/files";
import { GO_ENVIRONMENT, installedSdk, SDK } from "../engine/build";
import { schemaFile } from "./spec";
import { project } from "../release/project";
import { root } from "../support/main";

export const sdkFolder = join(root, "sdk");
const generator = join(__dirname, "sdk");
const languages = ["go", "python"];

/** The generator makes no module file, without which no program can name the folder. */
function makeGoModule(sdk: string): void {
  const text = `module ${project.goModule}\n\ngo 1.25.0\n\nrequire ${SDK} v${installedSdk}\n`;
  writeFileSync(join(sdk, "go.mod"), text);
  const env = { ...process.env, ...GO_ENVIRONMENT, GOFLAGS: "" };
  execFileSync("go", ["mod", "tidy"], { cwd: sdk, env, stdio: "inherit" });
}

export function makeSdks(): Promise<void> {
  return withTemporaryFolder("legacydns-sdk-", (folder) => {
    const program = join(folder, "sdk");
    const env = { ...process.env, ...GO_ENVIRONMENT, GOFLAGS: "-mod=readonly" };
    execFileSync("go", ["build", "-o", program, "."], { cwd: generator, env, stdio: "inherit" });
    for (const language of languages) rmSync(join(sdkFolder, language), { recursive: true, force: true });
    execFileSync(program, [schemaFile, sdkFolder], { stdio: "inherit" });
    // The project's file names it there.
    const python = join(sdkFolder, "python");
    copyFileSync(join(python, "pulumi_legacydns", "README.md"), join(python, "README.md"));
    makeGoModule(join(sdkFolder, "go", "legacydns"));
  });
}
