/** `pulumi-legacydns convert`: zone files from octoDNS. If there is any problem, it writes nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Option, type Command } from "commander";
import { isError, reason, rendered } from "../provider/problems";
import { count } from "../provider/support/text";
import { visibleLine } from "../provider/support/visible";
import { defaultLineIn, domainOf, guarded, newCommand, printJson, wholeNumber } from "./command";
import { Conversion, expanded, placeText } from "./convert/conversion";
import { convertOctodns, octodnsTtl } from "./convert/octodns";
import { CommandError } from "./errors";
import { writeWhole } from "./files";
import { sharedOption } from "./options";
import { exitCodes, log, type Terminal } from "./terminal";
import { commentLines, programOf, zoneText, type Comments, type WrittenZone } from "./zone-text";

interface Flags {
  readonly out: string;
  readonly ttl?: number;
  readonly zone?: readonly string[];
  readonly force?: boolean;
  readonly json?: boolean;
}

interface ConvertedZone extends WrittenZone {
  readonly text: string;
  readonly comments: Comments;
}

export function createCommand(terminal: Terminal): Command {
  return (
    newCommand("convert", terminal, {
      purpose: "write zone files from octoDNS; declaring them adopts what is live",
      exits: ["written", "an error, and nothing is written"],
      examples: [
        "pulumi-legacydns convert --from octodns config",
        "pulumi-legacydns convert --from octodns config/example.com.yaml --out zones",
      ],
    })
      .argument("<files...>", "octoDNS's YAML files, or their folder")
      .addOption(new Option("--from <tool>", "the other tool").choices(["octodns"]).makeOptionMandatory())
      .addOption(sharedOption("out", "; a folder with a file for each zone").default("zones"))
      .option(
        "--ttl <seconds>",
        "the TTL of records without one (default: 3600, as octoDNS)",
        wholeNumber(1, 604_800),
      )
      // Not variadic: the option may stand before the files.
      .addOption(
        sharedOption("zone", "; may be repeated").argParser(
          (domain: string, others: readonly string[] = []) => [...others, domain],
        ),
      )
      .addOption(sharedOption("force"))
      .addOption(sharedOption("json"))
      .action((files: string[], flags: Flags) =>
        guarded(
          terminal,
          flags.json,
          () => convert(terminal, files, flags),
          (problems) => ({ ok: false, zones: [], notes: [], problems }),
        ),
      )
  );
}

async function convert(terminal: Terminal, files: readonly string[], flags: Flags): Promise<number> {
  const { force = false, ttl = octodnsTtl, zone = [] } = flags;
  const conversion = new Conversion(ttl);
  const named = new Set(zone.map(domainOf));
  for (const file of files) convertOctodns(file, conversion, named);
  const zones = convertedZones(conversion, flags, defaultLineIn(terminal.env));
  if (zones.length === 0 && conversion.problems.length === 0)
    conversion.error(files.join(", "), "no zone is in there");
  for (const { path } of force ? [] : zones)
    if (existsSync(path)) conversion.error("--out", reason("output.exists", { path }));
  if (conversion.problems.length === 0) for (const { path, text } of zones) await writeWhole(path, text);
  return report(terminal, zones, conversion, flags);
}

/** The zones, sorted by name; none after a problem. */
function convertedZones(conversion: Conversion, { out }: Flags, defaultLine: string): ConvertedZone[] {
  const zones = [...conversion.zones.keys()].sort().map((domain) => {
    const records = expanded(domain, conversion, defaultLine).flatMap(({ position: _position, ...record }) =>
      record.ttl === "default" ? [] : [{ ...record, ttl: record.ttl, enabled: true }],
    );
    return { domain, records };
  });
  if (conversion.problems.length > 0) return [];
  return zones.map(({ domain, records }) => {
    const options = { defaultLine, header: ["converted from octoDNS"] };
    const { text, read, comments } = zoneText({ domain, records }, options);
    const left = comments.reduce((sum, { count }) => sum + count, 0);
    const declared = read.records.length;
    const isWhole = declared + left === records.length;
    if (!isWhole || (declared > 0 && read.problems.some(isError)))
      throw new CommandError(
        reason("command.defect", { detail: `${domain}: the file cannot be read back as it was written` }),
      );
    return { domain, path: join(out, `${domain}.zone`), text, declared, comments };
  });
}

function report(
  terminal: Terminal,
  outputs: readonly ConvertedZone[],
  conversion: Conversion,
  { json }: Flags,
): number {
  const problems = conversion.problems.map(
    ({ at, diagnostic }) => `${placeText(at)}: ${rendered(diagnostic)}`,
  );
  const notes = conversion.notes.map(({ at, message }) => `${placeText(at)}: ${message}`);
  const ok = problems.length === 0;
  if (json) {
    const zones = (ok ? outputs : []).map(({ domain, path: file, declared: records, comments }) => {
      return { domain, file, records, comments };
    });
    printJson(terminal, { ok, zones, notes, problems });
    return ok ? exitCodes.fine : exitCodes.trouble;
  }
  const { err } = terminal;
  log(terminal, "note", notes.map(visibleLine));
  log(terminal, "error", problems);
  if (!ok) {
    err.line(`${count(problems.length, "problem")}; nothing was written`);
    return exitCodes.trouble;
  }
  for (const { domain, path, declared, comments } of outputs) {
    err.line(`${domain}: ${count(declared, "record")} written to ${path}`);
    for (const line of commentLines(comments)) err.line(visibleLine(line));
  }
  for (const line of ["", ...programOf(outputs)]) err.line(line === "" ? line : err.colours.dim(`  ${line}`));
  return exitCodes.fine;
}
