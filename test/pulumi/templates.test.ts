/** `pulumi new` makes a project of each template, and its program deploys a zone with the language's own host. */
import { deepEqual } from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { GO_ENVIRONMENT } from "../../tools/engine/build";
import { ensureHosts } from "../../tools/engine/hosts";
import { ensureEngine } from "../../tools/engine/index";
import { project } from "../../tools/release/project";
import { installPlugin, pythonWithSdk } from "../support/languages";
import { root } from "../support/page";
import { must, type Stack, story } from "../support/story";

const { version } = JSON.parse(
  readFileSync(join(root, "node_modules/@pulumi/pulumi/package.json"), "utf8"),
) as { version: string };

async function shell(stack: Stack, command: string, env: Readonly<Record<string, string>> = {}) {
  await must(stack.shell(command, env));
}

/** What `pulumi install` does for a project, with the checkout in place of the published package. */
const installs: Readonly<Record<string, (stack: Stack) => Promise<void>>> = {
  "legacydns-typescript": (stack) => {
    // The project is in a folder of the checkout, so Node.js finds all other packages there.
    mkdirSync(join(stack.folder, "node_modules"));
    symlinkSync(root, join(stack.folder, "node_modules/pulumi-legacydns"));
    return shell(stack, `${join(root, "node_modules/.bin/tsc")} --noEmit --types node`);
  },
  "legacydns-python": async (stack) => {
    const python = pythonWithSdk(version);
    symlinkSync(dirname(dirname(python)), join(stack.folder, "venv"));
    cpSync(join(root, "sdk/python"), join(stack.folder, "sdk"), { recursive: true });
    await shell(
      stack,
      `${python} -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --target site ./sdk`,
    );
  },
  "legacydns-go": (stack) =>
    shell(
      stack,
      `go mod edit -replace=${project.goModule}=${join(root, "sdk/go/legacydns")} \
        -require=github.com/pulumi/pulumi/sdk/v3@v${version} && go mod tidy`,
      { ...GO_ENVIRONMENT, GOFLAGS: "-mod=mod" },
    ),
  "legacydns-yaml": () => Promise.resolve(),
};

async function withHosts(stack: Stack, command: string): Promise<void> {
  const hosts = await ensureHosts(await ensureEngine({ say: () => undefined }));
  await shell(stack, command, {
    ...GO_ENVIRONMENT,
    // The old host for Python ignores the project's option `virtualenv`.
    PATH: `${join(stack.folder, "venv/bin")}:${hosts}:${String(stack.env["PATH"])}:/usr/local/go/bin`,
    PYTHONPATH: join(stack.folder, "site"),
    PYTHONDONTWRITEBYTECODE: "1",
  });
}

describe("pulumi new", () => {
  for (const [template, install] of Object.entries(installs))
    it(`makes a project of the template ${template} that deploys a zone`, async function () {
      // A machine that has never compiled the SDK for Go takes minutes.
      this.timeout(600_000);
      await story({}, async ({ stack, lines }) => {
        const from = join(root, "templates", template);
        await withHosts(stack, `pulumi new ${from} --generate-only --force --yes --name zones --dir .`);
        const made = readdirSync(from).filter((file) =>
          readFileSync(join(stack.folder, file)).includes("${"),
        );
        deepEqual(
          made.filter((file) => template !== "legacydns-yaml" || file !== "Pulumi.yaml"),
          [],
          "no placeholder is left",
        );
        await install(stack);
        await installPlugin(stack);
        await withHosts(stack, "pulumi config set domain example.com && pulumi up --yes --skip-preview");
        deepEqual(lines(), ["@ A 192.0.2.1 600", "@ TXT v=spf1 -all 3600", "www A 192.0.2.1 600"]);
      });
    });

  it("knows a template of every language", () => {
    deepEqual(readdirSync(join(root, "templates")).sort(), Object.keys(installs).sort());
  });
});

describe("the example in YAML", () => {
  it("deploys two domains and then finds nothing to do", () =>
    story({}, async ({ stack, ids }) => {
      await installPlugin(stack);
      cpSync(join(root, "examples/yaml/Pulumi.yaml"), join(stack.folder, "Pulumi.yaml"));
      await withHosts(stack, "pulumi stack init yaml && pulumi up --yes --skip-preview");
      deepEqual([ids().length, ids("example.net").length], [8, 2]);
      await withHosts(stack, "pulumi up --yes --skip-preview --expect-no-changes");
    }));
});
