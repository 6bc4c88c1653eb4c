import { deepEqual, equal, fail, match, ok } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { declared, line, planned, previewText, problem } from "../cli/previews";
import type { StartOptions } from "../../emulator";
import { batch, verified } from "../cli/verified";
import { cli, inFolder, withService, type CliRun } from "../cli/run";
import { cliProcess } from "../package/process";
import { read } from "../support/page";
import { freePort } from "../support/ports";
import { recordOf } from "../support/service";

const page = read("docs/command-line.md");

function rowsOf(head: string) {
  const [, table = ""] = page.split(`\n${head}`);
  const lines = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return lines.map((line) =>
    line
      .replaceAll("\\|", "/")
      .split(/ *\| */)
      .slice(1, -1),
  );
}

const commands = new Map(programOf(processTerminal()).commands.map((command) => [command.name(), command]));
const www = recordOf("www A 192.0.2.1");

const runs = (options: StartOptions, ...commands: readonly string[][]) =>
  withService(options, async (env) => {
    const ended: CliRun[] = [];
    for (const args of commands) ended.push(await cli(args, env));
    return ended;
  });

const exits = rowsOf("| command | 0 | 1 | 2 |");

const ways: Record<string, (folder: string) => Promise<CliRun[]>> = {
  dump: async (folder) => {
    const args = ["dump", "example.com", "--json", "--out", join(folder, "example.com.zone")];
    const off = { ...recordOf("off A 192.0.2.2"), enabled: false };
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
  plan: async () => {
    const lines = [line("!", "www.example.com. A 192.0.2.1"), line("+", "x.example.com. A 192.0.2.1")];
    const change = { entries: [declared(lines, { blocked: [problem("why")] })] };
    const out = previewText([], [{ severity: "error", message: "error: no such thing" }]);
    return [
      await planned(change, "--json"),
      await planned({ ...change, out, code: 1 }, "--json"),
      await planned(change, "--json", "--fail-on-changes"),
      await planned(change, "--json", "--fail-on-blocked"),
    ];
  },
  verify: async () => [
    await verified([www], [batch(["www A 192.0.2.1"])], ["--json", "--wait", "1"]),
    await verified([www], [], ["--json", "--wait", "1"]),
    await verified([www], [batch(["www A 192.0.2.2"])], ["--json", "--wait", "1"]),
  ],
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
          for (const field of fields) ok(documented.has(field), `${field}: ${out}`);
          if (code === 0 && section === undefined)
            for (const field of documented) ok(fields.includes(field), field);
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
