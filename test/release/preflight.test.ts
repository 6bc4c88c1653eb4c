import { deepEqual, equal } from "node:assert/strict";
import { execSync, spawnSync } from "node:child_process";
import { addressesIn, notesOf, refusals, strayAddresses } from "../../tools/release/preflight";
import { project } from "../../tools/release/project";
import { inFolder, write } from "../cli/run";
import { manifest, pages, read, root } from "../support/page";

const changelog = `# Changelog
Text.

## 0.3.0 (unreleased)

- Third.

## 0.2.0

- A [page](docs/a.md#b), [this](#020), an [address](https://example.com/).

### Removed
- More.

## 0.1.0

- First.
`;
const repository = "https://github.com/team/zones";
const release = { name: "zones", owner: "team", repository, version: "0.2.0", changelog };

describe("a release", () => {
  it("has one section of the changelog as notes, with links to the files of its tag", () => {
    const files = `${repository}/blob/v0.2.0`;
    equal(
      notesOf(release),
      `- A [page](${files}/docs/a.md#b), [this](${files}/CHANGELOG.md#020), an [address](https://example.com/).

### Removed
- More.
`,
    );
  });

  it("has the unreleased section as notes only if it is a prerelease of that version", () => {
    equal(notesOf({ ...release, version: "0.3.0-rc.1" }), "- Third.\n");
    for (const version of ["0.3.0", "0.4.0-rc.1", "0.1"]) equal(notesOf({ ...release, version }), undefined);
  });

  it("is refused if its tag, its version, its changelog and its owner do not agree", () => {
    const count = (changed: object, tag?: string): number =>
      refusals({ ...release, ...changed }, [], tag).length;
    equal(count({}, "v0.2.0"), 0);
    equal(count({}), 0);
    equal(count({}, "v0.2.1"), 1);
    equal(count({ version: "0.3.0" }, "v0.3.0"), 1);
    equal(count({ owner: "OWNER" }), 1);
    equal(refusals(release, ["a.md:1:github.com/OWNER/zones"]).length, 1);
  });

  it("finds every address of the project under another owner", () =>
    inFolder((folder) => {
      write(folder, {
        "README.md": "https://github.com/team/zones\nhttps://github.com/other/zones/blob/main/x\n",
        "sdk/go.mod": "module github.com/OWNER/zones/sdk\n",
        "a.json": '{ "logo": "https://raw.githubusercontent.com/other/zones/main/logo.svg" }\n',
        "b.yaml": "url: github://api.github.com/other/zones\n# other/zones, github.com/other/zoo\n",
      });
      execSync("git init --quiet && git add .", { cwd: folder });
      const found = strayAddresses(addressesIn(folder, "zones"), release);
      deepEqual(
        found.map((line) => line.split(":", 2).join(":")),
        ["README.md:2", "a.json:1", "b.yaml:1", "sdk/go.mod:1"],
      );
    }));
});

describe("this project", () => {
  it("is not published before it names its repository", () => {
    const { scripts, repository } = manifest;
    const options = { shell: true, cwd: root, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(scripts.prepublishOnly ?? "", options);
    equal(status, repository.url.includes("OWNER") ? 1 : 0, stderr);
  });

  it("has one owner, that of package.json, in every file", () => {
    deepEqual(strayAddresses(addressesIn(root, project.name), project), []);
  });

  it("has one version, that of package.json, in every command of its pages", () => {
    const installs = pages().flatMap((page) => [...read(page).matchAll(/resource legacydns (\d\S+) -f/g)]);
    deepEqual(
      installs.map(([, version]) => version),
      [project.version],
    );
  });
});
