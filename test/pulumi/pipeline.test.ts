/** examples/pipeline: its steps on GitHub and GitLab, through the real engine. */
import { deepEqual, equal, fail, match, ok, rejects } from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { inFolder } from "../cli/run";
import { stepOf, transpiled } from "../support/examples";
import { manifest, read, root } from "../support/page";
import { freePort } from "../support/ports";
import { must, story } from "../support/story";

const execute = promisify(execFile);

const pipelineStep = (name: string) => stepOf("pipeline/dns.yml", name);

function gitlab(): Readonly<Record<"plan" | "note" | "up", { readonly script: readonly string[] }>> {
  return load(read("examples/pipeline/gitlab-ci.yml")) as ReturnType<typeof gitlab>;
}

/** Stands in for GitLab: notes of one merge request, in pages of 100. */
function gitlabService() {
  const notes = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, author: { id: 5 }, body: "talk" }));
  const calls: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const url = new URL(request.url ?? "", "http://localhost");
      const body = new URLSearchParams(sent).get("body") ?? "";
      equal(request.headers["private-token"], "secret-token");
      if (url.pathname === "/user") return response.end('{"id":7}');
      match(url.pathname, /^\/projects\/3\/merge_requests\/9\/notes/);
      const last = url.pathname.split("/").at(-1) ?? "";
      if (request.method !== "GET") calls.push(`${request.method ?? ""} ${last}`);
      if (request.method === "POST") notes.push({ id: notes.length + 1, author: { id: 7 }, body });
      if (request.method === "PUT") for (const note of notes) if (note.id === Number(last)) note.body = body;
      const page = Number(url.searchParams.get("page") ?? "1");
      response.setHeader("X-Next-Page", page * 100 < notes.length ? String(page + 1) : "");
      return response.end(JSON.stringify(notes.slice((page - 1) * 100, page * 100)));
    });
  });
  return { notes, calls, server };
}

describe("the example of a pipeline, through the real engine", () => {
  it("each stack of a pull request has a comment of its own", () =>
    inFolder(async (folder) => {
      const store = join(folder, "comments.json");
      const bot = { login: "github-actions[bot]" };
      const comments = (): { body: string }[] =>
        JSON.parse(readFileSync(store, "utf8")) as { body: string }[];
      // Stands in for gh, with the jq that is built into it.
      const gh = `#!${process.execPath}
      const [, , ...args] = process.argv, fs = require("node:fs"), store = ${JSON.stringify(store)};
      const all = JSON.parse(fs.readFileSync(store, "utf8")), body = fs.existsSync("plan.md") ? fs.readFileSync("plan.md", "utf8") : "";
      const id = Number(/comments\\/(\\d+)$/.exec(args.find((each) => each.startsWith("repos/")) ?? "")?.[1]);
      if (args[0] === "pr") all.push({ id: all.length + 1, user: ${JSON.stringify(bot)}, body });
      else if (args.includes("PATCH")) all.find((each) => each.id === id).body = body;
      else process.stdout.write(require("node:child_process").execFileSync("jq", [args[args.indexOf("--jq") + 1]], { input: JSON.stringify(all) }));
      fs.writeFileSync(store, JSON.stringify(all));`;
      writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
      const comment = async (plan: string) => {
        writeFileSync(join(folder, "plan.md"), plan);
        const env = {
          PATH: `${folder}:${String(process.env["PATH"])}`,
          NUMBER: "7",
          GITHUB_REPOSITORY: "team/zones",
        };
        await execute("bash", ["-ec", pipelineStep("Comment")], { cwd: folder, env });
      };
      const mark = (stack: string, text: string) => `<!-- pulumi-legacydns plan: ${stack} -->${text}`;
      const mine = mark("prod", " mine");
      writeFileSync(store, JSON.stringify([{ id: 1, user: { login: "somebody" }, body: mine }]));
      for (const text of ["\nfirst\n", "\nsecond\n"])
        for (const stack of ["prod", "prod2"]) await comment(mark(stack, text));
      const expected = [mine, mark("prod", "\nsecond\n"), mark("prod2", "\nsecond\n")];
      deepEqual(
        comments().map(({ body }) => body),
        expected,
      );
      await rejects(comment(""));
      equal(comments().length, 3);
    }));

  it("on GitLab each stack of a merge request has a note of its own, also for a refused plan", () =>
    inFolder(async (folder) => {
      const { notes, calls, server } = gitlabService();
      const port = await freePort();
      await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
      const { plan, note } = gitlab();
      const planScript = plan.script.join("\n").replaceAll("npx --no pulumi-legacydns plan", "./plan");
      const run = async (stack: string, shown: string, code = 0) => {
        const printed = `<!-- pulumi-legacydns plan: ${stack} -->\n${shown}`;
        const script = `#!/bin/sh\ncat <<'END'\n${printed}\nEND\nexit ${code}\n`;
        writeFileSync(join(folder, "plan"), script, { mode: 0o755 });
        const env = {
          PATH: process.env["PATH"],
          STACK: stack,
          CI_API_V4_URL: `http://127.0.0.1:${port}`,
          CI_PROJECT_ID: "3",
          CI_MERGE_REQUEST_IID: "9",
          GITLAB_TOKEN: "secret-token",
          NO_PROXY: "127.0.0.1",
        };
        const bash = (script: string) =>
          execute("bash", ["-ec", script], { cwd: folder, env }).then(
            () => 0,
            (error: { code: number }) => error.code,
          );
        deepEqual([await bash(planScript), await bash(note.script.join("\n"))], [code, 0]);
      };
      try {
        await run("prod", "first & more=1");
        await run("prod2", "other");
        await run("prod", "second", 1);
        deepEqual(calls, ["POST notes", "POST notes", "PUT 121"]);
        deepEqual(
          notes.slice(120).map(({ body }) => body),
          ["prod -->\nsecond\n", "prod2 -->\nother\n"].map((end) => `<!-- pulumi-legacydns plan: ${end}`),
        );
      } finally {
        server.close();
      }
    }));

  it("its README makes a repository that holds what the workflow needs", () =>
    story({}, async ({ stack: { env, folder }, stack }) => {
      const [, block = fail("no shell block")] =
        /```sh\n([^]*?)```/.exec(read("examples/pipeline/README.md")) ?? [];
      // No registry is used: npm packs, makes the manifest and prints the installation.
      const real = join(process.execPath, "..", "npm");
      const npm = `#!/bin/sh
      case "$1" in
        ci) exit 0;;
        install) shift; for each; do case "$each" in ./*) test -f "$each" || exit 1;; esac; done; echo "$@" > package-lock.json;;
        pack) exec ${real} "$@" --silent --ignore-scripts;;
        *) exec ${real} "$@";;
      esac`;
      mkdirSync(join(folder, "bin"));
      writeFileSync(join(folder, "bin", "npm"), npm, { mode: 0o755 });
      const [name, email] = ["a", "a@example.org"];
      await must(
        stack.shell(block, {
          CLONE: root,
          PATH: `${join(folder, "bin")}:${env["PATH"] ?? ""}`,
          ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email },
          ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
        }),
      );
      const tarball = `vendor/pulumi-legacydns-${manifest.version}.tgz`;
      const files = (await must(stack.shell("cd zones; git ls-files"))).output.split("\n");
      const needed = ["Pulumi.prod.yaml", "Pulumi.yaml", "index.ts", "package-lock.json", "package.json"];
      for (const file of [".github/workflows/dns.yml", ...needed, tarball])
        ok(files.includes(file), `${file} is not in\n${files.join("\n")}`);
      const text = (file: string) => readFileSync(join(folder, "zones", file), "utf8");
      match(text("Pulumi.prod.yaml"), /legacydns:contact: you@example\.org/);
      equal(text("package-lock.json"), `./${tarball} @pulumi/pulumi typescript@5\n`);
    }));

  for (const [where, planStep, upStep] of [
    ["GitHub", () => pipelineStep("Plan"), () => pipelineStep("Up")],
    ["GitLab", () => gitlab().plan.script[0] ?? "", () => gitlab().up.script.join("\n")],
  ] as const)
    it(`what its steps run on ${where} works, plan as a comment first, then up and verify`, () =>
      story(
        {
          main: "../../../examples/pipeline/index.ts",
          service: { domains: ["example.com"], dnsPort: 0 },
          env: { ...transpiled, STACK: "test" },
        },
        async ({ emulator, stack, ids }) => {
          const cli = `node ${join(root, "dist", "cli", "main.js")}`;
          const server = `127.0.0.1:${emulator.dnsPort ?? 0}`;
          const run = (text: string) =>
            must(
              stack.shell(
                text
                  .replaceAll("npx --no pulumi-legacydns verify", `${cli} verify --server ${server}`)
                  .replaceAll("npx --no pulumi-legacydns", cli),
              ),
            );
          await run(planStep());
          const made = (file: string) => readFileSync(join(stack.folder, file), "utf8");
          match(made("plan.md"), /example\.com[^]*\n\+ www\.example\.com\. CNAME example\.com\. +600\n/);
          match(made("plan.html"), /<span class="line add">\+ www\.example\.com\. /);
          await run(upStep());
          equal(ids().length, 3);
        },
      ));
});
