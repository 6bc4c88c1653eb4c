/** The tables of docs/command-line.md: every command, every exit code once, and the fields of `--json`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { declared, fileText, line, step } from "../cli/previews";
import { cli, withService, type CliRun } from "../cli/run";
import { root } from "../support/page";
import { freePort } from "../support/ports";

const page = readFileSync(join(root, "docs/command-line.md"), "utf8");

/** The rows of the table that begins with these words: its cells. */
function rowsOf(head: string): string[][] {
  const [, table = ""] = page.split(`\n${head}`);
  const lines = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return lines.map((line) =>
    line
      .replaceAll("\\|", "/")
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const commands = new Map(programOf(processTerminal()).commands.map((command) => [command.name(), command]));
const exits = rowsOf("| command | 0 | 1 | 2 |");

/** Each command's ways to end, with `--json`: by the exit code, in this order. */
const ways: Readonly<Record<string, (folder: string) => Promise<CliRun[]>>> = {
  import: async (folder) => {
    const runs: CliRun[] = [];
    const args = ["import", "example.com", "--json", "--out", join(folder, "example.com.zone")];
    const records = [
      { name: "www", type: "A", value: "192.0.2.1" },
      { name: "off", type: "A", value: "192.0.2.2", enabled: false },
    ];
    // The second time the file exists.
    await withService(
      { domains: [{ name: "example.com", records }] },
      async (env) => void runs.push(await cli(args, env), await cli(args, env)),
    );
    return runs;
  },
  convert: async (folder) => {
    const from = (name: string, text: string): Promise<CliRun> => {
      writeFileSync(join(folder, name), text);
      return cli([
        "convert",
        "--from",
        "octodns",
        "--json",
        "--out",
        join(folder, "zones"),
        join(folder, name),
      ]);
    };
    return [
      await from(
        "example.com.yaml",
        "www: { type: A, value: 192.0.2.1 }\n'': { type: NS, value: ns1.example.net. }\n",
      ),
      await from("example.net.yaml", "www: { type: A, value: 192.0.2.300 }\n"),
    ];
  },
  plan: async (folder) => {
    const planned = async (preview: object, code: number, ...args: string[]): Promise<CliRun> => {
      const blocked = line("!", "www.example.com. A 192.0.2.1");
      const entries = [declared([blocked, line("+", "x.example.com. A 192.0.2.1")], { blocked: ["why"] })];
      writeFileSync(join(folder, "entries"), fileText(entries).split("\n").slice(1).join("\n"));
      writeFileSync(join(folder, "preview"), JSON.stringify(preview));
      writeFileSync(
        join(folder, "pulumi"),
        `#!/bin/sh\ncat ${folder}/entries >> "$PULUMI_LEGACYDNS_PLAN"\ncat ${folder}/preview\nexit ${code}\n`,
      );
      chmodSync(join(folder, "pulumi"), 0o755);
      return cli(["plan", "--json", "--stack", "prod", ...args], { PATH: `${folder}:/usr/bin:/bin` });
    };
    const change = { steps: [step("update", "web")] };
    const failed = { steps: [], diagnostics: [{ severity: "error", message: "error: no such thing" }] };
    return [
      await planned(change, 0),
      await planned(failed, 1),
      await planned(change, 0, "--fail-on-changes"),
      await planned(change, 0, "--fail-on-blocked"),
    ];
  },
  verify: async (folder) => {
    const runs: CliRun[] = [];
    const file = join(folder, "state.json");
    await withService(
      {
        domains: [{ name: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.1" }] }],
        dnsPort: 0,
      },
      async (_env, { dnsPort }) => {
        for (const value of ["192.0.2.1", undefined, "192.0.2.2"]) {
          const props = { domains: ["example.com"], records: `www.example.com. A ${value ?? ""}\n` };
          const type = "pulumi-nodejs:dynamic/legacydns:RecordBatch";
          const resources =
            value === undefined
              ? []
              : [{ urn: `urn:pulumi:test::zones::${type}::web`, type, inputs: props, outputs: props }];
          writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
          runs.push(
            await cli([
              "verify",
              "--json",
              "--state",
              file,
              "--server",
              `127.0.0.1:${String(dnsPort)}`,
              "--timeout",
              "1",
              "--wait",
              "1",
            ]),
          );
        }
      },
    );
    return runs;
  },
  limits: async () => {
    const runs: CliRun[] = [];
    await withService(
      {},
      async (env) =>
        void runs.push(
          await cli(["limits", "--json", "example.com"], env),
          await cli(["limits", "--json", "example.org"], env),
        ),
    );
    return runs;
  },
  explain: async () => [await cli(["explain", "ttl.unfit"]), await cli(["explain", "ttl.unfi"])],
  emulator: async () => {
    const port = String(await freePort());
    const first = emulator(port);
    await first.listens();
    // The port is taken by the first.
    const second = await emulator(port).ended;
    first.stop();
    return [await first.ended, second];
  },
};

/** The emulator as a process of its own, after the line that it listens. */
function emulator(port: string): { readonly ended: Promise<CliRun>; listens(): Promise<void>; stop(): void } {
  const child = spawn(
    process.execPath,
    [join(root, "dist/cli/main.js"), "emulator", "--json", "--quiet", "--port", port],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const printed = { out: "", err: "" };
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString()));
  const listens = new Promise<void>((done) =>
    child.stdout.on("data", (chunk: Buffer) => {
      printed.out += chunk.toString();
      if (printed.out.includes("\n")) done();
    }),
  );
  const ended = new Promise<CliRun>((done) =>
    child.on("close", (code) => done({ code: code ?? -1, ...printed })),
  );
  // What ends before it listens is a failure to be seen.
  return {
    ended,
    listens: () => Promise.race([listens, ended.then(({ err }) => assert.fail(err))]),
    stop: () => void child.kill("SIGTERM"),
  };
}

/** The names that a cell, or a paragraph, has of fields: without the brackets of lists. */
const fieldsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/`(\w+)(?:\[\])?`/g)].map(([, name = ""]) => name));

/** The fields of a printed object and of the objects in its lists, without the keys of maps. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...(Array.isArray(inner) ? fieldsOf(inner) : []),
  ]);
}

describe("the page of the command line", () => {
  it("has every command in both of its tables, and no other", () => {
    const named = (rows: readonly string[][]): (string | undefined)[] =>
      rows.map(([cell = ""]) => /^`(\w+)/.exec(cell)?.[1]);
    assert.deepEqual(named(exits), [...commands.keys()]);
    assert.deepEqual(named(rowsOf("| command | purpose |")), [...commands.keys()]);
  });

  it("describes the JSON of each command with --json", () => {
    const json = exits.map(([name = "", , , , , prints = ""]) => ({
      name: name.replaceAll("`", ""),
      prints,
    }));
    assert.deepEqual(
      json.filter(({ prints }) => prints !== "").map(({ name }) => name),
      [...commands.values()]
        .filter(({ options }) => options.some(({ long }) => long === "--json"))
        .map((command) => command.name()),
    );
  });

  for (const [cell = "", ...cells] of exits) {
    const name = cell.replaceAll("`", "");
    it(`shows how ${name} ends, and the fields of its JSON`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "legacydns-exits-"));
      try {
        const runs = await ways[name]?.(folder);
        assert.ok(runs, "say here how it ends");
        const told = [0, 1, 2, 3].filter((code) => cells[code] !== "");
        assert.deepEqual(
          runs.map(({ code }) => code),
          told,
          runs.map(({ out, err }) => out + err).join("\n"),
        );
        const prints = cells[4] ?? "";
        const section = /\]\(#(\w+)\)/.exec(prints)?.[1];
        const documented = fieldsIn(
          section === undefined ? prints : (page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? ""),
        );
        for (const { code, out, err } of runs) {
          // The row states that an error is an object as well.
          if (code === 1 && !/ with 1/.test(prints)) {
            assert.equal(out, "");
            assert.match(err, /^error: /);
            continue;
          }
          if (prints === "") continue;
          const fields = fieldsOf(JSON.parse(out));
          assert.deepEqual(
            fields.filter((field) => !documented.has(field)),
            [],
            out,
          );
          if (code === 0 && section === undefined)
            assert.deepEqual(
              [...documented].filter((field) => !fields.includes(field)),
              [],
            );
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  it("states that wrong arguments are a text, even with --json", async () => {
    for (const name of [...commands.keys()].filter((each) => each !== "emulator")) {
      const { code, out, err } = await cli([name, "--json", "--no-such-option"]);
      assert.deepEqual([code, out], [1, ""], name);
      assert.match(err, /^error: /, name);
    }
  });
});
