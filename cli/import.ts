/**
 * `pulumi-legacydns import`: zone files or YAML from live zones, and one program that declares them. Before
 * a file is written, it is read back and planned against the zone.
 */
import { extname, join } from "node:path";
import { Option, type Command } from "commander";
import { listDomains, type Client } from "../provider/api";
import { canonicalDomain, patternMatcher } from "../provider/dns";
import { ZoneReader } from "../provider/reconcile/zones/reader";
import { reason } from "../provider/problems";
import { append } from "../provider/support/collections";
import { count } from "../provider/support/text";
import { visibleLine } from "../provider/support/visible";
import {
  baseUrlOption,
  domainOf,
  guarded,
  newCommand,
  print,
  printJson,
  settingsFor,
  withClient,
} from "./command";
import { CommandError, explain, usage } from "./errors";
import { zoneFileOf, type ZoneFile } from "./import/file";
import { exitCodes, log, type Terminal } from "./terminal";
import { refuseExisting, writeWhole } from "./files";
import { commentLines, forms, programOf, type Form } from "./zone-text";

interface Flags {
  /** A pattern, or true for all domains. */
  readonly all?: string | true;
  readonly to?: Form;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly baseUrl?: string;
}

interface Target {
  readonly domain: string;
  /** The file; undefined for standard output. */
  readonly path: string | undefined;
}

export function createCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns import example.com --out zones/example.com.zone",
    "pulumi-legacydns import example.com | less",
    "pulumi-legacydns import --all '*.example' --to yaml --out zones > index.ts",
  ];
  return newCommand("import", terminal, examples)
    .description("write a file from the live zone; declaring it adopts every record without a write")
    .argument("[domain]", "the zone, for example example.com")
    .option("--all [pattern]", "every domain of the account, or those that match (* for any characters)")
    .addOption(
      new Option("--to <form>", "a master file or YAML (default: by the file's name, else zone)").choices(
        forms,
      ),
    )
    .option("--out <file>", "the file (default: standard output); with --all a folder (default: zones)")
    .option("--force", "overwrite files that exist")
    .option("--json", "print what was written, as JSON; needs --out or --all")
    .option(...baseUrlOption)
    .action((domain: string | undefined, flags: Flags) =>
      guarded(
        terminal,
        () => importZones(terminal, domain, flags),
        flags.json === true ? (problems) => ({ version: 1, ok: false, problems }) : undefined,
      ),
    );
}

async function importZones(terminal: Terminal, named: string | undefined, flags: Flags): Promise<number> {
  const { out, force = false } = flags;
  const form = formOf(named, flags);
  const one = named === undefined ? undefined : { domain: domainOf(named), path: out };
  if (out !== undefined && one !== undefined && !force) refuseExisting([out]);
  const settings = settingsFor(terminal, flags.baseUrl);
  const problems: string[] = [];
  const written: (ZoneFile & { readonly path: string })[] = [];
  await withClient(terminal, settings, async (client) => {
    const targets = one === undefined ? await targetsOf(client, flags, form) : [one];
    const reader = new ZoneReader(client, settings, terminal.clock);
    // All zones are read at once, as fast as the client allows. Their files are written in order.
    const reading = targets.map(({ domain }) => reader.get(domain));
    for (const each of reading) each.catch(() => undefined);
    for (const [i, { domain, path }] of targets.entries())
      try {
        const found = await reading[i];
        if (found === undefined) continue;
        const file = zoneFileOf(found.zone, form, settings.defaultLine);
        if (path === undefined) terminal.out.write(file.text);
        else await writeWhole(path, file.text);
        written.push({ ...file, path: path ?? `zones/${domain}.${form}` });
        terminal.err.write(`${summaryOf(file, path).map(visibleLine).join("\n  ")}\n`);
      } catch (error) {
        if (one !== undefined) throw error;
        const lines = explain(error).map((line) => (line.includes(domain) ? line : `${domain}: ${line}`));
        append(problems, lines);
        log(terminal, "error", lines);
      }
  });
  const program = programOf(written);
  const ok = problems.length === 0;
  if (flags.json === true) {
    const zones = written.map(({ text: _text, path: file, declared: records, ...zone }) => {
      return { ...zone, file, records };
    });
    printJson(terminal, { version: 1, ok, zones, program: program.join("\n"), problems });
  } else if (one !== undefined && out === undefined) terminal.err.write(`\n${program.join("\n")}\n`);
  else if (written.length > 0) print(terminal, program);
  return ok ? exitCodes.fine : exitCodes.trouble;
}

/** The form of the files. A program recognises YAML by a file's extension, so the extension must fit. */
function formOf(domain: string | undefined, { all, to, out, json }: Flags): Form {
  const refuse = (detail: string, hint = ""): never => {
    throw new CommandError(usage("import", detail, hint));
  };
  if (out === "") refuse("--out is empty");
  if (domain === undefined && all === undefined)
    refuse("no domain is named", "every domain of the account: --all");
  if (domain === undefined) return to ?? "zone";
  if (all !== undefined) refuse(`--all and the domain ${JSON.stringify(domain)} exclude each other`);
  if (out === undefined)
    return json === true
      ? refuse("--json needs --out: standard output holds the zone otherwise")
      : (to ?? "zone");
  const byName = [".yaml", ".yml"].includes(extname(out).toLowerCase()) ? "yaml" : "zone";
  if (to === undefined || to === byName) return byName;
  const ends = to === "yaml" ? "ends" : "does not end";
  return refuse(`--to ${to} needs a name that ${ends} in .yaml or .yml; --out is ${out}`);
}

async function targetsOf(
  client: Client,
  { all, out = "zones", force = false }: Flags,
  form: Form,
): Promise<(Target & { readonly path: string })[]> {
  const pattern = typeof all === "string" ? all : "*";
  const { domains } = await listDomains(client);
  const matches = patternMatcher([pattern]);
  const targets = domains
    .map(({ name, punycode }) => {
      const found = canonicalDomain(punycode ?? name);
      return "domain" in found ? found.domain : name;
    })
    .filter((name) => matches({ name, type: "" }))
    .sort()
    .map((domain) => ({ domain, path: join(out, `${domain}.${form}`) }));
  if (targets.length === 0)
    throw new CommandError(reason("import.no-match", { pattern: JSON.stringify(pattern) }));
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
