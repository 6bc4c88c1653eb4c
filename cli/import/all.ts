/**
 * `pulumi-legacydns import --all`: a file for each domain of the account, and one program that declares them.
 * Each file has the same proof as a single import.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listDomains, type Client } from "../../provider/api";
import { systemClock } from "../../provider/support/clock";
import { canonicalDomain, patternMatcher } from "../../provider/dns";
import { ZoneReader } from "../../provider/reconcile/zones/reader";
import { append } from "../../provider/support/collections";
import { visibleLine } from "../../provider/support/visible";
import { print, printJson, settingsFor, withClient } from "../command";
import { CommandError, explain } from "../errors";
import { coloursOf, exitCodes, type Terminal } from "../terminal";
import { writeWhole } from "../whole-file";
import { zoneFileOf, type ZoneFile } from "./file";
import { programOf, summaryOf, type ImportedZone } from "./program";

export interface ImportAllOptions {
  readonly pattern: string | undefined;
  readonly out: string;
  readonly form: "zone" | "yaml";
  readonly force: boolean;
  readonly json: boolean;
  readonly baseUrl: string | undefined;
}

interface OutputFile extends ImportedZone, ZoneFile {}

/**
 * Writes the files of all zones that can be read, and prints the program.
 * @returns the exit code: 1 if a zone is missing
 */
export async function importAll(terminal: Terminal, options: ImportAllOptions): Promise<number> {
  const settings = settingsFor(terminal, options.baseUrl);
  const problems: string[] = [];
  const written: OutputFile[] = [];
  const { dim, red } = coloursOf(terminal, terminal.err);
  await withClient(terminal, settings, async (client) => {
    const targets = await targetsOf(client, options);
    const reader = new ZoneReader(client, settings, systemClock);
    // All zones are read at once, as fast as the client allows. Their files are written in order.
    const reading = targets.map(({ domain }) => reader.get(domain).then(({ zone }) => zone));
    for (const each of reading) each.catch(() => undefined);
    for (const [i, target] of targets.entries()) {
      try {
        const zone = await reading[i];
        if (zone === undefined) continue;
        const file = await writeZone(zoneFileOf(zone, options.form, settings.defaultLine), target, options);
        written.push(file);
        const [first = "", ...rest] = summaryOf(target.domain, file, target.path).map(visibleLine);
        terminal.err.write([first, ...rest.map((line) => dim(`  ${line}`)), ""].join("\n"));
      } catch (error) {
        const lines = explain(error).map((line) =>
          line.includes(target.domain) ? line : `${target.domain}: ${line}`,
        );
        append(problems, lines);
        for (const line of lines) terminal.err.write(`${red(`error: ${visibleLine(line)}`)}\n`);
      }
    }
  });
  const program = programOf(written);
  const ok = problems.length === 0;
  if (options.json) {
    const zones = written.map(({ domain, path, form, declared, comments, own, apexNs }) => ({
      ...{ domain, file: path, form, records: declared, comments, own, apexNs },
    }));
    printJson(terminal, { version: 1, ok, zones, program: program.join("\n"), problems });
  } else if (written.length > 0) print(terminal, program);
  return ok ? exitCodes.fine : exitCodes.trouble;
}

type Target = Pick<OutputFile, "domain" | "path">;

/** The domains and their files. @throws CommandError if no domain matches the pattern, or if files exist */
async function targetsOf(client: Client, { pattern, out, form, force }: ImportAllOptions): Promise<Target[]> {
  const { domains } = await listDomains(client);
  const matches = patternMatcher(pattern === undefined ? ["*"] : [pattern]);
  const names = domains.map(({ name, punycode }) => {
    const found = canonicalDomain(punycode ?? name);
    return "domain" in found ? found.domain : name;
  });
  const targets = names
    .filter((name) => matches({ name, type: "" }))
    .sort()
    .map((domain): Target => ({ domain, path: join(out, `${domain}.${form}`) }));
  if (targets.length === 0)
    throw new CommandError(
      pattern === undefined
        ? "the account has no domain"
        : `none of the account's ${names.length} domains matches ${JSON.stringify(pattern)}`,
    );
  const existing = force ? [] : targets.filter(({ path }) => existsSync(path));
  if (existing.length > 0)
    throw new CommandError(...existing.map(({ path }) => `${path} exists already; --force overwrites it`));
  return targets;
}

async function writeZone(
  file: ZoneFile,
  target: Target,
  { form, force }: ImportAllOptions,
): Promise<OutputFile> {
  await writeWhole(target.path, file.text, force);
  return { ...file, ...target, form };
}
