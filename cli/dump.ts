/**
 * `pulumi-legacydns dump`: zone files from live zones, and one program that declares them. Before
 * a file is written, it is read back and planned against the zone.
 */
import { join } from "node:path";
import type { Command } from "commander";
import { listDomains, type Client } from "../provider/api";
import { patternMatcher, recordKey, recordText } from "../provider/dns";
import type { LiveRecord, ZoneFileResult } from "../provider/dns/zone-file";
import { ZoneReader } from "../provider/reconcile/zones/reader";
import type { Zone } from "../provider/reconcile/zones/zone";
import { isError, reason, textOf } from "../provider/problems";
import { createOnly } from "../provider/reconcile/declaration";
import { planRecords } from "../provider/reconcile/plan/plan";
import { append } from "../provider/support/collections";
import { count } from "../provider/support/text";
import { visibleLine } from "../provider/support/visible";
import { domainOf, guarded, listedName, newCommand, print, printJson, withClient } from "./command";
import { CommandError, explain, usage } from "./errors";
import { exitCodes, log, type Terminal } from "./terminal";
import { refuseExisting, writeWhole } from "./files";
import { serviceOptions, sharedOption } from "./options";
import { settingsFor, type ServiceChoice } from "./settings";
import { commentLines, programOf, zoneText, type Comments, type WrittenZone } from "./zone-text";

interface Flags extends ServiceChoice {
  readonly all?: string | true;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function createCommand(terminal: Terminal): Command {
  return newCommand("dump", terminal, {
    purpose: "write a file from the live zone; declaring it adopts every record without a write",
    exits: ["written or printed", "an error; with --all the other zones are written"],
    examples: [
      "pulumi-legacydns dump example.com --out zones/example.com.zone",
      "pulumi-legacydns dump example.com | less",
      "pulumi-legacydns dump --all '*.example' --out zones > index.ts",
    ],
    options: serviceOptions,
  })
    .argument("[domain]", "the zone, for example example.com")
    .option("--all [pattern]", "every domain of the account, or those that match (* for any characters)")
    .addOption(sharedOption("out", " (default: standard output); with --all a folder (default: zones)"))
    .addOption(sharedOption("force"))
    .addOption(sharedOption("json", "; needs --out or --all"))
    .action((domain: string | undefined, flags: Flags) =>
      guarded(terminal, flags.json, () => dumpZones(terminal, domain, flags)),
    );
}

async function dumpZones(terminal: Terminal, named: string | undefined, flags: Flags): Promise<number> {
  const { out, force = false } = flags;
  checkFlags(named, flags);
  const one = named === undefined ? undefined : { domain: domainOf(named), path: out };
  if (out !== undefined && one !== undefined && !force) refuseExisting([out]);
  const settings = await settingsFor(terminal, flags);
  const problems: string[] = [];
  const written: (ZoneFile & { readonly path: string })[] = [];
  await withClient(terminal, settings, async (client) => {
    const targets = one === undefined ? await targetsOf(client, flags) : [one];
    const reader = new ZoneReader(client, settings, terminal.clock);
    // A listed name that is no domain could be a path out of the folder.
    const reading = targets.map(async ({ domain }) => reader.get(domainOf(domain)));
    for (const each of reading) each.catch(() => undefined);
    for (const [i, { domain, path }] of targets.entries())
      try {
        const found = await reading[i];
        if (found === undefined) continue;
        const file = zoneFileOf(found.zone, settings.defaultLine);
        if (path === undefined) terminal.out.write(file.text);
        else await writeWhole(path, file.text);
        written.push({ ...file, path: path ?? `zones/${domain}.zone` });
        terminal.err.line(summaryOf(file, path).map(visibleLine).join("\n  "));
      } catch (error) {
        if (one !== undefined) throw error;
        const lines = explain(error).map((line) => (line.includes(domain) ? line : `${domain}: ${line}`));
        append(problems, lines);
        log(terminal, "error", lines);
      }
  });
  const program = programOf(written);
  const ok = problems.length === 0;
  if (flags.json) {
    const zones = written.map(({ text: _text, path: file, declared: records, ...zone }) => {
      return { ...zone, file, records };
    });
    printJson(terminal, { ok, zones, program: program.join("\n"), problems });
  } else if (one !== undefined && out === undefined) terminal.err.line(`\n${program.join("\n")}`);
  else if (written.length > 0) print(terminal, program);
  return ok ? exitCodes.fine : exitCodes.trouble;
}

function checkFlags(domain: string | undefined, { all, out, json }: Flags): void {
  const refuse = (detail: string, hint = ""): never => {
    throw new CommandError(usage("dump", detail, hint));
  };
  if (out === "") refuse("--out is empty");
  if (domain === undefined && all === undefined)
    refuse("no domain is named", "every domain of the account: --all");
  if (domain === undefined) return;
  if (all !== undefined) refuse(`--all and the domain ${JSON.stringify(domain)} exclude each other`);
  if (out === undefined && json) refuse("--json needs --out: standard output holds the zone otherwise");
}

async function targetsOf(
  client: Client,
  { all, out = "zones", force = false }: Flags,
): Promise<{ readonly domain: string; readonly path: string }[]> {
  const pattern = typeof all === "string" ? all : "*";
  const { domains } = await listDomains(client);
  const matches = patternMatcher([pattern]);
  const targets = domains
    .map(listedName)
    .filter((name) => matches({ name, type: "" }))
    .sort()
    .map((domain) => ({ domain, path: join(out, `${domain}.zone`) }));
  if (targets.length === 0)
    throw new CommandError(reason("dump.no-match", { pattern: JSON.stringify(pattern) }));
  if (!force) refuseExisting(targets.map(({ path }) => path));
  return targets;
}

function summaryOf({ domain, declared, comments, own }: ZoneFile, out: string | undefined): string[] {
  const adoption = declared === 0 ? "there is nothing to adopt" : "an up adopts all without a write";
  return [
    `${domain}: ${count(declared, "record")}${out === undefined ? "" : ` written to ${out}`}; ${adoption}`,
    ...(own > 0 ? [`left out: ${count(own, "NS record")} of the service itself`] : []),
    ...commentLines(comments),
  ];
}

interface ZoneFile extends Omit<WrittenZone, "path"> {
  readonly text: string;
  readonly comments: Comments;
  /** The number of the service's own NS records, which are not in the file. */
  readonly own: number;
}

/** Each attempt removes the records that conflict with others. Five attempts suffice for any zone. */
const writings = 5;

function zoneFileOf(zone: Zone, defaultLine: string): ZoneFile {
  const { domain } = zone;
  const entries = zone.entries.filter(({ hold }) => !hold);
  const apexNs = entries.some(
    ({ record, enabled }) => enabled && record.type === "NS" && record.name === "@",
  );
  let records = entries.map(({ record, ttl, enabled, id }): LiveRecord => ({ ...record, ttl, enabled, id }));
  const header: string[] = [];
  for (let writing = 1; writing <= writings; writing += 1) {
    const { text, read, comments } = zoneText({ domain, records }, { defaultLine, apexNs, header });
    const conflicting = conflictsIn(read);
    if (conflicting.size === 0) {
      prove(read, zone);
      const own = zone.entries.length - entries.length;
      return { domain, text, declared: read.records.length, comments, own, apexNs };
    }
    for (const record of records)
      if (conflicting.has(recordKey(record)))
        header.push(
          `not declared (it excludes other records of its name, id ${record.id ?? "unknown"}): ${recordText(record)}`,
        );
    records = records.filter((record) => !conflicting.has(recordKey(record)));
  }
  throw new CommandError(reason("dump.exclusive", { domain }));
}

function conflictsIn({ records, problems }: ZoneFileResult): Set<string> {
  return new Set(
    problems.filter(isError).map((problem) => {
      const record = records.find(({ position }) => position.line === problem.position.line);
      if (record !== undefined) return recordKey(record);
      const detail = `the file cannot be read back: ${textOf(problem)}`;
      throw new CommandError(reason("command.defect", { detail }));
    }),
  );
}

function prove({ records }: ZoneFileResult, zone: Zone): void {
  const plan = planRecords({
    records,
    zones: new Map([[zone.domain, zone]]),
    owned: new Set(),
    declaredElsewhere: () => false,
    adopt: true,
    may: createOnly,
  });
  const wrong = [...plan.create, ...plan.obstacles.map(({ record }) => record)];
  if (wrong.length === 0) return;
  const detail = `${zone.domain}: records would not be adopted`;
  const lines = wrong.map((record) => ({ text: recordText(record) }));
  throw new CommandError(reason("command.defect", { detail }, lines));
}
