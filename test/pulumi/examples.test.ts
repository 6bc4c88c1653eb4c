import assert from "node:assert/strict";
import { must } from "../support/story";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import type { Emulator, StartOptions } from "../../emulator";
import { ensureEngine, engineEnvironment } from "../../scripts/engine/index";
import { freePort } from "../support/ports";
import { settingsOf, startService, zoneLines } from "../support/service";
import { Stack } from "../support/stack";

const root = resolve(__dirname, "../..");
const execute = promisify(execFile);

async function inTemporary(tell: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "legacydns-example-"));
  try {
    await tell(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const agency = "agency@example.org";
/** `npm run types` has checked the examples' types; an update that checks them again takes twice as long. */
const transpiled = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

/** Deploys an example twice: the second time without a call that writes, and look-ups aside without any. */
async function deploy(
  name: string,
  options: {
    service?: StartOptions;
    env?: Record<string, string>;
    /** Changes the program's text. */
    adapt?: (text: string) => string;
    reads?: boolean;
  },
  look: (service: Emulator) => void,
): Promise<void> {
  const service = await startService({
    domains: ["example.com", "example.net", "example.org"],
    ...options.service,
  });
  service.admin.addAccount({ email: agency });
  service.admin.addAccount({ email: "auditor@example.org" });
  service.admin.addShare("example.com", { email: "auditor@example.org", mode: "rw" });
  service.admin.addShare("example.net", { email: agency });
  const example = join(root, "examples", name, "index.ts");
  const { adapt } = options;
  const stack = await Stack.create({
    program: "",
    main: adapt === undefined ? `../../../examples/${name}/index.ts` : "example.ts",
    env: { ...settingsOf(service), ...transpiled, ...options.env },
  });
  try {
    if (adapt !== undefined)
      writeFileSync(join(stack.folder, "example.ts"), adapt(readFileSync(example, "utf8")));
    await must(stack.up());
    look(service);
    service.admin.clearCalls();
    await must(stack.up());
    const reads = options.reads === true ? ["Domain.List", "Domain.Purview"] : [];
    assert.deepEqual(
      Object.keys(service.admin.counts()).filter((operation) => !reads.includes(operation)),
      [],
    );
  } finally {
    stack.dispose();
    await service.close();
  }
}

/** The script of a step in the example's pipeline. */
function pipelineStep(name: string): string {
  const text = readFileSync(join(root, "examples", "pipeline", "dns.yml"), "utf8");
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { name?: string; run?: string }[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return steps.find((each) => each.name === name)?.run ?? assert.fail(`no step ${name}`);
}

/** The jobs of the example for GitLab. */
function gitlab(): Readonly<Record<"plan" | "note" | "up", { readonly script: readonly string[] }>> {
  return parse(readFileSync(join(root, "examples", "pipeline", "gitlab-ci.yml"), "utf8")) as ReturnType<
    typeof gitlab
  >;
}

describe("the examples, through the real engine", () => {
  it("are the ones that are tested here", () => {
    const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    // Those in other languages are run by promises/languages.test.ts and native-go.test.ts; that in YAML is held to the schema (test/package/schema).
    const languages = ["go", "python", "yaml"];
    // test/pulumi/policy.test.ts runs the policy pack.
    const elsewhere = [...languages, "policy"];
    assert.deepEqual(
      folders
        .map(({ name }) => name)
        .filter((name) => !elsewhere.includes(name))
        .sort(),
      [
        "automation",
        "look-ups",
        "many-domains",
        "pipeline",
        "quickstart",
        "shards",
        "shares",
        "single-records",
        "two-accounts",
        "zones-from-files",
      ],
    );
  });

  it("single-records", () =>
    deploy("single-records", {}, (service) => {
      assert.deepEqual(zoneLines(service, "example.com"), [
        "@ A 192.0.2.10 600",
        "@ MX 10 mx1.example.org. 600",
        "_verify TXT s3cr3t-verification 600",
        "www CNAME example.com. 600",
      ]);
    }));

  it("many-domains, in one job for each resource at the most", () =>
    deploy("many-domains", {}, (service) => {
      for (const domain of ["example.com", "example.net", "example.org"])
        assert.equal(zoneLines(service, domain).length, 5);
      assert.ok((service.admin.counts()["Batch.Record.Create"] ?? 0) <= 2);
    }));

  it("zones-from-files", () =>
    deploy("zones-from-files", {}, (service) => {
      assert.deepEqual(zoneLines(service, "example.com"), [
        "@ A 192.0.2.1 3600",
        "@ MX 10 mx1.mail.example.com. 3600",
        "@ TXT v=spf1 mx -all 3600",
        "mx1.mail A 192.0.2.25 600",
        "www CNAME example.com. 3600",
      ]);
      assert.equal(zoneLines(service, "example.net").length, 5);
    }));

  it("shares", () =>
    deploy("shares", {}, (service) => {
      assert.equal(service.admin.shares("example.com")[0]?.mode, "r");
      assert.deepEqual(
        service.admin.shares("example.net").map(({ mode, subDomain }) => ({ mode, subDomain })),
        [{ mode: "rw", subDomain: "shop" }],
      );
    }));

  it("two-accounts", async () => {
    const other = await startService({ domains: ["example.edu"], token: "other-token" });
    try {
      const adapt = (text: string): string => text.replace("https://dns.example.edu", other.url);
      await deploy("two-accounts", { env: { SUBSIDIARY_LOGIN_TOKEN: "other-token" }, adapt }, (service) => {
        assert.deepEqual(
          zoneLines(service, "example.com"),
          ["@ A 192.0.2.1 600", "www CNAME example.com. 600"].sort(),
        );
        assert.deepEqual(zoneLines(other, "example.edu"), ["@ A 192.0.2.1 600"]);
      });
    } finally {
      await other.close();
    }
  });

  it("look-ups", () =>
    deploy(
      "look-ups",
      {
        reads: true,
        service: { domains: ["example.com", { name: "example.net", purview: { minTtl: 600 } }] },
      },
      (service) => {
        assert.deepEqual(zoneLines(service, "example.com"), ["health A 192.0.2.1 60"]);
        assert.deepEqual(zoneLines(service, "example.net"), []);
      },
    ));

  it("shards: a stack for each folder of zones, which the pipeline's matrix lists", async () => {
    const service = await startService({ domains: ["example.com", "example.net", "example.org"] });
    const stack = await Stack.create({
      program: "",
      main: "../../../examples/shards/index.ts",
      env: { ...settingsOf(service), ...transpiled },
    });
    try {
      const { jobs } = parse(readFileSync(join(root, "examples", "shards", "dns.yml"), "utf8")) as {
        jobs: {
          shards: { steps: { name?: string; run?: string }[] };
          up: { steps: { name?: string; run?: string }[] };
        };
      };
      const stepOf = (job: "shards" | "up", name: string): string =>
        jobs[job].steps.find((step) => step.name === name)?.run ?? assert.fail(`no step ${name}`);
      const output = join(stack.folder, "output");
      await execute("bash", ["-ec", stepOf("shards", "List")], {
        cwd: join(root, "examples", "shards"),
        env: { PATH: process.env["PATH"], GITHUB_OUTPUT: output },
      });
      const shards = JSON.parse(readFileSync(output, "utf8").replace("shards=", "")) as string[];
      assert.deepEqual(shards, ["brands", "parked"]);
      for (const shard of shards) {
        await stack.must("stack", "init", shard);
        const run = await stack.shell(`export SHARD=${shard}; ${stepOf("up", "Up")}`);
        assert.equal(run.code, 0, run.output);
      }
      assert.deepEqual(zoneLines(service, "example.com").length, 3);
      assert.deepEqual(zoneLines(service, "example.net").length, 2);
      assert.deepEqual(zoneLines(service, "example.org"), ["@ A 192.0.2.99 3600", "@ TXT v=spf1 -all 3600"]);
    } finally {
      stack.dispose();
      await service.close();
    }
  });

  it("automation", async () => {
    const domains = ["example.com", "example.net", "example.org"];
    const service = await startService({ domains });
    try {
      await inTemporary(async (folder) => {
        const engine = await ensureEngine({ say: () => undefined });
        const env = {
          ...engineEnvironment(engine, { home: join(folder, "home"), backend: join(folder, "backend") }),
          ...settingsOf(service),
          ...transpiled,
          LEGACYDNS_STATE_DIR: join(folder, "state"),
        };
        const run = async (): Promise<string> => {
          const args = ["-r", "ts-node/register/transpile-only", "index.ts"];
          const cwd = join(root, "examples", "automation");
          return (await execute(process.execPath, args, { cwd, env })).stdout;
        };
        const first = await run();
        for (const domain of domains) assert.match(first, new RegExp(`${domain}: \\{"create":3\\}`));
        assert.equal(zoneLines(service, "example.org").length, 2);
        service.admin.clearCalls();
        assert.match(await run(), /example\.org: \{"same":3\}/);
        assert.deepEqual(service.admin.counts(), {});
      });
    } finally {
      await service.close();
    }
  });

  it("pipeline: each stack of a pull request has a comment of its own", () =>
    inTemporary(async (folder) => {
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
      const comment = async (plan: string): Promise<void> => {
        writeFileSync(join(folder, "plan.md"), plan);
        const env = {
          PATH: `${folder}:${String(process.env["PATH"])}`,
          NUMBER: "7",
          GITHUB_REPOSITORY: "team/zones",
        };
        await execute("bash", ["-ec", pipelineStep("Comment")], { cwd: folder, env });
      };
      const mark = (stack: string, text: string): string => `<!-- pulumi-legacydns plan: ${stack} -->${text}`;
      const mine = mark("prod", " mine");
      writeFileSync(store, JSON.stringify([{ id: 1, user: { login: "somebody" }, body: mine }]));
      for (const text of ["\nfirst\n", "\nsecond\n"])
        for (const stack of ["prod", "prod2"]) await comment(mark(stack, text));
      const expected = [mine, mark("prod", "\nsecond\n"), mark("prod2", "\nsecond\n")];
      assert.deepEqual(
        comments().map(({ body }) => body),
        expected,
      );
      // A plan that was never written has no comment either.
      await assert.rejects(comment(""));
      assert.equal(comments().length, 3);
    }));

  it("pipeline: on GitLab each stack of a merge request has a note of its own, also for a refused plan", () =>
    inTemporary(async (folder) => {
      const notes = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, author: { id: 5 }, body: "talk" }));
      const calls: string[] = [];
      const server = createServer((request, response) => {
        void text(request).then((sent) => {
          const url = new URL(request.url ?? "", "http://localhost");
          const body = new URLSearchParams(sent).get("body") ?? "";
          assert.equal(request.headers["private-token"], "secret-token");
          if (url.pathname === "/user") return response.end('{"id":7}');
          assert.match(url.pathname, /^\/projects\/3\/merge_requests\/9\/notes/);
          const last = url.pathname.split("/").at(-1) ?? "";
          if (request.method !== "GET") calls.push(`${request.method ?? ""} ${last}`);
          if (request.method === "POST") notes.push({ id: notes.length + 1, author: { id: 7 }, body });
          if (request.method === "PUT")
            for (const note of notes) if (note.id === Number(last)) note.body = body;
          const page = Number(url.searchParams.get("page") ?? "1");
          response.setHeader("X-Next-Page", page * 100 < notes.length ? String(page + 1) : "");
          return response.end(JSON.stringify(notes.slice((page - 1) * 100, page * 100)));
        });
      });
      const port = await freePort();
      await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
      const { plan, note } = gitlab();
      const planScript = plan.script.join("\n").replaceAll("npx --no pulumi-legacydns plan", "./plan");
      const run = async (stack: string, shown: string, code = 0): Promise<void> => {
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
        const bash = (script: string): Promise<number> =>
          execute("bash", ["-ec", script], { cwd: folder, env }).then(
            () => 0,
            (error: { code: number }) => error.code,
          );
        assert.deepEqual([await bash(planScript), await bash(note.script.join("\n"))], [code, 0]);
      };
      try {
        await run("prod", "first & more=1");
        await run("prod2", "other");
        await run("prod", "second", 1);
        assert.deepEqual(calls, ["POST notes", "POST notes", "PUT 121"]);
        assert.deepEqual(
          notes.slice(120).map(({ body }) => body),
          ["prod -->\nsecond\n", "prod2 -->\nother\n"].map((end) => `<!-- pulumi-legacydns plan: ${end}`),
        );
      } finally {
        server.close();
      }
    }));

  it("pipeline: its README makes a repository that holds what the workflow needs", () =>
    inTemporary(async (folder) => {
      const [, block = assert.fail("no shell block")] =
        /```sh\n([^]*?)```/.exec(readFileSync(join(root, "examples", "pipeline", "README.md"), "utf8")) ?? [];
      // No registry is used: npm packs, makes the manifest and prints the installation.
      const npm = `#!/bin/sh
      case "$1" in
        ci) exit 0;;
        install) shift; for each; do case "$each" in ./*) test -f "$each" || exit 1;; esac; done; echo "$@" > package-lock.json;;
        pack) exec ${join(process.execPath, "..", "npm")} "$@" --silent --ignore-scripts;;
        *) exec ${join(process.execPath, "..", "npm")} "$@";;
      esac`;
      mkdirSync(join(folder, "bin"));
      writeFileSync(join(folder, "bin", "npm"), npm, { mode: 0o755 });
      const engine = await ensureEngine({ say: () => undefined });
      const own = engineEnvironment(engine, { home: join(folder, "home"), backend: join(folder, "backend") });
      const git = {
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@example.org",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@example.org",
      };
      const env = { ...own, ...git, CLONE: root, PATH: `${join(folder, "bin")}:${own["PATH"] ?? ""}` };
      await execute("bash", ["-ec", block], { cwd: folder, env });
      const { stdout } = await execute("git", ["ls-files"], { cwd: join(folder, "zones"), env });
      for (const file of [
        ".github/workflows/dns.yml",
        "Pulumi.prod.yaml",
        "Pulumi.yaml",
        "index.ts",
        "package-lock.json",
        "package.json",
        "vendor/pulumi-legacydns-0.1.0.tgz",
      ]) {
        assert.ok(stdout.split("\n").includes(file), `${file} is not in\n${stdout}`);
      }
      assert.match(
        readFileSync(join(folder, "zones", "Pulumi.prod.yaml"), "utf8"),
        /legacydns:contact: you@example\.org/,
      );
      assert.equal(
        readFileSync(join(folder, "zones", "package-lock.json"), "utf8"),
        "./vendor/pulumi-legacydns-0.1.0.tgz @pulumi/pulumi typescript@5\n",
      );
    }));

  for (const [where, planStep, upStep] of [
    ["GitHub", () => pipelineStep("Plan"), () => pipelineStep("Up")],
    ["GitLab", () => gitlab().plan.script[0] ?? "", () => gitlab().up.script.join("\n")],
  ] as const)
    it(`pipeline: what its steps run on ${where} works, plan as a comment first, then up and verify`, async () => {
      const service = await startService({ domains: ["example.com"], dnsPort: 0 });
      const stack = await Stack.create({
        program: "",
        main: "../../../examples/pipeline/index.ts",
        env: { ...settingsOf(service), ...transpiled },
      });
      const cli = `node ${join(root, "dist", "cli", "main.js")}`;
      const shell = (text: string): Promise<{ code: number | null; output: string }> =>
        stack.shell(
          text
            .replaceAll(
              "npx --no pulumi-legacydns verify",
              `${cli} verify --server 127.0.0.1:${service.dnsPort ?? 0}`,
            )
            .replaceAll("npx --no pulumi-legacydns", cli),
          { STACK: "test" },
        );
      try {
        await must(shell(planStep()));
        const comment = readFileSync(join(stack.folder, "plan.md"), "utf8");
        assert.match(comment, /example\.com/);
        assert.match(comment, /\n\+ www\.example\.com\. CNAME example\.com\. +600\n/);
        assert.match(
          readFileSync(join(stack.folder, "plan.html"), "utf8"),
          /<span class="line add">\+ www\.example\.com\. /,
        );
        await must(shell(upStep()));
        assert.equal(zoneLines(service, "example.com").length, 3);
      } finally {
        stack.dispose();
        await service.close();
      }
    });
});
