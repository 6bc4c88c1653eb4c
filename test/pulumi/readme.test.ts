/** The program and the commands of the README, through the real engine. */
import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcessByStdio } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Resolver } from "node:dns/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { ensureEngine, engineEnvironment } from "../../tools/engine/index";
import { blocksOf, commandsOf, root, shows } from "../support/page";
import { freePort } from "../support/ports";
import { says, story, zoneLines } from "../support/story";

const run = promisify(execFile);

function block(language: string, word: string): string {
  const found = ["README.md", "docs/get-started.md"]
    .flatMap(blocksOf)
    .filter((each) => each.language === language && each.text.includes(word));
  assert.equal(found.length, 1, `one ${language} block of the README and docs/get-started.md has ${word}`);
  return found[0]?.text ?? "";
}

/** The usual dynamic resource of a program's own: a field that is declared without a value must not hide its output. */
const ownResource = `
import * as pulumi from "@pulumi/pulumi";
class Own extends pulumi.dynamic.Resource {
  readonly out!: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: () => Promise.resolve({ id: "own", outs: { out: "made" } }) }, name, { out: undefined });
  }
}
export const ownOutput = new Own("own").out;
`;

const printed = (emulator: ChildProcessByStdio<null, Readable, null>, awaited: string): Promise<void> =>
  new Promise((started, failed) => {
    let seen = "";
    emulator.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(awaited)) started();
    });
    emulator.on("exit", (code) => failed(new Error(`the emulator ended with ${String(code)}: ${seen}`)));
  });

/** The records that are live before the README's first command. */
const live = {
  name: "example.com",
  records: ["192.0.2.1", "192.0.2.2"].map((value) => ({ name: "@", type: "A", value })),
};

/** The page's commands with free ports, and a folder and a stack of this process. */
function withOwn(text: string, port: number, dnsPort: number, backend: string): string {
  return text
    .replaceAll("8053", String(port))
    .replaceAll("5353", String(dnsPort))
    .replaceAll("$PWD/.work", backend)
    .replaceAll("by-hand", `by-hand-${process.pid}`)
    .replace(/^dig .*$/m, "");
}

describe("the README, by the real engine", () => {
  it("shows a program with its preview, which deploys and then changes nothing; tsc names a misspelt field", () =>
    story({ main: "index.ts", service: { domains: [live] } }, async ({ emulator, stack, up, quietUp }) => {
      const program = block("ts", "new RecordBatch");
      const write = (file: string, text: string) => writeFileSync(join(stack.folder, file), text);
      mkdirSync(join(stack.folder, "node_modules"));
      symlinkSync(root, join(stack.folder, "node_modules", "pulumi-legacydns"));
      write("tsconfig.json", block("json", "compilerOptions"));
      write("index.ts", program.replace('type: "MX", value:', 'type: "MX", vaule:'));
      const wrong = await stack.shell("npx tsc --noEmit 2> /dev/null");
      assert.match(
        wrong.output.trim(),
        /^index\.ts\(7,\d+\): error TS2561: .*'vaule' does not exist in type .* Did you mean to write 'value'\?$/,
      );
      write("index.ts", program);
      const [preview = assert.fail()] = blocksOf("README.md")
        .filter(({ language }) => language === "console")
        .flatMap(commandsOf);
      const { output } = await stack.shell(preview.command);
      shows("README.md", preview.command, preview.prints, output);
      assert.equal(zoneLines(emulator, "example.com").length, live.records.length);
      write("index.ts", `${program}${ownResource}`);
      assert.deepEqual(await stack.shell("npx tsc --noEmit 2> /dev/null"), { code: 0, output: "" });
      says(await up(), /ownOutput *: "made"/);
      assert.equal(zoneLines(emulator, "example.com").length, 7);
      stack.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";
      await quietUp();
    }));

  it("tells how to go on by hand against the running emulator", async () => {
    const [port, dnsPort] = [await freePort(), await freePort()];
    const backend = mkdtempSync(join(tmpdir(), "legacydns-readme-"));
    const local = (text: string) => withOwn(text, port, dnsPort, backend);
    const engine = await ensureEngine({ say: () => undefined });
    const env = {
      ...engineEnvironment(engine, { home: join(backend, "home"), backend }),
      LEGACYDNS_STATE_DIR: join(backend, "state"),
    };
    const [program = "", ...args] = local(block("sh", "--silent emulator")).trim().split(" ");
    const emulator = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    try {
      await printed(emulator, `127.0.0.1:${port}`);
      const byHand = local(block("sh", "pulumi stack init"));
      const options = { cwd: root, env, maxBuffer: 1 << 24 };
      await run("bash", ["-ec", byHand], options);
      const resolver = new Resolver();
      resolver.setServers([`127.0.0.1:${dnsPort}`]);
      assert.deepEqual((await resolver.resolve4("www.example.com")).sort(), ["192.0.2.10", "192.0.2.11"]);
      const exports = byHand
        .split("\n")
        .filter((line) => line.startsWith("export "))
        .join("\n");
      const destroy = run("bash", ["-c", `${exports}\npulumi destroy --yes`], options);
      const { stdout } = await destroy.catch((error: { stdout: string }) => error);
      assert.match(stdout, /live\.left-over/);
      const retain = block("sh", "LEGACYDNS_REMOVAL=retain pulumi destroy");
      const end = `${exports}\n${retain}\npulumi stack rm --yes by-hand-${process.pid}`;
      await run("bash", ["-ec", end], options);
    } finally {
      // The whole group: npm stands between. Where it has ended already, what made it end is the error to see.
      if (emulator.pid !== undefined && emulator.exitCode === null) process.kill(-emulator.pid, "SIGTERM");
      rmSync(backend, { recursive: true, force: true });
      rmSync(join(root, ".work", `Pulumi.by-hand-${process.pid}.yaml`), { force: true });
    }
  });
});
