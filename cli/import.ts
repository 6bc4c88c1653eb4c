/**
 * `pulumi-legacydns import`: a zone file or YAML from the live zone. Before it is written, it is read back
 * and planned against the zone, to prove that declaring it adopts every record without a write.
 */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import type { Command } from "commander";
import { systemClock } from "../provider/support/clock";
import { ZoneReader } from "../provider/reconcile/zones/reader";
import { domainOf, guarded, newCommand, ofDomain, printJson, settingsFor, withClient } from "./command";
import { CommandError } from "./errors";
import { importAll } from "./import/all";
import { zoneFileOf } from "./import/file";
import { programOf, summaryOf } from "./import/program";
import { writeWhole } from "./whole-file";
import { visibleLine } from "../provider/support/visible";
import { coloursOf, exitCodes, type Terminal } from "./terminal";

interface Flags {
  /** A pattern, or true for all domains. */
  readonly all?: string | true;
  readonly to?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly baseUrl?: string;
}

export function importCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns import example.com --out zones/example.com.zone",
    "pulumi-legacydns import example.com --to yaml --out zones/example.com.yaml",
    "pulumi-legacydns import example.com | less",
    "pulumi-legacydns import --all > index.ts",
    "pulumi-legacydns import --all '*.example' --to yaml --out zones",
  ];
  return newCommand("import", terminal, examples)
    .description("Write a file from the live zone; declaring it adopts every record without a write.")
    .argument("[domain]", "the zone, for example example.com")
    .option(
      "--all [pattern]",
      "every domain of the account, or those that match (* stands for any characters)",
    )
    .option("--to <zone|yaml>", "a master file or YAML (default: by the file's name, else zone)")
    .option(
      "--out <file>",
      "where to write it (default: standard output); with --all a folder (default: zones), and the program goes to standard output",
    )
    .option("--force", "overwrite files that exist")
    .option("--json", "print what was written, as JSON; needs --out or --all")
    .option(
      "--base-url <url>",
      "address of the service (default: LEGACYDNS_BASE_URL); the token is LEGACYDNS_LOGIN_TOKEN",
    )
    .action((domain: string | undefined, flags: Flags) =>
      guarded(
        terminal,
        () => start(terminal, domain, flags),
        flags.json === true ? (problems) => ({ version: 1, ok: false, problems }) : undefined,
      ),
    );
}

function start(terminal: Terminal, domain: string | undefined, flags: Flags): Promise<number> {
  const { all, out, force = false, json = false, baseUrl } = flags;
  if (out === "")
    throw new CommandError(
      `--out is empty; name a ${all === undefined ? "file, or leave the option out for standard output" : "folder, or leave the option out for zones"}`,
    );
  if (all === undefined) {
    if (domain === undefined) throw new CommandError("name a domain, or take all of the account with --all");
    return importZone(terminal, domainOf(domain), flags);
  }
  if (domain !== undefined)
    throw new CommandError(
      `--all and the domain ${JSON.stringify(domain)} exclude each other; a pattern stands right after --all`,
    );
  const form = formOf({ ...flags, out: undefined });
  const pattern = all === true ? undefined : all;
  return importAll(terminal, { pattern, out: out ?? "zones", form, force, json, baseUrl });
}

async function importZone(terminal: Terminal, domain: string, flags: Flags): Promise<number> {
  const { out, force = false } = flags;
  if (flags.json === true && out === undefined)
    throw new CommandError("--json needs --out: standard output holds the zone otherwise");
  const form = formOf(flags);
  if (out !== undefined && !force && existsSync(out))
    throw new CommandError(`--out ${out} exists already; --force overwrites it`);
  const settings = settingsFor(terminal, flags.baseUrl);
  const { zone } = await withClient(terminal, settings, (client) =>
    ofDomain("import", () => new ZoneReader(client, settings, systemClock).get(domain)),
  );
  const file = zoneFileOf(zone, form, settings.defaultLine);
  if (out === undefined) terminal.out.write(file.text);
  else await writeWhole(out, file.text, force);
  if (flags.json === true) {
    const { declared, comments, own, apexNs } = file;
    printJson(terminal, {
      version: 1,
      ok: true,
      domain,
      file: out,
      form,
      records: declared,
      comments,
      own,
      apexNs,
      problems: [],
    });
    return exitCodes.fine;
  }
  const { dim } = coloursOf(terminal, terminal.err);
  terminal.err.write(`${summaryOf(domain, file, out).map(visibleLine).join("\n")}\n`);
  const path = out ?? `zones/${domain}.${form}`;
  terminal.err.write(
    `\n${programOf([{ ...file, domain, form, path }])
      .map((line) => (line === "" ? "" : dim(`  ${line}`)))
      .join("\n")}\n`,
  );
  return exitCodes.fine;
}

/** The form of the file. A program recognises YAML by the file's extension, so the extension must fit. */
function formOf({
  to,
  out,
}: {
  readonly to?: string | undefined;
  readonly out?: string | undefined;
}): "zone" | "yaml" {
  if (to !== undefined && to !== "zone" && to !== "yaml")
    throw new CommandError(`--to must be zone or yaml, not ${JSON.stringify(to)}`);
  const named =
    out === undefined ? undefined : [".yaml", ".yml"].includes(extname(out).toLowerCase()) ? "yaml" : "zone";
  if (to === undefined || named === undefined || to === named) return to ?? named ?? "zone";
  const rather =
    to === "yaml"
      ? "needs a name that ends in .yaml or .yml"
      : "needs a name that does not end in .yaml or .yml";
  throw new CommandError(`--to ${to} ${rather}, by which Zone tells how to read it; --out is ${out ?? ""}`);
}
