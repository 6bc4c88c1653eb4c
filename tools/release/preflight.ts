/** Facts that must hold before a release: one owner in all files, one version in all artefacts, and notes for users. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../support/main";

interface Repository {
  readonly name: string;
  readonly owner: string;
  /** Its address for people. */
  readonly repository: string;
}
interface Release extends Repository {
  readonly version: string;
  readonly changelog: string;
}

/** `path:line:address` → an address of this project under another owner. */
export function strayAddresses(lines: readonly string[], { owner, name }: Repository): string[] {
  return lines.filter((line) => !line.endsWith(`/${owner}/${name}`));
}

/** Every address of the project in the tracked files, as `path:line:address`. */
export function addressesIn(folder: string, name: string): string[] {
  const pattern = `(github|githubusercontent)\\.com/[A-Za-z0-9._-]+/${name}`;
  const found = execFileSync("git", ["grep", "-nIoE", pattern], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return found.trimEnd().split("\n");
}

/**
 * The changelog's section of a version. Links to the repository's files become addresses of the tag.
 * @returns undefined if there is no such section, or if a final release has only an unreleased one
 */
export function notesOf({ version, changelog, repository }: Release): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const [wanted] = version.split("-");
  const section =
    sections.find((each) => each.startsWith(`${version}\n`)) ??
    (wanted === version ? undefined : sections.find((each) => each.startsWith(`${wanted} (unreleased)\n`)));
  const files = `${repository}/blob/v${version}`;
  return section
    ?.slice(section.indexOf("\n"))
    .trim()
    .replace(
      /\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]+)?\)/g,
      (_, path: string, anchor = "") =>
        `](${files}/${posix.normalize(path === "" ? "CHANGELOG.md" : path)}${String(anchor)})`,
    )
    .concat("\n");
}

/** @param tag such as v0.2.0; undefined before a release from a person's machine. @returns the reasons against it */
export function refusals(release: Release, addresses: readonly string[], tag?: string): string[] {
  const { owner, version } = release;
  const reasons = strayAddresses(addresses, release).map(
    (line) => `${line} is not the repository of package.json`,
  );
  if (owner === "OWNER")
    reasons.push("package.json names no repository: replace OWNER as CONTRIBUTING.md describes");
  if (tag !== undefined && tag !== `v${version}`)
    reasons.push(`the tag ${tag} does not fit the version of package.json: ${version}`);
  if (tag !== undefined && notesOf(release) === undefined)
    reasons.push(`CHANGELOG.md has no section \`## ${version}\``);
  return reasons;
}

/** @throws Error with all reasons against a release of this checkout. @returns its notes */
export function preflight(release: Omit<Release, "changelog">, tag?: string): string | undefined {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const reasons = refusals({ ...release, changelog }, addressesIn(root, release.name), tag);
  if (reasons.length > 0) throw new Error(reasons.join("\n"));
  return notesOf({ ...release, changelog });
}
