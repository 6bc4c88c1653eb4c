import { deepEqual, equal, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workflowIn, type Step } from "../support/examples";

const { jobs } = workflowIn(".github/workflows/release.yml");
const [tag, commit] = ["v0.2.0", "c0ffee"];
const artefacts = [
  "plugin.tar.gz",
  "pulumi-legacydns-0.2.0.tgz",
  "pulumi_legacydns-0.2.0.whl",
  "pulumi_legacydns-0.2.0.tar.gz",
];

/** `gh` and `npm` with the calls that the workflow makes. The public world is a folder of files with a line per item. */
const program = `#!/bin/bash
fail() { echo "$1" >&2; exit 1; }
has() { grep -qsxF -- "$2" "$WORLD/$1"; }
add() { printf '%s\\n' "$2" >> "$WORLD/$1"; }
after() { local option=$1; shift; while [ "$1" != "$option" ]; do shift; done; echo "$2"; }
left=$(<"$WORLD/left")
echo $((left - 1)) > "$WORLD/left"
[ "$left" != 0 ] || fail "the network is down"
case "\${0##*/} $1 $2" in
  "gh release view")
    has releases "$3" || fail "release not found"
    has published "$3" && isDraft=false || isDraft=true
    jq -rn "{ isDraft: $isDraft } | $(after --jq "$@")" ;;
  "gh release create")
    has releases "$3" && fail "a release with this tag exists"
    [ -s "$(after --notes-file "$@")" ] || fail "no notes"
    add releases "$3"
    [[ " $* " = *" --draft "* ]] || { add published "$3"; add events release; } ;;
  "gh release upload")
    has published "$3" && fail "the release is published"
    for file in "\${@:4}"; do
      [ "$file" = --clobber ] && continue
      [ -s "$file" ] || fail "no such file"
      if ! has files "$file"; then add files "$file"; elif [[ "$*" != *--clobber* ]]; then fail "asset exists"; fi
    done
    add events archives ;;
  "gh release edit")
    has published "$3" || { [[ "$*" = *--draft=false* ]] && add published "$3" && add events release; } ;;
  "gh api repos/"*/git/matching-refs/*)
    while read -r ref sha; do
      if [[ "$ref" = refs/"\${2#*/matching-refs/}"* ]]; then echo "{\\"ref\\":\\"$ref\\",\\"object\\":{\\"sha\\":\\"$sha\\"}}"; fi
    done < "$WORLD/refs" | jq -s | jq -r "$(after --jq "$@")" ;;
  "gh api --silent")
    [ "$3" = "repos/$GH_REPO/git/refs" ] || fail "unknown path $3"
    for field in "$@"; do case "$field" in ref=*) ref=\${field#ref=} ;; sha=*) sha=\${field#sha=} ;; esac; done
    grep -q "^$ref " "$WORLD/refs" && fail "Reference already exists"
    add refs "$ref $sha"
    add events go ;;
  "npm view "*)
    ! has npm 0.2.0 || echo 0.2.0 ;;
  "npm publish "*)
    [ -s "\${@: -1}" ] || fail "no such file"
    has npm 0.2.0 && fail "cannot publish over the published versions"
    add npm 0.2.0
    add events npm ;;
  *) fail "unknown call \${0##*/} $*" ;;
esac
`;

const root = mkdtempSync(join(tmpdir(), "legacydns-release-job-"));

/** The folders of one try: the job's working directory and the public world, which outlives it. */
class Release {
  private readonly folder = mkdtempSync(join(root, "release-"));
  private readonly world = join(this.folder, "world");

  constructor(refs = "") {
    mkdirSync(this.world);
    for (const name of ["gh", "npm"]) writeFileSync(join(this.folder, name), program, { mode: 0o755 });
    for (const name of ["releases", "published", "files", "npm", "pypi", "events"])
      writeFileSync(join(this.world, name), "");
    writeFileSync(join(this.world, "refs"), refs);
  }

  /** @param left the number of calls until one fails. @returns whether every step succeeded */
  run(steps: readonly Step[], left = -1): boolean {
    writeFileSync(join(this.world, "left"), String(left));
    const job = mkdtempSync(join(this.folder, "job-"));
    writeFileSync(join(job, "release-notes.md"), "notes");
    mkdirSync(join(job, "release"));
    for (const name of artefacts) writeFileSync(join(job, "release", name), name);
    const env = {
      PATH: `${this.folder}:${process.env["PATH"] ?? ""}`,
      WORLD: this.world,
      GH_REPO: "team/pulumi-legacydns",
      GITHUB_REF_NAME: tag,
      GITHUB_SHA: commit,
    };
    return steps.every(({ uses = "", run, with: options }) => {
      if (uses.startsWith("pypa/gh-action-pypi-publish@")) return this.publishPython(options);
      if (run === undefined) return true;
      return spawnSync("bash", ["-e", "-c", run], { cwd: job, env, stdio: "ignore" }).status === 0;
    });
  }

  lines(name: string): string[] {
    return readFileSync(join(this.world, name), "utf8").split("\n").filter(Boolean);
  }

  get left(): number {
    return Number(this.lines("left")[0]);
  }

  get state() {
    const names = ["releases", "published", "files", "refs", "npm", "pypi"];
    return Object.fromEntries(names.map((name) => [name, this.lines(name).sort()]));
  }

  /** The action fails for a version that is there, unless it skips it. */
  private publishPython(options: Step["with"] = {}): boolean {
    const { left } = this;
    writeFileSync(join(this.world, "left"), String(left - 1));
    if (left === 0) return false;
    if (this.lines("pypi").length > 0) return options["skip-existing"] === true;
    appendFileSync(join(this.world, "pypi"), "0.2.0\n");
    appendFileSync(join(this.world, "events"), "pypi\n");
    return true;
  }
}

const published = {
  releases: [tag],
  published: [tag],
  files: artefacts.map((name) => `release/${name}`).sort(),
  refs: [`refs/tags/sdk/go/legacydns/${tag} ${commit}`],
  npm: ["0.2.0"],
  pypi: ["0.2.0"],
};

describe("the release workflow", () => {
  after(() => rmSync(root, { recursive: true }));

  const needsApproval = Object.entries(jobs).filter(([, { environment }]) => environment !== undefined);
  const [, publish] = needsApproval[0] ?? [];
  ok(publish);

  it("asks for one approval, after all checks, artefacts and proofs", () => {
    equal(needsApproval.length, 1);
    deepEqual(
      Object.keys(jobs).filter((name) => ![publish.needs ?? []].flat().includes(name)),
      [needsApproval[0]?.[0]],
    );
    const commands = (jobs["build"]?.steps ?? []).flatMap(({ run }) => run?.trim().split("\n") ?? []);
    const at = ["--preflight", ".ci/run", "npm run --silent generate", "git diff", "release:check"].map(
      (part) => commands.findIndex((line) => line.includes(part)),
    );
    ok(!at.includes(-1), String(at));
    deepEqual(
      at,
      at.toSorted((a, b) => a - b),
    );
  });

  it("makes no SDK public before all archives are uploaded, and the release last", () => {
    const release = new Release();
    equal(release.run(publish.steps), true);
    deepEqual(release.lines("events"), ["archives", "go", "npm", "pypi", "release"]);
    deepEqual(release.state, published);
  });

  it("can run again after a failure of any call, and after a success", () => {
    let failing = 0;
    for (let hasFailed = true; hasFailed; failing += 1) {
      const release = new Release();
      release.run(publish.steps, failing);
      hasFailed = release.left < 0;
      equal(release.run(publish.steps), true, `after call ${failing}`);
      deepEqual(release.state, published, `after call ${failing}`);
    }
    ok(failing > 7);
  });

  it("stops if the Go module's tag is one of another commit", () => {
    const release = new Release(`refs/tags/sdk/go/legacydns/${tag} another\n`);
    equal(release.run(publish.steps), false);
    deepEqual(release.lines("events"), ["archives"]);
  });
});
