/**
 * `pulumi-legacydns import`: a zone file or YAML from the live zone. Before it is written, it is read back
 * and planned against the zone, to prove that declaring it adopts every record without a write.
 */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { Option, type Command } from "commander";
import { ZoneReader } from "../provider/reconcile/zones/reader";
import { reason } from "../provider/problems";
import { systemClock } from "../provider/support/clock";
import { visibleLine } from "../provider/support/visible";
import {
  baseUrlOption,
  domainOf,
  guarded,
  newCommand,
  ofDomain,
  printJson,
  settingsFor,
  withClient,
} from "./command";
import { CommandError, usage } from "./errors";
import { importAll, type ImportFlags } from "./import/all";
import { zoneFileOf } from "./import/file";
import { jsonOf, programOf, summaryOf } from "./import/program";
import { coloursOf, exitCodes, type Terminal } from "./terminal";
import { writeWhole } from "./files";
import { forms, type Form } from "./zone-text";

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
    .addOption(
      new Option("--to <form>", "a master file or YAML (default: by the file's name, else zone)").choices(
        forms,
      ),
    )
    .option("--out <file>", "the file (default: standard output); with --all a folder (default: zones)")
    .option("--force", "overwrite files that exist")
    .option("--json", "print what was written, as JSON; needs --out or --all")
    .addOption(baseUrlOption())
    .action((domain: string | undefined, flags: ImportFlags) =>
      guarded(
        terminal,
        () => start(terminal, domain, flags),
        flags.json === true ? (problems) => ({ version: 1, ok: false, problems }) : undefined,
      ),
    );
}

function start(terminal: Terminal, domain: string | undefined, flags: ImportFlags): Promise<number> {
  if (flags.out === "")
    throw new CommandError(usage("import", "--out is empty", "name a place, or leave the option out"));
  if (flags.all !== undefined && domain !== undefined)
    throw new CommandError(
      usage("import", `--all and the domain ${JSON.stringify(domain)} exclude each other`),
    );
  if (flags.all !== undefined) return importAll(terminal, flags);
  if (domain === undefined)
    throw new CommandError(usage("import", "no domain is named", "every domain of the account: --all"));
  return importZone(terminal, domainOf(domain), flags);
}

async function importZone(terminal: Terminal, domain: string, flags: ImportFlags): Promise<number> {
  const { out, force = false, json = false } = flags;
  if (json && out === undefined)
    throw new CommandError(usage("import", "--json needs --out: standard output holds the zone otherwise"));
  const form = formOf(flags.to, out);
  if (out !== undefined && !force && existsSync(out))
    throw new CommandError(reason("output.exists", { path: out }));
  const settings = settingsFor(terminal, flags.baseUrl);
  const { zone } = await withClient(terminal, settings, (client) =>
    ofDomain("import", () => new ZoneReader(client, settings, systemClock).get(domain)),
  );
  const file = zoneFileOf(zone, form, settings.defaultLine);
  if (out === undefined) terminal.out.write(file.text);
  else await writeWhole(out, file.text, force);
  if (json && out !== undefined) {
    printJson(terminal, { version: 1, ok: true, ...jsonOf(file, out), problems: [] });
    return exitCodes.fine;
  }
  const { dim } = coloursOf(terminal, terminal.err);
  const program = programOf([{ ...file, path: out ?? `zones/${domain}.${form}` }]);
  const lines = [
    ...summaryOf(file, out).map(visibleLine),
    "",
    ...program.map((line) => line && dim(`  ${line}`)),
  ];
  terminal.err.write(`${lines.join("\n")}\n`);
  return exitCodes.fine;
}

/** The form of the file. A program recognises YAML by the file's extension, so the extension must fit. */
function formOf(to: Form | undefined, out: string | undefined): Form {
  if (out === undefined) return to ?? "zone";
  const named = [".yaml", ".yml"].includes(extname(out).toLowerCase()) ? "yaml" : "zone";
  if (to === undefined || to === named) return named;
  throw new CommandError(
    usage(
      "import",
      `--to ${to} needs a name that ${to === "yaml" ? "ends" : "does not end"} in .yaml or .yml; --out is ${out}`,
    ),
  );
}
