/**
 * `pulumi-legacydns convert`: zone files or YAML from the files of another tool. It reports all problems at
 * once, with file and position. If there is one, it writes nothing. It makes no network request.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Option, type Command } from "commander";
import { defaultLineIn, guarded, newCommand, printJson, wholeNumber } from "./command";
import { Conversion } from "./convert/conversion";
import { convertDnscontrol, dnscontrolTtl } from "./convert/dnscontrol";
import { readTree } from "./convert/document";
import type { Part } from "./convert/part";
import { textOfFile } from "./convert/files";
import { convertOctodns, octodnsTtl, type OctodnsOptions } from "./convert/octodns";
import { templatings, type Templating } from "./convert/octodns-templates";
import { convertTerraform, terraformTtl } from "./convert/terraform";
import { convertedZones, type ConvertedZone } from "./convert/zones";
import { CommandError } from "./errors";
import { inProgram } from "./import/program";
import { writeWhole } from "./whole-file";
import { visibleLine } from "../provider/support/visible";
import { coloursOf, exitCodes, type Terminal } from "./terminal";

interface Source {
  readonly name: string;
  readonly ttl: number;
  readonly read: (paths: readonly string[], conversion: Conversion, flags: Flags) => void;
}

const sources: ReadonlyMap<string, Source> = new Map<string, Source>([
  [
    "octodns",
    {
      name: "octoDNS",
      ttl: octodnsTtl,
      read: (paths, conversion, flags) => {
        convertOctodns(paths, octodnsOptions(flags), conversion);
      },
    },
  ],
  ["dnscontrol", { name: "dnscontrol", ttl: dnscontrolTtl, read: eachFile(convertDnscontrol) }],
  ["terraform", { name: "Terraform", ttl: terraformTtl, read: eachFile(convertTerraform) }],
]);

function eachFile(convert: (root: Part, conversion: Conversion) => void): Source["read"] {
  return (paths, conversion) => {
    for (const file of paths) {
      const text = textOfFile(file, conversion);
      const root = text === undefined ? undefined : readTree(text, { file, conversion });
      if (root !== undefined) convert(root, conversion);
    }
  };
}

function octodnsOptions({ splitExtension, sharedFilename, templating }: Flags): OctodnsOptions {
  if (splitExtension?.startsWith(".") === false)
    throw new CommandError(
      `--split-extension begins with a dot, as octoDNS's split_extension does, unlike ${JSON.stringify(splitExtension)}`,
    );
  return { splitExtension, sharedFilename, templating };
}

const forms = ["zone", "yaml"] as const;

interface Flags {
  readonly from: string;
  readonly to: (typeof forms)[number];
  readonly out: string;
  readonly ttl?: string;
  readonly splitExtension?: string;
  readonly sharedFilename?: string;
  readonly templating?: Templating;
  readonly force?: boolean;
  readonly json?: boolean;
}

interface Output extends ConvertedZone {
  readonly file: string;
}

export function convertCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns convert --from octodns config",
    "pulumi-legacydns convert --from dnscontrol ir.json --to yaml",
    "pulumi-legacydns convert --from terraform state.json --out zones",
  ];
  return newCommand("convert", terminal, examples)
    .description(
      "Write zone files from the files of another tool; declaring them adopts what is live.\nExit code: 0 written, 1 something is wrong, and nothing is written.",
    )
    .argument(
      "<files...>",
      "octoDNS's YAML files or its folder of them, what `dnscontrol print-ir` or `terraform show -json` printed, or a state of Terraform",
    )
    .addOption(
      new Option("--from <tool>", "the other tool").choices([...sources.keys()]).makeOptionMandatory(),
    )
    .addOption(
      new Option("--to <form>", "a master file or YAML for each zone").choices(forms).default("zone"),
    )
    .option("--out <folder>", "where the files go, a file for each zone", "zones")
    .option(
      "--ttl <seconds>",
      "the TTL of records that have none (default: the other tool's own: 3600, 300, 600)",
    )
    .option("--split-extension <ext>", "octoDNS's split_extension: how the names of a zone's own folders end")
    .option("--shared-filename <name>", "octoDNS's shared_filename: a file whose records all zones have")
    .addOption(
      new Option(
        "--templating <mode>",
        "whether octoDNS's Templating processor fills in {zone_name} and the like; no-dots is its trailing_dots: false",
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

async function convert(terminal: Terminal, files: readonly string[], flags: Flags): Promise<number> {
  const { from, to, out, force = false } = flags;
  const source = sources.get(from);
  if (source === undefined) throw new CommandError(`--from: ${from} is unknown`);
  if (out === "") throw new CommandError("--out is empty; name a folder, or leave the option out for zones");
  const conversion = new Conversion(
    flags.ttl === undefined ? source.ttl : wholeNumber("--ttl", flags.ttl, 1, 604_800),
  );
  const own = [flags.splitExtension, flags.sharedFilename, flags.templating];
  if (from !== "octodns" && own.some((value) => value !== undefined))
    throw new CommandError(
      "--split-extension, --shared-filename and --templating are for --from octodns alone",
    );
  source.read(files, conversion, flags);
  const zones = convertedZones(conversion, to, defaultLineIn(terminal.env), source.name);
  const outputs = zones.map((zone): Output => ({ ...zone, file: join(out, `${zone.domain}.${to}`) }));
  if (outputs.length === 0 && conversion.problems.count === 0)
    conversion.fileError(files.join(", "), "no zone is in there");
  if (!force)
    for (const { file } of outputs)
      if (existsSync(file)) conversion.problems.add(out, `${file} exists already; --force overwrites it`);
  if (conversion.problems.count === 0)
    for (const { file, text } of outputs) await writeWhole(file, text, force);
  return report(terminal, outputs, conversion, flags);
}

function report(
  terminal: Terminal,
  outputs: readonly Output[],
  conversion: Conversion,
  { json, to }: Flags,
): number {
  const [problems, notes] = [conversion.problems.list(), conversion.notes.list()];
  const { count } = conversion.problems;
  const ok = count === 0;
  if (json === true) {
    const zones = ok
      ? outputs.map(({ domain, file, records, comments }) => ({ domain, file, records, comments }))
      : [];
    printJson(terminal, { version: 1, ok, zones, notes, problems });
    return ok ? exitCodes.fine : exitCodes.trouble;
  }
  const { red, yellow, dim } = coloursOf(terminal, terminal.err);
  const say = (line: string): void => void terminal.err.write(`${line}\n`);
  for (const note of notes) say(yellow(`note: ${visibleLine(note)}`));
  for (const problem of problems) say(red(`error: ${visibleLine(problem)}`));
  if (!ok) {
    say(`${count === 1 ? "1 problem" : `${count} problems`}; nothing was written`);
    return exitCodes.trouble;
  }
  for (const { domain, file, records, comments } of outputs) {
    say(
      `${domain}: ${records.toLocaleString("en-US")} ${records === 1 ? "record" : "records"} written to ${file}`,
    );
    for (const { reason, count: left } of comments)
      say(
        `  ${left.toLocaleString("en-US")} as ${left === 1 ? "a comment" : "comments"}: ${visibleLine(reason)}`,
      );
  }
  for (const line of programOf(outputs, to)) say(line === "" ? "" : dim(`  ${line}`));
  return exitCodes.fine;
}

function programOf(outputs: readonly Output[], to: string): string[] {
  const lines = outputs.map(({ domain, file }) => {
    const { path } = inProgram(file, process.cwd());
    return `new Zone(${JSON.stringify(domain)}, { domain: ${JSON.stringify(domain)}, file: ${JSON.stringify(path)} }, { protect: true });`;
  });
  const shown =
    lines.length <= 10
      ? lines
      : [
          ...lines.slice(0, 10),
          `// and ${lines.length - 10} more, or a loop over the files in the folder: examples/zones-from-files (${to})`,
        ];
  return ["", 'import { Zone } from "pulumi-legacydns";', "", ...shown];
}
