import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { blocksOf, linkedFrom, manifest, prose, registryPages, root } from "../support/page";

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** npm shows any `README.*.md` of the top folder as the package's page, so translations are in docs/. */
const allowed = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  /^dist\/(provider|emulator|cli)\/[\w./-]+\.(js|d\.ts)$/,
  /^dist\/plugin\/((index|service|undici)\.js|package\.json|schema\.json|LICENSE|pulumi-resource-legacydns(\.cmd)?)$/,
  /^dist\/emulator\/page\/files\/[\w.-]+$/,
  /^docs\/[\w/-]+(\.zh-CN)?\.(md|svg)$/,
  /^examples\/(README\.md|[\w-]+\/[\w./-]+\.(ts|py|go|mod|sum|txt|yml|yaml|zone|md))$/,
];

const plugin = ["index.js", "service.js", "undici.js", "schema.json", "pulumi-resource-legacydns.cmd"];
const must = [
  ...["LICENSE", "SECURITY.md", "docs/README.md", "docs/reference/record.md", "dist/provider/runtime.js"],
  ...["dist/provider/runtime.d.ts", ...plugin.map((name) => `dist/plugin/${name}`)],
];

describe("the npm package", () => {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const text = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const answer = JSON.parse(text) as Packed[] | Record<string, Packed>;
  // npm 11 answers by name where earlier ones have a list.
  const [packed] = Object.values(answer);
  ok(packed);
  const paths = packed.files.map(({ path }) => path);
  const markdown = paths.filter((path) => path.endsWith(".md"));

  it("contains only files for users: no tests, sources or maps, and nothing of this machine", () => {
    for (const path of paths)
      ok(
        allowed.some((pattern) => pattern.test(path)),
        path,
      );
    const { main, types, bin } = manifest;
    for (const path of [...must, main, types, ...Object.values(bin)]) ok(paths.includes(path), path);
    const launcher = packed.files.find(({ path }) => path === "dist/plugin/pulumi-resource-legacydns");
    equal((launcher?.mode ?? 0) & 0o111, 0o111, "it can be run");
  });

  it("contains every page for users and every example, and no file of an old build", () => {
    const there = ["docs", "examples"]
      .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      .filter(
        (entry) => entry.isFile() && !/node_modules|\.work|docs.(?:errors$|site)/.test(entry.parentPath),
      );
    const missing = there
      .map(({ parentPath, name }) =>
        posix.join(parentPath.slice(root.length + 1).replaceAll("\\", "/"), name),
      )
      .filter((path) => !paths.includes(path));
    const ofContributors = linkedFrom("CONTRIBUTING.md").filter((page) => page.startsWith("docs/"));
    deepEqual(missing.sort(), [...ofContributors, ...registryPages].sort());
    const sources = paths
      .filter((path) => /^dist\/(provider|emulator|cli)\/.*\.js$/.test(path))
      .map((path) => join(root, path.replace(/^dist\//, "")));
    for (const path of sources)
      ok(existsSync(path) || existsSync(path.replace(/js$/, "ts")), `${path} has no source any more`);
  });

  it("has no page with a program that imports a file of the repository", () => {
    for (const { page, line, text } of markdown.flatMap(blocksOf))
      doesNotMatch(text, /\bfrom "\.\./, `${page}:${line}`);
  });

  it("has no page that leads to a file outside of the package", () => {
    for (const page of markdown)
      for (const [, target = ""] of prose(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g))
        ok(paths.includes(posix.join(posix.dirname(page), target)), `${page}: ${target}`);
  });

  it("stays small: below 1.5 MB packed and 6 MB unpacked", () => {
    ok(packed.size < 1_500_000, `${packed.size} bytes packed`);
    ok(packed.unpackedSize < 6_000_000, `${packed.unpackedSize} bytes unpacked`);
  });
});
