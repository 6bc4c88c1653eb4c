/**
 * `pulumi-legacydns import --all`: a file for each domain of the account, and one program that declares
 * them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listDomains, type Client } from "../../provider/api";
import { canonicalDomain, patternMatcher } from "../../provider/dns";
import { ZoneReader } from "../../provider/reconcile/zones/reader";
import { systemClock } from "../../provider/support/clock";
import { append } from "../../provider/support/collections";
import { visibleLine } from "../../provider/support/visible";
import { print, printJson, settingsFor, withClient } from "../command";
import { reason } from "../../provider/problems";
import { CommandError, explain } from "../errors";
import { coloursOf, exitCodes, log, type Terminal } from "../terminal";
import { writeWhole } from "../files";
import type { Form } from "../zone-text";
import { zoneFileOf, type ZoneFile } from "./file";
import { jsonOf, programOf, summaryOf, type WrittenZone } from "./program";

export interface ImportFlags {
  /** A pattern, or true for all domains. */
  readonly all?: string | true;
  readonly to?: Form;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly baseUrl?: string;
}

export async function importAll(terminal: Terminal, flags: ImportFlags): Promise<number> {
  const { to: form = "zone", force = false } = flags;
  const settings = settingsFor(terminal, flags.baseUrl);
  const problems: string[] = [];
  const written: (WrittenZone & ZoneFile)[] = [];
  const { dim } = coloursOf(terminal, terminal.err);
  await withClient(terminal, settings, async (client) => {
    const targets = await targetsOf(client, flags, form);
    const reader = new ZoneReader(client, settings, systemClock);
    // All zones are read at once, as fast as the client allows. Their files are written in order.
    const reading = targets.map(({ domain }) => reader.get(domain));
    for (const each of reading) each.catch(() => undefined);
    for (const [i, { domain, path }] of targets.entries()) {
      try {
        const found = await reading[i];
        if (found === undefined) continue;
        const file = zoneFileOf(found.zone, form, settings.defaultLine);
        await writeWhole(path, file.text, force);
        written.push({ ...file, path });
        const [first = "", ...rest] = summaryOf(file, path).map(visibleLine);
        terminal.err.write([first, ...rest.map((line) => dim(`  ${line}`)), ""].join("\n"));
      } catch (error) {
        const lines = explain(error).map((line) => (line.includes(domain) ? line : `${domain}: ${line}`));
        append(problems, lines);
        log(terminal, "error", lines);
      }
    }
  });
  const program = programOf(written);
  const ok = problems.length === 0;
  if (flags.json === true) {
    const zones = written.map((file) => jsonOf(file, file.path));
    printJson(terminal, { version: 1, ok, zones, program: program.join("\n"), problems });
  } else if (written.length > 0) print(terminal, program);
  return ok ? exitCodes.fine : exitCodes.trouble;
}

/** The domains and their files. @throws CommandError if no domain matches the pattern, or if files exist */
async function targetsOf(
  client: Client,
  { all, out = "zones", force }: ImportFlags,
  form: Form,
): Promise<Pick<WrittenZone, "domain" | "path">[]> {
  const { domains } = await listDomains(client);
  const matches = patternMatcher([all === undefined || all === true ? "*" : all]);
  const targets = domains
    .map(({ name, punycode }) => {
      const found = canonicalDomain(punycode ?? name);
      return "domain" in found ? found.domain : name;
    })
    .filter((name) => matches({ name, type: "" }))
    .sort()
    .map((domain) => ({ domain, path: join(out, `${domain}.${form}`) }));
  if (targets.length === 0)
    throw new CommandError(
      reason("import.no-match", { pattern: JSON.stringify(all === true ? "*" : (all ?? "*")) }),
    );
  const existing = force === true ? [] : targets.filter(({ path }) => existsSync(path));
  if (existing.length > 0)
    throw new CommandError(...existing.map(({ path }) => reason("output.exists", { path })));
  return targets;
}
