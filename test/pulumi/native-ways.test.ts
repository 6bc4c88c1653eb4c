/** The ways to get the plugin, each with a preview of a program that needs it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { bare } from "../support/native";
import { pluginFolder, type Run } from "../support/stack";
import { says, story, type Story } from "../support/story";

const root = resolve(__dirname, "../..");
const program = `${bare} new Record("one", { domain: "example.com", type: "A", value: "192.0.2.1", ttl: 600 });`;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

async function previews({ stack }: Story, run = (): Promise<Run> => stack.preview()): Promise<Run> {
  const preview = await run();
  assert.equal(preview.code, 0, preview.output);
  says(preview, "legacydns:index:Record one create");
  return preview;
}

describe("the plugin", () => {
  it("is installed from its folder, or from the archive of a release, and the engine says what to do where it is not there", () =>
    story({ program }, async (told) => {
      const { stack } = told;
      says(await stack.preview(), "no resource plugin 'pulumi-resource-legacydns' found");
      await stack.must("plugin", "install", "resource", "legacydns", version, "-f", pluginFolder);
      assert.doesNotMatch((await previews(told)).output, /warning/);
      await stack.must("plugin", "rm", "resource", "legacydns", "--yes");
      execFileSync("npm", ["run", "--silent", "plugin"], { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
      const release = join(root, "dist", "release");
      execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: release });
      const archive = join(release, `pulumi-resource-legacydns-v${version}-linux-amd64.tar.gz`);
      assert.ok(statSync(archive).size < 5_000_000, "the archive stays below 5 MB");
      await stack.must("plugin", "install", "resource", "legacydns", version, "-f", archive);
      await previews(told);
      for (const file of ["index.js", "schema.json", "pulumi-resource-legacydns.cmd"]) assert.ok(existsSync(join(pluginFolder, file)), file);
    }));

  it("is found on the PATH through npm's link", () =>
    story({ program }, async (told) => {
      const { stack } = told;
      const bin = join(stack.folder, "bin");
      mkdirSync(bin);
      symlinkSync(join(pluginFolder, "pulumi-resource-legacydns"), join(bin, "pulumi-resource-legacydns"));
      says(await previews(told, () => stack.runWith({ PATH: `${bin}:${String(stack.env["PATH"])}` }, "preview")), "$PATH");
    }));

  it("tells its schema to `pulumi package get-schema`", () =>
    story({ program }, async ({ stack }) => {
      const told = await stack.must("package", "get-schema", join(pluginFolder, "pulumi-resource-legacydns"));
      says(told, '"legacydns:index:RecordBatch"', '"legacydns:index:getDomain"');
    }));
});
