/** The ways to get the plugin, each with a preview of a program that needs it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { bare } from "../support/native";
import { blocksOf, commandOn } from "../support/page";
import { installPackage, must, pluginFolder, type Run, says, story, type Story } from "../support/story";

const root = resolve(__dirname, "../..");
const page = "docs/native.md";
const program = `${bare} new Record("one", { domain: "example.com", type: "A", value: "192.0.2.1", ttl: 600 });`;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

async function previews({ stack }: Story, run = (): Promise<Run> => stack.preview()): Promise<Run> {
  const preview = await must(run());
  says(preview, "legacydns:index:Record one create");
  return preview;
}

function npmInstalled(folder: string): void {
  const text = readFileSync(join(installPackage(folder), "package.json"), "utf8");
  const { bin: links } = JSON.parse(text) as { bin: Record<string, string> };
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin);
  const name = "pulumi-resource-legacydns";
  symlinkSync(join("..", "pulumi-legacydns", String(links[name])), join(bin, name));
}

/** The release that `npm run plugin` makes. @returns its archive for this machine */
function release(out: string): string {
  // Not into dist/: other stories run its plugin at the same time.
  execFileSync("npm", ["run", "--silent", "plugin", "--", "--out", out], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const archive = join(out, "release", `pulumi-resource-legacydns-v${version}-linux-amd64.tar.gz`);
  assert.ok(statSync(archive).size < 5_000_000, "the archive stays below 5 MB");
  return archive;
}

describe("the plugin", () => {
  it("is installed from a folder or an archive, or found on the PATH or in the project's folder, as docs/native.md shows", () =>
    story({ program }, async (told) => {
      const { stack } = told;
      says(await stack.preview(), "no resource plugin 'pulumi-resource-legacydns' found");
      const install = commandOn(page, /^pulumi plugin install resource legacydns /);
      await must(stack.shell(`cd ${root} && ${install}`));
      assert.doesNotMatch((await previews(told)).output, /warning/);
      says(
        await stack.must("package", "get-schema", "legacydns"),
        '"legacydns:index:RecordBatch"',
        '"legacydns:index:getDomain"',
      );
      // The schema was read; the built language host makes no SDK.
      says(await stack.run("package", "add", "legacydns"), "GeneratePackage not implemented");
      await stack.must("plugin", "rm", "resource", "legacydns", "--yes");
      await must(stack.shell(install.replace(/(?<= -f ).*/, release(stack.folder))));
      await previews(told);
      await stack.must("plugin", "rm", "resource", "legacydns", "--yes");
      npmInstalled(stack.folder);
      says(
        await previews(told, () => stack.shell(`${commandOn(page, /^export PATH=/)}; pulumi preview`)),
        "$PATH",
      );
      const [entry] = blocksOf(page).filter(
        ({ language, text }) => language === "yaml" && text.startsWith("# Pulumi.yaml\n"),
      );
      appendFileSync(join(stack.folder, "Pulumi.yaml"), entry?.text ?? "");
      assert.doesNotMatch((await previews(told)).output, /warning/);
      // The reason for no PulumiPlugin.yaml (docs/decisions/0014): with one, the engine asks npm for packages
      // that must not be installed.
      const withFile = join(stack.folder, "with-file");
      cpSync(pluginFolder, withFile, { recursive: true });
      writeFileSync(join(withFile, "PulumiPlugin.yaml"), "runtime: nodejs\n");
      says(
        await stack.run("plugin", "install", "resource", "legacydns", version, "-f", withFile),
        "node_modules directory is missing",
      );
      for (const file of ["index.js", "service.js", "schema.json", "pulumi-resource-legacydns.cmd"])
        assert.ok(existsSync(join(pluginFolder, file)), file);
    }));
});
