/** The ways to get the plugin, each with a preview of a program that needs it. */
import { doesNotMatch, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bare } from "../support/native";
import { commandOn, manifest, root } from "../support/page";
import { must, pluginFolder, type Run, says, story, type Story } from "../support/story";

const page = "docs/native.md";
const program = `${bare} new Record("one", { domain: "example.com", type: "A", value: "192.0.2.1", ttl: 600 });`;

async function previews({ stack }: Story, run = () => stack.preview()): Promise<Run> {
  const preview = await must(run());
  says(preview, "legacydns:index:Record one create");
  return preview;
}

/** The release that `npm run plugin` makes. @returns its archive for this machine */
function release(out: string): string {
  // Not into dist/: other stories run its plugin at the same time.
  execFileSync("npm", ["run", "--silent", "plugin", "--", "--out", out], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const archive = join(out, "release", `pulumi-resource-legacydns-v${manifest.version}-linux-amd64.tar.gz`);
  ok(statSync(archive).size < 5_000_000, "the archive stays below 5 MB");
  return archive;
}

describe("the plugin", () => {
  it("is installed from a folder or an archive, and its schema is read, as docs/native.md shows", () =>
    story({ program }, async (told) => {
      const { stack } = told;
      says(await stack.preview(), "no resource plugin 'pulumi-resource-legacydns' found");
      const install = commandOn(page, /^pulumi plugin install resource legacydns /);
      await must(stack.shell(`cd ${root} && ${install}`));
      doesNotMatch((await previews(told)).output, /warning/);
      says(
        await stack.must("package", "get-schema", "legacydns"),
        '"legacydns:index:RecordBatch"',
        '"legacydns:index:getDomain"',
      );
      // `package add` has read the schema. The built language host makes no SDK.
      says(
        await stack.shell(commandOn(page, /^pulumi package add legacydns$/)),
        "GeneratePackage not implemented",
      );
      await stack.must("plugin", "rm", "resource", "legacydns", "--yes");
      await must(stack.shell(install.replace(/(?<= -f ).*/, release(stack.folder))));
      await previews(told);
      await stack.must("plugin", "rm", "resource", "legacydns", "--yes");
      // No installation: the program or the schema by its path.
      for (const path of ["pulumi-resource-legacydns", "schema.json"])
        says(await stack.run("package", "add", join(pluginFolder, path)), "GeneratePackage not implemented");
      // The reason for no PulumiPlugin.yaml (docs/decisions/0014): with one, the engine asks npm for packages
      // that must not be installed.
      const withFile = join(stack.folder, "with-file");
      cpSync(pluginFolder, withFile, { recursive: true });
      writeFileSync(join(withFile, "PulumiPlugin.yaml"), "runtime: nodejs\n");
      says(
        await stack.run("plugin", "install", "resource", "legacydns", manifest.version, "-f", withFile),
        "node_modules directory is missing",
      );
      for (const file of ["index.js", "service.js", "schema.json", "pulumi-resource-legacydns.cmd"])
        ok(existsSync(join(pluginFolder, file)), file);
    }));
});
