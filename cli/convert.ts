/**
 * `pulumi-legacydns convert`: zone files or YAML from the files of another tool. If there is any problem,
 * it writes nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { reason } from "../provider/problems";
import { count } from "../provider/support/text";
import { visibleLine } from "../provider/support/visible";
import { defaultLineIn, guarded, newCommand, printJson, wholeNumber } from "./command";
import { Conversion } from "./convert/conversion";
import { convertDnscontrol } from "./convert/dnscontrol";
import { readTree } from "./convert/document";
import { convertOctodns, type OctodnsOptions } from "./convert/octodns";
import { templatings } from "./convert/octodns-data";
import { convertTerraform } from "./convert/terraform";
import { convertedZones, type ConvertedZone } from "./convert/zones";
import { CommandError, usage } from "./errors";
import { coloursOf, exitCodes, log, type Terminal } from "./terminal";
import { writeWhole } from "./files";
import { commentLines, forms, programOf, type Form } from "./zone-text";

/** `ttl`: seconds, for records without a TTL. */
const sources = {
  octodns: { name: "octoDNS", ttl: 3600, read: undefined },
  dnscontrol: { name: "dnscontrol", ttl: 300, read: convertDnscontrol },
  terraform: { name: "Terraform", ttl: 600, read: convertTerraform },
} as const;

interface Flags extends OctodnsOptions {
  readonly from: keyof typeof sources;
  readonly to: Form;
  readonly out: string;
  readonly ttl?: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

interface Output extends ConvertedZone {
  readonly path: string;
}

export function createCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns convert --from octodns config",
    "pulumi-legacydns convert --from dnscontrol ir.json --to yaml",
    "pulumi-legacydns convert --from terraform state.json --out zones",
  ];
  return newCommand("convert", terminal, examples)
    .description(
      "write zone files from the files of another tool; declaring them adopts what is live\n\nExit code: 0 written, 1 something is wrong, and nothing is written",
    )
    .argument(
      "<files...>",
      "octoDNS's YAML files or folder, the output of `dnscontrol print-ir` or `terraform show -json`, or a Terraform state",
    )
    .addOption(
      new Option("--from <tool>", "the other tool").choices(Object.keys(sources)).makeOptionMandatory(),
    )
    .addOption(
      new Option("--to <form>", "a master file or YAML for each zone").choices(forms).default("zone"),
    )
    .option("--out <folder>", "where the files go, a file for each zone", "zones")
    .option(
      "--ttl <seconds>",
      "the TTL of records without one (default: the tool's own: 3600, 300, 600)",
      wholeNumber(1, 604_800),
    )
    .option(
      "--split-extension <ext>",
      "octoDNS's split_extension: the end of a zone's folder's name",
      extension,
    )
    .option("--shared-filename <name>", "octoDNS's shared_filename: a file whose records all zones have")
    .addOption(
      new Option(
        "--templating <mode>",
        "octoDNS's Templating processor for {zone_name}; no-dots is its trailing_dots: false",
      ).choices(templatings),
    )
    .option("--force", "overwrite files that exist")
    .option("--json", "print what was done, and what is wrong, as JSON")
    .action((files: string[], flags: Flags) =>
      guarded(
        terminal,
        () => convert(terminal, files, flags),
        flags.json === true
          ? (problems) => ({ version: 1, ok: false, zones: [], notes: [], problems })
          : undefined,
      ),
    );
}

function extension(text: string): string {
  if (text.startsWith(".")) return text;
  throw new InvalidArgumentError("write it with a dot at its beginning");
}

async function convert(terminal: Terminal, files: readonly string[], flags: Flags): Promise<number> {
  const { from, to, out, force = false } = flags;
  const { name, ttl, read } = sources[from];
  const own = [flags.splitExtension, flags.sharedFilename, flags.templating];
  if (from !== "octodns" && own.some((value) => value !== undefined))
    throw new CommandError(
      usage("convert", "--split-extension, --shared-filename and --templating need --from octodns"),
    );
  const conversion = new Conversion(flags.ttl ?? ttl);
  if (read === undefined) convertOctodns(files, flags, conversion);
  else
    for (const file of files) {
      const root = readTree(file, conversion);
      if (root !== undefined) read(root, conversion);
    }
  const zones = convertedZones(conversion, to, defaultLineIn(terminal.env), name);
  const outputs = zones.map((zone) => ({ ...zone, path: join(out, `${zone.domain}.${to}`) }));
  if (outputs.length === 0 && conversion.problems.count === 0)
    conversion.error(files.join(", "), "no zone is in there");
  for (const { path } of force ? [] : outputs)
    if (existsSync(path)) conversion.error("--out", reason("output.exists", { path }));
  if (conversion.problems.count === 0) for (const { path, text } of outputs) await writeWhole(path, text);
  return report(terminal, outputs, conversion, flags);
}

function report(
  terminal: Terminal,
  outputs: readonly Output[],
  conversion: Conversion,
  { json, to }: Flags,
): number {
  const [problems, notes] = [conversion.problems.list(), conversion.notes.list()];
  const ok = problems.length === 0;
  const code = ok ? exitCodes.fine : exitCodes.trouble;
  if (json === true) {
    const zones = (ok ? outputs : []).map(({ domain, path, declared, comments }) => ({
      ...{ domain, file: path, records: declared, comments },
    }));
    printJson(terminal, { version: 1, ok, zones, notes, problems });
    return code;
  }
  const { dim } = coloursOf(terminal, terminal.err);
  const print = (line: string): void => void terminal.err.write(`${line}\n`);
  log(terminal, "note", notes.map(visibleLine));
  log(terminal, "error", problems);
  if (!ok) {
    print(`${count(conversion.problems.count, "problem")}; nothing was written`);
    return code;
  }
  for (const { domain, path, declared, comments } of outputs) {
    print(`${domain}: ${count(declared, "record")} written to ${path}`);
    for (const line of commentLines(comments)) print(visibleLine(line));
  }
  const program = programOf(outputs.map((zone) => ({ ...zone, form: to, apexNs: false })));
  for (const line of ["", ...program]) print(line && dim(`  ${line}`));
  return code;
}
