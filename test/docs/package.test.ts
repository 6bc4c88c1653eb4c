import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { execSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, posix, relative } from "node:path";
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
  const command = "npm pack --dry-run --json --ignore-scripts 2>/dev/null";
  // npm 11 answers by name where earlier ones have a list.
  const [packed] = Object.values<Packed>(JSON.parse(execSync(command, { cwd: root, encoding: "utf8" })));
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
      )
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll("\\", "/"));
    const missing = there.filter((path) => !paths.includes(path));
    const ofContributors = linkedFrom("CONTRIBUTING.md").filter((page) => page.startsWith("docs/"));
    deepEqual(missing.sort(), [...ofContributors, ...registryPages].sort());
    for (const path of paths) {
      const [, source = ""] = /^dist\/((?:provider|emulator|cli)\/.*)js$/.exec(path) ?? [];
      ok(
        ["js", "ts"].some((kind) => source === "" || existsSync(join(root, source + kind))),
        `${path} has no source`,
      );
    }
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
