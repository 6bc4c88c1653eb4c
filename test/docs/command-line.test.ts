import { deepEqual, equal, fail, match } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { declared, fileText, line, problem, step } from "../cli/previews";
import type { StartOptions } from "../../emulator";
import { cli, fakePulumi, inFolder, withService, type CliRun } from "../cli/run";
import { cliProcess } from "../package/process";
import { read } from "../support/page";
import { freePort } from "../support/ports";

const page = read("docs/command-line.md");

function rowsOf(head: string) {
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
const www = { name: "www", type: "A", value: "192.0.2.1" };

async function runs(options: StartOptions, ...commands: readonly string[][]) {
  const ended: CliRun[] = [];
  await withService(options, async (env) => {
    for (const args of commands) ended.push(await cli(args, env));
  });
  return ended;
}

const exits = rowsOf("| command | 0 | 1 | 2 |");

const ways: Record<string, (folder: string) => Promise<CliRun[]>> = {
  dump: async (folder) => {
    const args = ["dump", "example.com", "--json", "--out", join(folder, "example.com.zone")];
    const off = { name: "off", type: "A", value: "192.0.2.2", enabled: false };
    return runs({ domains: [{ name: "example.com", records: [www, off] }] }, args, args);
  },
  convert: async (folder) => {
    const from = (name: string, text: string) => {
      const [file, out] = [join(folder, name), join(folder, "zones")];
      writeFileSync(file, text);
      return cli(["convert", "--from", "octodns", "--json", "--out", out, file]);
    };
    const ns = "'': { type: NS, value: ns1.example.net. }\n";
    return [
      await from("example.com.yaml", `www: { type: A, value: 192.0.2.1 }\n${ns}`),
      await from("example.net.yaml", "www: { type: A, value: 192.0.2.300 }\n"),
    ];
  },
  check: async (folder) => {
    const checked = (address: string) => {
      const file = join(folder, "example.com.zone");
      writeFileSync(file, `mail CNAME www\n@ MX 10 mail\nwww A ${address}\n`);
      return cli(["check", "--json", file]);
    };
    return [await checked("192.0.2.1"), await checked("192.0.2.300")];
  },
  plan: async (folder) => {
    const planned = async (preview: object, code: number, ...args: string[]) => {
      const blocked = line("!", "www.example.com. A 192.0.2.1");
      const entries = [
        declared([blocked, line("+", "x.example.com. A 192.0.2.1")], { blocked: [problem("why")] }),
      ];
      writeFileSync(join(folder, "entries"), fileText(entries).split("\n").slice(1).join("\n"));
      writeFileSync(join(folder, "preview"), JSON.stringify(preview));
      const script = `cat ${folder}/entries >> "$PULUMI_LEGACYDNS_PLAN"\ncat ${folder}/preview\nexit ${code}`;
      return cli(["plan", "--json", "--stack", "prod", ...args], fakePulumi(folder, script));
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
    const ended: CliRun[] = [];
    const file = join(folder, "state.json");
    const service = { domains: [{ name: "example.com", records: [www] }], dnsPort: 0 };
    await withService(service, async (_env, { dnsPort }) => {
      const args = ["--server", `127.0.0.1:${String(dnsPort)}`, "--timeout", "1", "--wait", "1"];
      for (const value of ["192.0.2.1", undefined, "192.0.2.2"]) {
        const props = { domains: ["example.com"], records: `www.example.com. A ${value ?? ""}\n` };
        const type = "pulumi-nodejs:dynamic/legacydns:RecordBatch";
        const batch = { urn: `urn:pulumi:test::zones::${type}::web`, type, inputs: props, outputs: props };
        const resources = value === undefined ? [] : [batch];
        writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
        ended.push(await cli(["verify", "--json", "--state", file, ...args]));
      }
    });
    return ended;
  },
  account: async (folder) => {
    const own = ["account", "--json", "--cwd", folder];
    const options: StartOptions = { domains: ["example.com", { name: "example.net", status: "pause" }] };
    return [
      ...(await runs({}, own)),
      await cli([...own, "--base-url", "http://127.0.0.1:1"]),
      ...(await runs(options, own)),
    ];
  },
  limits: () => runs({}, ["limits", "--json", "example.com"], ["limits", "--json", "example.org"]),
  emulator: async () => {
    const args = ["emulator", "--json", "--quiet", "--port", String(await freePort())];
    const ended: CliRun[] = [];
    const first = await cliProcess(args, async () => void ended.push(await cliProcess(args)));
    return [first, ...ended];
  },
};

const fieldsIn = (text: string) =>
  new Set([...text.matchAll(/`(\w+)(?:\[\])?`/g)].map(([, name = ""]) => name));

function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...(Array.isArray(inner) ? fieldsOf(inner) : []),
  ]);
}

describe("the page of the command line", () => {
  const named = (rows: readonly string[][]) => rows.map(([cell = ""]) => /^`(\w+)/.exec(cell)?.[1]);

  it("has every command in both of its tables, and no other", () => {
    deepEqual(named(exits), [...commands.keys()]);
    deepEqual(named(rowsOf("| command | purpose |")), [...commands.keys()]);
  });

  it("describes the JSON of each command with --json", () => {
    const described = exits.filter(([, , , , , prints]) => prints !== "");
    const withJson = [...commands].filter(([, { options }]) => options.some(({ long }) => long === "--json"));
    deepEqual(
      named(described),
      withJson.map(([name]) => name),
    );
  });

  for (const [cell = "", ...cells] of exits) {
    const name = cell.replaceAll("`", "");
    it(`shows how ${name} ends, as its help does, and the fields of its JSON`, () =>
      inFolder(async (folder) => {
        const ended = (await ways[name]?.(folder)) ?? fail("say here how it ends");
        const codes = [0, 1, 2, 3].filter((code) => cells[code] !== "");
        deepEqual(
          ended.map(({ code }) => code),
          codes,
          ended.map(({ out, err }) => out + err).join("\n"),
        );
        const [, help = ""] = (await cli([name, "--help"])).out.split("\nExit codes:\n");
        deepEqual(
          [...help.matchAll(/^ {2}(\d) {2}\S/gm)].map(([, code]) => Number(code)),
          codes,
        );
        const prints = cells[4] ?? "";
        const section = /\]\(#(\w+)\)/.exec(prints)?.[1];
        const documented = fieldsIn(
          section === undefined ? prints : (page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? ""),
        );
        for (const { code, out, err } of ended) {
          if (code === 1 && !/ with 1/.test(prints)) {
            equal(out, "");
            match(err, /^error: /);
            continue;
          }
          if (prints === "") continue;
          const fields = fieldsOf(JSON.parse(out));
          const among = (some: Iterable<string>, all: readonly string[]) =>
            deepEqual(
              [...some].filter((field) => !all.includes(field)),
              [],
              out,
            );
          among(fields, [...documented]);
          if (code === 0 && section === undefined) among(documented, fields);
        }
      }));
  }

  it("states that wrong arguments are a text, even with --json", async () => {
    for (const name of [...commands.keys()].filter((each) => each !== "emulator")) {
      const { code, out, err } = await cli([name, "--json", "--no-such-option"]);
      deepEqual([code, out], [1, ""], name);
      match(err, /^error: /, name);
    }
  });
});
