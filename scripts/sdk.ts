/**
 * `npm run --silent sdk`: makes the SDKs for Python and Go from native/schema.json. The first time, it
 * builds the engine's generators.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../cli/files";
import { GO_ENVIRONMENT } from "./engine/build";
import { main } from "./support/main";
import { fingerprint, fingerprintFile, generator, schemaFile, sdkFolder } from "./plugin/sdks";

const env = { ...process.env, ...GO_ENVIRONMENT, GOFLAGS: "-mod=readonly" };

/** The generator makes no module file, without which no program can name the folder. */
function goModule(sdk: string): void {
  const { language } = JSON.parse(readFileSync(schemaFile, "utf8")) as {
    language: { go: { importBasePath: string } };
  };
  const { version } = JSON.parse(readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8")) as {
    version: string;
  };
  writeFileSync(
    join(sdk, "go.mod"),
    `module ${language.go.importBasePath}\n\ngo 1.25.0\n\nrequire github.com/pulumi/pulumi/sdk/v3 v${version}\n`,
  );
  execFileSync("go", ["mod", "tidy"], { cwd: sdk, env: { ...env, GOFLAGS: "" }, stdio: "inherit" });
}

main("sdk", () =>
  withTemporaryFolder("legacydns-sdk-", (folder) => {
    const program = join(folder, "sdk");
    execFileSync("go", ["build", "-o", program, "."], { cwd: generator, env, stdio: "inherit" });
    for (const language of ["go", "python"])
      rmSync(join(sdkFolder, language), { recursive: true, force: true });
    execFileSync(program, [schemaFile, sdkFolder], { stdio: "inherit" });
    // The project's file names it there.
    copyFileSync(
      join(sdkFolder, "python", "pulumi_legacydns", "README.md"),
      join(sdkFolder, "python", "README.md"),
    );
    goModule(join(sdkFolder, "go", "legacydns"));
    writeFileSync(fingerprintFile, fingerprint());
  }),
);
