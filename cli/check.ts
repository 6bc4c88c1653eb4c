/** `pulumi-legacydns check`: zone files and octoDNS files, without the service and without the engine. */
import { statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Command } from "commander";
import { compareTexts } from "../provider/dns/names";
import { checkZone, levelOf, readCheckLevels, type CheckLevels } from "../provider/dns/checks";
import type { SourcePosition, ZoneFileRecord } from "../provider/dns/zone-file";
import { loadZoneFile, repositoryRoot } from "../provider/resources/zone-files";
import { diagnosticOf, isError } from "../provider/problems";
import { split } from "../provider/support/collections";
import { count } from "../provider/support/text";
import { annotationOf, checkLevels, diagnosed, noted, textOf, type Finding } from "./check/findings";
import { shownPath, sourcesOf, type Source } from "./check/sources";
import { defaultLineIn, domainOf, guarded, newCommand, printJson, settingIn } from "./command";
import { Conversion, expanded, type Place } from "./convert/conversion";
import { octodnsTtl, readOctodns } from "./convert/octodns";
import { CommandError, usage } from "./errors";
import { sharedOption } from "./options";
import { exitCodes, type Terminal } from "./terminal";

interface Flags {
  readonly zone?: string;
  readonly format: "text" | "github" | "json";
  readonly json?: boolean;
}

interface ReadZone {
  readonly records: readonly ZoneFileRecord[];
  readonly findings: readonly Finding[];
  /** Positions are relative to it. */
  readonly root: string;
}

export function createCommand(terminal: Terminal): Command {
  return newCommand("check", terminal, {
    purpose: "validate zone files and octoDNS files, without token, network or engine",
    exits: ["no error; notes and warnings are allowed", "an error, or a finding of the level `refuse`"],
    examples: [
      "pulumi-legacydns check zones",
      "pulumi-legacydns check --zone example.com zones/main.txt",
      "LEGACYDNS_CHECKS=refuse pulumi-legacydns check --format github zones",
    ],
  })
    .argument("<files...>", "zone files, octoDNS's YAML files, or their folders")
    .addOption(sharedOption("zone", "; for one file"))
    .addOption(
      sharedOption("format", "; github for annotations of a workflow")
        .choices(["text", "github", "json"])
        .default("text"),
    )
    .addOption(sharedOption("json", "; the same as --format json").conflicts("format"))
    .action((files: string[], flags: Flags) => guarded(terminal, false, () => check(terminal, files, flags)));
}

function check(terminal: Terminal, files: readonly string[], flags: Flags): number {
  const zone = flags.zone === undefined ? undefined : zoneOption(flags.zone, files);
  const levels = levelsIn(terminal);
  const defaultLine = defaultLineIn(terminal.env);
  const found = files.flatMap((file) => sourcesOf(file, zone));
  const zones: { readonly domain: string; readonly file: string; readonly records: number }[] = [];
  const findings = found.flatMap((each) => {
    if ("level" in each) return [each];
    const { domain, file, isOctodns } = each;
    const read = (isOctodns ? octodnsOf : zoneFileOf)(each, defaultLine);
    zones.push({ domain, file, records: read.records.length });
    return [...read.findings, ...checksOf(domain, read, levels, terminal.clock.wall())]
      .sort(byPlace)
      .map(({ position, ...finding }) => {
        const shown = shownPath(resolve(read.root, position.file));
        return { ...finding, position: { ...position, file: shown } };
      });
  });
  const of = (level: Finding["level"]): number => findings.filter((each) => each.level === level).length;
  const ok = of("error") === 0;
  const { out, err, env } = terminal;
  const workspace = env["GITHUB_WORKSPACE"] ?? repositoryRoot(process.cwd());
  if (flags.json || flags.format === "json") {
    const flat = findings.map(({ position, ...finding }) => ({ ...finding, ...position }));
    printJson(terminal, { ok, zones, findings: flat });
  } else if (flags.format === "github")
    for (const finding of findings) out.line(annotationOf(finding, workspace));
  else out.write(textOf(findings, out.colours));
  const records = zones.reduce((sum, zone) => sum + zone.records, 0);
  const figures = (["error", "warning", "note"] as const).map((level) => count(of(level), level));
  err.line(`${count(zones.length, "zone")}, ${count(records, "record")}: ${figures.join(", ")}`);
  return ok ? exitCodes.fine : exitCodes.trouble;
}

function zoneOption(zone: string, [file = "", ...others]: readonly string[]): string {
  if (others.length > 0 || statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CommandError(usage("check", "--zone is the zone of one file", "check each file alone"));
  return domainOf(zone);
}

function levelsIn({ env }: Terminal): CheckLevels {
  const read = readCheckLevels(settingIn(env, "checks") ?? "warn");
  if ("problem" in read) throw new CommandError({ ...read.problem, path: "LEGACYDNS_CHECKS" });
  return read.levels;
}

function byPlace({ position: a }: Finding, { position: b }: Finding): number {
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
}

function zoneFileOf({ file, domain }: Source, defaultLine: string): ReadZone {
  const root = repositoryRoot(dirname(resolve(file)));
  const read = loadZoneFile(relative(root, file), { domain, root, defaultLine, mostListed: Infinity });
  const problems = read.problems.map(({ position, ...problem }) =>
    diagnosed(isError(problem) ? "error" : "warning", position, diagnosticOf({ ...problem, path: "" })),
  );
  const notes = read.notes.map(({ position, message }) => noted(position, message));
  return { root, records: read.records, findings: [...problems, ...notes] };
}

/** The records are those that `convert` writes. */
function octodnsOf({ file, domain }: Source, defaultLine: string): ReadZone {
  const conversion = new Conversion(octodnsTtl);
  conversion.zone(domain, file);
  readOctodns(file, domain, conversion);
  const all = expanded(domain, conversion, defaultLine);
  const [servers, records] = split(all, ({ name, type }) => type === "NS" && name === "@");
  for (const { position } of servers)
    conversion.note(position, "the NS record of the apex is passed over: the service keeps its own");
  const at = (place: Place): SourcePosition =>
    typeof place === "string" ? { file, line: 1, column: 1 } : place;
  const problems = conversion.problems.map((each) => diagnosed("error", at(each.at), each.diagnostic));
  const notes = conversion.notes.map((each) => noted(at(each.at), each.message));
  return { root: process.cwd(), records, findings: [...problems, ...notes] };
}

function checksOf(
  domain: string,
  { records, findings }: ReadZone,
  levels: CheckLevels,
  now: number,
): Finding[] {
  // Records with an error are not read, so no name is known to be missing beside one.
  const whole = !findings.some(({ level }) => level === "error");
  const positions = new Map<unknown, SourcePosition>();
  for (const record of records) positions.set(record, record.position);
  return checkZone({ domain, declared: records, beside: [], whole, now }).flatMap((finding) => {
    const level = levelOf(finding.code, levels);
    const position = positions.get(finding.subject);
    if (level === "off" || position === undefined) return [];
    return [diagnosed(checkLevels[level], position, diagnosticOf({ ...finding, of: undefined }))];
  });
}
